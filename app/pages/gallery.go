package pages

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
)

// Gallery is the history of all runs: newest first, filtered by its address, only the part on screen in the page.
type Gallery struct {
	app.Compo
	Rev     int
	Shown   bool
	Address string // of the page while it is shown, "" otherwise
	core    *core

	ctx     app.Context
	filter  model.Filter
	address string // the one the filter was read from
	runs    model.Runs
	state   model.Load
	problem string
	cursor  string
	asked   int  // which answer is the latest asked for
	more    bool // a further page is on its way
	wall    model.Grid
	typing  int
	release []func()
}

const (
	wallID = "gallery-wall"
	// galleryPage is how many runs are asked for at a time.
	galleryPage = 60
	// searchPause is how long the search waits for the next letter.
	searchPause = 250 * time.Millisecond
)

// OnInit implements app.Initializer.
func (g *Gallery) OnInit() {
	g.wall = model.Grid{Cell: 168, Gap: 12, Foot: 26}
	g.readAddress()
}

// OnMount implements app.Mounter.
func (g *Gallery) OnMount(ctx app.Context) {
	g.start(ctx)
	g.release = append(g.release,
		browser.OnResize(wallID, func(b browser.Box) {
			if b.W == 0 || b.W == g.wall.Width && b.H == g.wall.Height {
				return
			}
			g.wall.Width, g.wall.Height = b.W-2*wallPad, b.H
			g.ctx.Update()
		}),
		browser.OnScroll(wallID, g.onScroll),
	)
}

// wallPad is the room on either side of the wall, CSS px (gallery.css).
const wallPad = 16

func (g *Gallery) start(ctx app.Context) {
	g.ctx = ctx
	g.core.watchers = append(g.core.watchers, g.watch)
	g.load()
}

// OnUpdate implements app.Updater.
func (g *Gallery) OnUpdate(app.Context) {
	if g.Address != "" && g.Address != g.address {
		g.arrive()
	}
}

// OnDismount implements app.Dismounter.
func (g *Gallery) OnDismount() {
	g.core.watchers = nil
	for _, release := range g.release {
		release()
	}
}

// arrive follows the address. The bare address means: as it was left.
func (g *Gallery) arrive() {
	before := g.filter
	g.readAddress()
	if g.filter.Empty() && g.Address == "/gallery" && !before.Empty() {
		g.filter = before
		browser.ReplaceURL(before.Address())
		return
	}
	if g.filter != before {
		g.load()
	}
}

func (g *Gallery) readAddress() {
	g.address = g.Address
	if u, err := url.Parse(g.Address); err == nil {
		g.filter = model.ReadFilter(u.Query())
	}
}

// set changes what is shown, and the address with it.
func (g *Gallery) set(f model.Filter) {
	if f == g.filter {
		return
	}
	g.filter = f
	browser.ReplaceURL(f.Address())
	g.load()
}

// load reads the first page of what the filter asks for.
func (g *Gallery) load() {
	g.asked++
	asked := g.asked
	g.state, g.problem, g.more = model.Loading, "", false
	g.wall.Top = 0
	browser.ScrollTo(wallID, 0)
	filter := g.filter
	g.core.do(func(ctx context.Context) func() {
		page, err := g.core.api.Runs(ctx, filter.Runs("", galleryPage))
		return func() {
			if asked != g.asked {
				return // another question was asked meanwhile
			}
			if err != nil {
				g.state, g.problem = model.Broken, sentence(err)
				g.core.expired(err)
				return
			}
			g.runs, g.cursor, g.state = model.Runs(nil).Merge(page.Runs...), page.NextCursor, model.Loaded
			g.fill()
		}
	})
}

// fill reads the next page when the end of the wall is near.
func (g *Gallery) fill() {
	if g.more || g.cursor == "" || g.state != model.Loaded || !g.grid().NearEnd() {
		return
	}
	g.more = true
	asked, cursor, filter := g.asked, g.cursor, g.filter
	g.core.do(func(ctx context.Context) func() {
		page, err := g.core.api.Runs(ctx, filter.Runs(cursor, galleryPage))
		return func() {
			if asked != g.asked {
				return
			}
			g.more = false
			if err != nil {
				g.core.failed(err)
				return
			}
			g.runs, g.cursor = g.runs.Merge(page.Runs...), page.NextCursor
			g.fill()
		}
	})
}

// watch keeps the list up to date with what happens.
func (g *Gallery) watch(event atelier.Event) {
	switch event.Type {
	case atelier.EventSnapshot:
		g.load()
	case atelier.EventRun, atelier.EventPSD:
		var run atelier.Run
		if json.Unmarshal(event.Data, &run) != nil {
			return
		}
		_, known := g.runs.Find(run.ID)
		switch {
		case known && run.Trashed:
			g.runs = g.runs.Without(run.ID)
		case known, g.state == model.Loaded && g.filter.Admits(run) && g.within(run):
			g.runs = g.runs.Merge(run)
		}
	case atelier.EventResult:
		var result atelier.Result
		if json.Unmarshal(event.Data, &result) == nil {
			g.runs = g.runs.MergeResult(result)
		}
	}
}

