package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// IconButton is a button that shows an icon and is called label; key is its shortcut, "" for none.
func IconButton(icon, label, key string) app.HTMLElem {
	title := label
	if key != "" {
		title += "  " + key
	}
	return app.Elem("button").Attr("type", "button").Class("icon-button").Attr("aria-label", label).Attr("title", title).Body(Icon(icon))
}

// Button is a button with a word on it and, unless icon is "", an icon before it.
func Button(icon, label, class string) app.HTMLElem {
	button := app.Elem("button").Attr("type", "button").Class("button")
	if class != "" {
		button = button.Class(class)
	}
	if icon == "" {
		return button.Text(label)
	}
	return button.Body(SmallIcon(icon), app.Elem("span").Text(label))
}

// Choice is one option of Segmented.
type Choice struct{ Value, Title, Help string }

// Segmented offers a few choices side by side, one of them chosen.
func Segmented(label string, choices []Choice, value string, choose func(app.Context, string)) app.UI {
	items := make([]app.UI, len(choices))
	for i, c := range choices {
		items[i] = app.Elem("button").Attr("type", "button").Class("segmented__item").
			Attr("aria-pressed", boolean(c.Value == value)).Attr("data-value", c.Value).
			Attr("title", c.Help).Text(c.Title).
			OnClick(func(ctx app.Context, _ app.Event) { choose(ctx, c.Value) }, app.EventScope(label, c.Value))
	}
	return app.Div().Class("segmented").Attr("role", "group").Attr("aria-label", label).Body(items...)
}

func boolean(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// textOf is what a field holds after an event.
func textOf(ctx app.Context) string { return ctx.JSSrc().Get("value").String() }
