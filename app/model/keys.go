package model

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/app/words"
)

// Scene is what stands before the keys. What can be done in front of one has keys of its own; the same key may mean something else
// in another.
type Scene uint8

// The scenes.
const (
	OnMask    Scene = 1 << iota // the stage, while its mask is painted
	OnStage                     // the stage otherwise
	OnWall                      // the gallery
	OnPicture                   // a result
	OnVideo                     // a result that is a video
	OnDesk                      // the culling desk
	OnPage                      // any page

	inStudio   = OnMask | OnStage
	onPages    = inStudio | OnWall | OnPage
	onResults  = OnPicture | OnVideo
	closely    = onResults | OnDesk
	judged     = OnWall | closely
	everywhere = onPages | closely
)

// What keys do, but for the actions of the mask desk, which have the names of their tools.
const (
	DoGenerate     = "generate"
	DoPalette      = "palette"
	DoGallery      = "gallery"
	DoKeys         = "keys"
	DoUndo         = "undo"
	DoRedo         = "redo"
	DoFit          = "fit"
	DoActual       = "actual"
	DoZoomIn       = "zoom-in"
	DoZoomOut      = "zoom-out"
	DoPan          = "pan"
	DoSource       = "source"
	DoAlone        = "alone"
	DoPanel        = "panel"
	DoFlip         = "flip"
	DoPhotoSmaller = "photo-smaller"
	DoPhotoLarger  = "photo-larger"
	DoPick         = "pick"
	DoReject       = "reject"
	DoNeither      = "neither"
	DoStars        = "stars-" // and how many
	DoFavourite    = "favourite"
	DoCompare      = "compare"
	DoBoard        = "board"
	DoDeliver      = "deliver"
	DoTrash        = "trash"
	DoAll          = "select-all"
	DoSearch       = "search"
	DoSplit        = "split"
	DoDifference   = "difference"
	DoHeat         = "heat"
	DoZoom         = "zoom"
	DoDetails      = "details"
	DoFull         = "full"
	DoDownload     = "download"
	DoFrameBack    = "frame-back"
	DoFrameOn      = "frame-on"
	DoMute         = "mute"
)

// Shortcut is something that a key does. The keys are the usual ones: "b", "Shift r", "Mod Enter"; also is a second one.
type Shortcut struct {
	Action    string
	Words     string
	On        Scene
	key, also string
	Group     string // of the sheet
}

