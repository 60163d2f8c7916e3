package pages

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// Gallery is the history of everything made: filtered by its address, only the part on screen in the page.
type Gallery struct {
	app.Compo
	Rev     int
	Shown   bool
	Address string // of the page while it is shown, "" otherwise
	core    *core

	ctx     app.Context
	filter  model.Filter
	address string // the one the filter was read from
	panel   bool   // all filters are shown

	list       model.Listing
	fresh      model.Listing // arrived since, and not shown yet: nothing moves under the pointer
	duplicates []atelier.DuplicateGroup
	months     []atelier.ResultMonth
	state      model.Load
	problem    string
	total      int  // of the list, 0 when that is not known
	beyond     bool // there are more than total
	down, up   part
	asked      int // which answer is the latest asked for

	rows          model.Rows
	width, height float64 // of the part on screen, CSS px
	top           float64 // how far it is scrolled
	slots         int     // rows that exist in the page

	cursor string // the tile the keyboard is at
	chosen model.Selection
	former []string // what was chosen before a rectangle was begun

	typing  int
	release []func()
}

// part is one end of the list: how it goes on, and whether that is being asked for.
type part struct {
	cursor string
	more   bool
	busy   bool
}

const (
	wallID    = "gallery-wall"
	marqueeID = "gallery-marquee"
	// galleryPage is how many results or runs are asked for at a time.
	galleryPage = 60
	// searchPause is how long the search waits for the next letter.
	searchPause = 250 * time.Millisecond
	// wallPad is the room around the wall, CSS px (7-gallery.css).
	wallPad = 16
)

// OnInit implements app.Initializer.
func (g *Gallery) OnInit() { g.readAddress() }

// OnMount implements app.Mounter.
func (g *Gallery) OnMount(ctx app.Context) {
	g.start(ctx)
	g.release = append(g.release,
		browser.OnResize(wallID, func(b browser.Box) {
			if b.W == 0 || b.W == g.width && b.H == g.height {
				return
			}
			g.hold(func() { g.width, g.height = b.W, b.H })
			g.ctx.Update()
		}),
		browser.OnScroll(wallID, g.onScroll),
		browser.OnMarquee(wallID, g.onMarquee),
	)
}

func (g *Gallery) start(ctx app.Context) {
	g.ctx = ctx
	g.core.watchers = append(g.core.watchers, g.watch)
	g.core.galleryKey = g.onKey
	g.OnUpdate(ctx)
}

// OnUpdate implements app.Updater.
func (g *Gallery) OnUpdate(app.Context) {
	if g.core.access != signedIn {
		return
	}
	if g.asked == 0 {
		g.load()
	}
	if g.Address != "" && g.Address != g.address {
		g.arrive()
	}
}

// OnDismount implements app.Dismounter.
func (g *Gallery) OnDismount() {
	g.core.watchers, g.core.galleryKey = nil, nil
	for _, release := range g.release {
		release()
	}
}

// arrive follows the address. The bare address means: as it was left.
func (g *Gallery) arrive() {
	before := g.filter
	g.readAddress()
	if g.Address == "/gallery" && before != (model.Filter{}) && before.View != model.ViewTrash && before.Board == "" {
		g.filter = before
		browser.ReplaceURL(before.Address())
		return
	}
	g.follow(before)
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
	before := g.filter
	g.filter = f
	browser.ReplaceURL(f.Address())
	g.follow(before)
}

// follow shows what the filter asks for, which was another before.
func (g *Gallery) follow(before model.Filter) {
	switch {
	case g.filter.Question() != before.Question():
		g.load()
	case g.filter != before:
		g.hold(func() {})
	}
}

// load reads the list from where the filter begins it.
func (g *Gallery) load() {
	g.asked++
	g.state, g.problem, g.total, g.beyond = model.Loading, "", 0, false
	g.down, g.up = part{}, part{}
	g.fresh = model.Listing{}
	g.chosen.Clear()
	g.cursor, g.top = "", 0
	browser.ScrollTo(wallID, 0)
	g.loadMonths()
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
		if err != nil {
			g.state, g.problem = model.Broken, sentence(err)
			g.core.expired(err)
			return
		}
		g.list = model.Listing{}
		g.list.Append(page.shots...)
		g.state, g.total, g.beyond = model.Loaded, page.total, page.beyond
		g.down.cursor, g.down.more = page.next, page.next != ""
		_, g.up.more = g.filter.Up(g.core.zone)
		g.lay()
		g.fill()
	})
}

