package model

import (
	"encoding/json"
	"slices"

	"atelier/atelier"
	"atelier/imaging/probe"
)

// MostOwnPresets is how many fashion models, and how many locations, an account takes (Task API, "Limits").
const MostOwnPresets = 1000

// OwnKind is a kind of preset designers make of photos of their own.
type OwnKind struct {
	Preset, Path, Param string // how presets, the server's addresses and the agent call it
	Title, Word         string
	Example             string // a name such a preset may have
	Teach               string // what it is for, while there is none
	MostPhotos          int
	Rule                probe.Rule
	Advice              []string
}

// OwnKinds are the kinds there are (Task API, "Create my fashion model", "Create my location").
var OwnKinds = []OwnKind{
	{
		Preset: "fashionModels", Path: "fashion-models", Param: "fashionModelId", Title: "Fashion models", Word: "fashion model", Example: "Jo, short hair",
		Teach:      "Make a fashion model of one to four photos of a face, and put your clothes on it in every picture.",
		MostPhotos: 4, Rule: probe.FashionModel,
		Advice: []string{"PNG, JPEG or WebP, each at most 5 MB", "The face is seen from the front and nothing covers it", "Little or no make-up; more than one photo gives a better likeness"},
	},
	{
		Preset: "locations", Path: "locations", Param: "locationId", Title: "Locations", Word: "location", Example: "Atelier, north window",
		Teach:      "Make a location of a photo of a place with somebody in it, and take your pictures there.",
		MostPhotos: 1, Rule: probe.Location,
		Advice: []string{"PNG, JPEG or WebP, at most 5 MB", "At least 512 × 512 pixels", "It shows both a place and a person in it"},
	},
}

// PresetTone is how a preset of the designer's is doing, and the words for it.
func PresetTone(p atelier.Preset) (Tone, string) {
	switch p.Status {
	case "complete":
		return Good, "Ready"
	case "failed":
		return Bad, "Failed. Try other photos."
	case "prepare", "":
		return Busy, "Being made"
	}
	return Waiting, p.Status // a word the documents do not list is shown as it came
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
