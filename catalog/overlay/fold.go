package overlay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"atelier/catalog"
)

// state is what can be said of a condition before any request is there.
type state int

const (
	depends state = iota
	never
	always
)

// rename makes the rules speak of the account's engines: every condition on an engine of the shape holds for those that
// are like it.
func (e *edit) rename(alike map[string][]string) {
	for i, r := range e.agent.Rules {
		if r.When == nil || r.When.Field != modelParam {
			continue
		}
		when := *r.When
		var in []string
		for _, old := range when.In {
			in = append(in, alike[old]...)
		}
		if len(in) == 0 {
			in = []string{noModel}
		}
		when.In = in
		e.agent.Rules[i].When = &when
		e.agent.Rules[i].Message = e.aboutModels(e.agent.Rules[i])
	}
}

// noModel stands in a condition that none of the account's engines meets, until settle takes the rule away.
const noModel = "\x00"

// aboutModels is the sentence of a rule that looks at the engine, in the account's names.
func (e *edit) aboutModels(r catalog.Rule) string {
	var engines, fields []string
	for _, p := range e.agent.Params {
		for _, o := range p.Options {
			if p.Name == modelParam && slices.Contains(r.When.In, o.Value) {
				engines = append(engines, o.Title)
			}
		}
		if slices.Contains(r.Fields, p.Name) {
			fields = append(fields, p.Title)
		}
	}
	for _, f := range e.agent.Files {
		if slices.Contains(r.Fields, f.Name) {
			fields = append(fields, f.Title)
		}
	}
	what, which := strings.Join(fields, ", "), strings.Join(engines, ", ")
	switch r.Kind {
	case catalog.MaxItems:
		return fmt.Sprintf("%s: at most %d with %s.", what, r.Max, which)
	case catalog.ValuesWhen:
		return fmt.Sprintf("%s: %s only with %s.", what, strings.Join(r.Values, ", "), which)
	case catalog.OnlyWhen:
		return fmt.Sprintf("%s: only with %s.", what, which)
	case catalog.NoEffectWhen:
		return fmt.Sprintf("%s: no effect here; only %s reads it.", what, which)
	}
	return r.Message
}

// drop takes fields out of the agent. What depended on a dropped param goes by its default, which is what the account
// takes when nothing is sent.
func (e *edit) drop(names []string) {
	for _, name := range names {
		standard := ""
		if p, ok := e.agent.Param(name); ok {
			standard = fmt.Sprint(p.Default)
		}
		rules := []catalog.Rule{}
		for _, r := range e.agent.Rules {
			if e.survives(&r, name, standard) {
				rules = append(rules, r)
			}
		}
		e.agent.Rules = rules
		e.agent.Files = slices.DeleteFunc(e.agent.Files, func(f catalog.File) bool { return f.Name == name })
		e.agent.Params = slices.DeleteFunc(e.agent.Params, func(p catalog.Param) bool { return p.Name == name })
	}
}

// survives takes a dropped field out of a rule; it says whether there is still a rule then.
func (e *edit) survives(r *catalog.Rule, name, standard string) bool {
	r.Fields, r.With = without(r.Fields, name), without(r.With, name)
	if len(r.Fields) == 0 || r.Kind == catalog.ForbiddenWith && len(r.With) == 0 || r.Bound != nil && r.Bound.Target == name {
		return false
	}
	if r.When == nil {
		return true
	}
	when, known := folded(*r.When, func(c catalog.Condition) state {
		switch {
		case c.Field != name:
			return depends
		case len(c.In) > 0 && slices.Contains(c.In, standard) != c.Not, len(c.In) == 0 && c.Not:
			return always
		}
		return never
	})
	return e.fold(r, when, known)
}

func without(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == name })
}

// folded gives a condition without the parts that are known beforehand, and what is known of it all.
func folded(c catalog.Condition, of func(catalog.Condition) state) (*catalog.Condition, state) {
	alone := c
	alone.Also = nil
	var left []catalog.Condition
	for _, part := range append([]catalog.Condition{alone}, c.Also...) {
		switch of(part) {
		case never:
			return nil, never
		case depends:
			left = append(left, part)
		}
	}
	if len(left) == 0 {
		return nil, always
	}
	first := left[0]
	if len(left) > 1 {
		first.Also = left[1:]
	}
	return &first, depends
}

// fold gives a rule its folded condition, with what follows when that is known beforehand: what can never be used leaves
// the agent. It says whether there is still a rule.
func (e *edit) fold(r *catalog.Rule, when *catalog.Condition, known state) bool {
	permits := r.Kind == catalog.OnlyWhen || r.Kind == catalog.ValuesWhen
	switch {
	case known == depends:
		r.When = when
		return true
	case known == always && permits:
		return false
	case known == never && r.Kind == catalog.OnlyWhen, known == always && r.Kind == catalog.NoEffectWhen:
		e.useless = append(e.useless, r.Fields...)
		return false
	case known == never && r.Kind == catalog.ValuesWhen:
		for _, f := range r.Fields {
			e.unoffer(f, r.Values)
		}
		return false
	case known == never:
		return false
	}
	r.When = nil
	return true
}

