package pages

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// loadDuplicates reads the next page of groups: the first where there are none yet.
func (g *Gallery) loadDuplicates() {
	if g.down.busy {
		return
	}
	asked, cursor := g.asked, g.down.cursor
	g.down.busy = true
	g.core.do(func(ctx context.Context) func() {
		page, err := g.core.api.Duplicates(ctx, cursor)
		return func() {
			if asked != g.asked {
				return
			}
			g.down.busy = false
			switch {
			case err != nil && cursor != "":
				g.core.failed(err)
			case err != nil:
				g.state, g.problem = model.Broken, sentence(err)
				g.core.expired(err)
			default:
				g.takeDuplicates(page, cursor == "")
			}
		}
	})
}

func (g *Gallery) takeDuplicates(page atelier.DuplicatePage, first bool) {
	if first {
		g.duplicates, g.list = nil, model.Listing{}
	}
	g.duplicates, g.state = append(g.duplicates, page.Groups...), model.Loaded
	g.down.cursor, g.down.more = page.NextCursor, page.NextCursor != ""
	for _, group := range page.Groups {
		for _, r := range group.Results {
			g.list.Append(model.Listed(r))
		}
	}
	g.lay()
}

// The tiles of the groups of equal files are at least so wide, and so far from each other, CSS px (7-gallery.css).
const (
	copySide = 150
	copyGap  = 12
)

// copyGrid is how many tiles of the groups stand beside each other, and how wide they are so that they take all the room there is, CSS px.
func (g *Gallery) copyGrid() (columns int, side float64) {
	room := g.width - 2*wallPad + copyGap
	columns = max(1, int(room/(copySide+copyGap)))
	return columns, max(copySide, math.Floor(room/float64(columns))-copyGap)
}

// copies are the tiles of every group that still is one, by their places in the list.
func (g *Gallery) copies() [][]int {
	groups := make([][]int, len(g.duplicates))
	for i, group := range g.duplicates {
		for _, r := range group.Results {
			if at := g.list.Find(string(r.ID)); at >= 0 { // else it was deleted since
				groups[i] = append(groups[i], at)
			}
		}
		if len(groups[i]) < 2 {
			groups[i] = nil
		}
	}
	return groups
}

// copyAgain puts results that were taken back into the groups they stood in.
func (g *Gallery) copyAgain(back func(atelier.ListedResult) bool) {
	for _, group := range g.duplicates {
		for _, r := range group.Results {
			if g.list.Find(string(r.ID)) < 0 && back(r) {
				g.list.Append(model.Listed(r))
			}
		}
	}
}

// groups is how many groups there still are.
func (g *Gallery) groups() (n int) {
	for _, group := range g.copies() {
		n += index(group != nil)
	}
	return n
}

// chooseAll chooses the whole list, as far as it is shown: the last one of a group is no copy any more.
func (g *Gallery) chooseAll() {
	if g.filter.View != model.ViewDuplicates {
		g.chosen.All(&g.list)
		return
	}
	var keys []string
	for _, at := range slices.Concat(g.copies()...) {
		keys = append(keys, g.list.Key(at))
	}
	g.chosen.Set(nil, keys...)
}

// copyLines are the tiles of the groups as they stand in lines on the screen.
func (g *Gallery) copyLines() [][]int {
	columns, _ := g.copyGrid()
	var lines [][]int
	for _, group := range g.copies() {
		lines = slices.AppendSeq(lines, slices.Chunk(group, columns))
	}
	return lines
}

// reachableCopy is the tile that Tab leads to: where the keyboard was, or the first.
func (g *Gallery) reachableCopy() string {
	first := ""
	for _, group := range g.copies() {
		for _, at := range group {
			switch key := g.list.Key(at); {
			case key == g.cursor:
				return key
			case first == "":
				first = key
			}
		}
	}
	return first
}

// moveCopy leads the keyboard to another tile of the groups, as move does on the wall.
func (g *Gallery) moveCopy(columns, down int, choose bool) bool {
	from := g.list.Find(g.reachableCopy())
	if from < 0 {
		return false
	}
	to := from
	if strings.HasPrefix(browser.FocusedID(), components.TileID("")) {
		to = model.StepLines(g.copyLines(), from, columns, down)
	}
	if choose {
		g.chosen.Anchor(g.list.Key(from))
	}
	g.cursor = g.list.Key(to)
	if choose {
		g.chosen.Range(&g.list, g.cursor)
	}
	drawn(g.ctx, func() {
		browser.Focus(components.TileID(g.cursor))
		browser.Reveal(components.TileID(g.cursor), false)
	})
	return true
}

// renderDuplicates shows the groups; they are few, and not laid on the wall.
func (g *Gallery) renderDuplicates() app.UI {
	groups := make([]app.UI, len(g.duplicates))
	reachable := g.reachableCopy()
	_, side := g.copyGrid()
	for i, copies := range g.copies() {
		group := g.duplicates[i]
		title := words.GalleryCopies(len(copies), group.Bytes)
		tiles := make([]app.UI, len(copies))
		for j, at := range copies {
			t := g.tile(g.list.At(at), j)
			t.Total, t.Place, t.Cursor = len(copies), model.Place{W: side, H: side}, t.Key == reachable
			tiles[j] = components.Drawn(components.Tile(t, 320))
		}
		groups[i] = components.El("section", "class", "duplicates__group").Hidden(len(copies) == 0).Body(
			components.Box("duplicates__head",
				components.Text("h3", "duplicates__title", title),
				components.Button("", words.DuplicatesKeep, "button--small").Attr("title", words.DuplicatesKeepTip).Attr("data-testid", "keep-one").
					OnClick(func(app.Context, app.Event) { g.keepOne(group) }, components.Scope(group.SHA256))),
			components.El("div", "class", "duplicates__tiles", "role", "list", "aria-label", title).Body(tiles...))
	}
	return components.El("div", "class", "duplicates", "data-testid", "duplicates").Body(append(groups, components.If(g.down.more, func() app.UI {
		return components.Box("pager", components.Button("", words.GalleryMoreGroups, "").Attr("data-testid", "duplicates-more").OnClick(func(app.Context, app.Event) { g.loadDuplicates() }))
	}))...)
}

// keepOne throws all of a group away but the best.
func (g *Gallery) keepOne(group atelier.DuplicateGroup) {
	var shots []model.Shot
	for _, r := range group.Results {
		if at := g.list.Find(string(r.ID)); at >= 0 {
			shots = append(shots, g.list.At(at))
		}
	}
	g.core.trash(model.Spare(shots))
}
