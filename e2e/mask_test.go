package e2e

import (
	"encoding/base64"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/imaging/mask"
)

func TestShapesAreMaskedWithEveryTool(t *testing.T) {
	file, truth := shapesPicture()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("shapes.png", file)
	b.chooseAgent("removeBG")
	b.choose("maskType", "custom")
	b.click("batch-1")
	b.waitFor(sel("tool-rect"))
	e := b.easel(shapesW, shapesH)

	b.tool("rect")
	b.draw(hand{}, e.through([2]float64{90, 90}, [2]float64{380, 400})...)
	b.waitKept(8, 9)
	b.draw(hand{keys: altKey}, e.through([2]float64{80, 80}, [2]float64{100, 420})...) // too much on the left
	b.draw(hand{button: input.MouseButtonRight}, e.through([2]float64{80, 80}, [2]float64{420, 100})...)
	b.tool("ellipse")
	b.draw(hand{keys: shiftKey}, e.through([2]float64{480, 120}, [2]float64{800, 400})...)
	b.press("u") // nothing turned: the key does no harm
	b.tool("ellipse")
	b.draw(hand{}, e.through([2]float64{480, 120}, [2]float64{800, 420})...)
	b.tool("polygon")
	for _, p := range append(shapesCorners, shapesCorners[0]) {
		b.draw(hand{}, e.at(p.X, p.Y))
	}
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
	b.do(chromedp.Click(chromedp.CSS(sel("mask-panel") + ` [data-value="strong"]`)))
	b.shot("mask-strong")
	b.do(chromedp.Click(chromedp.CSS(sel("mask-panel") + ` [data-value="mask"]`)))
	b.shot("mask-alone")
	b.do(chromedp.Click(chromedp.CSS(sel("mask-panel") + ` [data-value="tint"]`)))
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector('` + sel("mask-panel") + `')`)

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
	_ = mask.Level
}
