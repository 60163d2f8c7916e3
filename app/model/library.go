package model

import (
	"encoding/json"
	"slices"

	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/probe"
)

// OwnKind is a kind of preset designers make of photos of their own.
type OwnKind struct {
	Preset, Path, Param string // how presets, the server's addresses and the agent call it
	Words               words.OwnPreset
	MostPhotos          int
	Rule                probe.Rule
	Checks              []Check // what is looked at for each of Words.Advice
}

// Check is what a photo is looked at for.
type Check string

// The checks.
const (
	CheckFile Check = "file" // its format and length
	CheckSize Check = "size" // in pixels
	CheckFace Check = "face" // somebody is seen in it
	Unchecked Check = ""     // nobody looks
)

// Concerns says whether a broken rule of a file is what the check is about.
func (c Check) Concerns(p probe.Problem) bool {
	size := p.Code == probe.CodeSide || p.Code == probe.CodeRatio || p.Code == probe.CodePixels
	return c == CheckSize && size || c == CheckFile && !size
}

// Intake is the rule a photo is held against before it is sent: what an upload demands, and what the preset does.
func (k OwnKind) Intake() probe.Rule {
	rule := probe.Upload
	rule.MaxBytes = min(rule.MaxBytes, k.Rule.MaxBytes)
	return rule
}

// OwnKinds are the kinds there are (Task API, "Create my fashion model", "Create my location").
var OwnKinds = []OwnKind{
	{
		Preset: "fashionModels", Path: "fashion-models", Param: "fashionModelId", Words: words.OwnFashionModel,
		MostPhotos: 4, Rule: probe.FashionModel, Checks: []Check{CheckFile, CheckSize, CheckFace, Unchecked},
	},
	{
		Preset: "locations", Path: "locations", Param: "locationId", Words: words.OwnLocation,
		MostPhotos: 1, Rule: probe.Location, Checks: []Check{CheckFile, CheckSize, CheckFace},
	},
}

// PresetTone is how a preset of the designer's is doing, and the words for it.
func PresetTone(p atelier.Preset) (Tone, string) {
	switch p.Status {
	case "complete":
		return Good, words.OwnReady
	case "failed":
		return Bad, failedInWords(p.Kind)
	case "prepare", "":
		return Busy, words.OwnBeingMade
	}
	return Waiting, p.Status // a word the documents do not list is shown as it came
}

// failedInWords says what to do about a preset of a kind that could not be made.
func failedInWords(kind string) string {
	for _, k := range OwnKinds {
		if k.Preset == kind {
			return k.Words.Failed
		}
	}
	return words.OwnFashionModel.Failed
}

// Marks are the presets the designer marked, by kind. It is a value.
type Marks map[string][]int64

// ReadMarks reads what Encode wrote; anything else is nothing marked.
func ReadMarks(text string) Marks {
	var m Marks
	if json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	return m
}

// Encode writes the marks as text.
func (m Marks) Encode() string {
	b, err := json.Marshal(m)
	if err != nil {
		return ""
	}
	return string(b)
}

// Has says whether a preset is marked.
func (m Marks) Has(kind string, id int64) bool { return slices.Contains(m[kind], id) }

// Toggle marks a preset, or takes its mark.
func (m Marks) Toggle(kind string, id int64) Marks {
	out := Marks{}
	for k, ids := range m {
		out[k] = slices.Clone(ids)
	}
	if out.Has(kind, id) {
		out[kind] = slices.DeleteFunc(out[kind], func(n int64) bool { return n == id })
		return out
	}
	out[kind] = append(out[kind], id)
	return out
}

// First puts the marked presets before the others; both keep their order.
func (m Marks) First(kind string, presets []atelier.Preset) []atelier.Preset {
	out := slices.Clone(presets)
	slices.SortStableFunc(out, func(a, b atelier.Preset) int {
		rank := map[bool]int{true: 0, false: 1}
		return rank[m.Has(kind, a.ID)] - rank[m.Has(kind, b.ID)]
	})
	return out
}
