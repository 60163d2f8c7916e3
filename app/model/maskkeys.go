package model

import (
	"maps"
	"slices"
	"strings"
)

// Shortcut is what a key of the mask desk does.
type Shortcut struct {
	Action string
	Words  string
	Key    string // "b", "Shift r", "[", as it is shown and compared
}

// shortcuts are the usual keys, in the order they are shown.
var shortcuts = []Shortcut{
	{ToolBrush, "Brush: paint what to keep", "b"},
	{ToolEraser, "Eraser", "e"},
	{ToolLasso, "Lasso", "l"},
	{ToolPolygon, "Polygon", "p"},
	{ToolRect, "Rectangle", "m"},
	{ToolEllipse, "Ellipse", "o"},
	{ToolWand, "Colour wand", "w"},
	{ToolBucket, "Bucket", "f"},
	{ToolSmart, "Smart select", "s"},
	{ToolHand, "Move the picture", "h"},
	{"smaller", "Smaller tip", "["},
	{"larger", "Larger tip", "]"},
	{"softer", "Softer tip", "Shift ["},
	{"harder", "Firmer tip", "Shift ]"},
	{"invert", "Invert: swap Keep and Redraw", "i"},
	{"flip", "Show Redraw in place of Keep", "x"},
	{"panel", "Refine, regions, saved masks", "t"},
	{"turn", "Turn the view by 15°", "r"},
	{"turn-back", "Turn the view back by 15°", "Shift r"},
	{"upright", "Turn the view upright", "u"},
	{"map", "Overview on and off", "n"},
}

// maskActions are the actions that have a key.
var maskActions = func() map[string]Shortcut {
	all := map[string]Shortcut{}
	for _, s := range shortcuts {
		all[s.Action] = s
	}
	return all
}()

// taken are keys that mean something else wherever the mask desk is: they cannot be given to an action.
var taken = []string{" ", "\\", "0", "1", "+", "-", "=", "?", "g", "Tab", "Enter", "Escape", "Shift", "Control", "Alt", "Meta", "Backspace", "Delete"}

// KeyName writes a key that was pressed the way shortcuts are written.
func KeyName(key string, shift bool) string {
	switch key {
	case "{":
		key = "["
	case "}":
		key = "]"
	}
	if lower := strings.ToLower(key); len(key) == 1 {
		key = lower
	}
	if shift {
		return "Shift " + key
	}
	return key
}

// Shortcuts are the keys as the designer has them.
func (d MaskDesk) Shortcuts() []Shortcut {
	list := slices.Clone(shortcuts)
	for i, s := range list {
		list[i].Key = d.KeyOf(s.Action)
	}
	return list
}

// KeyOf is the key of an action, "" when it has none.
func (d MaskDesk) KeyOf(action string) string {
	if key, ok := d.Keys[action]; ok {
		return key
	}
	return maskActions[action].Key
}

// ActionOf is what a key does, "" for nothing.
func (d MaskDesk) ActionOf(key string) string {
	for _, s := range shortcuts {
		if d.KeyOf(s.Action) == key {
			return s.Action
		}
	}
	return ""
}

// Rebind gives an action another key. An action that had it gets the key this one had before. The sentence says why a key
// cannot be given, or what else changed; ok is false when nothing did.
func (d MaskDesk) Rebind(action, key string) (changed MaskDesk, sentence string, ok bool) {
	s, known := maskActions[action]
	if !known || key == "" {
		return d, "", false
	}
	if slices.Contains(taken, key) || strings.HasPrefix(key, "Arrow") || len(key) > len("Shift ")+1 || len(key) > 1 && !strings.HasPrefix(key, "Shift ") {
		return d, ShowKey(key) + " is used by the studio itself. Choose another key.", false
	}
	before := d.KeyOf(action)
	other := d.ActionOf(key)
	d.Keys = maps.Clone(d.Keys)
	if d.Keys == nil {
		d.Keys = map[string]string{}
	}
	set := func(action, key string) {
		if maskActions[action].Key == key {
			delete(d.Keys, action)
			return
		}
		d.Keys[action] = key
	}
	set(action, key)
	sentence = s.Words + " is now " + ShowKey(key) + "."
	if other != "" && other != action {
		set(other, before)
		sentence += " " + maskActions[other].Words + " is now " + ShowKey(before) + "."
	}
	return d, sentence, true
}

// ShowKey writes a key for people: "B", "Shift R".
func ShowKey(key string) string {
	shift, plain := "", key
	if rest, ok := strings.CutPrefix(key, "Shift "); ok {
		shift, plain = "Shift ", rest
	}
	if plain == " " {
		plain = "Space"
	}
	if len(plain) == 1 {
		plain = strings.ToUpper(plain)
	}
	return shift + plain
}
