package catalog

import "slices"

func (c *check) rule(r Rule) {
	if r.When != nil && !c.holds(*r.When) != (r.Kind == OnlyWhen) {
		// OnlyWhen speaks up when its condition does not hold, every other rule when it does.
		return
	}
	switch r.Kind {
	case AtLeastOne:
		if !slices.ContainsFunc(r.Fields, c.given) {
			c.refuse(r.Fields[0], "%s", r.Message)
		}
	case ExactlyOne:
		switch had := c.givenOf(r.Fields); len(had) {
		case 0:
			c.refuse(r.Fields[0], "%s", r.Message)
		case 1:
		default:
			c.refuse(had[1], "%s", r.Message)
		}
	case RequiredWhen:
		for _, f := range r.Fields {
			if !c.given(f) {
				c.refuse(f, "%s", r.Message)
			}
		}
	case OnlyWhen:
		for _, f := range c.chosenOf(r.Fields) {
			c.refuse(f, "%s", r.Message)
		}
	case ForbiddenWith:
		if len(c.chosenOf(r.With)) > 0 {
			for _, f := range c.chosenOf(r.Fields) {
				c.refuse(f, "%s", r.Message)
			}
		}
	case NoEffectWhen:
		for _, f := range c.chosenOf(r.Fields) {
			c.note(f, "%s", r.Message)
		}
	case MaxItems:
		n := 0
		for _, f := range r.Fields {
			n += c.count(f)
		}
		if n > r.Max {
			c.refuse(r.Fields[0], "%s", r.Message)
		}
	case Relative:
		c.relative(r)
	}
}

// relative checks an offset against the source's side and the target's. What is not known yet is not held against it.
func (c *check) relative(r Rule) {
	field, b := r.Fields[0], r.Bound
	at, ok := c.numberOf(field)
	if !ok {
		return
	}
	side := c.in.SourceWidth
	if b.Side == "height" {
		side = c.in.SourceHeight
	}
	target, targetKnown := c.numberOf(b.Target)
	low, high := float64(b.Pad-side), target-float64(b.Pad)
	if side > 0 && at < low || targetKnown && at > high {
		p, _ := c.agent.Param(field)
		switch {
		case side > 0 && targetKnown:
			c.refuse(field, "%s must be %.0f to %.0f px; it is %.0f. %s", p.Title, low, high, at, r.Message)
		case targetKnown:
			c.refuse(field, "%s must be at most %.0f px; it is %.0f. %s", p.Title, high, at, r.Message)
		default:
			c.refuse(field, "%s must be at least %.0f px; it is %.0f. %s", p.Title, low, at, r.Message)
		}
	}
}

// numberOf reads a param as a number, whether it is there and is one.
func (c *check) numberOf(name string) (float64, bool) {
	v := c.in.Values[name]
	if !given(v) {
		return 0, false
	}
	return whole(v)
}

// given says whether a param or a file field has anything.
func (c *check) given(field string) bool { return c.count(field) > 0 }

// count is how many files a file field holds, or 1 for a param that is given.
func (c *check) count(field string) int {
	if _, ok := c.agent.File(field); ok {
		return len(c.in.files(field))
	}
	if p, ok := c.agent.Param(field); ok && p.On(c.surface) && given(c.in.Values[field]) {
		return 1
	}
	return 0
}

func (c *check) givenOf(fields []string) []string {
	var out []string
	for _, f := range fields {
		if c.given(f) {
			out = append(out, f)
		}
	}
	return out
}

// chosenOf gives the fields that are given and say something: a value equal to the default says nothing.
func (c *check) chosenOf(fields []string) []string {
	var out []string
	for _, f := range c.givenOf(fields) {
		if p, ok := c.agent.Param(f); ok {
			standard, _ := p.canonical(p.DefaultOn(c.surface))
			if v, ok := p.canonical(c.in.Values[f]); ok && standard != nil && p.Kind != Tags && p.Kind != Strings && v == standard {
				continue
			}
		}
		out = append(out, f)
	}
	return out
}

// holds says whether a condition is met; a param that is absent counts with its default.
func (c *check) holds(w Condition) bool {
	if len(w.In) == 0 {
		return c.given(w.Field) != w.Not
	}
	p, ok := c.agent.Param(w.Field)
	if !ok || !p.On(c.surface) {
		return w.Not
	}
	v := c.in.Values[w.Field]
	if !given(v) {
		v = p.DefaultOn(c.surface)
	}
	v, _ = p.canonical(v)
	return slices.Contains(w.In, inWords(v)) != w.Not
}

// Applies says whether a field does anything in this request: no when a rule forbids it or leaves it without effect, or
// when the surface does not know it. A form shows such a field as resting.
func Applies(a Agent, s Surface, in Input, field string) bool {
	if p, ok := a.Param(field); ok && !p.On(s) {
		return false
	}
	c := check{agent: a, surface: s, in: in}
	for _, r := range a.Rules {
		if !r.on(s) || !slices.Contains(r.Fields, field) {
			continue
		}
		switch r.Kind {
		case OnlyWhen:
			if r.When != nil && !c.holds(*r.When) {
				return false
			}
		case NoEffectWhen:
			if r.When == nil || c.holds(*r.When) {
				return false
			}
		case ForbiddenWith:
			if len(c.chosenOf(r.With)) > 0 && (r.When == nil || c.holds(*r.When)) {
				return false
			}
		}
	}
	return true
}

// Needed says whether a field must be given in this request as it stands.
func Needed(a Agent, s Surface, in Input, field string) bool {
	if f, ok := a.File(field); ok && f.Min > 0 {
		return true
	}
	if p, ok := a.Param(field); ok && p.On(s) && p.RequiredOn(s) {
		return true
	}
	c := check{agent: a, surface: s, in: in}
	return slices.ContainsFunc(a.Rules, func(r Rule) bool {
		return r.Kind == RequiredWhen && r.on(s) && slices.Contains(r.Fields, field) && (r.When == nil || c.holds(*r.When))
	})
}
