package pages

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
)

// toast shows a sentence for a while; errors stay until they are dismissed.
func (c *core) toast(level, message string) {
	for _, t := range c.toasts {
		if t.Message == message {
			return
		}
	}
	c.toastID++
	id := c.toastID
	c.toasts = append(slices.Clone(c.toasts), components.Toast{ID: id, Level: level, Message: message})
	c.rev++
	if level != "error" {
		c.ui.After(6*time.Second, func(app.Context) { c.DropToast(id) })
	}
}

// offer is a toast with something that can be done about it.
func (c *core) offer(message, action string, do func()) {
	c.toast("info", message)
	last := &c.toasts[len(c.toasts)-1]
	last.Action = action
	if c.toastDo == nil {
		c.toastDo = map[int]func(){}
	}
	c.toastDo[last.ID] = do
}

// offerFor is offer with something that is done once nobody has taken it: when the toast goes, by itself or dismissed.
func (c *core) offerFor(message, action string, do, over func()) {
	c.offer(message, action, do)
	if c.toastOver == nil {
		c.toastOver = map[int]func(){}
	}
	c.toastOver[c.toasts[len(c.toasts)-1].ID] = over
}

// DoToast implements components.ToastPort.
func (c *core) DoToast(id int) {
	if do := c.toastDo[id]; do != nil {
		delete(c.toastOver, id)
		do()
	}
	c.DropToast(id)
}

// DropToast implements components.ToastPort.
func (c *core) DropToast(id int) {
	c.toasts = slices.DeleteFunc(slices.Clone(c.toasts), func(t components.Toast) bool { return t.ID == id })
	delete(c.toastDo, id)
	if over := c.toastOver[id]; over != nil {
		delete(c.toastOver, id)
		over()
	}
	c.rev++
}

// front is the dialog in front of everything, "" for none. What stands outside of it can neither be seen nor pressed.
func (c *core) front() string {
	switch {
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

// openPageDialog opens a dialog of the page on screen, and closePageDialog closes it.
func (c *core) openPageDialog(id string) {
	c.pageDialog = id
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
