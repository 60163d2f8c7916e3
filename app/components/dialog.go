package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/words"
)

// DialogPort hears that a dialog should close.
type DialogPort interface {
	CloseDialog(id string)
}

// Dialog is a window over the page. The element is always there; the page opens and closes it with the browser package,
// which keeps the focus inside and gives it back. body is only made while it is open.
func Dialog(id, title, class string, open bool, port DialogPort, body func() []app.UI) app.UI {
	content := []app.UI{}
	if open {
		content = append(content,
			El("header", "class", "dialog__head").Body(
				Text("h2", "dialog__title", title),
				IconButton("close", words.Close, words.KeyEscape).OnClick(func(app.Context, app.Event) { port.CloseDialog(id) }, Scope(id)),
			),
		)
		content = append(content, body()...)
	}
	return El("dialog", "id", id, "class", "dialog"+" "+class, "aria-label", title).
		OnClick(func(_ app.Context, e app.Event) {
			// A click on the dialog element itself is one on the backdrop: its content covers the rest.
			if target := e.Get("target"); target.Truthy() && target.Get("id").Truthy() && target.Get("id").String() == id {
				port.CloseDialog(id)
			}
		}, Scope(id)).
		Body(Box("dialog__box", content...))
}
