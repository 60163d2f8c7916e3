package model

import (
	"maps"
	"slices"
	"strings"

	"atelier/app/words"
)

// Shortcut is what a key of the mask desk does.
type Shortcut struct {
	Action string
	Words  string
	Key    string // "b", "Shift r", "[", as it is shown and compared
}

// shortcuts are the usual keys, in the order they are shown.
var shortcuts = []Shortcut{
	{ToolBrush, words.ToolBrush, "b"},
	{ToolEraser, words.ToolEraser, "e"},
	{ToolLasso, words.ToolLasso, "l"},
	{ToolPolygon, words.ToolPolygon, "p"},
	{ToolRect, words.ToolRectangle, "m"},
	{ToolEllipse, words.ToolEllipse, "o"},
	{ToolWand, words.ToolWand, "w"},
	{ToolBucket, words.ToolBucket, "f"},
	{ToolSmart, words.ToolSmart, "s"},
	{ToolHand, words.ToolHand, "h"},
	{"smaller", words.KeySmallerTip, "["},
	{"larger", words.KeyLargerTip, "]"},
	{"softer", words.KeySofterTip, "Shift ["},
	{"harder", words.KeyFirmerTip, "Shift ]"},
	{"invert", words.KeyInvert, "i"},
	{"flip", words.ToolFlip, "x"},
	{"panel", words.ToolPanel, "t"},
	{"turn", words.KeyTurn, "r"},
	{"turn-back", words.KeyTurnBack, "Shift r"},
	{"upright", words.KeyUpright, "u"},
	{"map", words.KeyMap, "n"},
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
		return d, words.KeyTaken(ShowKey(key)), false
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
	sentence = words.KeyIsNow(s.Words, ShowKey(key))
	if other != "" && other != action {
		set(other, before)
		sentence += " " + words.KeyIsNow(maskActions[other].Words, ShowKey(before))
	}
	return d, sentence, true
}

// ShowKey writes a key for people: "B", "Shift R".
func ShowKey(key string) string {
	shift, plain := "", key
	if rest, ok := strings.CutPrefix(key, "Shift "); ok {
		shift, plain = words.KeyShift+" ", rest
	}
	if plain == " " {
		plain = words.KeySpace
	}
	if len(plain) == 1 {
		plain = strings.ToUpper(plain)
	}
	return shift + plain
}
