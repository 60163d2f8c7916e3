package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
)

// keySheet lists the shortcuts as the ? sheet shows them. Mod is Ctrl, or Cmd on a Mac.
var keySheet = []struct {
	title string
	keys  [][2]string
}{
	{"Anywhere", [][2]string{{"Mod Enter", "Generate"}, {"Mod K", "Commands"}, {"G", "Gallery and back"}, {"?", "This sheet"}}},
	{"Mask", [][2]string{
		{"Shift click", "Straight line from the last point"},
		{"Shift drag", "Square, circle, sides by 45°"},
		{"Alt", "Erase, redraw what is selected"},
		{"Ctrl drag", "Only what is selected stays kept"},
		{"Space drag", "Pan, also in the middle of a stroke"},
		{"Enter", "Close a polygon"},
		{"Esc", "Give up what is being drawn"},
		{"\\", "See the source while held"},
		{"Mod Z", "Undo"},
		{"Mod Shift Z", "Redo"},
	}},
	{"Mask without a mouse", [][2]string{
		{"← → ↑ ↓", "Move the cursor"},
		{"Shift arrow", "Further"},
		{"Ctrl arrow", "By one pixel"},
		{"Enter", "Put the tool down, lift it"},
		{"Shift Enter", "Close a polygon"},
	}},
	{"View", [][2]string{{"Wheel", "Zoom"}, {"Space drag", "Pan"}, {"0", "Fit"}, {"1", "100 %"}, {"+ −", "Zoom in, out"}}},
	{"Larger canvas", [][2]string{{"← → ↑ ↓", "Move the photo by 1 px"}, {"Shift arrow", "by 10 px"}, {"Alt drag", "Without snapping"}}},
	{"Files of the form", [][2]string{{"← →", "To another place"}, {"Del", "Remove"}, {"Mod V", "Paste a file into it"}}},
	{"Gallery", [][2]string{
		{"← → ↑ ↓", "From result to result"},
		{"Enter", "Open"},
		{"Space", "Choose"},
		{"Shift ↑ ↓", "Choose a range"},
		{"Mod A", "Choose all"},
		{"C", "Compare on the desk"},
		{"B", "Put on a board"},
		{"D", "Deliver"},
		{"Del", "Into the trash"},
		{"Esc", "Choose nothing"},
	}},
	{"Verdict", [][2]string{{"P", "Pick"}, {"X", "Reject"}, {"U", "Neither"}, {"1 – 5", "Stars"}, {"0", "No stars"}, {"S", "Favourite"}, {"Shift P", "Pick and go on, on the desk"}}},
	{"Culling desk", [][2]string{
		{"← → ↑ ↓", "Another result"},
		{"Enter", "One at a time, or all"},
		{"Z", "100 % and back"},
		{"C", "Before and after"},
		{"D", "Difference"},
		{"H", "Heat map"},
		{"F", "Full screen"},
	}},
	{"Results", [][2]string{
		{"← →", "Previous, next"},
		{"C", "Compare with the source"},
		{"H", "Where the product changed"},
		{"D", "Download"},
		{"Z", "Zoom"},
		{"I", "How it was made"},
		{"F", "Full screen"},
		{", .", "Frame by frame"},
		{"M", "Sound off or on"},
		{"Esc", "Close"},
	}},
}

// KeySheet is the content of the ? sheet. The tools' keys are the designer's own; they are changed in the mask panel.
func KeySheet(mac bool, desk model.MaskDesk) app.UI {
	tools := []app.UI{}
	for _, k := range desk.Shortcuts() {
		tools = append(tools, app.Elem("dt").Body(keys(model.ShowKey(k.Key), mac)...), Text("dd", "", k.Words))
	}
	groups := make([]app.UI, len(keySheet), len(keySheet)+1)
	for i, g := range keySheet {
		rows := make([]app.UI, 0, 2*len(g.keys))
		for _, k := range g.keys {
			rows = append(rows, app.Elem("dt").Body(keys(k[0], mac)...), Text("dd", "", k[1]))
		}
		groups[i] = app.Elem("section").Body(Text("h3", "keys__title", g.title), El("dl", "class", "keys__list").Body(rows...))
	}
	groups = append(groups, app.Elem("section").Body(Text("h3", "keys__title", "Mask tools"), El("dl", "class", "keys__list").Body(tools...)))
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
