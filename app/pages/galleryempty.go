package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
)

func (g *Gallery) renderEmpty() app.UI {
	anything := g.filter
	anything.Board = ""
	switch {
	case g.filter.View == model.ViewTrash:
		return components.El("div", "class", "empty", "data-testid", "trash-empty").Body(components.Icon("trash"),
			components.Text("h2", "empty__title", words.GalleryTrashEmpty),
			components.Text("p", "empty__text", words.GalleryTrashEmptyText(g.core.trashDays())))
	case g.filter.View == model.ViewDuplicates:
		return components.El("div", "class", "empty").Body(components.Icon("copy"),
			components.Text("h2", "empty__title", words.GalleryNoDuplicates),
			components.Text("p", "empty__text", words.GalleryNoDuplicatesText))
	case g.others() && anything.Empty():
		return g.core.renderNothingShown("gallery-none", false)
	case g.filter.Empty() && !g.core.designs():
		return g.core.renderNothingShown("gallery-empty", len(g.core.shownBoards) > 0)
	case g.filter.Empty():
		return components.El("div", "class", "empty", "data-testid", "gallery-empty").Body(components.Icon("gallery"),
			components.Text("h2", "empty__title", words.GalleryEmpty),
			components.Text("p", "empty__text", words.GalleryEmptyText),
			components.El("a", "class", "button button--primary button--large", "href", "/").Text(words.GalleryOpenStudio))
	case g.filter.Board != "" && g.filter.Cleared() == (model.Filter{Board: g.filter.Board}).Cleared():
		return components.El("div", "class", "empty", "data-testid", "gallery-none").Body(components.Icon("board"),
			components.Text("h2", "empty__title", words.GalleryBoardEmpty),
			components.Text("p", "empty__text", words.GalleryBoardEmptyText(g.core.keymap.Tip(model.DoBoard))),
			components.El("a", "class", "button", "href", "/gallery?view=").Text(words.GalleryOpen))
	}
	return components.El("div", "class", "empty", "data-testid", "gallery-none").Body(
		components.Text("h2", "empty__title", words.GalleryNothingFits),
		components.Button("", words.GalleryShowEverything, "").OnClick(g.onReset))
}
