package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// review is what stands above the pages to look through results, decide about them and hand them over.
type review struct {
	dialog   string // which of its dialogs is open, "" for none
	desk     desk
	delivery delivery
	boarding []model.Shot // results that are to be put on boards
	doomed   doomed
	unclear  unclear
	palette  palette
	notices  notices
	links    reviewing
	back     map[atelier.RunID]bool // taken out of the trash here: they are shown at once
}

// openReview opens one of the dialogs; there is one at a time.
func (c *core) openReview(id string) {
	if c.review.dialog != "" {
		browser.CloseModal(c.review.dialog)
	}
	c.review.dialog = id
	browser.OpenModal(id)
	c.change()
}

// closeReview closes the open dialog and says whether there was one.
func (c *core) closeReview() bool {
	if c.review.dialog == "" {
		return false
	}
	browser.CloseModal(c.review.dialog)
	c.review.dialog = ""
	c.change()
	return true
}

// CloseDialog implements components.DialogPort for the dialogs of the review.
func (c *core) CloseDialog(string) { c.closeReview() }

// listenReview follows keys and pointers on what stands above the pages.
func (c *core) listenReview() []func() {
	releases := append(c.listenDesk(), browser.OnNotice(func(address string) { c.post(func() { c.openNotice(address) }) }))
	for _, id := range []string{deliverID, boardsID, boardID, purgeID, unclearID, paletteID, askID, linksID} {
		releases = append(releases, browser.OnCancel(id, func() { c.closeReview() }))
	}
	return releases
}

// reviewKey hands a key to what stands in front; taken says that something does, and the pages are not asked.
func (c *core) reviewKey(k browser.Key) (done, taken bool) {
	switch {
	case !k.Up && (k.Ctrl || !k.Typing) && does(c.keymap, k, model.OnPage) == model.DoPalette:
		c.togglePalette()
		return true, true
	case c.review.dialog == paletteID:
		return c.paletteKey(k), true
	case c.review.dialog != "":
		return k.Key == "Escape" && !k.Up && c.closeReview(), true
	case c.review.desk.open:
		return !k.Typing && c.deskKey(k), true
	}
	return false, false
}

// Review draws what stands above the pages.
type Review struct {
	app.Compo
	Rev     int
	core    *core
	release []func()
}

// OnMount implements app.Mounter.
func (r *Review) OnMount(app.Context) { r.release = r.core.listenReview() }

// OnDismount implements app.Dismounter.
func (r *Review) OnDismount() {
	for _, release := range r.release {
		release()
	}
}

// Render implements app.Composer. The dialogs come last: they may be opened from the desk.
func (r *Review) Render() app.UI {
	c := r.core
	dialog := func(id, title, class string, body func() []app.UI) app.UI {
		return components.Dialog(id, title, class, c.review.dialog == id, c, c.withToasts(id, body))
	}
	return components.Box("review",
		c.renderDesk(),
		dialog(deliverID, words.ReviewDeliver, "", c.renderDelivery),
		dialog(boardsID, words.ReviewPutOnBoards, "", c.renderBoarding),
		dialog(boardID, components.Pick(c.editing == "", words.BoardsNew, words.BoardEdit), "", c.renderBoardForm),
		dialog(purgeID, words.PurgeTitle, "", c.renderPurge),
		dialog(unclearID, words.UnclearTitle, "", c.renderUnclear),
		dialog(askID, words.ReviewAskTitle, "", c.renderAsking),
		dialog(linksID, words.ReviewLinks, "dialog--wide", c.renderLinks),
		c.renderPalette(),
	)
}
