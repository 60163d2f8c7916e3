package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
)

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
			tiles = append(tiles, components.Drawn(components.Tile(t, 320)))
		}
		groups[i] = components.El("section", "class", "duplicates__group").Hidden(len(tiles) < 2).Body(
			components.Text("h3", "duplicates__title", words.GalleryCopies(len(tiles), group.Bytes)),
			components.El("div", "class", "duplicates__tiles", "role", "list").Body(tiles...))
	}
	return components.El("div", "class", "duplicates", "data-testid", "duplicates").Body(groups...)
}
