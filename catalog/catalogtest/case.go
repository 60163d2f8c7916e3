// Package catalogtest makes requests out of the catalog's data, each with the verdict it deserves: the smallest request of
// every agent, every value of every param, every count of files, and every rule broken once. The same requests go through
// the catalog, the form, the studio and the service, so that all of them judge alike. What a request deserves is worked out
// here from the data, without asking catalog.Check. It should only be imported by test files and by the page that shows every
// component.
package catalogtest

import (
	"maps"
	"slices"

	"atelier/catalog"
)

// Mask is the customMask of cases that carry one: a PNG of one pixel that is kept. Whoever lets a real picture run through
// puts a mask of its size in its place.
const Mask = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// Source is the size in px of the picture that cases work on.
const (
	SourceWidth  = 800
	SourceHeight = 600
)

// File is one file of a case.
type File struct {
	Media catalog.Media
	Facts catalog.Facts // zero for pictures and sounds, which no rule looks into
}

// Case is one request and its verdict.
type Case struct {
	Name     string // agent, surface and what is special, such as "aipose/run/textDescription missing"
	Agent    string
	Version  string
	Surface  catalog.Surface
	TaskName string
	Values   catalog.Values
	Files    map[string][]File
	Refused  []string // the fields that are refused, sorted; empty = the request is accepted
	// Says is what the refusal names of the rule that the case is about: its fields as they stand on the wire, and the limit.
	Says []string
	// Facts says that the refusal rests on what is known of the files: the size of the source, the length and form of films.
	// Where they have not been looked into the request is accepted.
	Facts bool
}

// Input is the case in the catalog's terms; address gives the address of file n (from 0) of a field.
func (c Case) Input(address func(field string, n int, f File) string) catalog.Input {
	in := catalog.Input{
		Values: maps.Clone(c.Values), Files: map[string][]string{}, Media: map[string][]catalog.Facts{},
		TaskName: c.TaskName, SourceWidth: SourceWidth, SourceHeight: SourceHeight,
	}
	for field, files := range c.Files {
		for n, f := range files {
			in.Files[field] = append(in.Files[field], address(field, n, f))
			in.Media[field] = append(in.Media[field], f.Facts)
		}
	}
	return in
}

// Existing gives the case with presets and tags that exist where it is to run, in place of the made-up id 1. Presets and
// tags are by the kind of preset: locations, fashionModels, backgrounds.
func (c Case) Existing(a catalog.Agent, presets, tags map[string]float64) Case {
	c.Values = maps.Clone(c.Values)
	for _, p := range a.Params {
		switch v := c.Values[p.Name].(type) {
		case float64:
			if p.Kind == catalog.Preset && v == 1 {
				c.Values[p.Name] = presets[p.PresetKind]
			}
		case []any:
			if p.Kind == catalog.Tags && v[0] == 1.0 {
				c.Values[p.Name] = []any{tags[p.PresetKind]}
			}
		}
	}
	return c
}

// Cases gives the cases of the agents on each of their surfaces, always the same in the same order. It panics when the
// rules of an agent contradict each other, so that some case cannot be made.
func Cases(agents []catalog.Agent) []Case {
	var out []Case
	for _, a := range agents {
		for _, s := range a.Surfaces {
			m := maker{agent: a, surface: s}
			m.make()
			out = append(out, m.cases...)
		}
	}
	return out
}

// maker makes the cases of one agent on one surface.
type maker struct {
	agent   catalog.Agent
	surface catalog.Surface
	cases   []Case
}

// accept adds a case that must be accepted, made up from the draft by what else is needed.
func (m *maker) accept(what string, d draft) {
	if !d.complete() {
		panic("catalogtest: " + m.agent.Name + ": no request can be made for: " + what)
	}
	m.add(what, d, nil)
}

// refuse adds a case as it is; the field must be among those refused, and the refusal must name it and what says holds.
func (m *maker) refuse(what, field string, d draft, says ...string) {
	refused, _ := d.verdict()
	if !slices.Contains(refused, field) {
		panic("catalogtest: " + m.agent.Name + ": " + field + " is not refused in: " + what)
	}
	if len(says) == 0 {
		panic("catalogtest: " + m.agent.Name + ": nobody knows which limit is passed in: " + what)
	}
	m.add(what, d, refused, append([]string{field}, says...)...)
}

func (m *maker) add(what string, d draft, refused []string, says ...string) {
	_, facts := d.verdict()
	d = d.clone() // who drew it up may draw on
	m.cases = append(m.cases, Case{
		Name: m.agent.Name + "/" + string(m.surface) + "/" + what, Agent: m.agent.Name, Version: m.agent.Version, Surface: m.surface,
		TaskName: d.taskName, Values: d.values, Files: d.files, Refused: refused, Says: says, Facts: facts,
	})
}