// shortcuts are all of them, in the order they are shown.
var shortcuts = []Shortcut{
	{DoGenerate, words.KeyGenerate, inStudio, "Mod Enter", "", words.KeysAnywhere},
	{DoPalette, words.PaletteTitle, everywhere, "Mod k", "", words.KeysAnywhere},
	{DoGallery, words.KeyGallery, onPages, "g", "", words.KeysAnywhere},
	{DoKeys, words.KeyThisSheet, onPages, "?", "", words.KeysAnywhere},
	{DoUndo, words.Undo, everywhere, "Mod z", "", words.KeysAnywhere},

	{ToolBrush, words.ToolBrush, inStudio, "b", "", words.KeysTools},
	{ToolEraser, words.ToolEraser, OnMask, "e", "", words.KeysTools},
	{ToolLasso, words.ToolLasso, OnMask, "l", "", words.KeysTools},
	{ToolPolygon, words.ToolPolygon, OnMask, "p", "", words.KeysTools},
	{ToolRect, words.ToolRectangle, OnMask, "m", "", words.KeysTools},
	{ToolEllipse, words.ToolEllipse, OnMask, "o", "", words.KeysTools},
	{ToolWand, words.ToolWand, OnMask, "w", "", words.KeysTools},
	{ToolBucket, words.ToolBucket, OnMask, "f", "", words.KeysTools},
	{ToolSmart, words.ToolSmart, OnMask, "s", "", words.KeysTools},
	{ToolHand, words.ToolHand, OnMask, "h", "", words.KeysTools},
	{"smaller", words.KeySmallerTip, OnMask, "[", "", words.KeysTools},
	{"larger", words.KeyLargerTip, OnMask, "]", "", words.KeysTools},
	{"softer", words.KeySofterTip, OnMask, "Shift [", "", words.KeysTools},
	{"harder", words.KeyFirmerTip, OnMask, "Shift ]", "", words.KeysTools},
	{"invert", words.KeyInvert, OnMask, "i", "", words.KeysTools},
	{DoFlip, words.ToolFlip, OnMask, "x", "", words.KeysTools},
	{DoPanel, words.ToolPanel, OnMask, "t", "", words.KeysTools},
	{"turn", words.KeyTurn, OnMask, "r", "", words.KeysTools},
	{"turn-back", words.KeyTurnBack, OnMask, "Shift r", "", words.KeysTools},
	{"upright", words.KeyUpright, OnMask, "u", "", words.KeysTools},
	{"map", words.KeyMap, OnMask, "n", "", words.KeysTools},
	{DoRedo, words.ToolRedo, OnMask, "Mod Shift z", "Mod y", words.KeysTools},

	{DoFit, words.StageFit, inStudio, "0", "", words.KeysView},
	{DoActual, words.StageFullSize, inStudio, "1", "", words.KeysView},
	{DoZoomIn, words.StageZoomIn, inStudio, "+", "=", words.KeysView},
	{DoZoomOut, words.StageZoomOut, inStudio, "-", "", words.KeysView},
	{DoPan, words.KeyPan, inStudio, "Space", "", words.KeysView},
	{DoSource, words.KeySource, inStudio, "\\", "", words.KeysView},
	{DoAlone, words.KeyAlone, inStudio, "Mod \\", "", words.KeysView},

	{DoPhotoSmaller, words.KeyPhotoSmaller, OnStage, "[", "", words.KeysCanvas},
	{DoPhotoLarger, words.KeyPhotoLarger, OnStage, "]", "", words.KeysCanvas},

	{DoSearch, words.KeySearch, OnWall, "/", "", words.KeysGallery},
	{DoCompare, words.KeyCompare, OnWall, "c", "", words.KeysGallery},
	{DoBoard, words.KeyBoard, OnWall | onResults, "b", "", words.KeysGallery},
	{DoDeliver, words.ReviewDeliver, OnWall, "d", "", words.KeysGallery},
	{DoTrash, words.KeyTrash, judged, "Delete", "Backspace", words.KeysGallery},
	{DoAll, words.KeyAll, OnWall, "Mod a", "", words.KeysGallery},

	{DoPick, words.VerdictPick, judged, "p", "y", words.KeysVerdict},
	{DoReject, words.VerdictReject, judged, "x", "n", words.KeysVerdict},
	{DoNeither, words.KeyNeither, judged, "u", "", words.KeysVerdict},
	{DoStars + "1", words.KeyStars[1], judged, "1", "", words.KeysVerdict},
	{DoStars + "2", words.KeyStars[2], judged, "2", "", words.KeysVerdict},
	{DoStars + "3", words.KeyStars[3], judged, "3", "", words.KeysVerdict},
	{DoStars + "4", words.KeyStars[4], judged, "4", "", words.KeysVerdict},
	{DoStars + "5", words.KeyStars[5], judged, "5", "", words.KeysVerdict},
	{DoStars + "0", words.KeyStars[0], judged, "0", "", words.KeysVerdict},
	{DoFavourite, words.LightboxStar, judged, "s", "", words.KeysVerdict},

	{DoSplit, words.KeySplit, OnPicture | OnDesk, "c", "", words.KeysClosely},
	{DoDifference, words.KeyDifference, OnDesk, "d", "", words.KeysClosely},
	{DoHeat, words.DeskLookHeat, OnPicture | OnDesk, "h", "", words.KeysClosely},
	{DoZoom, words.KeyZoom, OnPicture | OnDesk, "z", "", words.KeysClosely},
	{DoFull, words.LightboxFullScreen, closely, "f", "", words.KeysClosely},
	{DoDownload, words.LightboxDownload, onResults, "d", "", words.KeysClosely},
	{DoDetails, words.LightboxDetails, onResults, "i", "", words.KeysClosely},
	{DoFrameBack, words.LightboxPreviousFrame, OnVideo, ",", "", words.KeysClosely},
	{DoFrameOn, words.LightboxNextFrame, OnVideo, ".", "", words.KeysClosely},
	{DoMute, words.LightboxSound, OnVideo, "m", "", words.KeysClosely},
}

