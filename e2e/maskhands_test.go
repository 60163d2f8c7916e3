package e2e

import (
	"image"
	"image/draw"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/imaging/testpics"
)

// hold presses a key, or lets it go.
func (b *tab) hold(kind input.DispatchKeyEventType, name string) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: name}); err != nil {
		b.t.Fatal(err)
	}
}

const (
	keyDown = input.DispatchKeyEventTypeRawKeyDown
	keyUp   = input.DispatchKeyEventTypeKeyUp
)

// tinted says in JavaScript whether the mask is shown over a place of the page.
func tinted(at [2]float64) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	return `(canvas => {
		const r = canvas.getBoundingClientRect(), k = canvas.width / r.width;
		return canvas.getContext("2d").getImageData((` + number(at[0]) + ` - r.x) * k, (` + number(at[1]) + ` - r.y) * k, 1, 1).data[3] > 0;
	})(document.querySelector('` + sel("mask-canvas") + `'))`
}

// drawn waits until the mask is shown over one place, and not over another.
func (b *tab) drawn(at, beside [2]float64) {
	b.t.Helper()
	b.waitUntil(tinted(at) + ` && !` + tinted(beside))
}

func TestMaskDeskTakesPointerAndKeys(t *testing.T) {
	t.Parallel()
	file, _ := shapesPicture()
	_, b, e := atMaskDesk(t, "shapes.png", file, shapesW, shapesH)
	b.tool("brush")
	undone := func() { b.waitUntil(`document.querySelector('` + sel("mask-undo") + `').disabled`) }

	// Space moves the picture in the middle of a stroke, which then goes on where it was.
	places := e.through([2]float64{200, 300}, [2]float64{400, 300}, [2]float64{400, 500}, [2]float64{600, 500})
	b.send(pressed, hand{}, places[0])
	b.send(moved, hand{}, places[1])
	b.hold(keyDown, " ")
	b.send(moved, hand{}, places[2])
	b.hold(keyUp, " ")
	b.send(moved, hand{}, places[3])
	b.send(released, hand{}, places[3])
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `').getBoundingClientRect().top > ` + strconv.Itoa(int(e.box.Y)+9))
	b.press("0")
	b.drawn(e.at(590, 300), e.at(590, 500))
	b.click("mask-undo")
	undone()

	// Escape takes back what is being drawn, whatever it is.
	b.send(pressed, hand{}, places[0])
	b.send(moved, hand{}, places[1])
	b.waitUntil(tinted(places[1]))
	b.press(kb.Escape)
	b.send(moved, hand{}, places[2])
	b.send(released, hand{}, places[2])
	b.waitUntil(`!` + tinted(places[1]))
	undone()
	b.tool("polygon")
	b.draw(hand{}, places[0])
	b.draw(hand{}, places[1])
	b.waitFor(sel("polygon-close"))
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector('` + sel("polygon-close") + `')`)
	undone()

	// A pen is as wide as it presses and leans; a hand that rests beside it is not heard, and its other end erases.
	b.tool("brush")
	b.slide("brush-size", 60)
	line := e.through([2]float64{150, 200}, [2]float64{750, 200})
	b.draw(hand{pen: true, force: .1}, line...)
	b.drawn(e.at(450, 205), e.at(450, 225))
	b.send(pressed, hand{pen: true, force: 1}, line[0])
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, e.at(300, 700)})
	b.touch(input.DispatchTouchEventTypeTouchMove, finger{1, e.at(500, 800)})
	b.send(moved, hand{pen: true, force: 1}, line[1])
	b.send(released, hand{pen: true, force: 1}, line[1])
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.drawn(e.at(450, 240), e.at(450, 265))
	if evaluate[bool](b, tinted(e.at(400, 750))) {
		t.Error("the palm drew")
	}
	b.draw(hand{pen: true, force: 1, tilt: 90}, line...)
	b.drawn(e.at(450, 270), e.at(450, 300))
	evaluate[bool](b, `(stage => {
		const at = (type, x, buttons) => stage.dispatchEvent(new PointerEvent(type, {bubbles: true, cancelable: true, pointerId: 1, isPrimary: true,
			pointerType: "pen", pressure: 1, button: type === "pointermove" ? -1 : 5, buttons, clientX: x, clientY: `+strconv.FormatFloat(line[0][1], 'f', 2, 64)+`}));
		stage.setPointerCapture = () => {};
		at("pointerdown", `+strconv.Itoa(int(line[0][0]))+`, 32);
		at("pointermove", `+strconv.Itoa(int(line[1][0]))+`, 32);
		at("pointerup", `+strconv.Itoa(int(line[1][0]))+`, 0);
		return true;
	})(document.getElementById("stage"))`)
	b.drawn(e.at(450, 270), e.at(450, 200))
	b.draw(hand{button: input.MouseButtonRight}, e.through([2]float64{150, 260}, [2]float64{750, 260})...)
	b.drawn(e.at(450, 130), e.at(450, 270))

	// The source shows while a key is held.
	b.hold(keyDown, `\`)
	b.waitUntil(`!` + tinted(e.at(450, 130)))
	b.hold(keyUp, `\`)
	b.waitUntil(tinted(e.at(450, 130)))

	// On a screen of another resolution it is drawn in that.
	b.do(chromedp.EmulateViewport(1440, 900, chromedp.EmulateScale(2)))
	b.send(moved, hand{}, places[0])
	b.waitUntil(`(c => c.width === Math.round(2 * c.getBoundingClientRect().width))(document.querySelector('` + sel("mask-canvas") + `')) && ` + tinted(e.at(450, 130)))
	b.do(chromedp.EmulateViewport(1440, 900))

	// Settings, keys and the mask are there again after a reload.
	b.slide("brush-size", 90)
	b.slide("brush-hardness", 40)
	b.tool("eraser")
	b.slide("brush-size", 20)
	b.press("]")
	b.panel("view")
	b.click("tint-keep-magenta")
	b.click("change-keys")
	b.click("key-lasso")
	b.press("k")
	b.waitUntil(`document.querySelector('` + sel("key-lasso") + `').textContent === "K"`)
	b.press(kb.Escape)
	b.click("mask-panel-close")
	b.draftKept()
	kept := b.kept()
	b.reload()
	b.waitKept(kept, kept)
	b.tool("brush")
	value := func(name, is string) {
		b.waitUntil(`document.querySelector('` + sel(name) + `').value === "` + is + `"`)
	}
	value("brush-size", "90")
	value("brush-hardness", "40")
	b.tool("eraser")
	value("brush-size", "22")
	value("brush-hardness", "100")
	b.press("k")
	b.waitUntil(`document.querySelector('` + sel("tool-lasso") + `').getAttribute("aria-pressed") === "true"`)
	b.waitFor(sel("legend") + " .tint--magenta")
	b.press("?")
	b.waitUntil(`/K\s*Lasso/.test(document.querySelector("dialog[open]")?.textContent ?? "")`)
	b.press(kb.Escape)
}

func TestMaskFaultIsFixedWithOnePress(t *testing.T) {
	t.Parallel()
	file, _ := shapesPicture()
	_, b, e := atMaskDesk(t, "shapes.png", file, shapesW, shapesH)
	mend := func(code string, low, high int) {
		b.t.Helper()
		finding := sel("finding") + `[data-code="` + code + `"]`
		b.waitFor(finding)
		b.do(chromedp.Click(chromedp.CSS(finding + " button")))
		b.waitUntil(`!document.querySelector('` + finding + `')`)
		b.idle()
		b.waitKept(low, high)
	}
	b.tool("rect")
	b.draw(hand{}, e.through([2]float64{100, 100}, [2]float64{550, 650})...)
	b.waitKept(25, 25)
	b.tool("brush")
	b.slide("brush-size", 4)
	b.draw(hand{}, e.at(800, 900))
	b.draw(hand{keys: altKey}, e.at(300, 300))
	b.waitFor(sel("finding"))
	b.shot("mask-findings")
	mend("mask_specks", 24, 25)
	mend("mask_holes", 25, 25)
	b.panel("refine")
	b.slide("feather", 60)
	mend("mask_soft", 24, 26)
	b.click("mask-all")
	mend("mask_full", 75, 85)
	b.click("mask-clear")
	b.waitKept(0, 0)
	b.click("generate")
	mend("mask_empty", 15, 25)

	// A mask of other proportions is stretched when that is meant.
	wide := image.NewNRGBA(image.Rect(0, 0, 800, 300))
	draw.Draw(wide, image.Rect(0, 0, 400, 300), image.White, image.Point{}, draw.Src)
	b.panel("saved")
	b.do(chromedp.SetUploadFiles(chromedp.ID("mask-import"), []string{writeFile(t, "wide.png", testpics.PNG(wide))}))
	b.says(sel("import-size"), "800 × 300")
	b.shot("mask-stretch")
	b.click("keep-opaque")
	b.waitKept(50, 50)
}

func TestPictureThatFailsIsLoadedAgain(t *testing.T) {
	t.Parallel()
	file, _ := shapesPicture()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("shapes.png", file)
	evaluate[bool](b, `(picture => { picture.src += "/gone"; return true; })(document.querySelector('`+sel("stage-picture")+`'))`)
	b.waitFor(sel("stage-lost"))
	b.shot("stage-lost")
	b.click("stage-again")
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `')?.naturalWidth === ` + strconv.Itoa(shapesW))
	b.forgive("gone")
}