// within says whether a run belongs to the part of the history that is loaded; an older one comes with its page.
func (g *Gallery) within(run atelier.Run) bool {
	return g.cursor == "" || len(g.runs) == 0 || !run.CreatedAt.Before(g.runs[len(g.runs)-1].CreatedAt)
}

func (g *Gallery) shots() []model.Shot { return model.Wall(g.runs, g.filter.Starred) }

func (g *Gallery) grid() model.Grid {
	grid := g.wall
	grid.Count = len(g.shots())
	if grid.Width < 700 {
		grid.Cell, grid.Gap = 104, 6
	}
	return grid
}

func (g *Gallery) onScroll(top float64) {
	before, _, _ := g.grid().Window()
	g.wall.Top = top
	if after, _, _ := g.grid().Window(); after != before || g.grid().NearEnd() {
		g.ctx.Dispatch(func(app.Context) { g.fill() })
	}
}

// OpenShot implements components.ShotPort.
func (g *Gallery) OpenShot(key string) {
	for _, s := range g.shots() {
		if s.Key() == key && !s.Result.Stored {
			if text := failure(s); text != "" {
				g.core.toast("warning", text)
			}
			return
		}
	}
	g.core.view(key, g.shots)
}

// failure says why there is nothing to look at, "" when it is only not there yet.
func failure(s model.Shot) string {
	switch {
	case s.Run.Error != nil:
		return s.Run.Error.Message
	case s.Result.Error != "":
		return s.Result.Error
	}
	return ""
}

// RetryRun implements components.ShotPort.
func (g *Gallery) RetryRun(id atelier.RunID) { g.core.RetryRun(id) }

// RecallRun implements components.ShotPort.
func (g *Gallery) RecallRun(id atelier.RunID) {
	g.core.view("", g.shots)
	g.core.RecallRun(id)
}

// Render implements app.Composer.
func (g *Gallery) Render() app.UI {
	return components.El("section", "class", "page gallery").Hidden(!g.Shown).Attr("aria-label", "Gallery").Body(
		g.renderFilter(),
		components.El("div", "class", "wall", "id", wallID, "data-testid", "wall", "tabindex", "-1").Body(g.renderWall()),
	)
}

func (g *Gallery) renderWall() app.UI {
	shots := g.shots()
	switch {
	case g.state == model.Broken:
		return components.Box("empty",
			components.Text("h2", "empty__title", "The gallery could not be loaded"), components.Text("p", "empty__text", g.problem),
			components.Button("retry", "Try again", "").OnClick(func(app.Context, app.Event) { g.load() }))
	case g.state == model.Loading && len(shots) == 0, g.wall.Width == 0:
		cells := make([]app.UI, 18)
		for i := range cells {
			cells[i] = components.Box("cell cell--waiting", components.Box("skeleton"))
		}
		return components.El("section", "class", "wall__skeleton", "aria-busy", "true").Body(cells...)
	case len(shots) == 0 && g.filter.Empty():
		return components.El("div", "class", "empty", "data-testid", "gallery-empty").Body(components.Icon("gallery"),
			components.Text("h2", "empty__title", "Nothing made yet"),
			components.Text("p", "empty__text", "Every result you generate is kept here, with what it was made from."),
			components.El("a", "class", "button button--primary button--large", "href", "/").Text("Open the studio"))
	case len(shots) == 0:
		return components.El("div", "class", "empty", "data-testid", "gallery-none").Body(
			components.Text("h2", "empty__title", "Nothing fits this view"),
			components.Button("", "Show everything", "").OnClick(func(app.Context, app.Event) { g.set(model.Filter{}) }))
	}
	grid := g.grid()
	g.core.columns = grid.Columns()
	from, to, top := grid.Window()
	side := grid.Side()
	cells := make([]app.UI, 0, to-from)
	for i := from; i < to; i++ {
		cells = append(cells, g.renderCell(shots[i], i, len(shots)))
	}
	px := func(n float64) string { return model.Decimal(n, 1) + "px" }
	return components.El("div", "class", "wall__all").Style("height", px(grid.Total())).Attr("role", "list").Body(
		components.El("div", "class", "wall__window").Style("transform", "translateY("+px(top)+")").
			Style("grid-template-columns", "repeat("+model.Number(grid.Columns())+","+px(side)+")").
			Style("gap", px(grid.Gap)).Style("--side", px(side)).Body(cells...),
	)
}

func (g *Gallery) renderCell(s model.Shot, i, n int) app.UI {
	title := g.core.agent(s.Run.Agent).Title
	foot := []app.UI{
		components.Text("span", "cell__title", title),
		components.El("span", "class", "cell__time", "title", model.Exact(s.Run.CreatedAt, g.core.zone)).Text(model.Ago(g.core.minute(), s.Run.CreatedAt)),
	}
	if model.RunTone(s.Run) == model.Bad {
		foot[1] = components.Button("", "Retry", "button--link").Attr("data-testid", "retry").
			OnClick(func(app.Context, app.Event) { g.RetryRun(s.Run.ID) }, components.Scope(s.Run.ID))
	}
	return components.El("div", "class", "cell", "role", "listitem", "aria-setsize", model.Number(n), "aria-posinset", model.Number(i+1)).Body(
		components.NewCard(s, title, 320, g),
		components.Box("cell__foot", foot...),
	)
}
