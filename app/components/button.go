package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
)

// IconButton is a button that shows an icon and is called label; key is its shortcut, "" for none.
func IconButton(icon, label, key string) app.HTMLElem {
	return El("button", "type", "button", "class", "icon-button", "aria-label", label, "title", join(label, key)).Body(Icon(icon))
}

// KeyButton is an icon for something that a key does too.
func KeyButton(icon, label string, keys model.Keymap, action string) app.HTMLElem {
	return Keyed(IconButton(icon, label, ""), label, keys, action)
}

// Keyed says on a control which key does the same.
func Keyed(control app.HTMLElem, label string, keys model.Keymap, action string) app.HTMLElem {
	return control.Attr("title", join(label, keys.Tip(action))).Attr("aria-keyshortcuts", keys.Aria(action))
}

// Button is a button with a word on it and, unless icon is "", an icon before it.
func Button(icon, label, class string) app.HTMLElem {
	button := El("button", "type", "button", "class", "button")
	if class != "" {
		button = button.Class(class)
	}
	if icon == "" {
		return button.Text(label)
	}
	return button.Body(SmallIcon(icon), Text("span", "", label))
}

// Choice is one option of Segmented.
type Choice struct {
	Value, Title, Help string
	Keys               string // that choose it too, as aria-keyshortcuts has them; "" = none
	Barred             bool   // not now; Help says why
}

// Segmented offers a few choices side by side, one of them chosen.
func Segmented(label string, choices []Choice, value string, choose func(string)) app.HTMLElem {
	items := make([]app.UI, len(choices))
	for i, c := range choices {
		item := El("button", "type", "button", "class", "segmented__item", "role", "radio", "aria-checked", Bool(c.Value == value), "data-value", c.Value,
			"title", c.Help, "disabled", Bool(c.Barred)).Text(c.Title).
			OnClick(func(app.Context, app.Event) { choose(c.Value) }, Scope(label, c.Value, c.Value == value))
		if c.Keys != "" {
			item = item.Attr("aria-keyshortcuts", c.Keys)
		}
		items[i] = item
	}
	return El("div", "class", "segmented", "role", "radiogroup", "aria-label", label).Body(items...)
}

// textOf is what a field holds after an event.
func textOf(e app.Event) string { return e.Get("target").Get("value").String() }
