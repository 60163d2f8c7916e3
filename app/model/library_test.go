package model

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/probe"
)

func TestMarkedPresetsComeFirst(t *testing.T) {
	list := []atelier.Preset{{Kind: "locations", ID: 1}, {Kind: "locations", ID: 2}, {Kind: "locations", ID: 3}, {Kind: "locations", ID: 4}}
	size := atelier.Preset{Kind: "dimensions", Name: "Story", Width: 1080, Height: 1920}
	marks := MarksOf([]atelier.Favourite{{Kind: "locations", ID: 3}, {Kind: "fashionModels", ID: 2}}).With(atelier.FavouriteOf(list[0]), true).With(atelier.FavouriteOf(size), true)
	order := ""
	for _, p := range marks.First(list) {
		order += words.Number(int(p.ID))
	}
	if order != "1324" || list[2].ID != 3 {
		t.Errorf("marked 1 and 3, shown in the order %s", order)
	}
	if !marks.Has(size) || marks.Has(list[1]) {
		t.Errorf("the marks are %v", marks)
	}
	if !marks.Lacks("locations", list[:2]) || marks.Lacks("locations", list) {
		t.Error("a marked preset that is not read yet is not missed, or one that is")
	}
	without := marks.With(atelier.FavouriteOf(list[2]), false)
	if without.Has(list[2]) || !without.Has(list[0]) || !marks.Has(list[2]) {
		t.Errorf("one mark taken: %v, before it %v", without, marks)
	}
}

// What a browser kept before the server did was ids by kind.
func TestMarksThatABrowserKeptAreRead(t *testing.T) {
	want := []atelier.Favourite{{Kind: "fashionModels", ID: 2}, {Kind: "locations", ID: 3}, {Kind: "locations", ID: 1}}
	if got := KeptMarks(`{"locations":[3,1,3,0,-2],"fashionModels":[2],"elsewhere":[5]}`); !slices.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
	for _, nothing := range []string{"", "no marks", "[]", `{"locations":["x"]}`} {
		if got := KeptMarks(nothing); len(got) != 0 {
			t.Errorf("%q is %v", nothing, got)
		}
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

// A size goes into the form as the canvas, with the photo in its middle; everything else as the id of its param.
func TestWhatTakingAPresetSets(t *testing.T) {
	for i, want := range []map[string]any{
		{"fashionModelId": 5.0}, {"locationId": 5.0}, {"backgroundId": 5.0}, {"targetWidth": 1080.0, "targetHeight": 1920.0, "fillLeft": nil, "fillTop": nil},
	} {
		k := LibraryKinds[i]
		if got := k.Values(atelier.Preset{ID: 5, Width: 1080, Height: 1920}); !maps.Equal(got, want) || k.Title == "" {
			t.Errorf("%s sets %v, want %v", k.Preset, got, want)
		}
		agent := find(t, k.Agent)
		for name := range want {
			if _, ok := agent.Param(name); !ok {
				t.Errorf("%s has no %s", k.Agent, name)
			}
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

// A photo that is stored turned is packed anew by the server, small enough for the preset, however large it is itself.
func TestATurnedPhotoIsNotTooLargeForAPreset(t *testing.T) {
	photo := atelier.Asset{Kind: "image", Format: "jpeg", Width: 3000, Height: 2000, Bytes: 7 << 20}
	for _, k := range OwnKinds {
		if d := k.Judge(photo); !d.has(probe.CodeBytes) || len(d.Remedies) == 0 {
			t.Errorf("%s of a photo of 7 MB: %+v", k.Preset, d)
		}
		turned := photo
		turned.Turned = true
		if d := k.Judge(turned); len(d.Problems) > 0 {
			t.Errorf("%s of one that is turned: %+v", k.Preset, d)
		}
		turned.Width, turned.Format = 300, "gif"
		if d := k.Judge(turned); len(d.Problems) == 0 {
			t.Errorf("%s of one that breaks another rule passes", k.Preset)
		}
	}
}