func shortcut(action string) (Shortcut, bool) {
	i := slices.IndexFunc(shortcuts, func(s Shortcut) bool { return s.Action == action })
	if i < 0 {
		return Shortcut{}, false
	}
	return shortcuts[i], true
}

// free are the letters and signs that browsers and fields of text leave to pages while Mod is held.
const free = "bdegkosu\\/.,;"

// may says whether a key can be given to an action: its usual ones, what types a sign, and Mod with what is free. Space, Enter, Tab,
// Escape and the arrows are the platform's.
func (s Shortcut) may(key string) bool {
	if key == s.key || key != "" && key == s.also {
		return true
	}
	plain, mod := strings.CutPrefix(key, "Mod ")
	plain = strings.TrimPrefix(plain, "Shift ")
	if mod {
		return plain == "Enter" || len(plain) == 1 && strings.Contains(free, plain)
	}
	return utf8.RuneCountInString(strings.TrimSpace(plain)) == 1 || plain == "Delete" || plain == "Backspace"
}

// Keymap is which key does what. The zero value has the usual keys.
type Keymap struct {
	Own map[string]string // keys that differ from the usual ones, by action
	Mac bool              // the keyboard is that of a Mac
}

// NewKeymap has the keys that were chosen before, but for those that cannot be given or that two actions share.
func NewKeymap(own map[string]string, mac bool) Keymap {
	m := Keymap{maps.Clone(own), mac}
	maps.DeleteFunc(m.Own, func(action, key string) bool {
		s, ok := shortcut(action)
		return !ok || !s.may(key)
	})
	for again := true; again; {
		again = false
		for _, s := range shortcuts {
			if _, own := m.Own[s.Action]; own && len(m.with(s, m.Key(s.Action))) > 0 {
				delete(m.Own, s.Action)
				again = true
			}
		}
	}
	return m
}

// Key is the key of an action.
func (m Keymap) Key(action string) string {
	if key := m.Own[action]; key != "" {
		return key
	}
	s, _ := shortcut(action)
	return s.key
}

// Also is the second key of an action, "" for none: one that was given to something else in front of the same is not counted.
func (m Keymap) Also(action string) string {
	s, _ := shortcut(action)
	if m.Own[action] != "" || s.also == "" || len(m.with(s, s.also)) > 0 {
		return ""
	}
	return s.also
}

// with are the other actions that have a key where an action is done.
func (m Keymap) with(s Shortcut, key string) []Shortcut {
	var all []Shortcut
	for _, other := range shortcuts {
		if other.On&s.On != 0 && other.Action != s.Action && m.Key(other.Action) == key {
			all = append(all, other)
		}
	}
	return all
}

// Action is what a key does in a scene, "" for nothing. A key with Shift does what it does without, unless it has something of its own
// to do; so does one of the row of digits, whatever it types.
func (m Keymap) Action(on Scene, key, code string, mod, shift bool) string {
	names := []string{KeyName(key, code, mod, shift)}
	if !mod {
		if shift {
			names = append(names, "Shift "+plainName(key)) // as signs were once written
		}
		names = append(names, plainName(key))
		if digit, ok := strings.CutPrefix(code, "Digit"); ok {
			names = append(names, digit)
		}
	}
	for _, name := range names {
		for _, of := range []func(string) string{m.Key, m.Also} {
			for _, s := range shortcuts {
				if s.On&on != 0 && of(s.Action) == name {
					return s.Action
				}
			}
		}
	}
	return ""
}

