package words

import "strings"

// Names of keys as they are shown, once OnKeys has seen to Mod.
const (
	KeyEscape = "Esc"
	KeyEnter  = "Enter"
	KeyDelete = "Del"
	KeyMod    = "Mod" // Ctrl, or Cmd on a Mac
)

// OnKeys writes keys as they stand on the keyboard at hand, where Mod has another name on a Mac.
func OnKeys(keys string, mac bool) string {
	if mac {
		return strings.ReplaceAll(keys, KeyMod, "⌘")
	}
	return strings.ReplaceAll(keys, KeyMod, "Ctrl")
}

// Keys that are held.
const (
	KeyShift = "Shift"
	KeySpace = "Space"
)

// KeyGroup is a part of the sheet of keys.
type KeyGroup struct {
	Title string
	Keys  [][2]string // the key, or what is done with it, and what it does
}

// KeySheet is the sheet of keys; a space parts what stands on keys of their own; OnKeys names Mod.
var KeySheet = []KeyGroup{
	{"Anywhere", [][2]string{{"Mod Enter", "Generate"}, {"Mod K", "Commands"}, {"G", "Gallery and back"}, {"?", "This sheet"}}},
	{"Mask", [][2]string{
		{"Shift click", "Straight line from the last point"},
		{"Shift drag", "Square, circle, sides by 45°"},
		{"Alt", "Erase, redraw what is selected"},
		{"Mod drag", "Only what is selected stays kept"},
		{"Space drag", "Pan, also in the middle of a stroke"},
		{"Enter", "Close a polygon"},
		{"Esc", "Cancel what is being drawn"},
		{"\\", "See the source while held"},
		{"Mod Z", "Undo"},
		{"Mod Shift Z", "Redo"},
	}},
	{"Mask without a mouse", [][2]string{
		{"← → ↑ ↓", "Move the cursor"},
		{"Shift arrow", "Further"},
		{"Mod arrow", "By one pixel"},
		{"Enter", "Put the tool down, lift it"},
		{"Shift Enter", "Close a polygon"},
	}},
	{"View", [][2]string{{"Wheel", "Zoom"}, {"Space drag", "Pan"}, {"0", "Fit"}, {"1", "100 %"}, {"+ −", "Zoom in, out"}, {"Mod \\", "Only the picture, and back"}}},
	{"Larger canvas", [][2]string{{"← → ↑ ↓", "Move the photo by 1 px"}, {"Mod arrow", "Move the right or lower side"}, {"Shift arrow", "The same by 10 px"}, {"[ ]", "Smaller, larger photo"}, {"Alt drag", "Without snapping"}}},
	{"Files of the form", [][2]string{{"← →", "To another place"}, {"Del", "Remove"}, {"Mod V", "Paste a file into it"}}},
	{"Gallery", [][2]string{
		{"← → ↑ ↓", "From result to result"},
		{"Enter", "Open"},
		{"Space", "Select"},
		{"Shift ↑ ↓", "Select a range"},
		{"Mod A", "Select all that are loaded"},
		{"C", "Compare on the desk"},
		{"B", "Add to a board"},
		{"D", "Deliver"},
		{"Del", "Move to the trash"},
		{"Mod Z", "Undo"},
		{"Esc", "Clear the selection"},
	}},
	{"Library and tasks", [][2]string{{"← → ↑ ↓", "To another place"}, {"Tab", "To what else is in it"}, {"Enter", "Open"}, {"Del", "Delete"}}},
	{"Verdict", [][2]string{{"P Y", "Pick"}, {"X N", "Reject"}, {"U", "Neither"}, {"1 – 5", "Stars"}, {"0", "No stars"}, {"S", "Favourite"}, {"Shift P", "On the desk: pick and go on; also X, U and stars"}}},
	{"Culling desk", [][2]string{
		{"← → ↑ ↓", "Another result"},
		{"Shift arrow", "Move what is enlarged"},
		{"Enter", "One at a time, or all"},
		{"Z", "100 % and back"},
		{"C", "Before and after"},
		{"D", "Difference"},
		{"H", "Heat map"},
		{"Del", "Move to the trash"},
		{"F", "Full screen"},
	}},
	{"Results", [][2]string{
		{"← →", "Previous, next"},
		{"C", "Compare with the source"},
		{"H", "Heat map"},
		{"D", "Download"},
		{"Del", "Move to the trash"},
		{"Z", "Zoom"},
		{"I", "How it was made"},
		{"F", "Full screen"},
		{", .", "Frame by frame"},
		{"M", "Sound off or on"},
		{"Esc", "Close"},
	}},
}

// KeySheetTools is the title of the keys of the mask tools, which are the designer's own.
const KeySheetTools = "Mask tools"

// KeyTaken says that a key cannot be given to an action.
func KeyTaken(key string) string { return key + " is used by the studio itself. Choose another key." }

// KeyIsNow says which key an action has now.
func KeyIsNow(action, key string) string { return action + " is now " + key + "." }
