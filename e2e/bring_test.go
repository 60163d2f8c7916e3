package e2e

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/app/words"
	"atelier/imaging/testpics"
)

// onStage drops what is carried on the stage.
const onStage = `for (const kind of ["dragenter", "dragover", "drop"]) document.querySelector('[data-testid="stage"]').dispatchEvent(new DragEvent(kind, {dataTransfer: carried, bubbles: true, cancelable: true}))`

// bring lets an event of the page carry a file.
func (b *tab) bring(name string, content []byte, event string) {
	b.t.Helper()
	ok := evaluate[bool](b, `(async () => {
		const bytes = Uint8Array.from(atob("`+base64.StdEncoding.EncodeToString(content)+`"), c => c.charCodeAt(0));
		const carried = new DataTransfer();
		carried.items.add(new File([bytes], "`+name+`", {type: "image/jpeg"}));
		`+event+`;
		return true;
	})()`)
	if !ok {
		b.t.Fatal("the event was not sent")
	}
}

// What an iPhone takes is dropped and stands on the stage, upright, in its colours, although this browser cannot draw the file itself.
func TestHEICIsDroppedAndShown(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	shown := func(name string, width int) {
		t.Helper()
		b.waitUntil(`(document.querySelector('` + sel("asset-button") + `')?.textContent ?? "").includes("` + name + `") && document.querySelector('` + sel("stage-picture") + `')?.naturalWidth === ` + strconv.Itoa(width))
	}
	b.bring("IMG_0001.HEIC", testpics.HEIF{Main: testpics.HEIFTiles8, Rotate: 1, EXIF: testpics.Exif(6, true)}.File(), onStage)
	shown("IMG_0001.HEIC", 880)
	b.shot("heic-stage")
	corner := evaluate[[]int](b, `(() => {
		const picture = document.querySelector('`+sel("stage-picture")+`'), canvas = document.createElement("canvas");
		canvas.width = 880; canvas.height = 640;
		const pen = canvas.getContext("2d");
		pen.drawImage(picture, 0, 0);
		return Array.from(pen.getImageData(60, 60, 1, 1).data);
	})()`)
	if corner[0] > 20 || corner[1] < 235 || corner[2] > 20 { // top right as stored, turned to the left
		t.Errorf("top left is %v", corner)
	}
	b.bring("scan.tif", testpics.TIFF{Picture: testpics.Photo(600, 640, 5), Photometric: 2, Compression: 5, Rows: 64, Pages: 2}.File(), onStage)
	shown("scan.tif", 600)
	b.told("Page 1 of 3")
	b.bring("print.tif", testpics.TIFF{Picture: testpics.Photo(600, 640, 5), Photometric: 5}.File(), onStage)
	b.says(sel("upload-problem"), "CMYK")
}

// Dropped and pasted pictures take the same way as picked ones, checks included.
func TestPictureIsDroppedAndPasted(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	bring := b.bring
	const drop = onStage
	const paste = `document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: carried, bubbles: true, cancelable: true}))`
	shown := func(name string) {
		t.Helper()
		b.waitUntil(`(document.querySelector('` + sel("asset-button") + `')?.textContent ?? "").includes("` + name + `") && document.querySelector('` + sel("stage-picture") + `')?.naturalWidth === 640`)
	}
	bring("dropped.jpg", garmentPhoto(), drop)
	shown("dropped")
	another, _ := testpics.Garment(640, 820, 8) // the same bytes again would be the same asset
	bring("pasted.jpg", testpics.JPEG(another), paste)
	shown("pasted")

	// A place of the form takes what is dropped on it, and what is pasted while it has the focus.
	b.chooseAgent("ai-clothes-changer")
	const onPlace = `for (const kind of ["dragenter", "dragover", "drop"]) document.querySelector('[data-testid="slot-images"]').dispatchEvent(new DragEvent(kind, {dataTransfer: carried, bubbles: true, cancelable: true}))`
	const inPlace = `document.querySelector('[data-testid="slot-images"]').focus();
		document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: carried, bubbles: true, cancelable: true}))`
	b.inOrder("images", "pasted.jpg") // came along from the stage
	b.do(chromedp.Click(chromedp.CSS(sel("slot-remove"))))
	bring("person.jpg", photo(31), onPlace)
	b.inOrder("images", "person.jpg")
	bring("garment.jpg", photo(32), inPlace)
	b.inOrder("images", "person.jpg garment.jpg")
	// A spreadsheet's cell is text and picture: a field takes the text, which the page leaves to the browser, and nothing is uploaded.
	const cell = `carried.setData("text/plain", "linen");
		const field = document.querySelector('[data-testid="input-textDescription"]');
		field.focus();
		const pasted = new ClipboardEvent("paste", {clipboardData: carried, bubbles: true, cancelable: true});
		field.dispatchEvent(pasted);
		document.title = "prevented: " + pasted.defaultPrevented`
	bring("cell.jpg", photo(33), cell)
	b.waitUntil(`document.title === "prevented: false"`)
	b.inOrder("images", "person.jpg garment.jpg")
	// Of text in the field of the count a browser keeps what may be part of a number: left, it shows the count again.
	b.do(chromedp.Focus(chromedp.CSS(sel("input-batchCount"))))
	b.typed("e")
	b.press(kb.Tab)
	b.waitUntil(`(f => !f.validity.badInput && f.value === "1")
		(document.querySelector('` + sel("input-batchCount") + `'))`)
	b.chooseAgent("removeBG")
	bring("words.jpg", []byte("no picture at all, whatever its name says"), drop)
	b.waitFor(sel("upload-problem"))
}

