package components

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
)

// Slot is one file field other than the picture on the stage: a place for each picture it takes.
func Slot(s model.Slot, port FieldPort) app.UI {
	pick := func(ctx app.Context, _ app.Event) { port.PickSlot(ctx, s.File.Name) }
	cells := []app.UI{}
	for i, asset := range s.Assets {
		cells = append(cells, app.Div().Class("slot__cell slot__cell--full").Body(
			app.ElemSelfClosing("img").Class("slot__picture").Attr("src", asset.Thumb+"?w=160").Attr("alt", asset.Name).Attr("title", asset.Name),
			app.Elem("span").Class("slot__role").Text(role(s, i)),
		))
	}
	if len(s.Assets) < max(s.File.Max, 1) {
		cells = append(cells, app.Elem("button").Attr("type", "button").Class("slot__cell slot__cell--free").Attr("data-testid", "slot-"+s.File.Name).
			OnClick(pick, app.EventScope(s.File.Name)).Body(Icon("plus"), app.Elem("span").Text(role(s, len(s.Assets)))))
	}
	head := []app.UI{
		app.Elem("span").Class("field__label").Text(s.File.Title),
		app.Elem("code").Class("wire field__wire").Text(s.File.Name),
	}
	if s.File.Min > len(s.Assets) {
		head = append(head, app.Elem("span").Class("field__needed").Text("needed"))
	}
	if len(s.Assets) > 0 {
		head = append(head, Button("", "Clear", "button--link").OnClick(func(ctx app.Context, _ app.Event) {
			port.ClearSlot(ctx, s.File.Name)
		}, app.EventScope(s.File.Name)))
	}
	return app.Div().Class("field").Attr("data-testid", "field-"+s.File.Name).Body(
		app.Div().Class("field__head").Body(head...),
		app.Div().Class("slot").Body(cells...),
		app.If(s.File.Help != "", func() app.UI { return app.Elem("p").Class("field__help").Text(s.File.Help) }),
		app.If(s.Problem != "", func() app.UI {
			return app.Elem("p").Class("field__problem").Body(SmallIcon("alert"), app.Elem("span").Text(s.Problem))
		}),
	)
}

// role is what the picture in one place means.
func role(s model.Slot, i int) string {
	switch {
	case i < len(s.File.Roles):
		return s.File.Roles[i]
	case s.File.Max > 1:
		return "Picture " + strconv.Itoa(i+1)
	}
	return "Choose"
}
