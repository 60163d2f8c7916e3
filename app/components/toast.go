package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/words"
)

// Toast is a sentence that stands at the edge of the page for a while.
type Toast struct {
	ID      int
	Level   string // info, warning, error
	Message string
	Action  string // what can be done about it, "" for nothing
}

// ToastsClass is the class of every list of toasts.
const ToastsClass = "toasts"

// ToastID is the element of a toast.
func ToastID(id int) string { return "toast-" + words.Number(id) }

// ToastPort hears that a toast was read.
type ToastPort interface {
	DropToast(id int)
	DoToast(id int)
}

// Toasts shows the toasts, the newest lowest.
func Toasts(list []Toast, port ToastPort) app.UI {
	items := make([]app.UI, len(list))
	for i, t := range list {
		icon := map[string]string{"error": "alert", "warning": "unsure"}[t.Level]
		if icon == "" {
			icon = "info"
		}
		items[i] = El("div", "class", "toast toast--"+t.Level, "id", ToastID(t.ID), "data-testid", "toast").Body(
			Icon(icon),
			El("div", "class", "toast__text").Body(Text("p", "", t.Message), If(t.Action != "", func() app.UI {
				return Button("", t.Action, "button--link").Attr("data-testid", "toast-action").
					OnClick(func(app.Context, app.Event) { port.DoToast(t.ID) }, Scope(t.ID, "do"))
			})),
			IconButton("close", words.Dismiss, "").OnClick(func(app.Context, app.Event) { port.DropToast(t.ID) }, Scope(t.ID)),
		)
	}
	return El("div", "class", ToastsClass, "role", "log", "aria-live", "polite").Body(items...)
}
