package pages

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
)

// lay gives every tile its place.
func (g *Gallery) lay() {
	g.rows.Width, g.rows.Lead, g.rows.Whole, g.rows.Foot, g.rows.Gap = g.width-2*wallPad, g.list.Lead, g.filter.Whole, 26, 12
	narrow := g.width > 0 && g.width < 700
	if narrow {
		g.rows.Gap = 6
	}
	g.rows.Size = map[string][2]float64{model.TileSmall: {112, 76}, model.TileMedium: {180, 104}, model.TileLarge: {300, 160}}[g.filter.Tile][index(narrow)]
	g.rows.Lay(g.list.Len(), g.shape)
	clear(g.seen)
	g.relaid = true
	if g.list.Find(g.cursor) < 0 {
		g.cursor = ""
	}
	g.choose(func() { g.chosen.Keep(&g.list) }) // what was chosen may be gone, by another hand also
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (g *Gallery) shape(i int) float64 { return g.list.Shape(i) }

// hold changes the list, or how it is laid, and keeps what is at the top of the screen where it is.
func (g *Gallery) hold(change func()) {
	key, off := "", 0.0
	if from, to := g.rows.Window(g.top-wallPad, 0); (g.top > wallPad || g.filter.At != "") && from < to {
		row := g.rows.All()[min(from+1, to-1)]
		key, off = g.list.Key(row.From), g.top-row.Top
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
	g.top, g.undrawn = top, true
	g.ctx.Defer(func(app.Context) {
		g.draw()
		browser.ScrollTo(wallID, top)
	})
}

// draw draws the rows where they were not since that was asked for: by a page that was drawn anew, or a wall that moves.
func (g *Gallery) draw() {
	if g.undrawn {
		g.undrawn = false
		g.paint(true)
	}
}

func (g *Gallery) window() (from, to int) { return g.rows.Window(g.top-wallPad, g.height) }

// onScroll draws what comes into sight at once, before the browser shows the wall at its new place.
func (g *Gallery) onScroll(top float64) {
	before, end := g.window()
	g.pace.Move(top, g.height, time.Now())
	g.rest()
	far := math.Abs(top - g.top)
	g.leapt = g.leapt || far > wallLeap*g.height || g.pace.Hasty() && far > g.height/2
	g.top = top
	from, to := g.window()
	if from == before && to == end && !g.nearEnd() {
		return
	}
	if row := g.rows.RowOf(g.list.Find(g.cursor)); g.cursor != "" && (row < from || row >= to) && browser.FocusedID() == components.TileID(g.cursor) {
		browser.Focus(wallID) // the element of the tile will soon show another
	}
	g.paint(false)
	g.quietly(func() {
		g.fill()
		g.showMonth()
	})
}

// rest asks for the pictures that the wall was scrolled past too quickly to see, once it stands still: while it flies they would only
// keep the server and the browser from drawing.
func (g *Gallery) rest() {
	switch {
	case !g.pace.Hasty():
	case g.calm == nil:
		g.calm = time.AfterFunc(wallRests, func() {
			defer browser.Guard()
			g.quietly(func() { g.standing(g.top) })
		})
	default:
		g.calm.Reset(wallRests)
	}
}

// standing draws the pictures of a wall that is still where it was when a frame has passed: where frames take longer than wallRests, one
// that flies would seem to stand between them.
func (g *Gallery) standing(top float64) {
	browser.Frame(func() {
		if g.top != top && g.pace.Hasty() {
			return
		}
		g.pace.Stop()
		g.paint(false)
	})
}

// quietly does something on the page's thread without drawing the page again for it.
func (g *Gallery) quietly(do func()) {
	g.ctx.Dispatch(func(ctx app.Context) {
		ctx.PreventUpdate()
		do()
	})
}

func (g *Gallery) nearEnd() bool {
	return g.down.more && !g.down.busy && g.nearBottom() || g.up.more && !g.up.busy && g.top < g.height
}

// nearBottom says whether the list is to go on: where the wall flies, it comes further than a screen while a page is on its way.
func (g *Gallery) nearBottom() bool {
	ahead := 1.0
	if g.pace.Hasty() {
		ahead = wallFlies
	}
	return g.top+(1+ahead)*g.height+wallPad >= g.rows.Total()
}

func (g *Gallery) renderWall() app.UI {
	switch {
	case g.state == model.Broken:
		return components.Box("empty",
			components.Text("h2", "empty__title", words.GalleryBroken), components.Text("p", "empty__text", g.problem),
			components.Button("retry", words.TryAgain, "").OnClick(func(app.Context, app.Event) { g.load() }))
	case g.state == model.Loading && !g.turning || g.width == 0:
		cells := make([]app.UI, 18)
		for i := range cells {
			cells[i] = components.Box("cell cell--waiting", components.Box("skeleton"))
		}
		return components.El("section", "class", "wall__skeleton", "aria-busy", "true").Body(cells...)
	case g.list.Len() == 0, g.filter.View == model.ViewDuplicates && !g.down.more && g.groups() == 0:
		return g.renderEmpty()
	case g.filter.View == model.ViewDuplicates:
		return g.renderDuplicates()
	}
	// The rows are drawn by paint: an article, as nothing else here is, so that the framework never takes it for something of its own.
	return components.Box("wall__all", components.El("article", "class", "wall__rows", "id", rowsID, "role", "list", "aria-label", words.GalleryWall),
		components.El("div", "class", "marquee", "id", marqueeID))
}

// tiled says whether the list stands on the wall in rows.
func (g *Gallery) tiled() bool {
	return g.state == model.Loaded && g.width > 0 && g.list.Len() > 0 && g.filter.View != model.ViewDuplicates
}

// paint draws the rows on screen: all of them, or only those that came into sight, and those between which Tab's tile changed.
func (g *Gallery) paint(all bool) {
	if !g.Shown || !g.tiled() {
		return
	}
	from, to := g.window()
	was := g.reached
	g.reached = g.reachable(from, to)
	maps.DeleteFunc(g.seen, func(k int, _ bool) bool { return k < from || k >= to })
	now, later := g.develop(from, to)
	g.leapt = g.leapt && (later || g.pace.Hasty())
	stale := func(k int) bool {
		return all || slices.Contains(now, k) || was != g.reached && (g.rowHas(k, was) || g.rowHas(k, g.reached))
	}
	g.drawn.Draw(rowsID, g.rows.Total(), from, to, stale, g.row)
	if later && !g.developing {
		g.developing = true
		began := time.Now()
		browser.Frame(func() {
			g.developing, g.slow = false, time.Since(began) > slowFrame
			g.paint(false)
		})
	}
}

// develop says which rows get their pictures now, from the first on screen on, and whether more are to: a screen of pictures at once
// would keep the browser from drawing for longer than a frame. What was laid anew has them already, at another place.
func (g *Gallery) develop(from, to int) (now []int, later bool) {
	if g.pace.Hasty() {
		return nil, false
	}
	most := picturesAFrame
	if g.slow {
		most = 1
	}
	if g.relaid {
		g.relaid, most = false, to-from
	}
	for k := from; k < to; k++ {
		switch at := from + (k-from+1)%(to-from); { // the one above the screen comes last
		case g.seen[at]:
		case len(now) == most:
			return now, true
		default:
			if g.seen == nil {
				g.seen = map[int]bool{}
			}
			g.seen[at] = true
			now = append(now, at)
		}
	}
	return now, false
}

func (g *Gallery) rowHas(k int, key string) bool {
	at, row := g.list.Find(key), g.rows.All()[k]
	return at >= row.From && at < row.To
}

// row is what stands in a row of the wall. After a leap all but the one that Tab leads to are bars until they get their pictures.
func (g *Gallery) row(k int) browser.Row {
	row, thumb := g.rows.All()[k], g.thumb()
	out := browser.Row{Top: row.Top, Height: row.Height + g.rows.Foot}
	if !g.seen[k] {
		if out.Blank = g.leapt && !g.rowHas(k, g.reached); out.Blank {
			return out
		}
		thumb = 0
	}
	out.Body = make([]browser.Node, 0, row.To-row.From)
	for j, place := range g.rows.Places(row, g.shape) {
		i := row.From + j
		t := g.tile(g.list.At(i), i)
		t.Place, t.Cursor = place, t.Key == g.reached
		out.Body = append(out.Body, components.Tile(t, thumb))
	}
	if thumb > 0 {
		out.Sheet = components.Sheet(thumb)
	}
	return out
}

func (g *Gallery) tile(s model.Shot, i int) model.Tile {
	t := model.TileOf(s, g.core.agent(s.Run.Agent).Title, g.core.minute(), g.core.zone)
	t.Chosen, t.Index, t.Total = g.chosen.Has(t.Key), i, -1 // not known
	t.Cancels = !t.Stored && !t.Trashed && !s.Others() && model.MayCancel(s.Run, g.core.embedded())
	if n := g.all(); n > 0 {
		t.Total = n
	}
	return t
}

// all is how many the whole list has, 0 where that is not known.
func (g *Gallery) all() int {
	if g.uncounted() {
		return 0
	}
	return max(g.list.Len(), g.total)
}

// uncounted says whether the list may have more than are counted; not when all of it is there.
func (g *Gallery) uncounted() bool {
	return g.beyond && (g.down.more || g.up.more) || g.down.more && g.total == 0
}

// thumb is the width of the thumbnails that fit the tiles.
func (g *Gallery) thumb() int {
	return map[string]int{model.TileSmall: 160, model.TileMedium: 320, model.TileLarge: 640}[g.filter.Tile]
}

// reachable is the tile that Tab leads to: where the keyboard was, or else the first on screen. It stays the same one while that is
// drawn, though a row above the screen: at each row that comes, two others would have to be drawn anew.
func (g *Gallery) reachable(from, to int) string {
	for _, key := range []string{g.cursor, g.reached} {
		if at := g.list.Find(key); at >= 0 && key != "" {
			if row := g.rows.RowOf(at); row >= from && row < to {
				return key
			}
		}
	}
	for k := from; k < to; k++ {
		if row := g.rows.All()[k]; row.Top+row.Height > g.top-wallPad {
			return g.list.Key(row.From)
		}
	}
	return ""
}
