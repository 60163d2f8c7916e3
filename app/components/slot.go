package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
)

// Slot is one file field other than the picture on the stage: a place for each picture it takes.
func Slot(s model.Slot, port FieldPort) app.UI {
	pick := func(app.Context, app.Event) { port.PickSlot(s.File.Name) }
	cells := []app.UI{}
	for i, asset := range s.Assets {
		cells = append(cells, Box("slot__cell slot__cell--full",
			Void("img", "class", "slot__picture", "src", asset.Thumb+"?w=160", "alt", asset.Name, "title", asset.Name),
			Text("span", "slot__role", role(s, i)),
		))
	}
	if len(s.Assets) < max(s.File.Max, 1) {
		cells = append(cells, El("button", "type", "button", "class", "slot__cell slot__cell--free", "data-testid", "slot-"+s.File.Name).
			OnClick(pick, Scope(s.File.Name)).Body(Icon("plus"), Text("span", "", role(s, len(s.Assets)))))
	}
	head := []app.UI{
		Text("span", "field__label", s.File.Title),
		Text("code", "wire field__wire", s.File.Name),
	}
	if s.File.Min > len(s.Assets) {
		head = append(head, Text("span", "field__needed", "needed"))
	}
	if len(s.Assets) > 0 {
		head = append(head, Button("", "Clear", "button--link").OnClick(func(app.Context, app.Event) {
			port.ClearSlot(s.File.Name)
		}, Scope(s.File.Name)))
	}
	return El("div", "class", "field", "data-testid", "field-"+s.File.Name).Body(
		Box("field__head", head...),
		Box("slot", cells...),
		If(s.File.Help != "", func() app.UI { return Text("p", "field__help", s.File.Help) }),
		If(s.Problem != "", func() app.UI {
			return El("p", "class", "field__problem").Body(SmallIcon("alert"), Text("span", "", s.Problem))
		}),
	)
}

// role is what the picture in one place means.
func role(s model.Slot, i int) string {
	switch {
	case i < len(s.File.Roles):
		return s.File.Roles[i]
	case s.File.Max > 1:
		return "Picture " + model.Number(i+1)
	}
	return "Choose"
}