// unoffer takes values out of a param.
func (e *edit) unoffer(param string, values []string) {
	for i, p := range e.agent.Params {
		if p.Name == param {
			e.agent.Params[i].Options = slices.DeleteFunc(slices.Clone(p.Options), func(o catalog.Option) bool { return slices.Contains(values, o.Value) })
		}
	}
}

// settle makes the rules agree with the fields as they have become, and refuses what cannot be made to agree.
func (e *edit) settle(at place) {
	for changed := true; changed; {
		before := len(e.agent.Rules)
		e.agent.Rules = e.kept()
		for _, gone := range e.useless {
			e.drop([]string{gone})
		}
		changed = len(e.agent.Rules) != before || len(e.useless) > 0
		e.useless = nil
	}
	for _, p := range e.agent.Params {
		e.settleParam(p, at)
	}
	for _, r := range e.agent.Rules {
		e.settleRule(r, at)
	}
}

// kept is the rules that still say something, with conditions and values that are still offered.
func (e *edit) kept() []catalog.Rule {
	var out []catalog.Rule
	for _, r := range e.agent.Rules {
		if r.When != nil {
			when, known := folded(*r.When, e.offered)
			if !e.fold(&r, when, known) {
				continue
			}
		}
		if r.Kind == catalog.ValuesWhen {
			p, _ := e.agent.Param(r.Fields[0])
			r.Values = slices.DeleteFunc(slices.Clone(r.Values), func(v string) bool { return !offers(p, v) })
			if len(r.Values) == 0 {
				continue
			}
		}
		out = append(out, r)
	}
	if out == nil {
		out = []catalog.Rule{}
	}
	return out
}

// offered says what the options that are left say of a condition.
func (e *edit) offered(c catalog.Condition) state {
	p, ok := e.agent.Param(c.Field)
	if !ok || len(c.In) == 0 || len(p.Options) == 0 {
		return depends
	}
	some := slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return slices.Contains(c.In, o.Value) })
	all := !slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return !slices.Contains(c.In, o.Value) })
	switch {
	case !some && c.Not, all && !c.Not && p.Default != nil:
		return always
	case !some, all && c.Not && p.Default != nil:
		return never
	}
	return depends
}

// settleParam refuses defaults that are not offered and wire values that cannot be told apart.
func (e *edit) settleParam(p catalog.Param, at place) {
	if len(p.Options) == 0 && p.Kind == catalog.Enum {
		e.refuse(e.placeOf(at, "models", "options"), "%s of %s has no value left that can be chosen", p.Name, e.agent.Name)
		return
	}
	for _, s := range e.agent.Surfaces {
		if d := p.DefaultOn(s); d != nil {
			in := catalog.Input{Values: catalog.Values{p.Name: d}, Draft: true}
			for _, wrong := range catalog.Check(e.agent, s, in) {
				if wrong.Field == p.Name {
					e.refuse(e.placeOf(at, "defaults", "options", "durations", "limits"), "%s is %v by default, which is not allowed: %s", p.Name, d, wrong.Message)
				}
			}
		}
	}
	meaning := map[string]string{}
	for _, o := range p.Options {
		for _, word := range slices.Compact([]string{o.Value, cmp.Or(o.Wire, o.Value)}) {
			if other, taken := meaning[word]; taken {
				e.refuse(e.placeOf(at, "wire", "models"), "%s of %s: %s means both %s and %s", p.Name, e.agent.Name, quoted(word), other, o.Value)
			}
			meaning[word] = o.Value
		}
	}
}

// settleRule refuses limits and values that no request could keep.
func (e *edit) settleRule(r catalog.Rule, at place) {
	switch r.Kind {
	case catalog.MaxItems:
		least := 0
		for _, f := range e.agent.Files {
			if slices.Contains(r.Fields, f.Name) {
				least += f.Min
			}
		}
		if least > r.Max {
			e.refuse(e.placeOf(at, "limits"), "%s needs %d files and allows %d: %s", e.agent.Name, least, r.Max, r.Message)
		}
	case catalog.Forced, catalog.FallsBack:
		p, _ := e.agent.Param(r.Fields[0])
		for _, v := range r.Values {
			if !offers(p, v) {
				e.refuse(e.placeOf(at, "options"), "%s must keep %s: %s", p.Name, v, r.Message)
			}
		}
	}
}

// placeOf is where the first of the keys that are given stands, else at.
func (e *edit) placeOf(at place, keys ...string) place {
	for _, k := range keys {
		if p, ok := e.given[k]; ok {
			return p.at
		}
	}
	return at
}
