package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Toast is a sentence that stands at the edge of the page for a while.
type Toast struct {
	ID      int
	Level   string // info, warning, error
	Message string
}

// ToastPort hears that a toast was read.
type ToastPort interface {
	DropToast(id int)
}

// Toasts shows the toasts, the newest lowest.
func Toasts(list []Toast, port ToastPort) app.UI {
	items := make([]app.UI, len(list))
	for i, t := range list {
		icon := map[string]string{"error": "alert", "warning": "unsure"}[t.Level]
		if icon == "" {
			icon = "info"
		}
		items[i] = El("div", "class", "toast"+" "+"toast--"+t.Level, "data-testid", "toast").Body(
			Icon(icon),
			Text("p", "toast__text", t.Message),
			IconButton("close", "Dismiss", "").OnClick(func(app.Context, app.Event) { port.DropToast(t.ID) }, app.EventScope(t.ID)),
		)
	}
	return El("div", "class", "toasts", "role", "log", "aria-live", "polite").Body(items...)
}
