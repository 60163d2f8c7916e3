package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

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
			tiles = append(tiles, components.Drawn(components.Tile(t, 320)))
		}
		groups[i] = components.El("section", "class", "duplicates__group").Hidden(len(tiles) < 2).Body(
			components.Box("duplicates__head",
				components.Text("h3", "duplicates__title", words.GalleryCopies(len(tiles), group.Bytes)),
				components.Button("", words.DuplicatesKeep, "button--small").Attr("title", words.DuplicatesKeepTip).Attr("data-testid", "keep-one").
					OnClick(func(app.Context, app.Event) { g.keepOne(group) }, components.Scope(group.SHA256))),
			components.El("div", "class", "duplicates__tiles", "role", "list").Body(tiles...))
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
			shots = append(shots, g.list.Shots[at])
		}
	}
	g.core.trash(model.Spare(shots))
}
