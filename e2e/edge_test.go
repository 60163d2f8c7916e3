package e2e

import (
	"image"
	"image/color"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/imaging/testpics"
)

// A mask without a sleeve keeps all it was to keep, and the result says that the sleeve is missing wherever it says that.
func TestDoubtfulEdgeIsNamed(t *testing.T) {
	t.Parallel()
	photo, keep := testpics.Garment(640, 820, 7)
	b0 := keep.Bounds()
	white := image.NewNRGBA(photo.Rect)
	for y := range keep.H {
		for x := range keep.W {
			c := color.NRGBA{A: 255}
			if keep.Kept(x, y) && x >= b0.Min.X+b0.Dx()/5 {
				c = color.NRGBA{255, 255, 255, 255}
			}
			white.SetNRGBA(x, y, c)
		}
	}
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", testpics.JPEG(photo))
	b.chooseAgent("aimodel")
	b.choose("maskType", "custom")
	b.choose("generatedContent", "freeCreation")
	b.click("batch-1")
	b.do(chromedp.Click(chromedp.CSS(sel("field-locationId") + " " + sel("preset"))))
	b.panel("saved")
	b.do(chromedp.SetUploadFiles(chromedp.ID("mask-import"), []string{writeFile(t, "sleeveless.png", testpics.PNG(white))}))
	b.click("keep-white")
	b.waitUntil(`/[1-9]/.test(document.querySelector('` + sel("kept") + `')?.textContent ?? "")`)
	b.generate()
	b.waitForResults(1)

	b.openGallery(1)
	b.says(sel("wall")+" .tile .card__changed", "Edge in doubt")
	b.says(sel("wall")+" .tile .cell__time", "?")
	b.waitUntil(`document.querySelector('` + sel("wall") + " " + sel("result-card") + `').getAttribute("aria-label").includes("edge in doubt")`)
	b.audited("edge-tile")
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.says("#lightbox "+sel("fidelity"), "Edge in doubt: part of the subject (")
	b.says("#lightbox "+sel("fidelity"), "seems to lie outside the mask and has changed.")
	b.press("h")
	b.waitUntil(`document.querySelector('` + sel("heat") + `')?.naturalWidth > 0`)
	b.says(sel("heat-legend"), "Edge in doubt")
	b.audited("edge-lightbox")
	b.do(chromedp.EmulateViewport(390, 844))
	b.audited("edge-lightbox-phone")
	b.press("h")
	b.press("i")
	b.says(".lightbox__details", "of the subject.")
	b.do(chromedp.EmulateViewport(1440, 900))
	b.audited("edge-details")
	b.press(kb.Escape)
}
