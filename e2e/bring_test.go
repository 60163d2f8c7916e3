package e2e

import (
	"encoding/base64"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/imaging/testpics"
)

// Dropped and pasted pictures take the same way as picked ones, checks included.
func TestPictureIsDroppedAndPasted(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	bring := func(name string, content []byte, event string) {
		t.Helper()
		ok := evaluate[bool](b, `(async () => {
			const bytes = Uint8Array.from(atob("`+base64.StdEncoding.EncodeToString(content)+`"), c => c.charCodeAt(0));
			const carried = new DataTransfer();
			carried.items.add(new File([bytes], "`+name+`", {type: "image/jpeg"}));
			`+event+`;
			return true;
		})()`)
		if !ok {
			t.Fatal("the event was not sent")
		}
	}
	const drop = `for (const kind of ["dragenter", "dragover", "drop"]) document.querySelector('[data-testid="stage"]').dispatchEvent(new DragEvent(kind, {dataTransfer: carried, bubbles: true, cancelable: true}))`
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
	b.chooseAgent("removeBG")
	bring("words.jpg", []byte("no picture at all, whatever its name says"), drop)
	b.waitFor(sel("upload-problem"))
}
