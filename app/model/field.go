package model

import (
	"atelier/atelier"
	"atelier/catalog"
)

// Field is one field of the form as it is shown.
type Field struct {
	Param   catalog.Param
	Value   any    // nil when nothing is given
	Default any    // what the service takes then
	Needed  bool   // must be given as the form stands
	Resting bool   // given, and without effect as the form stands
	Because string // why the field is here at all: the condition it depends on
	Problem string
	Note    string
}

// Slot is one file field other than the source.
type Slot struct {
	File    catalog.File
	Assets  []atelier.Asset
	Problem string
}

// Shown says which problems are due: a field that was never touched is not scolded for being empty.
type Shown struct {
	All     bool // the designer tried to generate
	Touched map[string]bool
	Server  map[string]string // what the server said about a field, until it changes
}

// Fields lists the fields in the catalog's order. Masks have no field: the stage is where they are painted,
// and where they go is the server's business.
func (f Form) Fields(s Source, shown Shown) []Field {
	problems := f.Problems(s)
	in := f.Input(s)
	var fields []Field
	for _, p := range f.Agent.Params {
		if p.Kind == catalog.MaskPNG || p.Kind == catalog.MaskURL || !f.shown(p.Name) {
			continue
		}
		field := Field{
			Param: p, Value: f.Values[p.Name], Default: p.DefaultOn(f.Surface),
			Needed:  catalog.Needed(f.Agent, f.Surface, in, p.Name),
			Resting: p.On(f.Surface) && !catalog.Applies(f.Agent, f.Surface, in, p.Name),
		}
		if r, ok := f.rule(p.Name, catalog.OnlyWhen); ok {
			field.Because = r.Message
		}
		field.Problem, field.Note = about(p.Name, problems, shown, empty(field.Value))
		fields = append(fields, field)
	}
	return fields
}

// Slots lists the file fields other than the source.
func (f Form) Slots(s Source, shown Shown) []Slot {
	problems := f.Problems(s)
	var slots []Slot
	for _, file := range f.Agent.Files {
		if file.Source || file.Media != catalog.Image {
			continue
		}
		slot := Slot{File: file, Assets: f.Files[file.Name]}
		slot.Problem, _ = about(file.Name, problems, shown, len(slot.Assets) == 0)
		slots = append(slots, slot)
	}
	return slots
}

// about picks what is to be said beside one field.
func about(name string, problems []catalog.Problem, shown Shown, empty bool) (problem, note string) {
	for _, p := range problems {
		switch {
		case p.Field != name:
		case p.Note && note == "":
			note = p.Message
		case !p.Note && problem == "" && (shown.All || shown.Touched[name] && !empty):
			problem = p.Message
		}
	}
	if said := shown.Server[name]; said != "" {
		problem = said
	}
	return problem, note
}

// FirstRefusal is the first thing that keeps the form from being sent, nil when it may be.
func FirstRefusal(problems []catalog.Problem) *catalog.Problem {
	for _, p := range problems {
		if !p.Note {
			return &p
		}
	}
	return nil
}
