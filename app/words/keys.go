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

// What keys do, where no button has words for it.
const (
	KeyGenerate     = "Generate"
	KeyGallery      = "Gallery and back"
	KeyThisSheet    = "This sheet"
	KeyPan          = "Pan while held, even during a stroke"
	KeySource       = "Show the source while held"
	KeyAlone        = "Show only the picture"
	KeyPhotoSmaller = "Smaller photo"
	KeyPhotoLarger  = "Larger photo"
	KeySearch       = "Search"
	KeyCompare      = "Compare on the desk"
	KeyBoard        = "Add to a board"
	KeyTrash        = "Move to the trash"
	KeyAll          = "Select all loaded"
	KeyNeither      = "Neither"
	KeySplit        = "Before and after"
	KeyDifference   = "On the desk: difference"
	KeyZoom         = "100 % and back"
)

// KeyStars are the keys for no stars, one star and so on.
var KeyStars = [6]string{"No stars", "1 star", "2 stars", "3 stars", "4 stars", "5 stars"}

// Minus is the sign on the key.
const Minus = "−"

// Titles of the parts of the sheet of keys.
const (
	KeysAnywhere = "Anywhere"
	KeysTools    = "Mask tools"
	KeysView     = "View"
	KeysCanvas   = "Larger canvas"
	KeysGallery  = "Gallery"
	KeysVerdict  = "Verdict"
	KeysClosely  = "Results and culling desk"
)

// KeyGroup is a part of the sheet of keys.
type KeyGroup struct {
	Title string
	Fixed [][2]string // keys that cannot be changed, or what is done with them, and what it does
}

// KeySheet is the sheet of keys; a space parts what stands on keys of their own; OnKeys names Mod.
var KeySheet = []KeyGroup{
	{KeysAnywhere, nil},
	{"Mask", [][2]string{
		{"Shift click", "Straight line from the last point"},
		{"Shift drag", "Square, circle, sides by 45°"},
		{"Alt", "Erase, or redraw the selection"},
		{"Mod drag", "Intersect with the selection"},
		{"Enter", "Close a polygon"},
		{"Esc", "Cancel what is being drawn"},
	}},
	{"Mask without a mouse", [][2]string{
		{"← → ↑ ↓", "Move the cursor"},
		{"Shift arrow", "Further"},
		{"Mod arrow", "By one pixel"},
		{"Enter", "Start or end a stroke"},
		{"Shift Enter", "Close a polygon"},
	}},
	{KeysTools, nil},
	{KeysView, [][2]string{{"Wheel", "Zoom"}}},
	{KeysCanvas, [][2]string{{"← → ↑ ↓", "Move the photo by 1 px"}, {"Mod arrow", "Move the right or lower side"}, {"Shift arrow", "In steps of 10 px"}, {"Alt drag", "Without snapping"}}},
	{"Files of the form", [][2]string{{"← →", "To another place"}, {"Del", "Remove"}, {"Mod V", "Paste a file into it"}}},
	{KeysGallery, [][2]string{
		{"← → ↑ ↓", "From result to result"},
		{"Enter", "Open"},
		{"Space", "Select"},
		{"Shift ↑ ↓", "Select a range"},
		{"Esc", "Clear the selection"},
	}},
	{"Library and tasks", [][2]string{{"← → ↑ ↓", "To another place"}, {"Tab", "To what else is in it"}, {"Enter", "Open"}, {"Del", "Delete"}}},
	{KeysVerdict, [][2]string{{"Shift", "With these on the desk: go to the next"}}},
	{KeysClosely, [][2]string{
		{"← → ↑ ↓", "Another result"},
		{"Shift arrow", "On the desk: pan while zoomed in"},
		{"Enter", "On the desk: one at a time, or all"},
		{"Esc", "Close"},
	}},
}

// Words of the sheet itself.
const (
	KeysHint   = "To change a key, press its button and then the new key. Esc cancels."
	KeysPress  = "Press a key"
	KeysReset  = "Reset keys"
	KeysUsual  = "Default keys restored."
	KeysChange = "Change keys"
)

// KeyFor names the button that changes the key of an action.
func KeyFor(action, key string) string { return "Key for " + action + ": " + key }

// KeyTaken says that a key cannot be given to an action.
func KeyTaken(key string) string {
	return key + " is used by the studio itself or the browser. Choose another key."
}

// KeyHas says that a key cannot be given to an action because of another one.
func KeyHas(key, action string) string {
	return key + " is used for “" + action + "”. Choose another key."
}

// KeyIsNow says which key an action has now.
func KeyIsNow(action, key string) string { return action + " is now " + key + "." }
