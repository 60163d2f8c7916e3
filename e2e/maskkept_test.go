package e2e

import (
	"encoding/base64"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

func TestMaskSurvivesCrashAndFitsNextFrame(t *testing.T) {
	t.Parallel()
	file, truth := shapesPicture()
	s := newStudio(t)
	folder := t.TempDir()
	b := openBrowser(t, folder, 1440, 900)
	b.signIn(s)
	b.upload("frame 1.png", file)
	b.chooseAgent("removeBG")
	b.choose("maskType", "custom")
	e := b.easel(shapesW, shapesH)
	b.tool("rect")
	b.draw(hand{}, e.through([2]float64{100, 100}, [2]float64{380, 400})...)
	b.waitKept(8, 8)
	b.draftKept()
	if _, err := chromedp.Call(b.ctx, browser.Crash, cdp.Empty{}); err == nil {
		t.Log("the browser answered before it crashed")
	}
	s.stop()
	s.start() // which prints another address to sign in with

	b = openBrowser(t, folder, 1440, 900)
	b.signIn(s)
	b.waitUntil(`document.querySelector('` + sel("asset-button") + `') || [...document.querySelectorAll("button")].some(b => b.textContent === "Recent")`)
	if b.count(sel("asset-button")) == 0 { // the browser had not yet written down which picture was on the stage
		evaluate[bool](b, `([...document.querySelectorAll("button")].find(b => b.textContent === "Recent").click(), true)`)
		b.still(".assets .asset:not(.asset--add)", 60)
		b.do(chromedp.Click(chromedp.CSS(".assets .asset:not(.asset--add)")))
	}
	b.chooseAgent("removeBG")
	b.choose("maskType", "custom")
	b.waitKept(8, 8)
	e = b.easel(shapesW, shapesH)
	for _, tool := range []struct {
		name     string
		from, to mask.Point
	}{{"ellipse", shapesEllipse[0], shapesEllipse[1]}} {
		b.tool(tool.name)
		b.draw(hand{}, e.through([2]float64{tool.from.X, tool.from.Y}, [2]float64{tool.to.X, tool.to.Y})...)
	}
	b.tool("wand")
	for _, at := range [][2]float64{{275, 800}, {640, 630}, {shapesRing.X, shapesRing.Y}} {
		b.draw(hand{}, e.at(at[0], at[1])) // no click is lost, however soon it comes
	}
	b.waitKept(28, 29)
	first := b.savedMask(s, "Look 1")
	if got := overlap(t, first, truth); got < .97 {
		t.Errorf("the first mask agrees with the shapes by %.3f", got)
	}

	// Exported, it is the file that would be sent.
	evaluate[bool](b, `(() => { const make = URL.createObjectURL; URL.createObjectURL = blob => { window.exported = blob; return make.call(URL, blob); }; return true; })()`)
	b.click("mask-export")
	b.waitUntil(`window.exported`)
	text := evaluate[string](b, `window.exported.arrayBuffer().then(b => btoa([...new Uint8Array(b)].map(v => String.fromCharCode(v)).join("")))`)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if !decodeMask(t, data).Equal(first) {
		t.Error("the exported mask is another one than the saved")
	}

	// The next frame of the shoot: everything stands 30 px to the right and 18 px higher.
	const dx, dy = 30, -18
	next, want := shifted(t, file, dx, dy), mask.New(shapesW, shapesH)
	for y := range shapesH {
		for x := range shapesW {
			if truth.Kept(x-dx, y-dy) {
				want.Set(x, y, 255)
			}
		}
	}
	b.upload("frame 2.png", next)
	b.waitKept(0, 0)
	b.panel("saved")
	b.click("saved-mask-rename")
	b.waitFor("#mask-rename")
	b.waitUntil(`(field => { field.value = "Sleeves"; field.dispatchEvent(new Event("change", {bubbles: true})); return true; })(document.getElementById("mask-rename"))`)
	b.says(sel("saved-mask"), "Sleeves")
	b.click("saved-mask")
	b.waitUntil(`/Moved by/.test(document.querySelector('` + sel("mask-note") + `')?.textContent ?? "")`)
	b.shot("mask-aligned")
	if got := overlap(t, b.savedMask(s, "Look 2"), want); got < .94 {
		t.Errorf("the moved mask agrees with the second frame by %.3f", got)
	}

	// A black and white mask from elsewhere: which colour keeps is asked.
	white := image.NewGray(image.Rect(0, 0, shapesW, shapesH))
	for i := range white.Pix {
		if i%shapesW < shapesW/4 {
			white.Pix[i] = 255
		}
	}
	b.do(chromedp.SetUploadFiles(chromedp.ID("mask-import"), []string{writeFile(t, "quarter.png", testpics.PNG(rgbaOf(white)))}))
	b.click("keep-white")
	b.waitKept(24, 25)
	b.do(chromedp.SetUploadFiles(chromedp.ID("mask-import"), []string{writeFile(t, "quarter.png", testpics.PNG(rgbaOf(white)))}))
	b.waitFor(sel("keep-black"))
	b.shot("mask-meaning")
	b.click("keep-black")
	b.waitKept(74, 75)
}

// shifted is a picture of shapes moved over its wall.
func shifted(t testing.TB, file []byte, dx, dy int) []byte {
	t.Helper()
	img := decodePicture(t, file)
	out := image.NewNRGBA(img.Bounds())
	for y := range shapesH {
		for x := range shapesW {
			fx, fy := min(max(x-dx, 0), shapesW-1), min(max(y-dy, 0), shapesH-1)
			out.SetNRGBA(x, y, color.NRGBAModel.Convert(img.At(fx, fy)).(color.NRGBA))
		}
	}
	return testpics.PNG(out)
}

func rgbaOf(img image.Image) *image.NRGBA {
	out := image.NewNRGBA(img.Bounds())
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			out.SetNRGBA(x, y, color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA))
		}
	}
	return out
}

