package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
)

// KeySheet is the content of the ? sheet. The tools' keys are the designer's own; they are changed in the mask panel.
func KeySheet(mac bool, desk model.MaskDesk) app.UI {
	tools := []app.UI{}
	for _, k := range desk.Shortcuts() {
		tools = append(tools, app.Elem("dt").Body(keys(model.ShowKey(k.Key), mac)...), Text("dd", "", k.Words))
	}
	groups := make([]app.UI, len(words.KeySheet), len(words.KeySheet)+1)
	for i, g := range words.KeySheet {
		rows := make([]app.UI, 0, 2*len(g.Keys))
		for _, k := range g.Keys {
			rows = append(rows, app.Elem("dt").Body(keys(k[0], mac)...), Text("dd", "", k[1]))
		}
		groups[i] = app.Elem("section").Body(Text("h3", "keys__title", g.Title), El("dl", "class", "keys__list").Body(rows...))
	}
	groups = append(groups, app.Elem("section").Body(Text("h3", "keys__title", words.KeySheetTools), El("dl", "class", "keys__list").Body(tools...)))
	return Box("keys", Box("keys__columns", groups...))
}

func keys(text string, mac bool) []app.UI {
	var out []app.UI
	for _, key := range strings.Fields(words.OnKeys(text, mac)) {
		out = append(out, Text("kbd", "kbd", key))
	}
	return out
}