// galleryAnswer is one page of the list.
type galleryAnswer struct {
	shots  []model.Shot
	next   string
	total  int
	beyond bool
}

// fetch reads one page of what the view lists.
func (g *Gallery) fetch(ask atelier.RunFilter, then func(galleryAnswer, error)) {
	byRun := g.filter.View == model.ViewRuns || g.filter.View == model.ViewTrash
	g.core.do(func(ctx context.Context) func() {
		var answer galleryAnswer
		var err error
		if byRun {
			var page atelier.RunPage
			page, err = g.core.api.Runs(ctx, ask)
			answer.shots, answer.next = model.Covers(page.Runs), page.NextCursor
		} else {
			var page atelier.ResultPage
			page, err = g.core.api.Results(ctx, ask)
			answer.next, answer.total, answer.beyond = page.NextCursor, page.Total, page.More
			for _, r := range page.Results {
				answer.shots = append(answer.shots, model.Listed(r))
			}
		}
		return func() { then(answer, err) }
	})
}

// fill reads further pages when an end of what is there is near.
func (g *Gallery) fill() {
	if g.state != model.Loaded {
		return
	}
	if g.top+2*g.height+wallPad >= g.rows.Total() {
		g.more(&g.down, g.filter.Down(g.core.zone), func(shots []model.Shot) {
			g.list.Append(shots...)
			g.lay()
		})
	}
	if ask, up := g.filter.Up(g.core.zone); up && g.top < g.height {
		g.more(&g.up, ask, func(shots []model.Shot) {
			g.hold(func() { g.list.Insert(true, shots...) })
		})
	}
}

func (g *Gallery) more(p *part, ask atelier.RunFilter, take func([]model.Shot)) {
	if !p.more || p.busy {
		return
	}
	p.busy = true
	asked := g.asked
	ask.Cursor, ask.Limit = p.cursor, galleryPage
	g.fetch(ask, func(page galleryAnswer, err error) {
		if asked != g.asked {
			return
		}
		p.busy = false
		if err != nil {
			g.core.failed(err)
			return
		}
		p.cursor, p.more = page.next, page.next != ""
		take(page.shots)
		g.fill()
	})
}

func (g *Gallery) loadMonths() {
	if !g.filter.ByDate() {
		g.months = nil
		return
	}
	asked, ask := g.asked, g.filter.Ask(g.core.zone)
	g.core.do(func(ctx context.Context) func() {
		months, err := g.core.api.ResultMonths(ctx, ask)
		return func() {
			if err == nil && asked == g.asked { // without them the wall is whole all the same
				g.months = months
			}
		}
	})
}

func (g *Gallery) loadDuplicates() {
	asked := g.asked
	g.core.do(func(ctx context.Context) func() {
		page, err := g.core.api.Duplicates(ctx, "")
		return func() {
			if asked != g.asked {
				return
			}
			if err != nil {
				g.state, g.problem = model.Broken, sentence(err)
				g.core.expired(err)
				return
			}
			g.duplicates, g.state = page.Groups, model.Loaded
			g.list = model.Listing{}
			for _, group := range page.Groups {
				for _, r := range group.Results {
					g.list.Append(model.Listed(r))
				}
			}
			g.lay()
		}
	})
}

