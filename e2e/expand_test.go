package e2e

import (
	"image"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	arrowLeft = kb.ArrowLeft
	deleteKey = kb.Delete
)

// value is the JavaScript expression of what a field of the form shows.
func value(param string) string {
	return `(document.querySelector('` + sel("input-"+param) + `')?.value ?? "")`
}

func (b *tab) setNumber(param, value string) {
	b.t.Helper()
	evaluate[bool](b, `(e => { e.focus(); e.select(); return true })(document.querySelector('`+sel("input-"+param)+`'))`)
	b.press(value)
}

// The canvas of an expansion is dragged by its handles, then set to the pixel, and the result has that size.
func TestCanvasIsDraggedThenSetToThePixel(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("expandimage")
	b.upload("blouse.jpg", garmentPhoto()) // 640 × 820
	b.waitFor(sel("canvas-size"))

	// The sizes of the service, searched; a shape around the photo; the photo back in the middle.
	b.do(chromedp.SendKeys(chromedp.ID("size-search"), "story"))
	b.waitUntil(`document.querySelectorAll('` + sel("sizes") + ` .chip').length === 1`)
	b.do(chromedp.Click(chromedp.CSS(sel("sizes") + " .chip")))
	b.waitUntil(value("targetWidth") + ` === "1080" && ` + value("targetHeight") + ` === "1920"`)
	b.do(chromedp.Click(chromedp.CSS(sel("shapes") + " .chip"))) // square
	b.waitUntil(value("targetWidth") + ` === "820" && ` + value("targetHeight") + ` === "820"`)
	b.do(chromedp.Focus(chromedp.ID("stage")))
	b.press(kb.ArrowRight)
	b.waitUntil(value("fillLeft") + ` === "91"`)
	b.click("centre")
	b.waitUntil(`["", "90"].includes(` + value("fillLeft") + `)`)

	// The photo by its corner, half as large on its canvas: the canvas has twice the pixels then.
	picture := b.box(sel("stage-picture"))
	b.drag(picture.at(1, 1), picture.at(.5, .5))
	b.waitUntil(`Math.abs(` + value("targetWidth") + ` - 1640) <= 40 && ` + value("targetWidth") + ` === ` + value("targetHeight"))
	b.setNumber("targetWidth", "640")
	b.setNumber("targetHeight", "820")
	b.click("centre")
	b.waitUntil(`["", "0"].includes(` + value("fillLeft") + `)`)

	// The right side of the canvas, by a quarter of the picture's width; other sides stay.
	picture = b.box(sel("stage-picture"))
	b.drag(picture.at(1, .5), picture.at(1.25, .5))
	b.waitUntil(`Math.abs(` + value("targetWidth") + ` - 800) <= 10`) // about a quarter more
	b.waitUntil(value("targetHeight") + ` === "820" && ` + value("fillLeft") + ` === "0" && ` + value("fillTop") + ` === "0"`)

	// The picture itself, to the right edge, where it snaps.
	picture = b.box(sel("stage-picture"))
	b.drag(picture.at(.5, .5), [2]float64{picture.at(.5, .5)[0] + .24*picture.Width, picture.at(.5, .5)[1]})
	b.waitUntil(value("fillLeft") + ` > 0 && ` + value("fillLeft") + ` == ` + value("targetWidth") + ` - 640`)
	b.shot("expand-dragged")

	// The handles by keys: the photo larger and smaller on its canvas, then exact numbers, the sides, the photo itself.
	width := evaluate[string](b, value("targetWidth"))
	b.do(chromedp.Focus(chromedp.ID("stage")))
	b.press("[")
	b.waitUntil(value("targetWidth") + ` > ` + width)
	b.press("]")
	b.waitUntil(value("targetWidth") + ` == ` + width)
	b.setNumber("targetWidth", "899")
	b.setNumber("targetHeight", "900")
	b.setNumber("fillLeft", "200")
	b.setNumber("fillTop", "40")
	b.do(chromedp.Focus(chromedp.ID("stage")))
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitUntil(value("targetWidth") + ` === "900" && ` + value("targetHeight") + ` === "900"`)
	b.press(kb.ArrowRight)
	b.press(kb.ArrowDown, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.waitUntil(value("fillLeft") + ` === "201" && ` + value("fillTop") + ` === "50"`)
	b.waitUntil(`document.querySelector('` + sel("live") + `').textContent.includes("photo 201 from the left, 50 from the top")`)

	// Out of range is said beside the field, in range again it is quiet.
	b.setNumber("fillLeft", "895")
	b.waitUntil(`document.querySelector('` + sel("field-fillLeft") + `').textContent.includes("892")`)
	b.setNumber("fillLeft", "201")
	b.waitUntil(`!document.querySelector('` + sel("field-fillLeft") + ` .field__problem')`)

	b.click("batch-1")
	b.generate()
	b.waitForResults(1)
	img := b.download(b.openGallery(1)[0])
	if size := img.Bounds().Size(); size != image.Pt(900, 900) {
		t.Fatalf("the result is %v, want 900 × 900", size)
	}
	tasks := s.tasks()
	if len(tasks) != 1 || len(tasks[0].Executions) != 1 {
		t.Fatalf("%d tasks", len(tasks))
	}
	for name, want := range map[string]float64{"targetWidth": 900, "targetHeight": 900, "fillLeft": 201, "fillTop": 50} {
		if got := tasks[0].Executions[0].Params[name]; got != want {
			t.Errorf("the service was asked for %s = %v, want %v", name, got, want)
		}
	}
}
