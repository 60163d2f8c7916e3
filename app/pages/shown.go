package pages

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// designs says whether who is signed in may make and change things.
func (c *core) designs() bool { return c.session.User.Role != atelier.Viewer }

// shownBoard finds a board that somebody else shows.
func (c *core) shownBoard(id atelier.BoardID) (atelier.Board, bool) {
	for _, b := range c.shownBoards {
		if b.ID == id {
			return b, true
		}
	}
	return atelier.Board{}, false
}

// people are those who show something, each once.
func (c *core) people() []atelier.Person {
	var people []atelier.Person
	for _, b := range c.shownBoards {
		if n := len(people); n == 0 || people[n-1].ID != b.Owner.ID { // they come by their owners
			people = append(people, *b.Owner)
		}
	}
	return people
}

// renderShowing is the switch in the form of a board that shows it to the team. It acts at once, and says what it does.
func (c *core) renderShowing(b atelier.Board) app.UI {
	return components.Box("field field__stack",
		components.El("label", "class", "switch").Body(
			components.Void("input", "id", "board-shared", "class", "switch__input", "type", "checkbox", "role", "switch", "checked", components.Bool(b.Shared),
				"aria-describedby", "board-shared-help", "data-testid", "board-shared").OnChange(func(_ app.Context, e app.Event) {
				c.show(b.ID, e.Get("target").Get("checked").Bool())
			}, components.Scope("board-shared", b.ID)),
			components.Text("span", "", words.BoardShow)),
		components.El("p", "class", "field__help", "id", "board-shared-help").Text(words.BoardShowHelp))
}

// show shows a board to everybody in the studio, or to its owner alone again.
func (c *core) show(id atelier.BoardID, shared bool) {
	c.updateBoard(id, atelier.UpdateBoard{Shared: &shared}, func() {
		b, _ := c.board(id)
		c.offer(words.BoardNowShown(b.Name, shared, b.Count), func() { c.show(id, !shared) })
	})
}

// renderShown lists the boards that others show.
func (b *Boards) renderShown() app.UI {
	c := b.core
	if len(c.shownBoards) == 0 {
		return app.Elem("section").Hidden(true)
	}
	cards := make([]app.UI, len(c.shownBoards))
	for i, board := range c.shownBoards {
		cards[i] = boardCard(board, model.Filter{User: board.Owner.ID, Board: board.ID})
	}
	return components.El("section", "class", "boards__shown", "aria-labelledby", "boards-shown").Body(
		components.El("h2", "id", "boards-shown", "class", "boards__heading").Text(words.BoardsShown),
		components.El("ul", "class", "boards__list", "data-testid", "shown-boards").Body(cards...))
}

// renderNothingShown teaches who only looks what there is to look at, and whom to ask where there is nothing.
func (c *core) renderNothingShown(id string, choose bool) app.UI {
	title, text := words.NothingShownTitle, words.NothingShown
	switch {
	case id == "gallery-none":
	case choose:
		title, text = words.ViewerEmptyTitle, words.ViewerChoose
	default:
		title, text = words.ViewerEmptyTitle, words.ViewerEmpty
	}
	return components.El("div", "class", "empty", "data-testid", id).Body(components.Icon("board"),
		components.Text("h2", "empty__title", title),
		components.Text("p", "empty__text", text),
		components.If(choose && id == "gallery-empty", func() app.UI {
			return components.El("a", "class", "button button--primary button--large", "href", "/boards").Text(words.ViewerOpenBoards)
		}))
}

// others says whether the gallery shows what somebody else does.
func (g *Gallery) others() bool {
	return g.filter.User != "" && g.filter.User != g.core.session.User.ID
}

// nameOwner puts into the filter whose the board is that was asked for, where it is another's.
func (g *Gallery) nameOwner() {
	if g.filter.User != "" || g.filter.Board == "" {
		return
	}
	if b, ok := g.core.shownBoard(g.filter.Board); ok {
		f := g.filter.Shown(b.Owner.ID)
		f.Board = b.ID
		g.set(f)
	}
}

// boards are those that the list may be of.
func (g *Gallery) boards() []atelier.Board {
	if !g.others() {
		return g.core.boards
	}
	var boards []atelier.Board
	for _, b := range g.core.shownBoards {
		if b.Owner.ID == g.filter.User {
			boards = append(boards, b)
		}
	}
	return boards
}

// orders are the orders the list may have.
func (g *Gallery) orders() []components.Choice {
	return slices.DeleteFunc(slices.Clone(orders), func(o components.Choice) bool { return !g.filter.Sorts(atelier.Sort(o.Value)) })
}

// renderPeople chooses whose results are listed.
func (g *Gallery) renderPeople() app.UI {
	choices := []components.Choice{{Value: " ", Title: words.FilterMine}}
	known := !g.others()
	for _, p := range g.core.people() {
		choices = append(choices, components.Choice{Value: string(p.ID), Title: p.Name})
		known = known || p.ID == g.filter.User
	}
	if !known {
		choices = append(choices, components.Choice{Value: string(g.filter.User), Title: words.NothingShownTitle})
	}
	return g.choice("filter-user", words.FilterPerson, choices, string(g.filter.User), func(f *model.Filter, v string) { *f = f.Shown(atelier.UserID(v)) })
}

// renderOwner says above the list whose results these are.
func (g *Gallery) renderOwner(head app.HTMLElem) app.UI {
	back := components.El("a", "class", "button button--quiet button--small", "href", "/boards").Body(components.SmallIcon("left"), components.Text("span", "", words.PageBoards))
	if b, ok := g.core.shownBoard(g.filter.Board); ok && b.Owner.ID == g.filter.User {
		return head.Hidden(false).Attr("data-testid", "shown-head").Body(back,
			components.Text("h1", "gallery__name", b.Name),
			components.El("span", "class", "tag").Body(components.SmallIcon("eye"), components.Text("span", "", words.ShownBy(b.Owner.Name))), boardNotes(b))
	}
	for _, p := range g.core.people() {
		if p.ID == g.filter.User {
			return head.Hidden(false).Attr("data-testid", "shown-head").Body(back, components.SmallIcon("eye"), components.Text("p", "", words.ShownByAll(p.Name)))
		}
	}
	return head.Hidden(false).Body(back)
}

// LinkResult implements components.LightboxPort: it puts the address of a result on the clipboard.
func (c *core) LinkResult(id atelier.ResultID) {
	for _, s := range c.shown(id) {
		browser.Copy(browser.Origin() + "/gallery#" + model.Opened{Results: model.OpenedShots([]model.Shot{s})}.Fragment())
		c.toast("info", words.ResultLinkDone)
	}
}
