package model_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"atelier/app/model"
	"atelier/atelier"
	"atelier/catalog"
)

// settings are the values of some params in every form that is run.
func settings(f model.Form, names ...string) (out [][]float64) {
	for _, form := range f.Settings() {
		row := make([]float64, len(names))
		for i, name := range names {
			row[i], _ = form.Values[name].(float64)
		}
		out = append(out, row)
	}
	return out
}

func TestTheSameIsMadeWithEveryPresetOfEveryParam(t *testing.T) {
	t.Parallel()
	agent, _ := catalog.Find("aimodel", "")
	same := func(f model.Form, want ...[]float64) {
		t.Helper()
		if got := settings(f, "locationId", "fashionModelId"); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("it is made with %v, want %v", got, want)
		}
	}
	f := model.NewForm(agent).WithAlso("locationId", 2)
	same(f, []float64{0, 0}) // nothing is chosen for it to stand beside
	f = f.With("locationId", 1.0).WithAlso("locationId", 3)
	same(f, []float64{1, 0}, []float64{3, 0})
	f = f.With("fashionModelId", 7.0).WithAlso("fashionModelId", 8).WithAlso("fashionModelId", 9)
	same(f, []float64{1, 7}, []float64{3, 7}, []float64{1, 8}, []float64{1, 9}, []float64{3, 8}, []float64{3, 9})
	if ids := f.Also("fashionModelId"); !slices.Equal(ids, []int64{8, 9}) {
		t.Errorf("beside it are %v", ids)
	}
	// It outlives a reload, and an agent without those presets.
	other, _ := catalog.Find("expandimage", "")
	f = model.ReadDraft(f.Draft("a").Encode()).Form([]catalog.Agent{agent})
	same(f.Switch(other).Switch(agent), []float64{1, 7}, []float64{3, 7}, []float64{1, 8}, []float64{1, 9}, []float64{3, 8}, []float64{3, 9})
	if got := settings(f.Switch(other), "locationId"); len(got) != 1 {
		t.Errorf("an agent without scenes is run %d times", len(got))
	}
	// One of them becomes the chosen one: it is not made twice.
	same(f.With("fashionModelId", nil).With("locationId", 3.0), []float64{3, 0})
	same(f.WithAlso("fashionModelId", 8).WithAlso("locationId", 3), []float64{1, 7}, []float64{1, 9})
	// What is cleared leaves nothing behind, and neither does what an earlier run is taken up with.
	same(f.With("locationId", nil).With("locationId", 5.0).With("fashionModelId", nil), []float64{5, 0})
	next, _ := f.Recall(agent, map[string]any{"locationId": 4.0, "fashionModelId": 7.0}, nil)
	same(next, []float64{4, 7})
}

func TestARunIsCalledAfterItsPresets(t *testing.T) {
	t.Parallel()
	agent, _ := catalog.Find("aimodel", "")
	lists := func(_, kind string) model.PresetList {
		return model.PresetList{Presets: []atelier.Preset{{ID: 1, Name: kind + " one"}, {ID: 2, Name: kind + " two"}}}
	}
	for _, c := range []struct {
		values map[string]any
		want   string
	}{
		{map[string]any{"fashionModelId": 2.0, "locationId": 1.0}, "locations one · fashionModels two"},
		{map[string]any{"locationId": 2.0, "textDescription": "a beach"}, "locations two"},
		{map[string]any{"locationId": 9.0}, ""}, // not read
		{nil, ""},
	} {
		if got := model.PresetNames(agent, c.values, lists); got != c.want {
			t.Errorf("presets of %v are called %q, want %q", c.values, got, c.want)
		}
	}
	for _, c := range []struct{ file, presets, want string }{
		{"coat 1.jpg", "Beach", "coat 1 · Beach"},
		{"coat 1.5", "Beach", "coat 1.5 · Beach"},
		{"coat.jpg", "", "coat.jpg"},
		{"coat.png", strings.Repeat("ä", 45), "coat · " + strings.Repeat("ä", 45)},
		{"coat.png", strings.Repeat("ä", 46), "coat · " + strings.Repeat("ä", 45)},
	} {
		if got := model.TitleWith(c.file, c.presets); got != c.want {
			t.Errorf("a run of %q with %q is called %q, want %q", c.file, c.presets, got, c.want)
		}
	}
	if n := utf8.RuneCountInString(model.TitleWith(atelier.FileName(strings.Repeat("a", 500)), strings.Repeat("b", 500))); n > 200 {
		t.Errorf("a title of %d characters, more than are taken", n)
	}
}
