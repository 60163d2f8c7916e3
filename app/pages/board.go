package pages

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// boardID is the dialog in which a board is made, or named and described.
const boardID = "board"

// loadBoards reads the boards again.
func (c *core) loadBoards() { c.readBoards(func() {}) }

// readBoards is loadBoards with something that is done then.
func (c *core) readBoards(then func()) {
	c.do(func(ctx context.Context) func() {
		boards, err := c.api.Boards(ctx)
		return func() {
			defer then()
			if err != nil {
				if c.boardsState != model.Loaded {
					c.boardsState, c.boardsProblem = model.Broken, sentence(err)
				}
				c.expired(err)
				return
			}
			c.boards, c.shownBoards, c.boardsState = boards.Boards, boards.Shown, model.Loaded
		}
	})
}

func (c *core) board(id atelier.BoardID) (atelier.Board, bool) {
	for _, b := range c.boards {
		if b.ID == id {
			return b, true
		}
	}
	return atelier.Board{}, false
}

// onBoard puts results on boards and takes them off others.
func (c *core) onBoard(shots []model.Shot, add, remove []atelier.BoardID, then func()) {
	c.do(func(ctx context.Context) func() {
		err := inParts(idsOf(shots), func(ids []atelier.ResultID) error {
			_, err := c.api.UpdateResults(ctx, atelier.UpdateResults{IDs: ids, AddBoards: add, RemoveBoards: remove})
			return err
		})
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			c.readBoards(then)
		}
	})
}

// setCover lets a result stand for a board.
func (c *core) setCover(id atelier.BoardID, shots []model.Shot) {
	if len(shots) == 0 {
		return
	}
	c.changeCover(id, shots[0].Result.ID, words.BoardCoverSet)
}

// changeCover gives a board a cover, with "" none, and offers the one before.
func (c *core) changeCover(id atelier.BoardID, cover atelier.ResultID, said string) {
	b, _ := c.board(id)
	before := b.Cover
	c.updateBoard(id, atelier.UpdateBoard{Cover: &cover}, func() {
		c.offer(said, func() { c.updateBoard(id, atelier.UpdateBoard{Cover: &before}, func() {}) })
	})
}

func (c *core) updateBoard(id atelier.BoardID, u atelier.UpdateBoard, then func()) {
	c.do(func(ctx context.Context) func() {
		_, err := c.api.UpdateBoard(ctx, id, u)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			c.loadBoards()
			then()
		}
	})
}

// deleteBoard takes a board away from the page, and from the server once the offer to undo is over.
func (c *core) deleteBoard(id atelier.BoardID) {
	b, ok := c.board(id)
	if !ok {
		return
	}
	if c.leaving == nil {
		c.leaving = map[atelier.BoardID]bool{}
	}
	c.leaving[id] = true
	c.closeReview()
	c.ui.Navigate("/boards")
	c.offerFor(words.BoardDeleted(b.Name), func() { delete(c.leaving, id) }, func() {
		c.do(func(ctx context.Context) func() {
			err := c.api.DeleteBoard(ctx, id)
			return func() {
				delete(c.leaving, id)
				c.failed(err)
				c.loadBoards()
			}
		})
	})
}

// openBoards asks which boards results are to be put on.
func (c *core) openBoards(shots []model.Shot) {
	if len(shots) == 0 {
		c.toast("info", words.ChooseReadyResults)
		return
	}
	c.review.boarding = shots
	c.loadBoards()
	c.openReview(boardsID)
	drawn(c.ui, func() { browser.Focus(components.Pick(len(c.boards) > 0, "boarding-0", "boarding-name")) })
}

func (c *core) renderBoarding() []app.UI {
	items := []app.UI{}
	for _, b := range c.boards {
		if c.leaving[b.ID] {
			continue
		}
		items = append(items, components.El("button", "type", "button", "class", "boarding__item", "id", "boarding-"+words.Number(len(items)), "data-testid", "boarding-item").
			OnClick(func(app.Context, app.Event) { c.putOn(b.ID, b.Name) }, components.Scope("boarding", b.ID)).
			Body(boardFace(b), components.Text("span", "boarding__name", b.Name), components.Text("span", "boarding__count", words.Count(b.Count))))
	}
	return []app.UI{components.Box("boarding",
		components.Text("p", "deliver__count", words.ResultCount(len(c.review.boarding))),
		components.Box("boarding__list", items...),
		components.El("form", "class", "boarding__new").OnSubmit(c.onNewBoarding).Body(
			components.Void("input", "id", "boarding-name", "class", "input", "placeholder", words.BoardNewName, "aria-label", words.BoardNewName, "maxlength", "100", "data-testid", "boarding-name"),
			components.Button("plus", words.BoardsNew, "").Attr("type", "submit").Attr("data-testid", "boarding-create")),
	)}
}

