package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// keySheet lists the shortcuts as the ? sheet shows them. Mod is Ctrl, or Cmd on a Mac.
var keySheet = []struct {
	title string
	keys  [][2]string
}{
	{"Anywhere", [][2]string{{"Mod Enter", "Generate"}, {"G", "Gallery and back"}, {"?", "This sheet"}}},
	{"Mask", [][2]string{
		{"B", "Brush: paint what to keep"},
		{"E", "Eraser"},
		{"L", "Lasso"},
		{"M", "Rectangle"},
		{"[ ]", "Smaller, larger brush"},
		{"Shift click", "Straight line from the last point"},
		{"Alt", "Erase while held"},
		{"I", "Invert"},
		{"X", "Show Keep or Redraw"},
		{"\\", "Hide the mask while held"},
		{"Mod Z", "Undo"},
		{"Mod Shift Z", "Redo"},
	}},
	{"View", [][2]string{{"Wheel", "Zoom"}, {"Space drag", "Pan"}, {"0", "Fit"}, {"1", "100 %"}, {"+ −", "Zoom in, out"}}},
	{"Larger canvas", [][2]string{{"← → ↑ ↓", "Move the photo by 1 px"}, {"Shift arrow", "by 10 px"}, {"Alt drag", "Without snapping"}}},
	{"Files of the form", [][2]string{{"← →", "To another place"}, {"Del", "Remove"}, {"Mod V", "Paste a file into it"}}},
	{"Gallery", [][2]string{{"← → ↑ ↓", "From result to result"}, {"Enter", "Open"}}},
	{"Results", [][2]string{{"← →", "Previous, next"}, {"C", "Compare with the source"}, {"S", "Star"}, {"D", "Download"}, {"Z", "Zoom"}, {", .", "Frame by frame"}, {"M", "Sound off or on"}, {"Esc", "Close"}}},
}

// KeySheet is the content of the ? sheet.
func KeySheet(mac bool) app.UI {
	groups := make([]app.UI, len(keySheet))
	for i, g := range keySheet {
		rows := make([]app.UI, 0, 2*len(g.keys))
		for _, k := range g.keys {
			rows = append(rows, app.Elem("dt").Body(keys(k[0], mac)...), Text("dd", "", k[1]))
		}
		groups[i] = app.Elem("section").Body(Text("h3", "keys__title", g.title), El("dl", "class", "keys__list").Body(rows...))
	}
	return Box("keys", groups...)
}

func keys(text string, mac bool) []app.UI {
	var out []app.UI
	word := ""
	flush := func() {
		switch {
		case word == "":
		case word == "Mod" && mac:
			out = append(out, Text("kbd", "kbd", "⌘"))
		case word == "Mod":
			out = append(out, Text("kbd", "kbd", "Ctrl"))
		default:
			out = append(out, Text("kbd", "kbd", word))
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