// TestOutfitOfPhotographIsMasked needs the folder of photographs that ATELIER_PHOTOS names.
func TestOutfitOfPhotographIsMasked(t *testing.T) {
	t.Parallel()
	photo, truth := outfit(t)
	s, b, e := atMaskDesk(t, "fashion.jpg", photo, truth.W, truth.H)
	b.panel("refine")
	b.click("start-autoApparelSegment")
	b.waitUntil(`/Found/.test(document.querySelector('` + sel("mask-note") + `')?.textContent ?? "")`)
	b.click("mask-panel-close")
	b.shot("mask-photo-start")

	b.tool("smart")
	b.draw(hand{}, e.through([2]float64{130, 40}, [2]float64{360, 770})...)
	b.idle()
	b.shot("mask-photo-smart")
	b.tool("rect")
	b.draw(hand{}, e.through([2]float64{175, 260}, [2]float64{330, 520})...)
	b.tool("ellipse")
	b.draw(hand{}, e.through([2]float64{225, 225}, [2]float64{300, 330})...)
	b.tool("polygon")
	for _, p := range [][2]float64{{160, 350}, {155, 500}, {340, 500}, {330, 350}, {160, 350}} {
		b.draw(hand{}, e.at(p[0], p[1]))
	}
	b.tool("brush")
	b.slide("brush-size", 24)
	b.draw(hand{}, e.through([2]float64{238, 420}, [2]float64{240, 640})...)
	b.drawTouch(e.through([2]float64{265, 330}, [2]float64{268, 450})...) // a finger draws until a pen is seen
	b.draw(hand{pen: true, force: .8}, e.through([2]float64{290, 560}, [2]float64{295, 660})...)
	b.tool("wand")
	b.slide("wand-tolerance", 10)
	b.draw(hand{}, e.at(300, 600))
	b.idle()
	b.tool("bucket")
	b.draw(hand{}, e.at(240, 70))
	b.idle()
	b.click("mask-undo") // poured where nothing held it
	b.tool("eraser")
	b.draw(hand{}, e.through([2]float64{40, 300}, [2]float64{60, 600})...)

	now := b.savedMask(s, "First look")
	t.Logf("before the corrections: %.3f", overlap(t, now, truth))
	b.click("mask-panel-close")
	b.correct(e, now, truth, 40)
	b.idle()
	b.shot("mask-photo-done")
	got := overlap(t, b.savedMask(s, "Outfit"), truth)
	t.Logf("after them: %.3f", got)
	if got < .95 || math.IsNaN(got) {
		t.Errorf("the mask agrees with the label by %.3f", got)
	}
}
