package pages

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/words"
)

// How long a sentence stands, and one with something that can be done about it; and how long after somebody was at the sentences
// it is looked at again whether they may go.
const (
	toastStands = 6 * time.Second
	offerStands = 12 * time.Second
	toastRests  = 3 * time.Second
)

// offer is what can be done about a toast, and what is done once nobody has taken it.
type offer struct{ do, over func() }

// toast shows a sentence for a while, once; errors stay until they are dismissed.
func (c *core) toast(level, message string) {
	for _, t := range c.toasts {
		if t.Message == message && t.Action == "" {
			return
		}
	}
	c.raise(components.Toast{Level: level, Message: message}, toastStands)
}

// offer is a toast about something that do takes back. Each has its own, also where two say the same.
func (c *core) offer(message string, do func()) (id int) { return c.offerFor(message, do, nil) }

// suggest is a toast about something that can be done next.
func (c *core) suggest(message, action string, do func()) {
	c.act(components.Toast{Level: "info", Message: message, Action: action}, offer{do: do})
}

// offerFor is offer with something that is done once nobody has taken it: when the toast goes, by itself or dismissed.
func (c *core) offerFor(message string, do, over func()) (id int) {
	return c.act(components.Toast{Level: "info", Message: message, Action: words.Undo}, offer{do, over})
}

func (c *core) act(t components.Toast, what offer) (id int) {
	id = c.raise(t, offerStands)
	if c.offers == nil {
		c.offers = map[int]offer{}
	}
	c.offers[id] = what
	return id
}

func (c *core) raise(t components.Toast, stands time.Duration) (id int) {
	c.toastID++
	t.ID = c.toastID
	c.toasts = append(slices.Clone(c.toasts), t)
	c.rev++
	drawn(c.ui, func() { browser.Reveal(components.ToastID(t.ID), false) })
	if t.Level != "error" {
		c.expire(t.ID, stands)
	}
	return t.ID
}

// expire takes a toast away after a while, but not while somebody is at the toasts, with the pointer or the keyboard, or looks at
// another window, or wants them to stay: what is offered waits for them.
func (c *core) expire(id int, stands time.Duration) {
	c.ui.After(stands, func(app.Context) {
		if c.review.notices.stay || browser.Hidden() || browser.Attended(components.ToastsClass) {
			c.expire(id, toastRests)
			return
		}
		c.DropToast(id)
	})
}

// undo takes up the latest offer and says whether there is one.
func (c *core) undo() bool {
	for _, t := range slices.Backward(c.toasts) {
		if t.Action == words.Undo {
			c.DoToast(t.ID)
			return true
		}
	}
	return false
}

// settle ends every offer that nobody has taken: who offers it is about to go.
func (c *core) settle() {
	for _, t := range c.toasts {
		if t.Action != "" {
			c.DropToast(t.ID)
		}
	}
}

// DoToast implements components.ToastPort.
func (c *core) DoToast(id int) {
	taken := c.offers[id]
	delete(c.offers, id)
	if taken.do != nil {
		taken.do()
	}
	c.DropToast(id)
}

// DropToast implements components.ToastPort.
func (c *core) DropToast(id int) {
	c.toasts = slices.DeleteFunc(slices.Clone(c.toasts), func(t components.Toast) bool { return t.ID == id })
	left := c.offers[id]
	delete(c.offers, id)
	if left.over != nil {
		left.over()
	}
	c.rev++
}

// front is the dialog in front of everything, "" for none. What stands outside of it can neither be seen nor pressed.
func (c *core) front() string {
	switch {
	case c.menu.open:
		return components.MenuID
	case c.review.dialog != "":
		return c.review.dialog
	case c.review.desk.open:
		return components.DeskID
	case c.viewer.open:
		return components.LightboxID
	case c.keys:
		return keysID
	case c.settings:
		return settingsID
	case c.team:
		return teamID
	case c.unsure.open:
		return unconfirmedID
	}
	return c.pageDialog
}

// shutAll closes whatever stands above the page, without a word about it in the address: another page is gone to.
func (c *core) shutAll() {
	c.CloseMenu()
	c.closeReview()
	c.shutDesk()
	c.shutLightbox()
	c.keys, c.rebinding, c.settings, c.team, c.unsure = false, "", false, false, unsure{}
	for _, id := range []string{keysID, settingsID, teamID, unconfirmedID} {
		browser.CloseModal(id)
	}
	if c.pageDialog != "" {
		c.pagePort.CloseDialog(c.pageDialog)
	}
}

// openPageDialog opens a dialog of the page on screen, and closePageDialog closes it.
func (c *core) openPageDialog(id string, port components.DialogPort) {
	c.pageDialog, c.pagePort = id, port
	browser.OpenModal(id)
}

func (c *core) closePageDialog(id string) {
	c.pageDialog = ""
	browser.CloseModal(id)
}

// toastsFor are the toasts that a dialog shows, or with "" the page: all, when it stands in front.
func (c *core) toastsFor(id string) []components.Toast {
	if c.front() != id {
		return nil
	}
	return c.toasts
}

// withToasts puts them below what a dialog shows.
func (c *core) withToasts(id string, body func() []app.UI) func() []app.UI {
	return func() []app.UI { return append(body(), c.toastsIn(id)) }
}

func (c *core) toastsIn(id string) app.UI { return components.Toasts(c.toastsFor(id), c) }