// lay gives every tile its place.
func (g *Gallery) lay() {
	g.rows.Width, g.rows.Lead, g.rows.Whole, g.rows.Foot, g.rows.Gap = g.width-2*wallPad, g.list.Lead, g.filter.Whole, 26, 12
	narrow := g.width > 0 && g.width < 700
	if narrow {
		g.rows.Gap = 6
	}
	g.rows.Size = map[string][2]float64{model.TileSmall: {112, 76}, model.TileMedium: {180, 104}, model.TileLarge: {300, 160}}[g.filter.Tile][index(narrow)]
	g.rows.Lay(len(g.list.Shots), g.shape)
	g.slots = 0
	if g.list.Find(g.cursor) < 0 {
		g.cursor = ""
	}
	g.chosen.Keep(&g.list)
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (g *Gallery) shape(i int) float64 { return model.Shape(g.list.Shots[i]) }

// hold changes the list, or how it is laid, and keeps what is at the top of the screen where it is.
func (g *Gallery) hold(change func()) {
	key, off := "", 0.0
	if from, to := g.rows.Window(g.top-wallPad, 0); (g.top > wallPad || g.filter.At != "") && from < to {
		row := g.rows.All()[min(from+1, to-1)]
		key, off = g.list.Shots[row.From].Key(), g.top-row.Top
	}
	change()
	g.lay()
	if i := g.list.Find(key); i >= 0 {
		g.scroll(g.rows.All()[g.rows.RowOf(i)].Top + off)
	}
}

// scroll moves the wall once it has its new height.
func (g *Gallery) scroll(top float64) {
	top = max(0, top)
	if top == g.top {
		return
	}
	g.top = top
	g.ctx.Defer(func(app.Context) { browser.ScrollTo(wallID, top) })
}

func (g *Gallery) window() (from, to int) { return g.rows.Window(g.top-wallPad, g.height) }

func (g *Gallery) onScroll(top float64) {
	before, end := g.window()
	g.top = top
	from, to := g.window()
	if from == before && to == end && !g.nearEnd() {
		return
	}
	if row := g.rows.RowOf(g.list.Find(g.cursor)); g.cursor != "" && (row < from || row >= to) && browser.FocusedID() == components.TileID(g.cursor) {
		browser.Focus(wallID) // the element of the tile will soon show another
	}
	g.ctx.Dispatch(func(app.Context) { g.fill() })
}

func (g *Gallery) nearEnd() bool {
	return g.down.more && !g.down.busy && g.top+2*g.height >= g.rows.Total() || g.up.more && !g.up.busy && g.top < g.height
}

// open shows a result as large as the window; of a run, all its results.
func (g *Gallery) open(key string) {
	i := g.list.Find(key)
	if i < 0 {
		return
	}
	shot := g.list.Shots[i]
	switch {
	case !shot.Result.Stored:
		if text := failure(shot); text != "" {
			g.core.toast("warning", text)
		}
	case shot.Stack:
		results := model.Runs{shot.Run}.Shots()
		g.core.view(string(shot.Result.ID), func() []model.Shot {
			if i := g.list.Find(key); i >= 0 {
				results = model.Runs{g.list.Shots[i].Run}.Shots()
			}
			return results
		})
	default:
		g.core.viewIn(key, g.around)
	}
}

// aroundEach is how many neighbours of a result are handed to the lightbox on either side.
const aroundEach = 16

// around gives the neighbours of a result that can be looked at, and how many stand before them.
func (g *Gallery) around(key string) (shots []model.Shot, before, total int) {
	i := g.list.Find(key)
	if i < 0 {
		return nil, 0, 0
	}
	from, to := max(0, i-aroundEach), min(len(g.list.Shots), i+aroundEach+1)
	if to == len(g.list.Shots) {
		g.more(&g.down, g.filter.Down(g.core.zone), func(shots []model.Shot) {
			g.list.Append(shots...)
			g.lay()
		})
	}
	total = len(g.list.Shots)
	if !g.beyond {
		total = max(total, g.total)
	}
	return model.Viewable(g.list.Shots[from:to]), from, total
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

// RetryTile implements components.TilePort.
func (g *Gallery) RetryTile(id string) { g.core.RetryRun(atelier.RunID(id)) }

// Render implements app.Composer.
func (g *Gallery) Render() app.UI {
	return components.El("section", "class", "page gallery").Hidden(!g.Shown).Attr("aria-label", words.PageGallery).Body(
		g.renderFilter(),
		g.renderHead(),
		components.Box("gallery__body",
			components.El("div", "class", "wall", "id", wallID, "data-testid", "wall", "tabindex", "-1").Body(g.renderWall()),
			g.renderMonths(),
			g.renderPill(),
			g.renderChosen(),
		),
	)
}

func (g *Gallery) renderWall() app.UI {
	shots := g.list.Shots
	switch {
	case g.state == model.Broken:
		return components.Box("empty",
			components.Text("h2", "empty__title", words.GalleryBroken), components.Text("p", "empty__text", g.problem),
			components.Button("retry", words.TryAgain, "").OnClick(func(app.Context, app.Event) { g.load() }))
	case g.state == model.Loading || g.width == 0:
		cells := make([]app.UI, 18)
		for i := range cells {
			cells[i] = components.Box("cell cell--waiting", components.Box("skeleton"))
		}
		return components.El("section", "class", "wall__skeleton", "aria-busy", "true").Body(cells...)
	case len(shots) == 0:
		return g.renderEmpty()
	case g.filter.View == model.ViewDuplicates:
		return g.renderDuplicates()
	}
	from, to := g.window()
	g.slots = max(g.slots, to-from)
	cursor := g.reachable(from, to)
	rows := make([]app.UI, g.slots)
	for i := range rows {
		rows[i] = components.El("div", "class", "wall__row").Hidden(true)
	}
	px := func(n float64) string { return words.Decimal(n, 1) + "px" }
	for k := from; k < to; k++ {
		// A row keeps its element while it is on screen, so that scrolling changes only what comes and goes; the order in
		// which it is read is said apart.
		row := g.rows.All()[k]
		rows[k%g.slots] = components.El("div", "class", "wall__row").Hidden(false).Style("transform", "translateY("+px(row.Top)+")").Style("reading-order", words.Number(k)).
			Body(g.renderRow(row, cursor)...)
	}
	return components.El("div", "class", "wall__all", "role", "list", "aria-label", words.GalleryWall).Style("height", px(g.rows.Total())).Body(
		append(rows, components.El("div", "class", "marquee", "id", marqueeID))...)
}

func (g *Gallery) renderRow(row model.Row, cursor string) []app.UI {
	tiles := make([]app.UI, 0, row.To-row.From)
	for j, place := range g.rows.Places(row, g.shape) {
		i := row.From + j
		t := g.tile(g.list.Shots[i], i)
		t.Place, t.Cursor = place, t.Key == cursor
		t.Place.Y = 0 // its row is there
		tiles = append(tiles, components.NewTile(t, g.thumb(), g))
	}
	return tiles
}

func (g *Gallery) tile(s model.Shot, i int) model.Tile {
	t := model.TileOf(s, g.core.agent(s.Run.Agent).Title, g.core.minute(), g.core.zone)
	t.Chosen, t.Index, t.Total = g.chosen.Has(t.Key), i, max(len(g.list.Shots), g.total)
	if g.beyond || g.down.more && g.total == 0 {
		t.Total = -1 // not known
	}
	return t
}

// thumb is the width of the thumbnails that fit the tiles.
func (g *Gallery) thumb() int {
	return map[string]int{model.TileSmall: 160, model.TileMedium: 320, model.TileLarge: 640}[g.filter.Tile]
}

// reachable is the tile that Tab leads to: where the keyboard was, or the first on screen.
func (g *Gallery) reachable(from, to int) string {
	if row := g.rows.RowOf(g.list.Find(g.cursor)); g.cursor != "" && row >= from && row < to {
		return g.cursor
	}
	for k := from; k < to; k++ {
		if row := g.rows.All()[k]; row.Top+row.Height > g.top-wallPad {
			return g.list.Shots[row.From].Key()
		}
	}
	return ""
}

func (g *Gallery) renderEmpty() app.UI {
	switch {
	case g.filter.View == model.ViewTrash:
		return components.El("div", "class", "empty", "data-testid", "trash-empty").Body(components.Icon("trash"),
			components.Text("h2", "empty__title", words.GalleryTrashEmpty),
			components.Text("p", "empty__text", words.GalleryTrashEmptyText(g.core.trashDays())))
	case g.filter.View == model.ViewDuplicates:
		return components.El("div", "class", "empty").Body(components.Icon("copy"),
			components.Text("h2", "empty__title", words.GalleryNoDuplicates),
			components.Text("p", "empty__text", words.GalleryNoDuplicatesText))
	case g.filter.Empty():
		return components.El("div", "class", "empty", "data-testid", "gallery-empty").Body(components.Icon("gallery"),
			components.Text("h2", "empty__title", words.GalleryEmpty),
			components.Text("p", "empty__text", words.GalleryEmptyText),
			components.El("a", "class", "button button--primary button--large", "href", "/").Text(words.GalleryOpenStudio))
	case g.filter.Board != "" && g.filter.Cleared() == (model.Filter{Board: g.filter.Board}).Cleared():
		return components.El("div", "class", "empty", "data-testid", "gallery-none").Body(components.Icon("board"),
			components.Text("h2", "empty__title", words.GalleryBoardEmpty),
			components.Text("p", "empty__text", words.GalleryBoardEmptyText),
			components.El("a", "class", "button", "href", "/gallery?view=").Text(words.GalleryOpen))
	}
	return components.El("div", "class", "empty", "data-testid", "gallery-none").Body(
		components.Text("h2", "empty__title", words.GalleryNothingFits),
		components.Button("", words.GalleryShowEverything, "").OnClick(g.onReset))
}

// renderDuplicates shows the groups; they are few, and not laid on the wall.
func (g *Gallery) renderDuplicates() app.UI {
	groups := make([]app.UI, len(g.duplicates))
	for i, group := range g.duplicates {
		tiles := []app.UI{}
		for _, r := range group.Results {
			shot := model.Listed(r)
			at := g.list.Find(shot.Key())
			if at < 0 {
				continue // deleted since
			}
			t := g.tile(g.list.Shots[at], at)
			t.Place = model.Place{W: 150, H: 150}
			tiles = append(tiles, components.NewTile(t, 320, g))
		}
		groups[i] = components.El("section", "class", "duplicates__group").Hidden(len(tiles) < 2).Body(
			components.Text("h3", "duplicates__title", words.GalleryCopies(len(tiles), group.Bytes)),
			components.El("div", "class", "duplicates__tiles", "role", "list").Body(tiles...))
	}
	return components.El("div", "class", "duplicates", "data-testid", "duplicates").Body(groups...)
}

// renderPill says that something new is there, above what is looked at.
func (g *Gallery) renderPill() app.UI {
	n := len(g.fresh.Shots)
	return components.El("button", "type", "button", "class", "pill", "data-testid", "fresh").Hidden(n == 0).OnClick(func(app.Context, app.Event) { g.showFresh() }).
		Body(components.SmallIcon("restore"), components.Text("span", "", words.GalleryFresh(n)))
}

// showFresh takes in what arrived, and goes where it is.
func (g *Gallery) showFresh() {
	if g.filter.At != "" || !g.filter.ByDate() {
		f := g.filter
		f.At = ""
		if f == g.filter {
			g.load()
		}
		g.set(f)
		return
	}
	fresh := g.fresh.Shots
	g.fresh = model.Listing{}
	g.total += g.list.Insert(false, fresh...)
	g.lay()
	g.scroll(0)
}

// renderMonths is the scrubber: the months of the list, at its side.
func (g *Gallery) renderMonths() app.UI {
	if len(g.months) < 2 {
		return app.Elem("nav").Hidden(true)
	}
	now := g.month()
	items := make([]app.UI, 0, len(g.months)+4)
	year := 0
	for _, m := range g.months {
		if y := m.From.UTC().Year(); y != year {
			year = y
			items = append(items, components.Text("span", "months__year", words.Number(year)))
		}
		word := model.Month(m.From)
		items = append(items, components.El("button", "type", "button", "class", "months__item", "data-month", word, "aria-current", components.Pick(word == now, "date", "false"),
			"aria-label", words.GalleryMonth(m.From.UTC(), m.Count), "title", words.ResultCount(m.Count)).
			Text(words.GalleryMonthShort(m.From.UTC())).OnClick(func(app.Context, app.Event) { g.jump(word) }, components.Scope("month", word)))
	}
	return components.El("nav", "class", "months", "aria-label", words.GalleryMonths, "data-testid", "months").Body(items...)
}

// month is the one of the first row on screen.
func (g *Gallery) month() string {
	from, to := g.rows.Window(g.top-wallPad, 0)
	for k := from; k < to; k++ {
		if row := g.rows.All()[k]; row.Top+row.Height > g.top-wallPad {
			return model.Month(g.list.Shots[row.From].Run.CreatedAt)
		}
	}
	return ""
}

// jump goes to a month: to its first row where it is there already, else the list begins anew with it.
func (g *Gallery) jump(month string) {
	i := slices.IndexFunc(g.list.Shots, func(s model.Shot) bool { return model.Month(s.Run.CreatedAt) == month })
	if i > 0 || i == 0 && !g.up.more {
		g.scroll(g.rows.All()[g.rows.RowOf(i)].Top)
		g.fill()
		return
	}
	f := g.filter
	f.At = month
	g.set(f)
}
