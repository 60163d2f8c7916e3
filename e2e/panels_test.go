package e2e

import (
	"math"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The form is made wider and narrower, the runs are folded away, and everything around the picture goes and comes back; what was set
// stands before the first paint of the next visit.
func TestPanelsGiveWayToThePicture(t *testing.T) {
	t.Parallel()
	file, _ := shapesPicture()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("shapes.png", file)
	wide := func(want float64) {
		t.Helper()
		if got := b.still(".inspector", 60).Width; math.Abs(got-want) > 1 {
			t.Errorf("the form is %.0f wide, want %.0f", got, want)
		}
	}
	wide(340)
	edge := b.box(sel("form-edge"))
	b.drag(edge.at(.5, .5), [2]float64{edge.X - 50, 300}, [2]float64{edge.X + 4 - 100, 300})
	wide(440)
	b.do(chromedp.Focus(chromedp.CSS(sel("form-edge"))))
	b.press(kb.ArrowRight)
	wide(420)
	b.press(kb.End)
	wide(560)
	b.press(kb.Home)
	wide(280)
	b.waitUntil(`document.querySelector('` + sel("form-edge") + `').ariaValueNow === "280"`)
	b.audited("the narrowest form")
	b.press(kb.Enter)
	wide(340)
	for _, want := range []float64{560, 340} { // by presses alone, too
		b.click("form-edge")
		wide(want)
	}
	b.press(kb.ArrowLeft)

	b.click("strip-fold")
	b.waitUntil(`document.querySelector('` + sel("strip-fold") + `').ariaExpanded === "false"`)
	folded := b.still(".strip", 60)
	if folded.Height > 41 {
		t.Errorf("the runs are %.0f high when folded", folded.Height)
	}
	b.shot("panels-folded")
	b.audited("folded runs")
	b.reload()
	wide(360)
	if now := b.still(".strip", 60); now.Height != folded.Height {
		t.Errorf("after a reload the runs are %.0f high, they were %.0f", now.Height, folded.Height)
	}
	b.click("strip-fold")

	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `')?.naturalWidth > 0`)
	b.do(chromedp.Focus(chromedp.CSS(sel("stage"))))
	b.press("\\", chromedp.KeyModifiers(2))
	b.waitUntil(`document.querySelector(".studio").dataset.alone === "true"`)
	stage := b.still(sel("stage"), 60)
	if rail := b.box(".rail"); math.Abs(stage.Width-(1440-rail.Width)) > 1 || math.Abs(stage.Y+stage.Height-900) > 1 {
		t.Errorf("alone, the picture has %+v", stage)
	}
	b.shot("panels-alone")
	b.audited("the picture alone")
	b.press(kb.Escape)
	b.waitUntil(`document.querySelector(".studio").dataset.alone === "false"`)
	b.click("stage-alone")
	b.waitUntil(`document.querySelector(".inspector").getBoundingClientRect().width === 0`)
	b.press(kb.Enter, chromedp.KeyModifiers(2)) // what keeps a run from being made is shown
	b.waitUntil(`document.querySelector(".inspector").getBoundingClientRect().width > 0`)
}
