package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxTaskName is the length of a task name in characters (Task API, "Limits").
// ASSUMED [taskName limit]: the same on the run surface, which gives no limit for its taskName.
const maxTaskName = 20

// Check tells everything that is wrong with a request, in the order of the form, and nil when it may be sent. It is the
// one interpreter of the catalog: the form, the studio before paying and the service all ask it. Problems with Note set
// refuse nothing: what has no effect, what will be replaced, what the catalog does not know.
func Check(a Agent, s Surface, in Input) []Problem {
	if !a.On(s) {
		return []Problem{{Field: "agent", Message: fmt.Sprintf(saidUnavailable, a.Title, s), Wire: fmt.Sprintf(saidUnavailable, a.Name, s)}}
	}
	c := check{agent: a, surface: s, in: in}
	if n := utf8.RuneCountInString(in.TaskName); n > maxTaskName {
		c.refuse(taskNameField, calledName, saidNameLong, n, maxTaskName)
	}
	for _, f := range a.Files {
		c.file(f)
	}
	for _, p := range a.Params {
		if p.On(s) {
			c.param(p)
		}
	}
	for _, r := range a.Rules {
		if r.on(s) {
			c.rule(r)
		}
	}
	c.unknown()
	return c.problems
}

// Refusals gives the problems that refuse a request, without the notes; nil when there is none.
func Refusals(problems []Problem) []Problem {
	var out []Problem
	for _, p := range problems {
		if !p.Note {
			out = append(out, p)
		}
	}
	return out
}

// check is one run of Check.
type check struct {
	agent    Agent
	surface  Surface
	in       Input
	problems []Problem
}

// refuse says what is wrong with a field: to people by its title, to clients of the API by its name. The format begins with %s
// for either.
func (c *check) refuse(field, title, format string, args ...any) {
	say := func(called string, onWire bool) string {
		all := []any{called}
		for _, a := range args {
			if o, ok := a.(offered); ok {
				a = o.inWords(onWire)
			}
			all = append(all, a)
		}
		return fmt.Sprintf(format, all...)
	}
	c.problems = append(c.problems, Problem{Field: field, Message: say(title, false), Wire: say(field, true)})
}

// missing asks for a required field that is empty; kind is "" for files.
func (c *check) missing(field, title string, kind Kind) {
	c.problems = append(c.problems, Problem{Field: field, Message: askFor(kind, title), Wire: fmt.Sprintf(saidRequired, field)})
}

// breaks says that a field breaks a rule.
func (c *check) breaks(r Rule, field string) {
	asked := []string{field}
	if r.Kind == MaxItems || r.Kind == TotalSeconds {
		asked = r.Fields
	}
	c.problems = append(c.problems, Problem{Field: field, Message: r.Message, Wire: strings.Join(asked, ", ") + ": " + r.Asks(c.wireName(r)) + "."})
}

// refuseAll says that none of a rule's fields is there.
func (c *check) refuseAll(r Rule) {
	c.problems = append(c.problems, Problem{Field: r.Fields[0], Or: r.Fields[1:], Message: r.Message, Wire: strings.Join(r.Fields, " or ") + ": " + r.Asks(c.wireName(r)) + "."})
}

// wireName gives the names and values in a rule as clients of the API write them.
func (c *check) wireName(r Rule) func(word string) string {
	fields := slices.Clone(r.Fields)
	var conditions func(w *Condition)
	conditions = func(w *Condition) {
		fields = append(fields, w.Field)
		for i := range w.Also {
			conditions(&w.Also[i])
		}
	}
	if r.When != nil {
		conditions(r.When)
	}
	return func(word string) string {
		for _, f := range fields {
			if p, ok := c.agent.Param(f); ok && p.wireOf(word) != word {
				return p.wireOf(word)
			}
		}
		return word
	}
}

func (c *check) note(field, format string, args ...any) {
	c.problems = append(c.problems, Problem{Field: field, Message: fmt.Sprintf(format, args...), Note: true})
}

func (c *check) file(f File) {
	urls := c.in.files(f.Name)
	switch n := len(urls); {
	case n < f.Min && f.Max == 1:
		c.missing(f.Name, f.Title, "")
	case n != f.Min && f.Min == f.Max && f.Max > 1:
		c.refuse(f.Name, f.Title, saidExactly, f.Min, n)
	case n < f.Min && f.Min == 1:
		c.refuse(f.Name, f.Title, saidOne)
	case n < f.Min:
		c.refuse(f.Name, f.Title, saidAtLeast, f.Min, n)
	case n > f.Max:
		c.refuse(f.Name, f.Title, saidAtMost, f.Max, n)
	}
	if c.in.Draft {
		return
	}
	for _, u := range urls {
		if !webAddress(u) {
			c.refuse(f.Name, f.Title, saidNoAddress, quoted(u))
			return
		}
	}
}

func (c *check) param(p Param) {
	v := c.in.Values[p.Name]
	if !given(v) {
		if p.RequiredOn(c.surface) {
			c.missing(p.Name, p.Title, p.Kind)
		}
		return
	}
	if p.replaces(v) {
		c.note(p.Name, saidReplaced, p.Title, p.rangeInWords(), p.DefaultOn(c.surface))
		return
	}
	v, ok := p.canonical(v)
	if !ok {
		if p.Kind == Enum {
			c.refuse(p.Name, p.Title, saidMustBeOneOf, offered(p.Options))
		} else {
			c.refuse(p.Name, p.Title, saidMustBe, p.kindInWords())
		}
		return
	}
	switch v := v.(type) {
	case float64:
		c.bounds(p, v)
	case string:
		c.text(p, v)
	case []any:
		c.list(p, v)
	}
}