func (c *core) putOn(id atelier.BoardID, name string) {
	shots := c.review.boarding
	before, _ := c.board(id)
	c.onBoard(shots, []atelier.BoardID{id}, nil, func() {
		c.closeReview()
		if b, _ := c.board(id); b.Count != before.Count+len(shots) { // some were on it before: taking all off would not be the way back
			c.toast("info", words.BoardHolds(len(shots), name))
			return
		}
		c.offer(words.BoardHolds(len(shots), name), func() {
			c.onBoard(shots, nil, []atelier.BoardID{id}, func() {})
		})
	})
}

func (c *core) onNewBoarding(_ app.Context, e app.Event) {
	e.PreventDefault()
	name := strings.TrimSpace(browser.Value("boarding-name"))
	if name == "" {
		browser.Focus("boarding-name")
		return
	}
	c.do(func(ctx context.Context) func() {
		b, err := c.api.CreateBoard(ctx, atelier.CreateBoard{Name: name})
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			browser.SetValue("boarding-name", "")
			c.putOn(b.ID, b.Name)
		}
	})
}

// boardFace is the picture that stands for a board: its cover, or up to four of its results.
func boardFace(b atelier.Board) app.UI {
	thumbs := b.Thumbs
	if b.Cover != "" && len(thumbs) > 1 {
		thumbs = thumbs[:1]
	}
	face := components.El("span", "class", "board-face", "data-count", words.Number(len(thumbs)))
	if len(thumbs) == 0 {
		return face.Body(components.Icon("board"))
	}
	images := make([]app.UI, len(thumbs))
	for i, t := range thumbs {
		images[i] = components.Void("img", "src", components.Thumb(t, 320), "alt", "", "loading", "lazy", "decoding", "async", "draggable", "false")
	}
	return face.Body(images...)
}

// openBoardForm opens the dialog for a board, "" for a new one.
func (c *core) openBoardForm(id atelier.BoardID) {
	c.editing = id
	c.openReview(boardID)
	drawn(c.ui, func() {
		b, _ := c.board(id)
		browser.SetValue("board-name", b.Name)
		browser.SetValue("board-notes", b.Notes)
		browser.Focus("board-name")
	})
}

func (c *core) renderBoardForm() []app.UI {
	b, known := c.board(c.editing)
	return []app.UI{components.El("form", "class", "deliver").OnSubmit(c.onSaveBoard).Body(
		components.El("label", "class", "deliver__field").Body(components.Text("span", "deliver__label", words.BoardName),
			components.Void("input", "id", "board-name", "class", "input", "maxlength", "100", "required", "true", "data-testid", "board-name")),
		components.El("label", "class", "deliver__field").Body(components.Text("span", "deliver__label", words.BoardNotes),
			components.El("textarea", "id", "board-notes", "class", "input", "rows", "4", "maxlength", "5000", "data-testid", "board-notes")),
		components.If(known && c.session.Team, func() app.UI { return c.renderShowing(b) }),
		components.Box("deliver__actions",
			components.If(known, func() app.UI {
				return components.Button("trash", words.BoardDelete, "button--quiet").Attr("data-testid", "board-delete").OnClick(func(app.Context, app.Event) { c.deleteBoard(c.editing) })
			}),
			components.If(known && b.Cover != "", func() app.UI {
				return components.Button("", words.BoardTakeCoverOff, "button--quiet").Attr("data-testid", "board-coverless").OnClick(func(app.Context, app.Event) { c.changeCover(c.editing, "", words.BoardCoverOff) })
			}),
			components.Button("", components.Pick(known, words.Save, words.BoardMake), "button--primary").Attr("type", "submit").Attr("data-testid", "board-save"),
		))}
}

func (c *core) onSaveBoard(_ app.Context, e app.Event) {
	e.PreventDefault()
	name, notes := strings.TrimSpace(browser.Value("board-name")), browser.Value("board-notes")
	if name == "" {
		browser.Focus("board-name")
		return
	}
	if c.editing != "" {
		c.updateBoard(c.editing, atelier.UpdateBoard{Name: &name, Notes: &notes}, func() { c.closeReview() })
		return
	}
	c.do(func(ctx context.Context) func() {
		_, err := c.api.CreateBoard(ctx, atelier.CreateBoard{Name: name, Notes: notes})
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			c.closeReview()
			c.loadBoards()
		}
	})
}

// Boards lists the boards.
type Boards struct {
	app.Compo
	Rev   int
	Shown bool
	core  *core
}

// OnMount implements app.Mounter.
func (b *Boards) OnMount(app.Context) {
	if b.core.access == signedIn {
		b.core.loadBoards()
	}
}

