package model

import (
	"maps"
	"slices"

	"atelier/catalog"
)

// also is where the further presets of a param are remembered: the same is made with each, in a run of its own.
func also(p catalog.Param) string { return memory(p) + "+" }

// Also are the presets of a param with which the same is made beside the chosen one, by id; none while none is chosen.
func (f Form) Also(name string) (ids []int64) {
	p, _ := f.Agent.Param(name)
	chosen, ok := f.Values[name].(float64)
	if !ok || p.Kind != catalog.Preset {
		return nil
	}
	list, _ := f.kept[also(p)].([]any)
	for _, v := range list {
		if id, ok := v.(float64); ok && id != chosen {
			ids = append(ids, int64(id))
		}
	}
	return ids
}

// WithAlso adds a preset to those with which the same is made, or takes it out of them, where one is chosen for it to stand beside.
func (f Form) WithAlso(name string, id int64) Form {
	p, _ := f.Agent.Param(name)
	if _, chosen := f.Values[name].(float64); !chosen || p.Kind != catalog.Preset {
		return f
	}
	list := []any{}
	for _, other := range f.Also(name) {
		if other != id {
			list = append(list, float64(other))
		}
	}
	if !slices.Contains(f.Also(name), id) {
		list = append(list, float64(id))
	}
	f.kept = maps.Clone(f.kept)
	f.kept[also(p)] = list
	return f
}

// Settings are the forms that are run of each photo: this one, then those with the further presets, every one of a param with every one of
// the others.
func (f Form) Settings() []Form {
	forms := []Form{f}
	for _, p := range f.Agent.Params {
		ids := f.Also(p.Name)
		if len(ids) == 0 || !catalog.Applies(f.Agent, f.Surface, f.bare(), p.Name) {
			continue
		}
		for _, form := range slices.Clone(forms) {
			for _, id := range ids {
				forms = append(forms, form.With(p.Name, float64(id)))
			}
		}
	}
	return forms
}
