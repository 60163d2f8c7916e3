package e2e

import (
	"image"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/imaging/testpics"
	"atelier/service/presets"
)

// photo is a drawn picture of its own for every seed, a little larger than the smallest the service takes.
func photo(seed uint64) []byte {
	img, _ := testpics.Garment(640, 820, seed)
	return testpics.JPEG(img)
}

// portrait is a drawn person, seen from the front.
func portrait(t testing.TB) []byte {
	t.Helper()
	img, err := presets.FashionModels()[0].Draw(t.Context(), 640, 820)
	if err != nil {
		t.Fatal(err)
	}
	return testpics.JPEG(img)
}

// write types into the description of the form.
func (b *tab) write(text string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(chromedp.CSS(sel("input-textDescription")), text))
}

// fill brings so many files into a file field, a person first, one after the other, and waits until they stand in their places.
func (b *tab) fill(slot string, n int) {
	b.t.Helper()
	for i := range n {
		data := photo(uint64(20 + i))
		if i == 0 {
			data = portrait(b.t)
		}
		b.click("slot-" + slot)
		b.waitFor(sel("asset-add"))
		b.pick(writeFile(b.t, slot+"-"+strconv.Itoa(i+1)+".jpg", data))
		b.waitUntil(`document.querySelectorAll('` + sel("field-"+slot) + " " + sel("slot-file") + `').length === ` + strconv.Itoa(i+1))
	}
}

// inOrder waits until the files of a field stand in their places with the given names.
func (b *tab) inOrder(slot, names string) {
	b.t.Helper()
	b.waitUntil(`[...document.querySelectorAll('` + sel("field-"+slot) + ` .slot__open')].map(e => e.title).join(" ") === "` + names + `"`)
}

// One agent of each family that makes pictures: chosen from the list, filled in, generated, downloaded.
func TestAgentOfEachFamilyMakesAFile(t *testing.T) {
	t.Parallel()
	tests := []struct {
		agent string
		fill  func(b *tab)
		want  image.Point // of the result; zero for any
	}{
		{"image-to-sketch", func(b *tab) { b.upload("blouse.jpg", photo(7)) }, image.Pt(640, 820)},
		{"ai-clothes-changer", func(b *tab) { b.fill("images", 2) }, image.Point{}},
		{"ai-poster", func(b *tab) { b.write("Spring sale. Everything in green.") }, image.Point{}},
		{"image-studio", func(b *tab) { b.write("A red fox in the snow, early light") }, image.Point{}},
	}
	for _, tt := range tests {
		t.Run(tt.agent, func(t *testing.T) {
			t.Parallel()
			s := newStudio(t)
			b := openTab(t, 1440, 900)
			b.signIn(s)
			b.chooseAgent(tt.agent)
			tt.fill(b)
			b.click("batch-1")
			b.shot("family-" + tt.agent)
			b.generate()
			b.waitForResults(1)
			if tt.agent != "image-to-sketch" { // which keeps its picture on the stage
				b.waitUntil(`document.querySelector('` + sel("stage-result") + ` img')?.naturalWidth > 0`)
				b.audited("the stage after " + tt.agent)
				b.click("stage-result")
				b.waitFor(sel("lightbox-picture"))
				b.press(kb.Escape)
				b.waitUntil(`!document.querySelector("dialog[open]")`)
			}
			img := b.download(b.openGallery(1)[0])
			if size := img.Bounds().Size(); tt.want != (image.Point{}) && size != tt.want || size.X < 256 || size.Y < 256 {
				t.Errorf("the result is %v, want %v", size, tt.want)
			}
		})
	}
}

// What an agent without a picture needs is said, and what is given is enough.
func TestTextAgentNeedsNoPicture(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("z-image")
	b.click("generate")
	b.waitUntil(`document.querySelector('` + sel("form-hint") + `').textContent.includes("Describe what to show.")`)
	b.waitUntil(`document.activeElement.id === "field-textDescription"`) // where it is put right
	b.write("a lighthouse at dusk")
	b.waitUntil(`document.querySelector('` + sel("form-hint") + `').textContent === ""`)
	b.reload()
	b.waitFor(sel("input-textDescription"))
	b.waitUntil(value("textDescription") + ` === "a lighthouse at dusk"`)
}

