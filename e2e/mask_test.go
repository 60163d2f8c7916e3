package e2e

import (
	"encoding/base64"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/app/words"
)

func TestJourneyMasksShapesWithEveryTool(t *testing.T) {
	t.Parallel()
	file, truth := shapesPicture()
	s, b, e := atMaskDesk(t, "shapes.png", file, shapesW, shapesH)
	b.click("batch-1")

	b.tool("rect")
	b.draw(hand{}, e.through([2]float64{90, 90}, [2]float64{380, 400})...)
	b.waitKept(8, 9)
	b.draw(hand{keys: altKey}, e.through([2]float64{80, 80}, [2]float64{100, 420})...) // too much on the left
	b.draw(hand{button: input.MouseButtonRight}, e.through([2]float64{80, 80}, [2]float64{420, 100})...)
	b.tool("ellipse")
	b.draw(hand{keys: shiftKey}, e.through([2]float64{480, 120}, [2]float64{800, 400})...)
	b.waitKept(16, 17) // a circle of 320 px
	b.click("mask-undo")
	b.waitKept(8, 8)
	b.draw(hand{}, e.through([2]float64{480, 120}, [2]float64{800, 420})...)
	b.tool("polygon")
	for _, p := range append(shapesCorners, shapesCorners[0]) {
		b.draw(hand{}, e.at(p.X, p.Y))
	}
	b.waitKept(21, 22)
	b.click("mask-undo")
	b.tool("smart")
	b.draw(hand{}, e.through([2]float64{120, 490}, [2]float64{430, 975})...)
	b.idle()
	b.waitKept(21, 22)
	b.shot("mask-smart")
	b.tool("wand")
	b.draw(hand{}, e.at(640, 630))
	b.idle()
	b.tool("brush")
	b.slide("brush-size", 12)
	b.draw(hand{}, e.through(circle(shapesRing, shapesRadius-9, 40)...)...)
	b.tool("bucket")
	b.draw(hand{}, e.at(shapesRing.X, shapesRing.Y))
	b.idle()
	b.tool("lasso")
	b.draw(hand{}, e.through([2]float64{420, 450}, [2]float64{470, 450}, [2]float64{470, 500}, [2]float64{420, 500})...)
	b.tool("eraser")
	b.slide("brush-size", 60)
	b.draw(hand{}, e.through([2]float64{430, 475}, [2]float64{460, 475})...)
	b.shot("mask-tools")

	if got := overlap(t, b.savedMask(s, "Shapes"), truth); got < .97 {
		t.Errorf("the mask agrees with the shapes by %.3f", got)
	}
	b.shot("mask-saved")

	// What the panel does can be taken back step by step.
	b.panel("refine")
	b.says(sel("mask-side"), words.RefineFirmHint)
	b.shot("mask-refine")
	before := b.kept()
	b.slide("grow", 40)
	b.waitKept(before+5, 100)
	b.slide("grow", 20)
	b.waitKept(before+2, before+14)
	b.slide("grow", 0)
	b.waitKept(before, before)
	b.slide("feather", 30)
	b.waitFor(sel("firm"))
	b.idle()
	b.shot("mask-feather")
	b.slide("feather", 0)
	b.waitKept(before, before)
	b.click("mask-invert")
	b.waitKept(99-before, 101-before)
	b.panel("history")
	b.shot("mask-history")
	b.do(chromedp.Click(chromedp.CSS(`li:last-child > ` + sel("history-row"))))
	b.waitKept(0, 0)
	b.do(chromedp.Click(chromedp.CSS(`li:nth-child(2) > ` + sel("history-row"))))
	b.waitKept(before, before)
	b.panel("regions")
	b.waitUntil(`document.querySelectorAll('` + sel("region") + `').length >= 6`)
	b.do(chromedp.Click(chromedp.CSS(`li:nth-child(2) > ` + sel("region"))))
	b.waitUntil(`document.querySelector('li:nth-child(2) > ` + sel("region") + `').getAttribute("aria-pressed") === "true"`)
	b.shot("mask-regions")
	b.panel("view")
	b.shot("mask-view")
	b.do(chromedp.Click(chromedp.CSS(sel("mask-side") + ` [data-value="strong"]`)))
	b.shot("mask-strong")
	b.do(chromedp.Click(chromedp.CSS(sel("mask-side") + ` [data-value="mask"]`)))
	b.shot("mask-alone")
	b.do(chromedp.Click(chromedp.CSS(sel("mask-side") + ` [data-value="tint"]`)))
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector('` + sel("mask-side") + `')`)

	b.generate()
	b.waitForResults(1)
	sent, _ := s.tasks()[0].Executions[0].Params["customMask"].(string)
	data, err := base64.StdEncoding.DecodeString(sent)
	if err != nil {
		t.Fatal(err)
	}
	plane := decodeMask(t, data)
	if got := overlap(t, plane, truth); got < .97 {
		t.Errorf("the mask that was sent agrees with the shapes by %.3f", got)
	}
	for i, v := range plane.Pix {
		if v != 0 && v != 255 {
			t.Fatalf("pixel %d of the mask that was sent has opacity %d", i, v)
		}
	}
}

func TestMaskIsPaintedByTouchAndPen(t *testing.T) {
	t.Parallel()
	file, truth := shapesPicture()
	s := newStudio(t)
	b := openTab(t, 390, 844)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
	b.signIn(s)
	b.upload("shapes.png", file)
	b.sheet("full")
	b.chooseAgent("removeBG")
	b.choose("maskType", "custom")
	b.click("batch-1")
	b.sheet("peek")
	e := b.easel(shapesW, shapesH)
	b.shot("mask-phone")

	// Two fingers move the picture and leave nothing behind.
	from, to := e.at(300, 500), e.at(600, 500)
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, from})
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, from}, finger{2, to})
	for i := range 5 {
		b.touch(input.DispatchTouchEventTypeTouchMove, finger{1, [2]float64{from[0] - float64(20*i), from[1]}}, finger{2, [2]float64{to[0] + float64(20*i), to[1]}})
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `').getBoundingClientRect().width > ` + words.Number(int(e.box.Width)+80))
	if b.kept() != 0 || b.count(sel("mask-undo")+"[disabled]") != 1 {
		t.Error("the first finger of two left a dot")
	}
	b.waitFor(sel("stage-map"))
	b.press("0")
	b.waitUntil(`Math.abs(document.querySelector('` + sel("stage-picture") + `').getBoundingClientRect().width - ` + words.Decimal(e.box.Width, 1) + `) < 1`)

	// One finger draws while no pen was seen.
	b.tool("rect")
	b.drawTouch(e.through([2]float64{100, 100}, [2]float64{380, 400})...)
	b.waitKept(8, 8)
	b.tool("ellipse")
	b.drawTouch(e.through([2]float64{480, 120}, [2]float64{800, 420})...)
	b.waitKept(15, 16)
	b.tool("polygon")
	for _, p := range shapesCorners {
		b.drawTouch(e.at(p.X, p.Y))
	}
	b.click("polygon-close")
	b.waitKept(20, 21)
	b.tool("wand")
	b.drawTouch(e.at(640, 630))
	b.waitKept(24, 25)

	// A pen draws as wide as it presses; from then on a finger moves the picture.
	pen := hand{pen: true, force: .9}
	b.tool("brush")
	b.slide("brush-size", 9)
	b.draw(pen, e.through(circle(shapesRing, shapesRadius-12, 32)...)...)
	b.tool("bucket")
	b.draw(pen, e.at(shapesRing.X, shapesRing.Y))
	b.idle()
	b.waitKept(27, 29)
	b.tool("brush")
	b.slide("brush-size", 40)
	before := b.kept()
	b.drawTouch(e.through([2]float64{450, 500}, [2]float64{450, 300})...)
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `').getBoundingClientRect().top < ` + words.Number(int(e.box.Y)-8))
	b.press("0")
	b.waitKept(before, before)
	b.shot("mask-phone-painted")
	b.panel("refine")
	b.shot("mask-phone-panel")
	if got := overlap(t, b.savedMask(s, "Phone"), truth); got < .95 {
		t.Errorf("the mask agrees with the shapes by %.3f", got)
	}
	b.click("mask-panel-close")
	b.generate()
	b.waitForResults(1)
}