func (c *check) bounds(p Param, n float64) {
	if !p.inRange(n) {
		c.refuse(p.Name, p.Title, saidMustBeFloat, p.rangeInWords(), n)
	}
}

func (c *check) text(p Param, s string) {
	switch p.Kind {
	case Enum:
		if !p.offers(s) {
			c.refuse(p.Name, p.Title, saidNoOption, quoted(s), offered(p.Options))
		}
	case Colour:
		if !hex(s) {
			c.refuse(p.Name, p.Title, saidNoColour, quoted(s))
		}
	case MaskPNG:
		if c.in.Draft {
			return
		}
		if wrong := base64PNG(s); wrong != "" {
			c.refuse(p.Name, p.Title, saidMask, wrong)
		}
	case MaskURL:
		if !c.in.Draft && !webAddress(s) {
			c.refuse(p.Name, p.Title, saidNoAddress, quoted(s))
		}
	case Duration:
		if p.offers(s) {
			return
		}
		n, ok := seconds(s)
		switch {
		case !ok || n == 0 && len(p.Options) == 0 && p.Min == nil:
			c.refuse(p.Name, p.Title, saidNoDuration, quoted(s))
		case len(p.Options) > 0 && p.Min == nil && p.Max == nil:
			c.refuse(p.Name, p.Title, saidNoOption, quoted(s), offered(p.Options))
		case !p.inRange(float64(n)):
			c.refuse(p.Name, p.Title, saidMustBeWhole, p.rangeInWords(), n)
		}
	default:
		if n := utf8.RuneCountInString(s); !p.inRange(float64(n)) {
			c.refuse(p.Name, p.Title, saidCharacters, p.rangeInWords(), n)
		}
	}
}

func (c *check) list(p Param, list []any) {
	if !p.inRange(float64(len(list))) {
		c.refuse(p.Name, p.Title, saidEntries, p.rangeInWords(), len(list))
	}
	for _, v := range list {
		if n, ok := v.(float64); ok && n < 1 {
			c.refuse(p.Name, p.Title, saidNoID, n)
			return
		}
		if s, ok := v.(string); ok && len(p.Options) > 0 && !p.offers(s) {
			c.refuse(p.Name, p.Title, saidNoOption, quoted(s), offered(p.Options))
			return
		}
	}
}

// unknown notes what the catalog does not know here: the service ignores it (design: unknown fields are ignored).
func (c *check) unknown() {
	for _, name := range slices.Sorted(maps.Keys(c.in.Values)) {
		p, ok := c.agent.Param(name)
		switch {
		case !given(c.in.Values[name]):
		case !ok:
			c.note(name, saidUnknown, quoted(name), c.agent.Title)
		case !p.On(c.surface):
			c.note(name, saidUnknownHere, p.Title, c.surface)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.in.Files)) {
		if _, ok := c.agent.File(name); !ok && len(c.in.files(name)) > 0 {
			c.note(name, saidUnknown, quoted(name), c.agent.Title)
		}
	}
}

// files gives the addresses of a file field that are more than blanks.
func (in Input) files(name string) []string {
	urls, _ := in.known(name)
	return urls
}

// known gives the addresses of a file field that are more than blanks, each with what is known of it.
func (in Input) known(name string) (urls []string, facts []Facts) {
	for i, u := range in.Files[name] {
		if strings.TrimSpace(u) == "" {
			continue
		}
		urls = append(urls, u)
		var f Facts
		if i < len(in.Media[name]) {
			f = in.Media[name][i]
		}
		facts = append(facts, f)
	}
	return urls, facts
}

func (p Param) inRange(n float64) bool {
	return (p.Min == nil || n >= float64(*p.Min)) && (p.Max == nil || n <= float64(*p.Max))
}

// rangeInWords is "" for any number.
func (p Param) rangeInWords() string {
	s := span{unit: p.Unit}
	if p.Min != nil {
		s.low, s.lowKnown = float64(*p.Min), true
	}
	if p.Max != nil {
		s.high, s.highKnown = float64(*p.Max), true
	}
	return s.inWords()
}

// offered are the options of a param, as a sentence lists them.
type offered []Option

func (list offered) inWords(onWire bool) string {
	values := make([]string, len(list))
	for i, o := range list {
		if values[i] = o.Value; onWire && o.Wire != "" {
			values[i] = o.Wire
		}
	}
	return strings.Join(values, ", ")
}

func (p Param) kindInWords() string {
	switch p.Kind {
	case Int:
		return kindWhole
	case Preset:
		return kindPreset
	case Bool:
		return kindBool
	case Tags:
		return kindTags
	case Strings:
		return kindTexts
	case Duration:
		return kindDuration
	case Colour:
		return kindColour
	case MaskPNG:
		return kindMask
	case MaskURL:
		return kindAddress
	}
	return kindText
}

// quoted shows what came in, shortened so that a message stays a sentence.
func quoted(s string) string {
	if runes := []rune(s); len(runes) > 60 {
		s = string(runes[:60]) + "…"
	}
	return strconv.Quote(s)
}
