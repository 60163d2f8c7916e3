package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// keySheet lists the shortcuts as the ? sheet shows them. Mod is Ctrl, or Cmd on a Mac.
var keySheet = []struct {
	title string
	keys  [][2]string
}{
	{"Anywhere", [][2]string{{"Mod Enter", "Generate"}, {"G", "Gallery and back"}, {"?", "This sheet"}, {"Tab", "Next control"}}},
	{"Mask", [][2]string{
		{"B", "Brush: paint what to keep"}, {"E", "Eraser"}, {"L", "Lasso"}, {"M", "Rectangle"}, {"[ ]", "Smaller, larger brush"},
		{"Shift click", "Straight line from the last point"}, {"Alt", "Erase while held"}, {"I", "Invert"}, {"X", "Show Keep or Redraw"},
		{"\\", "Hide the mask while held"}, {"Mod Z", "Undo"}, {"Mod Shift Z", "Redo"},
	}},
	{"View", [][2]string{{"Wheel", "Zoom"}, {"Space drag", "Pan"}, {"0", "Fit"}, {"1", "100 %"}, {"+ −", "Zoom in, out"}}},
	{"Results", [][2]string{{"← →", "Previous, next"}, {"C", "Compare with the source"}, {"S", "Star"}, {"D", "Download"}, {"Z", "Zoom"}, {"Esc", "Close"}}},
}

// KeySheet is the content of the ? sheet.
func KeySheet(mac bool) app.UI {
	groups := make([]app.UI, len(keySheet))
	for i, g := range keySheet {
		rows := make([]app.UI, 0, 2*len(g.keys))
		for _, k := range g.keys {
			rows = append(rows, app.Elem("dt").Body(keys(k[0], mac)...), app.Elem("dd").Text(k[1]))
		}
		groups[i] = app.Elem("section").Body(app.Elem("h3").Class("keys__title").Text(g.title), app.Elem("dl").Class("keys__list").Body(rows...))
	}
	return app.Div().Class("keys").Body(groups...)
}

func keys(text string, mac bool) []app.UI {
	var out []app.UI
	word := ""
	flush := func() {
		switch {
		case word == "":
		case word == "Mod" && mac:
			out = append(out, app.Elem("kbd").Class("kbd").Text("⌘"))
		case word == "Mod":
			out = append(out, app.Elem("kbd").Class("kbd").Text("Ctrl"))
		default:
			out = append(out, app.Elem("kbd").Class("kbd").Text(word))
		}
		word = ""
	}
	for _, r := range text {
		if r == ' ' {
			flush()
			continue
		}
		word += string(r)
	}
	flush()
	return out
}
