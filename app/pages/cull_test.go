package pages

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/words"
)

// Videos cannot be compared, and are not left out without a word.
func TestTheDeskSaysWhatItLeavesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a notice stands for a while
		g, _, engine := openGallery(t, "/gallery")
		shots := g.list.Part(0, 3)
		shots[1].Result.Kind = "video"
		g.ctx.Dispatch(func(app.Context) { g.core.openDesk(shots) })
		for len(g.core.toasts) == 0 {
			engine.ConsumeNext()
		}
		if n, said := len(g.core.review.desk.shots), g.core.toasts[0].Message; n != 2 || !strings.Contains(said, "1 video skipped") {
			t.Errorf("%d lie on the desk, and it is said: %s", n, said)
		}
		engine.ConsumeAll()
	})
}

// openDesk lays three pictures of 1000 × 800 on the desk.
func openDesk(t *testing.T) (*core, app.TestEngine) {
	t.Helper()
	g, _, engine := openGallery(t, "/gallery")
	g.ctx.Dispatch(func(app.Context) { g.core.openDesk(g.list.Part(0, 3)) })
	engine.ConsumeAll()
	for i := range g.core.review.desk.shots {
		r := &g.core.review.desk.shots[i].Result
		r.Width, r.Height = 1000, 800
	}
	return g.core, engine
}

// Enlarged pictures are looked over with the keyboard too.
func TestShiftAndArrowsMoveWhatIsEnlargedOnTheDesk(t *testing.T) {
	c, engine := openDesk(t)
	press := func(key string) {
		t.Helper()
		if !c.deskKey(browser.Key{Key: key, Shift: true}) {
			t.Errorf("Shift and %s do nothing", key)
		}
	}
	press("ArrowRight")
	if d := c.review.desk; d.active != 1 {
		t.Errorf("not enlarged, result %d is looked at", d.active)
	}
	c.review.desk.view.Zoom, c.review.desk.view.X, c.review.desk.view.Y = 1, .5, .5
	press("ArrowRight")
	press("ArrowUp")
	if d := c.review.desk; d.active != 1 || d.view.X <= .5 || d.view.Y >= .5 {
		t.Errorf("result %d is looked at, at %v, %v", d.active, d.view.X, d.view.Y)
	}
	engine.ConsumeAll()
}

// With the wheel or two fingers the pictures lie nearer without a render. What the bar says of it, and the files that are sharp so near, need
// one; that they are moved needs none.
func TestTheDeskIsDrawnAgainWhenItIsNearer(t *testing.T) {
	c, engine := openDesk(t)
	d := &c.review.desk
	d.area = browser.Box{W: 1200, H: 800}
	draws := func(move func()) bool {
		t.Helper()
		if html := app.HTMLString(c.renderDesk()); !strings.Contains(html, words.Zoom(d.percent())) {
			t.Errorf("the desk does not say %s", words.Zoom(d.percent()))
		}
		before := c.rev
		move()
		c.moveDesk()
		engine.ConsumeAll()
		return c.rev > before
	}
	_, room := d.cell()
	for _, look := range []string{"from all of it", "from near"} {
		if !draws(func() { d.zoomAt(1.5, browser.Point{X: 50, Y: 50}, room) }) {
			t.Errorf("nearer %s, nothing is drawn", look)
		}
	}
	if draws(func() { d.view = d.view.Pan(10, 10, d.reference()) }) {
		t.Error("moved, all of it is drawn again")
	}
}
