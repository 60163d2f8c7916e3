package model

import (
	"slices"
	"strings"
	"testing"

	"atelier/app/words"
)

// typed is what a key does that is pressed alone.
func typed(m Keymap, on Scene, key string) string { return m.Action(on, key, "", false, false) }

func TestEveryActionHasWordsAndAKeyOfItsOwn(t *testing.T) {
	titles := map[string]bool{}
	for _, g := range words.KeySheet {
		titles[g.Title] = true
	}
	actions := map[string]bool{}
	for _, s := range shortcuts {
		if s.Words == "" || !titles[s.Group] || s.On == 0 || !s.may(s.key) {
			t.Errorf("%+v is not whole", s)
		}
		if actions[s.Action] {
			t.Errorf("%s is listed twice", s.Action)
		}
		actions[s.Action] = true
	}
	for scene := OnMask; scene <= OnPage; scene <<= 1 {
		seen := map[string]string{}
		for _, s := range shortcuts {
			for _, key := range []string{s.key, s.also} {
				if s.On&scene == 0 || key == "" {
					continue
				}
				if other := seen[key]; other != "" {
					t.Errorf("%s and %s have the key %s", other, s.Action, key)
				}
				seen[key] = s.Action
				mods := strings.Fields(key)
				plain := strings.Replace(mods[len(mods)-1], "Space", " ", 1)
				if got := (Keymap{}).Action(scene, plain, "", slices.Contains(mods, "Mod"), slices.Contains(mods, "Shift")); got != s.Action {
					t.Errorf("%s does %q", key, got)
				}
			}
		}
	}
}

func TestKeysAreChangedExchangedAndKeptFromThePlatform(t *testing.T) {
	m, sentence, ok := (Keymap{}).Rebind(ToolBrush, "q")
	if !ok || typed(m, OnMask, "q") != ToolBrush || typed(m, OnMask, "b") != "" || sentence != "Brush: paint what to keep is now Q." {
		t.Errorf("%v, %q, %+v", ok, sentence, m.Own)
	}
	if typed(m, OnWall, "b") != DoBoard || typed(m, OnPicture, "b") != DoBoard {
		t.Error("the brush's key is missing elsewhere")
	}
	m, sentence, ok = m.Rebind(ToolEraser, "q") // taken by the brush: they exchange
	if !ok || typed(m, OnMask, "q") != ToolEraser || typed(m, OnMask, "e") != ToolBrush || !strings.Contains(sentence, "Brush: paint what to keep is now E.") {
		t.Errorf("%v, %q, %+v", ok, sentence, m.Own)
	}
	if back, _, _ := m.Rebind(ToolEraser, "e"); back.Key(ToolEraser) != "e" || back.Key(ToolBrush) != "q" {
		t.Errorf("%+v", back.Own)
	}
	for _, key := range []string{" ", "Space", "ArrowLeft", "Enter", "Escape", "F5", "Tab", "Shift Tab", "Home", "Mod c", "Mod w", "Mod Shift z", "Mod 0", ""} {
		if got, _, ok := m.Rebind(ToolBrush, key); ok || len(got.Own) != len(m.Own) {
			t.Errorf("%q was taken", key)
		}
	}
	if _, _, ok := m.Rebind("no such action", "q"); ok {
		t.Error("an action that is none has a key")
	}
}

// The same key may do something else elsewhere; where it cannot be exchanged without another conflict, the sentence says who has it.
func TestConflictsAreThoseOfTheSamePlace(t *testing.T) {
	m, sentence, ok := (Keymap{}).Rebind(DoActual, "3") // a rating in the gallery
	if !ok || sentence != "100 % is now 3." || typed(m, OnStage, "3") != DoActual || typed(m, OnWall, "3") != DoStars+"3" {
		t.Errorf("%v, %q", ok, sentence)
	}
	if _, sentence, ok := m.Rebind(ToolBrush, "g"); ok || sentence != "G is used for “Gallery and back”. Choose another key." { // B is a board's in the gallery
		t.Errorf("%v, %q", ok, sentence)
	}
	m, sentence, ok = m.Rebind(DoHeat, "d") // two have it, in places of their own
	if !ok || typed(m, OnDesk, "h") != DoDifference || typed(m, OnVideo, "h") != DoDownload || typed(m, OnWall, "d") != DoDeliver {
		t.Errorf("%v, %q, %+v", ok, sentence, m.Own)
	}
	if m, _, ok = m.Rebind(DoGallery, "9"); !ok || typed(m, OnPage, "9") != DoGallery || typed(m, OnWall, "g") != "" {
		t.Errorf("%v, %+v", ok, m.Own)
	}
}