// The files of a form are put in order with the keyboard and with the pointer, and the run has them in that order.
func TestFilesAreOrderedByKeyboardAndDragging(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("ai-collage-maker")
	b.fill("images", 3)
	b.inOrder("images", "images-1.jpg images-2.jpg images-3.jpg")
	b.waitUntil(`document.activeElement.id === "slot-images-3"`) // the place for the next one
	b.do(chromedp.Focus(chromedp.ID("slot-images-2")))
	b.press(arrowLeft)
	b.press(arrowLeft)
	b.waitUntil(`document.activeElement.id === "slot-images-0"`)
	b.inOrder("images", "images-3.jpg images-1.jpg images-2.jpg")
	b.says(sel("live"), "images-3.jpg, now place 1 of 3")
	first, last := b.box("#slot-images-0"), b.box("#slot-images-2")
	b.drag(first.at(.5, .4), last.at(.5, .4))
	b.inOrder("images", "images-1.jpg images-2.jpg images-3.jpg")
	b.shot("files-in-order")
	b.waitUntil(`document.activeElement.id === "slot-images-2"`) // the focus went along
	b.press(deleteKey)
	b.inOrder("images", "images-1.jpg images-2.jpg")
	b.reload()
	b.inOrder("images", "images-1.jpg images-2.jpg")
}

// Everything of an earlier run comes back: agent, words, choices, files in their order, the painted mask.
func TestEarlierSettingsFillTheForm(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)

	b.chooseAgent("ai-photoshoot")
	b.fill("images", 2)
	b.choose("modelName", "nano")
	b.choose("imageSize", "2K")
	b.write("in the evening")
	b.click("batch-1")
	b.generate()

	b.chooseAgent("removeBG")
	b.upload("blouse.jpg", garmentPhoto())
	b.choose("maskType", "custom")
	b.click("batch-1")
	picture := b.box(sel("stage-picture"))
	b.drag(picture.at(.3, .5), picture.at(.7, .5))
	b.waitUntil(`/[1-9]/.test(document.querySelector('` + sel("kept") + `')?.textContent ?? "")`)
	kept := b.text(sel("kept"))
	b.generate()
	b.waitForResults(1)
	b.click("mask-panel")
	b.click("mask-clear")
	b.choose("maskType", "autoSubjectSegment")

	ids := b.openGallery(2)
	b.recall(ids[0])
	b.waitUntil(`document.querySelector('` + sel("kept") + `')?.textContent === "` + kept + `"`)
	b.waitUntil(`(document.querySelector('` + sel("input-maskType") + `').value === "custom" || document.querySelector('` + sel("input-maskType") + ` [data-value="custom"][aria-checked="true"]'))`)

	b.click("nav-gallery")
	b.recall(ids[1])
	b.waitUntil(`document.querySelector('` + sel("agent-button") + `').textContent.includes("ai-photoshoot")`)
	b.waitUntil(`document.querySelectorAll('` + sel("field-images") + " " + sel("slot-file") + `').length === 2`)
	b.inOrder("images", "images-1.jpg images-2.jpg")
	b.waitFor(sel("input-imageSize") + ` [data-value="2K"][aria-checked="true"]`)
	b.waitFor(sel("input-modelName") + ` [data-value="nano"][aria-checked="true"]`)
	b.waitUntil(value("textDescription") + ` === "in the evening"`)
	b.shot("recalled")
}

// recall opens a result of the gallery and takes its settings.
func (b *tab) recall(id string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card") + `[data-result="` + id + `"]`)))
	b.waitFor(sel("lightbox-picture"))
	if b.count(sel("recall")) == 0 {
		b.click("details")
	}
	b.click("recall")
	b.waitUntil(`!document.querySelector("dialog[open]") && !document.querySelector(".studio").hidden`)
}
