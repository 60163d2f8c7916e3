package model

import (
	"strings"
	"testing"

	"atelier/app/words"
	"atelier/atelier"
)

func TestMarkedPresetsComeFirstAndAreRemembered(t *testing.T) {
	list := []atelier.Preset{{ID: 1}, {ID: 2}, {ID: 3}, {ID: 4}}
	marks := Marks(nil).Toggle("locations", 3).Toggle("locations", 1).Toggle("fashionModels", 2)
	marks = ReadMarks(marks.Encode())
	order := ""
	for _, p := range marks.First("locations", list) {
		order += words.Number(int(p.ID))
	}
	if order != "1324" {
		t.Errorf("marked 1 and 3, shown in the order %s", order)
	}
	if list[0].ID != 1 || list[2].ID != 3 {
		t.Error("the list that was given changed")
	}
	without := marks.Toggle("locations", 3)
	if without.Has("locations", 3) || !without.Has("locations", 1) || !without.Has("fashionModels", 2) || !marks.Has("locations", 3) {
		t.Errorf("one mark taken: %v, before it %v", without, marks)
	}
	if m := ReadMarks("no marks"); m.Has("locations", 1) || len(m.Toggle("locations", 1)["locations"]) != 1 {
		t.Error("marks that cannot be read are not none")
	}
}

func TestStatusOfAnOwnPresetInWords(t *testing.T) {
	for status, want := range map[string]Tone{"prepare": Busy, "complete": Good, "failed": Bad, "": Busy, "elsewhere": Waiting} {
		if tone, words := PresetTone(atelier.Preset{Status: status}); tone != want || words == "" {
			t.Errorf("%q is %s, %q", status, tone, words)
		}
	}
	for kind, want := range map[string]string{"fashionModels": "whole face from the front", "locations": "another photo"} {
		if _, words := PresetTone(atelier.Preset{Kind: kind, Status: "failed"}); !strings.Contains(words, want) {
			t.Errorf("a failed one of the %s: %q", kind, words)
		}
	}
}

// The kinds follow the documents' numbers (Task API, "Create my fashion model", "Create my location", "Limits").
func TestOwnKindsKeepToTheDocuments(t *testing.T) {
	models, places := OwnKinds[0], OwnKinds[1]
	if models.MostPhotos != 4 || models.Rule.MaxBytes != 5<<20 || models.Rule.MinSide != 0 {
		t.Errorf("fashion models: %+v", models)
	}
	if places.MostPhotos != 1 || places.Rule.MaxBytes != 5<<20 || places.Rule.SmallestSide() != 512 {
		t.Errorf("locations: %+v", places)
	}
	for _, k := range OwnKinds {
		if rule := k.Intake(); len(k.Checks) != len(k.Words.Advice) || rule.MaxBytes != 5<<20 || rule.SmallestSide() != 513 || rule.MaxRatio != 2 {
			t.Errorf("%s: %d checks of %d rules, held against %+v", k.Preset, len(k.Checks), len(k.Words.Advice), rule)
		}
	}
}
