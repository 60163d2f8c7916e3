package model

import (
	"encoding/json"
	"maps"
	"slices"

	"atelier/atelier"
)

// Marks are the presets the designer marked. It is a value.
type Marks map[atelier.Favourite]bool

// MarksOf are the marks of a list.
func MarksOf(list []atelier.Favourite) Marks {
	m := Marks{}
	for _, f := range list {
		m[f] = true
	}
	return m
}

// Has says whether a preset is marked.
func (m Marks) Has(p atelier.Preset) bool { return m[atelier.FavouriteOf(p)] }

// With marks a preset, or takes its mark.
func (m Marks) With(f atelier.Favourite, marked bool) Marks {
	out := maps.Clone(m)
	if out == nil {
		out = Marks{}
	}
	if delete(out, f); marked {
		out[f] = true
	}
	return out
}

// Lacks says whether a preset of a kind is marked that is not in a list.
func (m Marks) Lacks(kind string, presets []atelier.Preset) bool {
	missing := 0
	for f := range m {
		if f.Kind == kind {
			missing++
		}
	}
	for _, p := range presets {
		if missing > 0 && m.Has(p) {
			missing--
		}
	}
	return missing > 0
}

// First puts the marked presets before the others; both keep their order.
func (m Marks) First(presets []atelier.Preset) []atelier.Preset {
	if len(m) == 0 {
		return presets
	}
	out := make([]atelier.Preset, 0, len(presets))
	for _, marked := range []bool{true, false} {
		for _, p := range presets {
			if m.Has(p) == marked {
				out = append(out, p)
			}
		}
	}
	return out
}

// keptMost is how many marks of a browser are taken over at most.
const keptMost = 500

// KeptMarks reads the marks that a browser kept before the studio's server did: ids by kind. Anything else is nothing marked.
func KeptMarks(text string) []atelier.Favourite {
	var kept map[string][]int64
	if json.Unmarshal([]byte(text), &kept) != nil {
		return nil
	}
	var list []atelier.Favourite
	for _, k := range OwnKinds {
		for _, id := range kept[k.Preset] {
			if f := (atelier.Favourite{Kind: k.Preset, ID: id}); id > 0 && len(list) < keptMost && !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}