func TestMaskIsMadeAndSentByKeyboard(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.waitFor(sel("sample-mannequin"))
	b.tabTo("sample-mannequin")
	b.press(kb.Enter)
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `')?.naturalWidth > 0`)
	b.tabTo("agent-button")
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.matches('` + sel("agent-search") + `')`)
	b.press("removeBG")
	b.tabTo("agent-removeBG")
	b.press(kb.Enter)
	b.waitUntil(`document.querySelector('` + sel("agent-button") + `').textContent.includes("removeBG")`)
	b.press("b") // painting by hand
	b.waitFor(sel("tool-brush"))
	b.tabTo("stage")

	// Down with the brush, along, up; then a rectangle from corner to corner.
	b.press(kb.ArrowDown)
	b.press(kb.Enter)
	for range 6 {
		b.press(kb.ArrowDown, chromedp.KeyModifiers(chromedp.ModifierShift))
	}
	b.press(kb.Enter)
	b.waitKept(1, 30)
	b.waitUntil(`document.querySelector('` + sel("live") + `').textContent.includes("is kept")`)
	stroke := b.kept()
	b.press("m")
	b.waitUntil(`document.querySelector('` + sel("tool-rect") + `').getAttribute("aria-pressed") === "true"`)
	b.press(kb.Enter)
	for range 4 {
		b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
		b.press(kb.ArrowUp, chromedp.KeyModifiers(chromedp.ModifierShift))
	}
	b.press(kb.Enter)
	b.waitKept(stroke+3, 60)
	b.shot("mask-keyboard")

	// A shape in numbers, and a part of the picture taken out of the list.
	b.press("t")
	b.waitFor(sel("mask-side"))
	b.tabToTab("regions")
	b.press(kb.Enter)
	for i, n := range []string{"10", "10", "120", "200"} {
		b.tabTo([]string{"shape-x", "shape-y", "shape-w", "shape-h"}[i])
		b.press(n)
	}
	b.tabTo("shape-add")
	b.press(kb.Enter)
	b.waitUntil(`document.querySelectorAll('` + sel("region") + `').length === 3`)
	words := `[...document.querySelectorAll('` + sel("region") + `')].map(e => e.textContent)`
	b.waitUntil(words + `.some(w => /^Region 3: .*% of the image, kept, top left$/.test(w))`)
	evaluate[bool](b, `(document.querySelector('`+sel("mask-panel-close")+`').focus(), true)`)
	for range 6 {
		b.tabTo("region-flip")
		if evaluate[string](b, `document.activeElement.getAttribute("aria-label")`) == "Redraw region 3" {
			break
		}
		b.press(kb.Tab)
	}
	b.press(kb.Enter)
	b.waitUntil(`document.querySelectorAll('` + sel("region") + `').length === 2`)
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector('` + sel("mask-side") + `')`)
	b.press(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitForResults(1)
	if sent, _ := s.tasks()[0].Executions[0].Params["customMask"].(string); sent == "" {
		t.Error("no mask was sent")
	}
}
