package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
)

// load reads the list from where the filter begins it, and its months.
func (g *Gallery) load() {
	g.clear()
	g.begin()
	g.loadMonths()
}

// turn reads the list from where the filter begins it now, at another month of the same list. What stands on the wall stays until the
// answer is there, if that does not take long: it would only flicker.
func (g *Gallery) turn() {
	if g.turning = g.turning || g.tiled(); !g.turning {
		g.clear()
		g.begin()
		return
	}
	g.chosen.Clear()
	g.begin()
	asked := g.asked
	g.ctx.After(turnRests, func(app.Context) {
		if asked == g.asked && g.turning {
			g.clear()
		}
	})
}

// clear takes the former list off the wall.
func (g *Gallery) clear() {
	g.forget()
	g.top = 0
	browser.ScrollTo(wallID, 0)
}

// forget lets go of what is known of the former list.
func (g *Gallery) forget() {
	g.turning = false
	g.problem, g.total, g.beyond = "", 0, false
	g.down, g.up = part{}, part{}
	g.fresh, g.stale, g.doubts, g.doubted = model.Listing{}, false, nil, nil
	g.chosen.Clear()
	g.cursor = ""
}

// begin reads the list from where the filter begins it.
func (g *Gallery) begin() {
	g.asked++
	g.state, g.left = model.Loading, false
	if g.filter.View == model.ViewDuplicates {
		g.loadDuplicates()
		return
	}
	asked, ask := g.asked, g.filter.Down(g.core.zone)
	ask.Limit = galleryPage
	g.fetch(ask, func(page galleryAnswer, err error) {
		if asked != g.asked {
			return // another question was asked meanwhile
		}
		if g.left && err == nil {
			g.begin()
			return
		}
		g.forget()
		if err != nil {
			g.state, g.problem = model.Broken, sentence(err)
			g.core.expired(err)
			g.core.change()
			return
		}
		g.list = model.Listing{}
		g.list.Append(page.shots...)
		g.state, g.total, g.beyond = model.Loaded, page.total, page.beyond
		g.down.cursor, g.down.more = page.next, page.next != ""
		_, g.up.more = g.filter.Up(g.core.zone)
		g.lay()
		g.relaid = false // none has a picture yet
		g.scroll(0)
		g.fill()
		if v := &g.core.viewer; v.open && g.Shown && g.list.Find(v.key) >= 0 {
			v.around = g.around // it was opened by its address, before its neighbours were known
			g.core.change()
		}
		g.ctx.Update()
	})
}

// galleryAnswer is one page of the list.
type galleryAnswer struct {
	shots  []model.Shot
	next   string
	total  int
	beyond bool
}

// fetch reads one page of what the view lists. What has to be drawn again for it, then says.
func (g *Gallery) fetch(ask atelier.RunFilter, then func(galleryAnswer, error)) {
	byRun := g.byRun()
	g.aside(func(ctx context.Context) func() {
		answer, err := g.page(ctx, byRun, ask)
		return func() { then(answer, err) }
	})
}

// aside is core.do without drawing every page of the studio again.
func (g *Gallery) aside(work func(ctx context.Context) (then func())) {
	life := g.core.ctx
	if life == nil {
		life = context.Background()
	}
	g.ctx.Async(func() {
		defer browser.Guard()
		then := work(life)
		g.quietly(func() {
			if life.Err() == nil {
				then()
			}
		})
	})
}

func (g *Gallery) byRun() bool {
	return g.filter.View == model.ViewRuns || g.filter.View == model.ViewTrash
}

func (g *Gallery) page(ctx context.Context, byRun bool, ask atelier.RunFilter) (answer galleryAnswer, err error) {
	if byRun {
		page, err := g.core.api.Runs(ctx, ask)
		return galleryAnswer{shots: model.Covers(page.Runs), next: page.NextCursor}, err
	}
	page, err := g.core.api.Results(ctx, ask)
	answer.next, answer.total, answer.beyond = page.NextCursor, page.Total, page.More
	for _, r := range page.Results {
		answer.shots = append(answer.shots, model.Listed(r))
	}
	return answer, err
}

// fill reads further pages when an end of what is there is near.
func (g *Gallery) fill() {
	if g.state != model.Loaded {
		return
	}
	if g.nearBottom() {
		g.goOn()
	}
	if ask, up := g.filter.Up(g.core.zone); up && g.top < g.height {
		g.more(&g.up, ask, galleryMore, func(shots []model.Shot) {
			g.hold(func() { g.list.Insert(true, shots...) })
			g.begun()
			g.ctx.Update()
		})
	}
}

// goOn reads the next page of the list. What is laid already stays, so the page is not drawn again for it: only the rows.
func (g *Gallery) goOn() {
	g.more(&g.down, g.filter.Down(g.core.zone), atATime, func(shots []model.Shot) {
		said := g.counted()
		rows := len(g.rows.All())
		_, to := g.window()
		g.list.Append(shots...)
		g.rows.Grow(g.list.Len(), g.shape)
		g.paint(to >= rows) // the last row may have had room
		switch changed := g.counted() != said; {
		case g.begun() || changed && !g.down.more: // tiles say how many there are once that is known
			g.ctx.Update()
		case changed:
			g.counting = true
			browser.SetText(countID, g.counted())
		}
	})
}

// begun begins a list anew with the month that is seen, where more of it is there than is held, and says so.
func (g *Gallery) begun() bool {
	f := g.filter
	if f.At = g.monthShown(); g.list.Len() < g.most || !f.ByDate() || f == g.filter || g.chosen.Len() > 0 {
		return false
	}
	g.set(f)
	return true
}

// more reads the next page at an end of the list, which is taken in so many at a time.
func (g *Gallery) more(p *part, ask atelier.RunFilter, many int, take func([]model.Shot)) {
	if !p.more || p.busy || g.state != model.Loaded {
		return
	}
	p.busy = true
	asked := g.asked
	ask.Cursor, ask.Limit = p.cursor, galleryMore
	g.fetch(ask, func(page galleryAnswer, err error) {
		if asked != g.asked {
			return
		}
		if err != nil {
			p.busy = false
			g.core.failed(err)
			return
		}
		p.cursor, p.more = page.next, page.next != ""
		g.takeIn(page.shots, many, func(shots []model.Shot, last bool) {
			if asked != g.asked {
				return
			}
			p.busy = !last
			take(shots)
			if last {
				g.fill()
			}
		})
	})
}

// takeIn hands shots over, so many at a time, and lets the browser draw before each time.
func (g *Gallery) takeIn(shots []model.Shot, many int, take func(shots []model.Shot, last bool)) {
	g.aside(func(ctx context.Context) func() {
		if browser.Pause(ctx) != nil {
			return func() {} // the page is left
		}
		return func() {
			n := min(many, len(shots))
			take(shots[:n], n == len(shots))
			if n < len(shots) {
				g.takeIn(shots[n:], many, take)
			}
		}
	})
}

// loadMonths reads which months the list has, and how many of it are in each.
func (g *Gallery) loadMonths() {
	g.aged = false
	g.monthsFor++
	if !g.filter.ByDate() {
		g.months = nil
		return
	}
	asked, ask := g.monthsFor, g.filter.Ask(g.core.zone)
	ask.Zone = g.core.zone.String()
	g.aside(func(ctx context.Context) func() {
		months, err := g.core.api.ResultMonths(ctx, ask)
		return func() {
			if err == nil && asked == g.monthsFor { // without them the wall is whole all the same
				g.months = months
				g.ctx.Update()
			}
		}
	})
}
