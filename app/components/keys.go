package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
)

// KeyPort hears what is done in the sheet of keys.
type KeyPort interface {
	// ChangeKey waits for the new key of an action, or no longer.
	ChangeKey(action string)
	ResetKeys()
}

// KeySheet is the content of the ? sheet; waiting is the action whose new key is to be pressed, "" for none.
func KeySheet(m model.Keymap, waiting string, port KeyPort) app.UI {
	groups := make([]app.UI, len(words.KeySheet))
	for i, g := range words.KeySheet {
		var rows []app.UI
		row := func(what string, keys ...app.UI) {
			rows = append(rows, app.Elem("dt").Body(keys...), Text("dd", "", what))
		}
		for _, k := range g.Fixed {
			row(k[1], keys(k[0], m.Mac)...)
		}
		for _, s := range model.Shortcuts(g.Title) {
			row(s.Words, changeable(m, s, waiting == s.Action, port)...)
		}
		groups[i] = app.Elem("section").Body(Text("h3", "keys__title", g.Title), El("dl", "class", "keys__list").Body(rows...))
	}
	return Box("keys",
		El("div", "class", "settings__row keys__head").Body(Text("p", "field__help", words.KeysHint),
			Button("", words.KeysReset, "button--small").Attr("data-testid", "keys-reset").Attr("disabled", len(m.Own) == 0).OnClick(func(app.Context, app.Event) { port.ResetKeys() })),
		Box("keys__columns", groups...))
}

// changeable are the keys of an action, the first of them a button that changes it.
func changeable(m model.Keymap, s model.Shortcut, waiting bool, port KeyPort) []app.UI {
	key := Pick(waiting, words.KeysPress, m.Tip(s.Action))
	list := []app.UI{El("button", "type", "button", "class", "kbd keys__change", "aria-label", words.KeyFor(s.Words, key), "aria-pressed", Bool(waiting),
		"data-testid", "key-"+s.Action).Text(key).OnClick(func(app.Context, app.Event) { port.ChangeKey(s.Action) }, Scope(s.Action))}
	if also := m.Second(s.Action); also != "" && !waiting {
		list = append(list, Text("kbd", "kbd", also))
	}
	return list
}

func keys(text string, mac bool) []app.UI {
	var out []app.UI
	for _, key := range strings.Fields(words.OnKeys(text, mac)) {
		out = append(out, Text("kbd", "kbd", key))
	}
	return out
}
