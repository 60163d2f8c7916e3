package pages

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

func TestGalleryPutsOnlyTheVisibleTilesIntoThePage(t *testing.T) {
	g, _, engine := openGallery(t, "/gallery")
	for g.down.more {
		g.top = g.rows.Total()
		g.ctx.Dispatch(func(app.Context) { g.fill() })
		engine.ConsumeAll()
	}
	if n := g.list.Len(); n != 150 {
		t.Fatalf("%d results are loaded, want 150", n)
	}
	tiles := 0
	for k, to := g.window(); k < to; k++ {
		tiles += len(g.row(k).Body)
	}
	if tiles == 0 || tiles > 60 {
		t.Errorf("%d tiles are in the page", tiles)
	}
}

// A wall that is leapt over, or flies for more than half a screen at once, has nothing in the rows that come into sight but where Tab
// leads to, until it stands still; from a small step on everything is there.
func TestAWallThatIsLeaptOverShowsBars(t *testing.T) {
	g, _, engine := openGallery(t, "/gallery?size=small")
	bars := func() (n, rows int) {
		from, to := g.window()
		for k := from; k < to; k++ {
			switch row := g.row(k); {
			case !row.Blank:
			case g.rowHas(k, g.reached) || len(row.Body) > 0:
				t.Errorf("row %d is a bar and Tab leads to it, or it has %d tiles", k, len(row.Body))
			default:
				n++
			}
		}
		return n, to - from
	}
	g.ctx.Dispatch(func(app.Context) {
		g.height = 150
		end := g.rows.Total() - g.height
		if end < 2*wallLeap*g.height {
			t.Fatalf("the wall is %.0f px high: there is no room to leap", g.rows.Total())
		}
		g.onScroll(g.height / 2)
		if n, _ := bars(); n > 0 {
			t.Errorf("after a step %d rows are bars", n)
		}
		g.onScroll(end)
		g.onScroll(end / 2)
		if n, rows := bars(); n == 0 || n != rows-1 {
			t.Errorf("after leaps %d of %d rows are bars", n, rows)
		}
		still := func(after string) {
			g.pace.Stop()
			g.paint(false)
			if n, rows := bars(); n > 0 || rows == 0 {
				t.Errorf("standing still after %s, %d of %d rows are bars", after, n, rows)
			}
		}
		still("leaps")
		g.onScroll(end/2 + g.height/4)
		g.onScroll(end/2 + g.height/2)
		if n, _ := bars(); n > 0 {
			t.Errorf("after flying for small steps %d rows are bars", n)
		}
		// A browser that takes its time for a frame is not given a screen of tiles that nobody sees, or the next takes as long.
		g.onScroll(end/2 + 1.1*g.height)
		if n, _ := bars(); n == 0 {
			t.Error("after flying for more than half a screen at once nothing that came into sight is a bar")
		}
		still("flying")
	})
	engine.ConsumeAll()
}

// A browser that takes long for a frame is given fewer pictures in the next.
func TestASlowBrowserIsGivenFewerPicturesAtOnce(t *testing.T) {
	g, _, engine := openGallery(t, "/gallery?size=small")
	g.ctx.Dispatch(func(app.Context) {
		for _, slow := range []bool{false, true} {
			g.seen, g.slow = nil, slow
			from, to := g.window()
			rows := 0
			for later := true; later; {
				var now []int
				if now, later = g.develop(from, to); len(now) > picturesAFrame || slow && len(now) > 1 {
					t.Errorf("slow %t: %d rows in a frame", slow, len(now))
				}
				rows += len(now)
			}
			if rows != to-from || rows <= picturesAFrame {
				t.Errorf("slow %t: %d of %d rows have their pictures", slow, rows, to-from)
			}
		}
	})
	engine.ConsumeAll()
}

// Tab leads to the same tile for as long as that is drawn, and then to the first on screen: what it leads to is drawn anew when it changes.
func TestTabLeadsToTheSameTileWhileItIsDrawn(t *testing.T) {
	g, _, engine := openGallery(t, "/gallery?size=small")
	g.ctx.Dispatch(func(app.Context) {
		g.height = 300
		g.onScroll(0)
		g.paint(true)
		first := g.reached
		if first != g.list.Key(0) {
			t.Fatalf("at the top Tab leads to %q, not to the first", first)
		}
		changes := 0
		for top := 10.0; top+g.height < g.rows.Total(); top += 10 {
			before := g.reached
			g.onScroll(top)
			from, to := g.window()
			row := g.rows.RowOf(g.list.Find(g.reached))
			if row < from || row >= to {
				t.Fatalf("at %.0f px Tab leads to row %d, and %d to %d are drawn", top, row, from, to)
			}
			if g.reached == before {
				continue
			}
			changes++
			if at := g.rows.RowOf(g.list.Find(before)); at >= from && at < to {
				t.Errorf("at %.0f px Tab leads to row %d instead of %d, which is still drawn", top, row, at)
			}
			if r := g.rows.All()[row]; r.Top+r.Height <= top-wallPad {
				t.Errorf("at %.0f px Tab comes to lead to row %d, which ends at %.0f", top, row, r.Top+r.Height)
			}
		}
		if changes < 2 {
			t.Errorf("it changed %d times", changes)
		}
	})
	engine.ConsumeAll()
}