// Render implements app.Composer.
func (b *Boards) Render() app.UI {
	return components.El("section", "class", "page boards").Hidden(!b.Shown).Attr("aria-label", words.PageBoards).Body(
		components.El("header", "class", "bar filter").Body(
			components.Text("h1", "boards__title", words.PageBoards),
			components.If(b.core.designs(), func() app.UI {
				return components.Button("link", words.ReviewLinks, "button--quiet").Attr("data-testid", "links-open").OnClick(func(app.Context, app.Event) { b.core.openLinks("") })
			}),
			components.If(b.core.designs(), func() app.UI {
				return components.Button("plus", words.BoardsNew, "").Attr("data-testid", "board-new").OnClick(func(app.Context, app.Event) { b.core.openBoardForm("") })
			}),
		),
		components.El("div", "class", "boards__wall").Body(b.renderList(), b.renderShown()),
	)
}

func (b *Boards) renderList() app.UI {
	c := b.core
	cards := []app.UI{}
	for _, board := range c.boards {
		if c.leaving[board.ID] {
			continue
		}
		cards = append(cards, boardCard(board, model.Filter{Board: board.ID}))
	}
	switch {
	case len(cards) > 0:
		return components.El("ul", "class", "boards__list", "data-testid", "boards").Body(cards...)
	case c.boardsState == model.Broken:
		return components.Box("empty", components.Text("h2", "empty__title", words.BoardsBroken), components.Text("p", "empty__text", c.boardsProblem),
			components.Button("retry", words.TryAgain, "").OnClick(func(app.Context, app.Event) { c.loadBoards() }))
	case c.boardsState != model.Loaded:
		return components.El("section", "class", "boards__list", "aria-busy", "true").Body(components.Box("skeleton board-face"), components.Box("skeleton board-face"))
	}
	if !c.designs() && len(c.shownBoards) > 0 {
		return app.Elem("section").Hidden(true)
	}
	if !c.designs() {
		return c.renderNothingShown("boards-empty", false)
	}
	return components.El("div", "class", "empty", "data-testid", "boards-empty").Body(components.Icon("board"),
		components.Text("h2", "empty__title", words.BoardsEmptyTitle),
		components.Text("p", "empty__text", words.BoardsEmpty),
		components.Button("plus", words.BoardsNew, "button--primary button--large").OnClick(func(app.Context, app.Event) { c.openBoardForm("") }))
}

// boardCard is a board on the page of the boards, which leads to what is on it.
func boardCard(b atelier.Board, f model.Filter) app.UI {
	who := ""
	switch {
	case b.Owner != nil:
		who = words.ShownBy(b.Owner.Name)
	case b.Shared:
		who = words.BoardIsShown
	}
	return components.El("li", "class", "board-card").Body(
		components.El("a", "class", "board-card__link", "href", f.Address(), "data-testid", components.Pick(b.Owner == nil, "board-card", "shown-board"), "data-board", string(b.ID)).Body(
			boardFace(b), components.Text("span", "board-card__name", b.Name),
			components.Text("span", "board-card__count", words.ResultCount(b.Count)),
			components.If(who != "", func() app.UI { return components.Text("span", "board-card__who", who) })),
		components.If(b.Notes != "", func() app.UI { return components.Text("p", "board-card__notes", b.Notes) }),
	)
}

// renderHead says what list the gallery shows, where it is not the whole history.
func (g *Gallery) renderHead() app.UI {
	head := components.El("div", "class", "gallery__head")
	switch f := g.filter; {
	case f.View == model.ViewTrash:
		return head.Hidden(false).Body(components.SmallIcon("trash"),
			components.Text("p", "", words.GalleryTrashHead(g.core.trashDays())),
			components.If(g.list.Len() > 0, func() app.UI {
				return components.Button("", words.TrashPurgeAll, "button--small").Attr("data-testid", "trash-purge").OnClick(func(app.Context, app.Event) { g.purge(nil) })
			}))
	case f.View == model.ViewDuplicates:
		return head.Hidden(false).Body(components.SmallIcon("copy"), components.Text("p", "", words.GalleryDuplicatesHead))
	case g.others():
		return g.renderOwner(head)
	case f.Board != "":
		b, ok := g.core.board(f.Board)
		if !ok {
			break
		}
		return head.Hidden(false).Attr("data-testid", "board-head").Body(
			components.El("a", "class", "button button--quiet button--small", "href", "/boards").Body(components.SmallIcon("left"), components.Text("span", "", words.PageBoards)),
			components.Text("h1", "gallery__name", b.Name),
			components.If(b.Shared, func() app.UI {
				return components.El("span", "class", "tag", "data-testid", "board-shown").Body(components.SmallIcon("eye"), components.Text("span", "", words.BoardIsShown))
			}),
			components.Button("", words.BoardEdit, "button--small").Attr("data-testid", "board-edit").OnClick(func(app.Context, app.Event) { g.core.openBoardForm(g.filter.Board) }),
			boardNotes(b))
	}
	return head.Hidden(true)
}

// boardNotes is one line of the notes of a board, and all of them when they are opened.
func boardNotes(b atelier.Board) app.UI {
	return components.El("details", "class", "gallery__notes", "data-testid", "board-words").Hidden(b.Notes == "").Body(components.Text("summary", "", b.Notes))
}
