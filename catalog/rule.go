package catalog

import (
	"fmt"
	"math"
	"slices"
)

func (c *check) rule(r Rule) {
	if r.When != nil && c.holds(*r.When) == r.permits() {
		return
	}
	switch r.Kind {
	case AtLeastOne:
		if !slices.ContainsFunc(r.Fields, c.given) {
			c.refuseAll(r)
		}
	case ExactlyOne:
		switch had := c.givenOf(r.Fields); len(had) {
		case 0:
			c.refuseAll(r)
		case 1:
		default:
			c.breaks(r, had[1])
		}
	case RequiredWhen:
		for _, f := range r.Fields {
			if !c.given(f) {
				c.breaks(r, f)
			}
		}
	case OnlyWhen:
		for _, f := range c.chosenOf(r.Fields) {
			c.breaks(r, f)
		}
	case ForbiddenWith:
		if len(c.chosenOf(r.With)) > 0 {
			for _, f := range c.chosenOf(r.Fields) {
				c.breaks(r, f)
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
			c.breaks(r, r.Fields[0])
		}
	case ValuesWhen:
		for _, f := range r.Fields {
			if slices.ContainsFunc(c.chosen(f), func(v string) bool { return slices.Contains(r.Values, v) }) {
				c.breaks(r, f)
			}
		}
	case Forced:
		for _, f := range r.Fields {
			if slices.ContainsFunc(c.chosen(f), func(v string) bool { return v != r.Values[0] }) {
				c.breaks(r, f)
			}
		}
	case FallsBack:
		for _, f := range r.Fields {
			// Also when it is left to the default: that it counts as another shows nowhere else.
			if p, ok := c.agent.Param(f); ok && inWords(p.orDefault(c.surface, c.in.Values[f])) == r.Values[0] {
				c.note(f, "%s", r.Message)
			}
		}
	case EachFile:
		for _, f := range r.Fields {
			if _, facts := c.in.known(f); slices.ContainsFunc(facts, r.Facts.broken) {
				c.breaks(r, f)
			}
		}
	case TotalSeconds:
		total := 0.0
		for _, f := range r.Fields {
			_, facts := c.in.known(f)
			for _, one := range facts {
				total += one.Seconds
			}
		}
		if math.Round(total*1000) > float64(r.Max*1000) { // lengths are told in milliseconds, and their sum is not exact
			c.breaks(r, r.Fields[0])
		}
	case Relative:
		c.relative(r)
	}
}

// permits says whether the rule's condition allows something, so that the rule speaks up when it does not hold. Every
// other rule speaks up when it does.
func (r Rule) permits() bool { return r.Kind == OnlyWhen || r.Kind == ValuesWhen }

// chosen gives the values of a param that is given, as conditions name them; of a list, each entry.
func (c *check) chosen(name string) []string {
	p, ok := c.agent.Param(name)
	if !ok || !c.given(name) {
		return nil
	}
	v, ok := p.canonical(c.in.Values[name])
	if !ok {
		return nil
	}
	if list, ok := v.([]any); ok {
		out := make([]string, len(list))
		for i, one := range list {
			out[i] = inWords(one)
		}
		return out
	}
	return []string{inWords(v)}
}

// lineSlack is how far a film's short side may be from its class.
// ASSUMED ["480p or 720p"]: "480p" and "720p" (Run API, "Family E") speak of the short side, give or take the 16 px to which encoders round.
const lineSlack = 16

// broken says whether a file keeps the limits not, as far as it is known.
func (l FactLimits) broken(f Facts) bool {
	if f.Container != "" && len(l.Containers) > 0 && !slices.Contains(l.Containers, f.Container) {
		return true
	}
	if f.Seconds > 0 && (f.Seconds < l.MinSeconds || l.MaxSeconds > 0 && f.Seconds > l.MaxSeconds) {
		return true
	}
	short := min(f.Width, f.Height)
	return short > 0 && len(l.Lines) > 0 && !slices.ContainsFunc(l.Lines, func(line int) bool {
		return max(short-line, line-short) <= lineSlack
	})
}

// relative checks an offset against the source's side and the target's. What is not known yet is not held against it.
func (c *check) relative(r Rule) {
	field := r.Fields[0]
	at, ok := c.numberOf(field)
	if !ok {
		return
	}
	if span := c.span(*r.Bound); !span.holds(at) {
		p, _ := c.agent.Param(field)
		c.refuse(field, p.Title, saidMustBeBecause, span.inWords(), at, r.Message)
	}
}

// span is a range of numbers, as far as its ends are known.
type span struct {
	low, high           float64
	lowKnown, highKnown bool
	unit                string
}

func (s span) holds(n float64) bool {
	return (!s.lowKnown || n >= s.low) && (!s.highKnown || n <= s.high)
}

// inWords is "" for any number.
func (s span) inWords() string {
	unit := ""
	if s.unit != "" {
		unit = " " + s.unit
	}
	switch {
	case s.lowKnown && s.highKnown:
		return fmt.Sprintf(spanBoth, s.low, s.high, unit)
	case s.highKnown:
		return fmt.Sprintf(spanMost, s.high, unit)
	case s.lowKnown:
		return fmt.Sprintf(spanLeast, s.low, unit)
	}
	return ""
}

// span is the range that a bound leaves in the request as it stands.
func (c *check) span(b Bound) span {
	side := c.in.SourceWidth
	if b.Side == "height" {
		side = c.in.SourceHeight
	}
	target, known := c.numberOf(b.Target)
	return span{low: float64(b.Pad - side), high: target - float64(b.Pad), lowKnown: side > 0, highKnown: known, unit: "px"}
}

// Range says in words which numbers a param takes in this request: of a text or a list, how long it may be. "" = any.
func Range(a Agent, s Surface, in Input, param string) string {
	p, ok := a.Param(param)
	if !ok {
		return ""
	}
	c := check{agent: a, surface: s, in: in}
	for _, r := range a.Rules {
		if r.Kind == Relative && r.on(s) && r.Fields[0] == param && (r.When == nil || c.holds(*r.When)) {
			return c.span(*r.Bound).inWords()
		}
	}
	return p.rangeInWords()
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
	return c.holdsAlone(w) && !slices.ContainsFunc(w.Also, func(also Condition) bool { return !c.holds(also) })
}

func (c *check) holdsAlone(w Condition) bool {
	if len(w.In) == 0 {
		return c.given(w.Field) != w.Not
	}
	p, ok := c.agent.Param(w.Field)
	if !ok || !p.On(c.surface) {
		return w.Not
	}
	return slices.Contains(w.In, inWords(p.orDefault(c.surface, c.in.Values[w.Field]))) != w.Not
}

// settled gives the value of a param that the request as it stands decides, whatever was given or left out: a forced one,
// or the one it falls back to. ok is false when the request leaves the param free.
func (c *check) settled(p Param, value any) (v string, ok bool) {
	for _, r := range c.agent.Rules {
		if (r.Kind != Forced && r.Kind != FallsBack) || !r.on(c.surface) || !slices.Contains(r.Fields, p.Name) || (r.When != nil && !c.holds(*r.When)) {
			continue
		}
		switch {
		case r.Kind == Forced && !given(value):
			return r.Values[0], true
		case r.Kind == FallsBack && inWords(p.orDefault(c.surface, value)) == r.Values[0]:
			return r.Values[1], true
		}
	}
	return "", false
}

// orDefault gives a value in plain form, the default when it is absent.
func (p Param) orDefault(s Surface, v any) any {
	if !given(v) {
		v = p.DefaultOn(s)
	}
	v, _ = p.canonical(v)
	return v
}

// MakesIn says what this request makes: what the agent makes, unless a param chooses (Run API, "Family G").
func (a Agent) MakesIn(s Surface, in Input) Makes {
	if p, ok := a.Param(a.MakesBy); ok {
		if m := Makes(inWords(p.orDefault(s, in.Values[p.Name]))); m == MakesImage || m == MakesVideo {
			return m
		}
	}
	return a.Makes
}

// Choices gives the options of a param that may be chosen in this request as it stands: without those that a rule keeps for
// other circumstances, and only the one that is forced.
func Choices(a Agent, s Surface, in Input, param string) []Option {
	p, ok := a.Param(param)
	if !ok {
		return nil
	}
	c := check{agent: a, surface: s, in: in}
	return slices.DeleteFunc(slices.Clone(p.Options), func(o Option) bool {
		return slices.ContainsFunc(a.Rules, func(r Rule) bool {
			if !r.on(s) || !slices.Contains(r.Fields, param) {
				return false
			}
			holds := r.When == nil || c.holds(*r.When)
			return r.Kind == ValuesWhen && !holds && slices.Contains(r.Values, o.Value) || r.Kind == Forced && holds && r.Values[0] != o.Value
		})
	})
}

// Room is how many files a field takes at most in this request as it stands, beside what other fields hold.
func Room(a Agent, s Surface, in Input, field string) int {
	f, ok := a.File(field)
	if !ok || !Applies(a, s, in, field) {
		return 0
	}
	c := check{agent: a, surface: s, in: in}
	room := f.Max
	for _, r := range a.Rules {
		if r.Kind != MaxItems || !r.on(s) || !slices.Contains(r.Fields, field) || (r.When != nil && !c.holds(*r.When)) {
			continue
		}
		others := 0
		for _, other := range r.Fields {
			if other != field {
				others += c.count(other)
			}
		}
		room = min(room, max(0, r.Max-others))
	}
	return room
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