// Rebind gives an action another key. An action that had it in front of the same gets the key this one had before. The sentence says
// why a key cannot be given, or what else changed; ok is false when nothing did.
func (m Keymap) Rebind(action, key string) (changed Keymap, sentence string, ok bool) {
	s, known := shortcut(action)
	if !known || key == "" {
		return m, "", false
	}
	if !s.may(key) {
		return m, words.KeyTaken(m.show(key)), false
	}
	before, others := m.Key(action), m.with(s, key)
	next := Keymap{maps.Clone(m.Own), m.Mac}
	if next.Own == nil {
		next.Own = map[string]string{}
	}
	next.set(s, key)
	sentence = words.KeyIsNow(s.Words, m.show(key))
	for _, other := range others {
		next.set(other, before)
		sentence += " " + words.KeyIsNow(other.Words, m.show(before))
	}
	for _, other := range others { // it may stand in front of more than this one
		if !other.may(before) || len(next.with(other, before)) > 0 {
			return m, words.KeyHas(m.show(key), other.Words), false
		}
	}
	return next, sentence, true
}

func (m Keymap) set(s Shortcut, key string) {
	if key == s.key {
		delete(m.Own, s.Action)
		return
	}
	m.Own[s.Action] = key
}

// Shortcuts are those of a group of the sheet.
func Shortcuts(group string) []Shortcut {
	return slices.DeleteFunc(slices.Clone(shortcuts), func(s Shortcut) bool { return s.Group != group })
}

// OfMask says that an action changes the mask, how it is seen, or the tool in hand.
func OfMask(action string) bool {
	s, _ := shortcut(action)
	return s.Group == words.KeysTools && action != DoPanel || action == DoUndo
}

// KeyName writes a key that was pressed the way shortcuts are written.
func KeyName(key, code string, mod, shift bool) string {
	name := plainName(key)
	if digit, ok := strings.CutPrefix(code, "Digit"); ok {
		name = digit
	}
	// Of other signs Shift is a part already.
	if r, size := utf8.DecodeRuneInString(name); shift && (size < len(name) || unicode.IsLetter(r) || unicode.IsDigit(r) || name == "[" || name == "]") {
		name = "Shift " + name
	}
	if mod {
		name = "Mod " + name
	}
	return name
}

func plainName(key string) string {
	switch key {
	case "{":
		return "["
	case "}":
		return "]"
	case " ":
		return "Space"
	}
	if utf8.RuneCountInString(key) == 1 {
		return strings.ToLower(key)
	}
	return key
}

// Tip names the key of an action as it stands on the keyboard: "B", "Ctrl Shift Z".
func (m Keymap) Tip(action string) string { return m.show(m.Key(action)) }

// Second names the second key of an action, "" for none.
func (m Keymap) Second(action string) string { return m.show(m.Also(action)) }

// Aria writes the keys of an action for aria-keyshortcuts.
func (m Keymap) Aria(action string) string {
	mod := "Control"
	if m.Mac {
		mod = "Meta"
	}
	write := strings.NewReplacer(" ", "+", "Mod", mod, "+", "Plus").Replace
	return strings.TrimSpace(write(m.Key(action)) + " " + write(m.Also(action)))
}

func (m Keymap) show(key string) string {
	parts := strings.Fields(key)
	for i, part := range parts {
		switch {
		case part == "Shift":
			parts[i] = words.KeyShift
		case part == "Mod":
			parts[i] = words.OnKeys(words.KeyMod, m.Mac)
		case part == "Space":
			parts[i] = words.KeySpace
		case part == "Enter":
			parts[i] = words.KeyEnter
		case part == "Delete":
			parts[i] = words.KeyDelete
		case part == "-":
			parts[i] = words.Minus
		case utf8.RuneCountInString(part) == 1:
			parts[i] = strings.ToUpper(part)
		}
	}
	return strings.Join(parts, " ")
}
