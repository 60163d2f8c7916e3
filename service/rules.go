package service

import (
	"slices"

	"atelier/catalog"

	"github.com/goccy/go-yaml"
)

// ruleSchemas says an agent's rules between fields in JSON Schema, as far as it can: sizes of pictures, lengths of films
// and sums over several fields are left to the words of the description. On the task surface the schemas are about params;
// on the run surface, where a file stands in input or in params, about the whole body.
func ruleSchemas(a catalog.Agent, surface catalog.Surface) []object {
	var all []object
	x := ruled{agent: a, surface: surface}
	if surface == catalog.Run {
		for _, f := range a.Files {
			if f.Min > 0 {
				all = append(all, x.given(f.Name))
			}
		}
	}
	for _, r := range a.Rules {
		if len(r.Surfaces) > 0 && !slices.Contains(r.Surfaces, surface) {
			continue
		}
		if schema := x.rule(r); schema != nil {
			all = append(all, schema)
		}
	}
	return all
}

// ruled writes the rules of one agent on one surface. Its methods give nil for what cannot be said.
type ruled struct {
	agent   catalog.Agent
	surface catalog.Surface
}

func not(schema object) object {
	if schema == nil {
		return nil
	}
	return pairs("not", schema)
}

// combine joins schemas by a keyword such as anyOf; nil when one of them cannot be said.
func combine(keyword string, schemas ...object) object {
	if slices.ContainsFunc(schemas, func(s object) bool { return s == nil }) || len(schemas) == 0 {
		return nil
	}
	if len(schemas) == 1 {
		return schemas[0]
	}
	return pairs(keyword, schemas)
}

func (x ruled) rule(r catalog.Rule) object {
	var says object
	switch r.Kind {
	case catalog.AtLeastOne:
		says = combine("anyOf", x.each(r.Fields, x.given)...)
	case catalog.ExactlyOne:
		says = combine("oneOf", x.each(r.Fields, x.given)...)
	case catalog.RequiredWhen:
		says = combine("allOf", x.each(r.Fields, x.given)...)
	case catalog.OnlyWhen:
		says = not(combine("anyOf", x.each(r.Fields, x.chosen)...))
	case catalog.ForbiddenWith:
		says = not(combine("allOf", combine("anyOf", x.each(r.With, x.chosen)...), combine("anyOf", x.each(r.Fields, x.chosen)...)))
	case catalog.MaxItems:
		if len(r.Fields) == 1 { // a sum over several cannot be said
			says = not(x.at(r.Fields[0], pairs("type", "array", "minItems", r.Max+1)))
		}
	case catalog.ValuesWhen:
		says = not(combine("anyOf", x.each(r.Fields, func(f string) object { return x.value(f, r.Values) })...))
	case catalog.Forced:
		says = combine("allOf", x.each(r.Fields, func(f string) object {
			return combine("anyOf", not(x.given(f)), x.value(f, r.Values[:1]))
		})...)
	default:
		return nil
	}
	if says == nil || r.When == nil {
		return says
	}
	when := x.holds(*r.When)
	if when == nil {
		return nil
	}
	branch := "then"
	if r.Kind == catalog.OnlyWhen || r.Kind == catalog.ValuesWhen {
		branch = "else" // their condition permits
	}
	return pairs("if", when, branch, says)
}

func (x ruled) each(fields []string, say func(string) object) []object {
	out := make([]object, len(fields))
	for i, f := range fields {
		out[i] = say(f)
	}
	return out
}

// given says that a field holds more than nothing.
func (x ruled) given(field string) object { return x.other(field, nil) }

// chosen says that a field says something: its default says nothing.
func (x ruled) chosen(field string) object {
	if p, ok := x.agent.Param(field); ok && p.Kind != catalog.Tags && p.Kind != catalog.Strings {
		return x.other(field, p.DefaultOn(x.surface))
	}
	return x.other(field, nil)
}

// other says that a field is there and is neither nothing nor except.
func (x ruled) other(field string, except any) object {
	nothing := []any{nil, "", []any{}}
	if except != nil {
		nothing = append(nothing, except)
	}
	return x.at(field, not(pairs("enum", nothing)))
}

// value says that a param has one of the catalog's values, or, if it is a list, holds one.
func (x ruled) value(field string, values []string) object {
	p, ok := x.agent.Param(field)
	if !ok {
		return nil
	}
	var forms []any
	for _, v := range values {
		for _, o := range p.Options {
			if o.Value == v && o.Wire != "" {
				forms = append(forms, o.Wire)
			}
		}
		forms = append(forms, v)
		if p.Kind == catalog.Bool {
			forms = append(forms, v == "true")
		}
	}
	is := pairs("enum", forms)
	if p.Kind == catalog.Strings {
		is = pairs("contains", is)
	}
	return x.at(field, is)
}

// at says that a field is there and is as the schema says.
func (x ruled) at(field string, schema object) object {
	here := pairs("required", []string{field}, "properties", object{yaml.MapItem{Key: field, Value: schema}})
	within := func(section string) object {
		return pairs("required", []string{section}, "properties", object{yaml.MapItem{Key: section, Value: here}})
	}
	if p, ok := x.agent.Param(field); ok {
		switch {
		case !p.On(x.surface):
			return nil
		case x.surface == catalog.Run:
			return within("params")
		}
		return here
	}
	if x.surface == catalog.Task {
		return nil // files are in initParams, which another request carries
	}
	return combine("anyOf", within("input"), within("params"))
}

// holds says that a condition is met; a param that is absent counts with its default.
func (x ruled) holds(c catalog.Condition) object {
	var met object
	if len(c.In) == 0 {
		met = x.given(c.Field)
	} else {
		met = x.value(c.Field, c.In)
		if p, ok := x.agent.Param(c.Field); ok {
			if standard, isText := p.DefaultOn(x.surface).(string); isText && slices.Contains(c.In, standard) {
				met = combine("anyOf", met, not(x.given(c.Field)))
			}
		}
	}
	if c.Not {
		met = not(met)
	}
	all := []object{met}
	for _, also := range c.Also {
		all = append(all, x.holds(also))
	}
	return combine("allOf", all...)
}