// A second key goes with the first, and to whom it is given.
func TestSecondKeys(t *testing.T) {
	m, _, ok := (Keymap{}).Rebind(DoFavourite, "y")
	if !ok || typed(m, OnWall, "y") != DoFavourite || typed(m, OnWall, "p") != DoPick || m.Second(DoPick) != "" {
		t.Errorf("%v, %+v", ok, m.Own)
	}
	if m, _, ok = m.Rebind(DoTrash, "q"); !ok || typed(m, OnDesk, "Delete") != "" || typed(m, OnDesk, "Backspace") != "" {
		t.Errorf("%v, %+v", ok, m.Own)
	}
}

// What was remembered before only the mask's keys could be changed is read as it was; what is damaged or would be a conflict is not.
func TestRememberedKeysComeBack(t *testing.T) {
	d := ReadMaskDesk(`{"keys":{"brush":"q","lasso":"Shift !","turn":"y","eraser":"g","wand":"F5","undo":"Mod c","hand":"m","no such action":"v"}}`)
	m := NewKeymap(d.Keys, false)
	for action, key := range map[string]string{ToolBrush: "q", ToolLasso: "Shift !", "turn": "y", ToolEraser: "e", ToolWand: "w", DoUndo: "Mod z", ToolHand: "h", ToolRect: "m"} {
		if m.Key(action) != key {
			t.Errorf("%s has %q, want %q", action, m.Key(action), key)
		}
	}
	if m.Action(OnMask, "!", "Digit1", false, true) != ToolLasso || m.Action(OnDesk, "!", "Digit1", false, true) != DoStars+"1" {
		t.Error("a sign that is typed with Shift is lost")
	}
	if again := ReadMaskDesk(d.Encode()); again.Encode() != d.Encode() {
		t.Errorf("%s came back as %s", d.Encode(), again.Encode())
	}
}

func TestKeysAreNamedAlikeWhateverTheLayoutSends(t *testing.T) {
	for _, tt := range []struct {
		key, code  string
		mod, shift bool
		want       string
	}{
		{"b", "KeyB", false, false, "b"},
		{"B", "KeyB", false, false, "b"},
		{"R", "KeyR", false, true, "Shift r"},
		{"Ö", "", false, true, "Shift ö"},
		{"[", "", false, false, "["},
		{"{", "", false, true, "Shift ["},
		{"}", "", false, true, "Shift ]"},
		{"?", "Slash", false, true, "?"},
		{"!", "Digit1", false, true, "Shift 1"},
		{"&", "Digit1", false, false, "1"},
		{"1", "Numpad1", false, false, "1"},
		{"Enter", "Enter", true, false, "Mod Enter"},
		{"Z", "KeyZ", true, true, "Mod Shift z"},
		{" ", "Space", false, false, "Space"},
	} {
		if got := KeyName(tt.key, tt.code, tt.mod, tt.shift); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
	m := Keymap{Own: map[string]string{ToolLasso: "Shift r"}}
	for action, want := range map[string][2]string{
		ToolLasso: {"Shift R", "Shift+r"}, DoRedo: {"Ctrl Shift Z", "Control+Shift+z Control+y"}, DoZoomIn: {"+", "Plus ="}, DoZoomOut: {"−", "-"}, DoPan: {"Space", "Space"},
		DoTrash: {"Del", "Delete Backspace"}, DoGenerate: {"Ctrl Enter", "Control+Enter"},
	} {
		if m.Tip(action) != want[0] || m.Aria(action) != want[1] {
			t.Errorf("%s is %q and %q", action, m.Tip(action), m.Aria(action))
		}
	}
	mac := Keymap{Mac: true}
	if mac.Tip(DoUndo) != "⌘ Z" || mac.Aria(DoUndo) != "Meta+z" {
		t.Errorf("on a Mac Undo is %q and %q", mac.Tip(DoUndo), mac.Aria(DoUndo))
	}
	// With Shift a key does what it does without, unless it has something of its own to do; with Mod it does not.
	if m.Action(OnWall, "P", "KeyP", false, true) != DoPick || m.Action(OnStage, "/", "Digit7", false, true) != "" || m.Action(OnWall, "/", "Digit7", false, true) != DoSearch || m.Action(OnWall, "A", "KeyA", true, true) != "" {
		t.Error("Shift changes what keys do")
	}
}
