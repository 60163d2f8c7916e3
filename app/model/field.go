package model

import (
	"slices"

	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// Field is one field of the form as it is shown.
type Field struct {
	Param   catalog.Param
	Value   any     // nil when nothing is given
	Also    []int64 // further presets with which the same is made
	Default any     // what the service takes then
	Needed  bool    // must be given as the form stands
	Resting bool    // given, and without effect as the form stands
	Because string  // why the field is here at all: the condition it depends on
	Closed  string  // why nothing can be chosen here as the form stands, "" when something can
	Range   string  // which numbers it takes as the form stands, or how many characters, in words; "" = any
	Forced  string  // the value the form as it stands decides, Note says why; "" = none
	// Barred are the options that may not be chosen as the form stands, each with the reason.
	Barred  map[string]string
	Problem string
	Note    string
}

// Slot is one file field other than the source.
type Slot struct {
	File    catalog.File
	Assets  []atelier.Asset
	Most    int    // how many it takes as the form stands
	Room    int    // how many more
	Needed  bool   // must hold something as the form stands
	Because string // why it takes nothing at the moment, "" when it does
	Ours    bool   // it is the studio's: the image service knows no field of that name
	Problem string
}

// Shown says which problems are due: a field that was never touched is not scolded for being empty.
type Shown struct {
	All     bool // the designer tried to generate
	Touched map[string]bool
	Server  map[string]string // what the server said about a field, until it changes
}

// Fields lists the fields in the catalog's order, those too that are closed as the form stands. Masks have no field: the stage is where they are painted,
// and where they go is the server's business.
func (f Form) Fields(s Source, shown Shown) []Field {
	problems := f.Problems(s)
	in := f.Input(s)
	var fields []Field
	for _, p := range f.Agent.Params {
		if p.Kind == catalog.MaskPNG || p.Kind == catalog.MaskURL {
			continue
		}
		if !f.shown(p.Name) {
			if why := f.closed(p.Name); why != "" {
				fields = append(fields, Field{Param: p, Closed: why})
			}
			continue
		}
		field := Field{
			Param: p, Value: f.Values[p.Name], Also: f.Also(p.Name), Default: p.DefaultOn(f.Surface),
			Needed:  catalog.Needed(f.Agent, f.Surface, in, p.Name),
			Resting: p.On(f.Surface) && !catalog.Applies(f.Agent, f.Surface, in, p.Name),
			Barred:  f.barred(p, in),
			Because: f.because(p.Name),
		}
		switch p.Kind {
		case catalog.Text, catalog.Int, catalog.Duration:
			field.Range = catalog.Range(f.Agent, f.Surface, in, p.Name)
		}
		field.Problem, field.Note = about(p.Name, problems, shown, empty(field.Value))
		if value, because, ok := f.Forced(p.Name); ok {
			field.Forced, field.Note = value, because
		}
		fields = append(fields, field)
	}
	return fields
}

// because says what a field depends on that is not always there, "" when it always is.
func (f Form) because(name string) string {
	if r, ok := f.rule(name, catalog.OnlyWhen); ok {
		return r.Message
	}
	r, ok := f.rule(name, catalog.NoEffectWhen)
	if !ok || r.When == nil || !r.When.Not || len(r.When.Also) > 0 {
		return ""
	}
	var choices []string
	p, isParam := f.Agent.Param(r.When.Field)
	for _, o := range p.Options {
		if slices.Contains(r.When.In, o.Value) {
			choices = append(choices, o.Title)
		}
	}
	title := p.Title
	if file, ok := f.Agent.File(r.When.Field); ok && !isParam {
		title = file.Title
	}
	return words.FieldOnlyWith(title, choices)
}

// barred lists the options that a rule keeps for other circumstances.
func (f Form) barred(p catalog.Param, in catalog.Input) map[string]string {
	free := catalog.Choices(f.Agent, f.Surface, in, p.Name)
	if len(free) == len(p.Options) {
		return nil
	}
	barred := map[string]string{}
	for _, o := range p.Options {
		if slices.ContainsFunc(free, func(other catalog.Option) bool { return other.Value == o.Value }) {
			continue
		}
		barred[o.Value] = ""
		for _, r := range f.Agent.Rules {
			if r.Kind == catalog.ValuesWhen && slices.Contains(r.Fields, p.Name) && slices.Contains(r.Values, o.Value) {
				barred[o.Value] = r.Message
			}
		}
	}
	return barred
}

// Slots lists the file fields other than the source.
func (f Form) Slots(s Source, shown Shown) []Slot {
	problems := f.Problems(s)
	in := f.Input(s)
	var slots []Slot
	for _, file := range f.Agent.Files {
		if file.Source {
			continue
		}
		slot := Slot{File: file, Assets: f.Files[file.Name], Needed: catalog.Needed(f.Agent, f.Surface, in, file.Name)}
		slot.Because = f.closed(file.Name)
		if slot.Because == "" {
			slot.Most = catalog.Room(f.Agent, f.Surface, in, file.Name)
			slot.Room = max(0, slot.Most-len(slot.Assets))
		}
		slot.Problem, _ = about(file.Name, problems, shown, len(slot.Assets) == 0)
		slots = append(slots, slot)
	}
	return slots
}

// Slot gives the file field of that name as it stands.
func (f Form) Slot(s Source, name string) (Slot, bool) {
	if name == Further.Name {
		return f.FurtherSlot(s)
	}
	for _, slot := range f.Slots(s, Shown{}) {
		if slot.File.Name == name {
			return slot, true
		}
	}
	return Slot{}, false
}

// SlotFor is the file field that takes a file of that kind: the first with room; ok is false when there is none.
func (f Form) SlotFor(s Source, m catalog.Media) (name string, ok bool) {
	for _, slot := range f.Slots(s, Shown{}) {
		if slot.File.Media == m && slot.Room > 0 {
			return slot.File.Name, true
		}
	}
	return "", false
}

// Takes says whether the agent has a file field of that kind at all.
func (f Form) Takes(m catalog.Media) bool {
	return slices.ContainsFunc(f.Agent.Files, func(file catalog.File) bool { return file.Media == m })
}

// closed says why a field takes nothing as the form stands, "" when it does. Of two that exclude each other the one
// that holds something stays open.
func (f Form) closed(name string) string {
	for _, kind := range []catalog.RuleKind{catalog.OnlyWhen, catalog.ForbiddenWith, catalog.NoEffectWhen} {
		if r, ok := f.speaks(name, kind); ok {
			return r.Message
		}
	}
	for _, r := range f.Agent.Rules {
		if r.Kind == catalog.ForbiddenWith && slices.Contains(r.With, name) &&
			slices.ContainsFunc(r.Fields, func(other string) bool { return len(f.Files[other]) > 0 }) {
			return r.Message
		}
	}
	return ""
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