// dragIn drags something from outside of the page onto an element and drops it.
func (b *tab) dragIn(selector string, data input.DragData) {
	b.t.Helper()
	b.still(selector, 60)
	at := evaluate[[2]float64](b, `(r => [r.x + r.width / 2, r.y + r.height / 2])(
		document.querySelector('`+selector+`').getBoundingClientRect())`)
	data.DragOperationsMask = 1 // copy
	if data.Items == nil {
		data.Items = []*input.DragDataItem{}
	}
	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		p := input.DispatchDragEventParams{Type: kind, X: at[0], Y: at[1], Data: &data}
		if _, err := chromedp.Call(b.ctx, input.DispatchDragEvent, p); err != nil {
			b.t.Fatal(err)
		}
	}
}

// A dropped folder gives its photos, those of the folders in it too, in the order of their names.
func TestFolderIsDropped(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	look := filepath.Join(t.TempDir(), "look")
	notes := filepath.Join(look, ".notes")
	for i, name := range []string{"10.jpg", "2.jpg", "back/1.jpg", "Thumbs.db", "read me.txt", ".2.jpg", ".notes/3.jpg"} {
		path := filepath.Join(look, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, photo(uint64(40+i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.chooseAgent("image-studio")
	b.dragIn(sel("slot-images"), input.DragData{Files: []string{look}})
	b.inOrder("images", "2.jpg 10.jpg 1.jpg")
	if err := os.Remove(filepath.Join(notes, "3.jpg")); err != nil {
		t.Fatal(err)
	}
	b.dragIn(sel("stage"), input.DragData{Files: []string{notes}})
	b.says(sel("upload-problem"), words.UploadFolderEmpty)
	b.shot("folder-empty")
	b.inOrder("images", "2.jpg 10.jpg 1.jpg")
}

// A picture dragged from another page is taken where the page may fetch it; of all others it says what to do.
func TestPictureOfAnotherPageIsDropped(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	drag := func(image, link string) {
		t.Helper()
		b.dragIn(sel("stage"), input.DragData{Items: []*input.DragDataItem{
			{MimeType: "text/uri-list", Data: link},
			{MimeType: "text/html", Data: `<a href="/x"><img alt="" src="` + image + `"></a>`},
		}})
	}
	stands := func(name string) {
		t.Helper()
		b.waitUntil(`(document.querySelector('` + sel("asset-button") + `')?.textContent ?? "").includes("` + name + `")`)
	}
	b.bring("first.jpg", photo(51), onStage)
	stands("first")
	first := evaluate[string](b, `document.querySelector('`+sel("stage-picture")+`').src`)
	drag("data:image/jpeg;base64,"+base64.StdEncoding.EncodeToString(photo(52)), "https://shop.example/product")
	stands("picture")
	drag(first, first)
	stands("first")
	drag("https://shop.example/a.jpg", "https://shop.example/product")
	b.says(sel("upload-problem"), words.UploadFromPage)
	b.shot("picture-elsewhere")

	// A link dropped into a text field is the browser's; elsewhere it does not open in place of the studio.
	const prevented = `((selector, kind) => {
		const carried = new DataTransfer();
		const over = new DragEvent("dragover", {dataTransfer: carried, bubbles: true, cancelable: true});
		carried.setData(kind, "https://shop.example/product");
		document.querySelector(selector).dispatchEvent(over);
		return over.defaultPrevented;
	})`
	b.chooseAgent("ai-clothes-changer")
	b.waitFor(sel("input-textDescription"))
	for _, tt := range []struct {
		over, kind string
		want       bool
	}{
		{"stage", "text/uri-list", true}, {"input-textDescription", "text/uri-list", false}, {"stage", "text/plain", false},
	} {
		if got := evaluate[bool](b, prevented+"(`"+sel(tt.over)+"`, '"+tt.kind+"')"); got != tt.want {
			t.Errorf("%s over %s is taken: %v", tt.kind, tt.over, got)
		}
	}
}
