package overlay

import (
	"slices"
	"strconv"
	"strings"

	"atelier/catalog"
)

// edit is an agent being changed. What it shares with the agent it came from is replaced, never written to.
type edit struct {
	*overlay
	agent catalog.Agent
	given map[string]pair
	// helped are the fields whose help the file gives.
	helped map[string]bool
	// useless are fields that nothing is left to use with, on their way out.
	useless []string
}

// step reads what one key says.
type step struct {
	key string
	do  func(value)
}

// edited gives the agent with what a mapping says.
func (o *overlay) edited(a catalog.Agent, v value) catalog.Agent {
	a.Files, a.Params, a.Rules = slices.Clone(a.Files), slices.Clone(a.Params), slices.Clone(a.Rules)
	e := &edit{overlay: o, agent: a, given: map[string]pair{}, helped: map[string]bool{}}
	steps := []step{
		{"title", e.title},
		{"summary", e.summary},
		{"help", e.help},
		{"without", e.without},
		{"models", e.models},
		{"options", e.options},
		{"durations", e.durations},
		{"limits", e.limits},
		{"defaults", e.defaults},
		{"wire", e.wire},
	}
	for _, p := range v.pairs {
		e.given[p.key] = p
		if !slices.ContainsFunc(steps, func(s step) bool { return s.key == p.key }) {
			e.refuse(p.at, "%s cannot be said of an agent; what can is name, like, title, summary, help, models, durations, options, limits, defaults, without and wire", quoted(p.key))
		}
	}
	before := len(e.problems)
	for _, s := range steps {
		if p, ok := e.given[s.key]; ok && p.value.kind != nothing {
			s.do(p.value)
		}
	}
	if len(e.problems) == before {
		e.settle(v.at)
	}
	return e.agent
}

func (e *edit) title(v value) {
	if s, ok := e.word(v, "the title", maxTitle); ok {
		e.decent(s, v.at)
		e.agent.Title = s
	}
}

func (e *edit) summary(v value) {
	if s, ok := e.word(v, "the summary", maxSummary); ok {
		e.decent(s, v.at)
		e.agent.Summary = s
	}
}

// help gives fields other help texts.
func (e *edit) help(v value) {
	if !e.is(v, mapping, "help") {
		return
	}
	for _, p := range v.pairs {
		s, ok := e.word(p.value, "the help of "+p.key, maxHelp)
		if !ok {
			continue
		}
		e.decent(s, p.value.at)
		e.helped[p.key] = true
		if i := e.fileAt(p.key); i >= 0 {
			e.agent.Files[i].Help = s
		} else if i := e.paramAt(p.key, p.at); i >= 0 {
			e.agent.Params[i].Help = s
		}
	}
}

func (e *edit) fileAt(name string) int {
	return slices.IndexFunc(e.agent.Files, func(f catalog.File) bool { return f.Name == name })
}

// paramAt finds a param; there must be one.
func (e *edit) paramAt(name string, at place) int {
	i := slices.IndexFunc(e.agent.Params, func(p catalog.Param) bool { return p.Name == name })
	if i < 0 {
		e.refuse(at, "%s has no field %s", e.agent.Name, quoted(name))
	}
	return i
}

// without takes fields away that the account's agent does not have.
func (e *edit) without(v value) {
	if !e.is(v, list, "without") {
		return
	}
	var gone []string
	for _, item := range v.items {
		name, ok := e.word(item, "the name of a field", maxWord)
		if !ok {
			continue
		}
		if name == e.agent.MakesBy {
			e.refuse(item.at, "%s decides what %s makes and cannot be left out", name, e.agent.Name)
			continue
		}
		if e.fileAt(name) >= 0 || e.paramAt(name, item.at) >= 0 {
			gone = append(gone, name)
		}
	}
	e.drop(gone)
}

// models gives the engines their names. Each is like one of the shape's engines, whose limits and rules it takes over; the
// first is the default.
func (e *edit) models(v value) {
	i := e.paramAt(modelParam, v.at)
	if i < 0 || !e.is(v, list, "models") {
		return
	}
	if len(v.items) == 0 {
		e.refuse(v.at, "models is empty; name one at least, or leave modelName out with without")
		return
	}
	shape := e.agent.Params[i]
	var options []catalog.Option
	alike := map[string][]string{} // the shape's engine: those like it
	for _, item := range v.items {
		option, like, ok := e.model(item, shape)
		if !ok {
			continue
		}
		if slices.ContainsFunc(options, func(o catalog.Option) bool { return o.Value == option.Value }) {
			e.refuse(item.at, "two models are named %s", quoted(option.Value))
			continue
		}
		options = append(options, option)
		alike[like] = append(alike[like], option.Value)
	}
	if len(options) < len(v.items) {
		return
	}
	e.agent.Params[i].Options, e.agent.Params[i].Default = options, options[0].Value
	e.agent.Params[i].PerSurface = nil
	e.rename(alike)
}

const modelParam = "modelName"

// model reads one engine: a name alone, or a mapping.
func (e *edit) model(v value, shape catalog.Param) (option catalog.Option, like string, ok bool) {
	like, _ = shape.Default.(string)
	before := len(e.problems)
	switch v.kind {
	case scalar:
		option.Value, _ = e.word(v, "the name of a model", maxWord)
		e.decent(option.Value, v.at)
	case mapping:
		for _, p := range v.pairs {
			s, _ := e.word(p.value, p.key, maxHelp)
			e.decent(s, p.value.at)
			switch p.key {
			case "name":
				option.Value = s
			case "title":
				option.Title = s
			case "help":
				option.Help = s
			case "wire":
				option.Wire = s
			case "like":
				if like = s; !offers(shape, s) {
					e.refuse(p.value.at, "%s has no model %s to be like; it has %s", e.agent.Name, quoted(s), valuesOf(shape))
				}
			default:
				e.refuse(p.at, "%s cannot be said of a model; what can is name, title, help, like and wire", quoted(p.key))
			}
		}
		if option.Value == "" && len(e.problems) == before {
			e.refuse(v.at, "a model needs its name")
		}
	default:
		e.refuse(v.at, "a model is a name, or a mapping with a name")
	}
	if option.Title == "" {
		option.Title = option.Value
	}
	return option, like, len(e.problems) == before
}

func offers(p catalog.Param, value string) bool {
	return slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return o.Value == value })
}

func valuesOf(p catalog.Param) string {
	var out []string
	for _, o := range p.Options {
		out = append(out, o.Value)
	}
	return strings.Join(out, ", ")
}

// options says which values a field takes.
func (e *edit) options(v value) {
	if !e.is(v, mapping, "options") {
		return
	}
	for _, p := range v.pairs {
		switch p.key {
		case modelParam:
			e.refuse(p.at, "engines are given under models")
		case durationParam:
			e.refuse(p.at, "lengths are given under durations")
		default:
			e.optionsOf(p)
		}
	}
}

const durationParam = "duration"

func (e *edit) optionsOf(p pair) {
	i := e.paramAt(p.key, p.at)
	if i < 0 || !e.is(p.value, list, "the values of "+p.key) {
		return
	}
	param := e.agent.Params[i]
	if len(param.Options) == 0 {
		e.refuse(p.at, "%s is not chosen out of a set of values", p.key)
		return
	}
	if len(p.value.items) == 0 {
		e.refuse(p.value.at, "%s needs one value at least; leave it out with without", p.key)
		return
	}
	var options []catalog.Option
	for _, item := range p.value.items {
		s, ok := e.word(item, "a value of "+p.key, maxWord)
		if !ok {
			continue
		}
		e.decent(s, item.at)
		j := slices.IndexFunc(param.Options, func(o catalog.Option) bool { return o.Value == s })
		switch {
		case slices.ContainsFunc(options, func(o catalog.Option) bool { return o.Value == s }):
			e.refuse(item.at, "%s stands here twice", s)
		case j >= 0:
			options = append(options, param.Options[j])
		case e.agent.Family == "original" || p.key == e.agent.MakesBy:
			e.refuse(item.at, "%s has no value %s; it has %s", p.key, quoted(s), valuesOf(param))
		default:
			options = append(options, catalog.Option{Value: s, Title: s})
		}
	}
	e.agent.Params[i].Options = options
}

// durations says how long videos may be: a list of lengths, or from and to.
func (e *edit) durations(v value) {
	i := e.paramAt(durationParam, v.at)
	if i < 0 {
		return
	}
	p := e.agent.Params[i]
	var automatic []catalog.Option
	for _, o := range p.Options {
		if o.Value == "-1" {
			automatic = append(automatic, o)
		}
	}
	switch v.kind {
	case list:
		p.Min, p.Max, p.Options = nil, nil, nil
		for _, item := range v.items {
			s, ok := e.word(item, "a length", maxWord)
			switch {
			case !ok:
			case s == "-1":
				p.Options = append(p.Options, catalog.Option{Value: s, Title: "Chosen by the agent"})
			case secondsOf(s) == 0:
				e.refuse(item.at, "the length %s is not of the form 5s, or -1", quoted(s))
			default:
				p.Options = append(p.Options, catalog.Option{Value: s, Title: s})
			}
		}
		if len(p.Options) == 0 && len(v.items) == 0 {
			e.refuse(v.at, "durations is empty; leave it out with without")
		}
	case mapping:
		ends := map[string]int{}
		for _, end := range v.pairs {
			s, ok := e.word(end.value, end.key, maxWord)
			switch {
			case !ok:
			case end.key != "from" && end.key != "to":
				e.refuse(end.at, "%s cannot be said of durations; what can is from and to", quoted(end.key))
			case secondsOf(s) == 0:
				e.refuse(end.value.at, "the length %s is not of the form 5s", quoted(s))
			default:
				ends[end.key] = secondsOf(s)
			}
		}
		from, to := ends["from"], ends["to"]
		if len(ends) == 2 && from > to {
			e.refuse(v.at, "durations begin at %ds and end at %ds", from, to)
		} else if len(ends) != 2 {
			e.refuse(v.at, "durations need from and to, such as {from: 4s, to: 15s}")
		}
		p.Min, p.Max, p.Options = &from, &to, automatic
	default:
		e.refuse(v.at, "durations are a list of lengths, or from and to")
	}
	e.agent.Params[i] = p
}

// secondsOf reads "<n>s" with n from 1 to 3600, else 0.
func secondsOf(s string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(s, "s"))
	if err != nil || n < 1 || n > 3600 || strconv.Itoa(n)+"s" != s {
		return 0
	}
	return n
}

// limits bounds how many files a field takes, how long a text is, how large a number.
func (e *edit) limits(v value) {
	if !e.is(v, mapping, "limits") {
		return
	}
	for _, p := range v.pairs {
		low, high, ok := e.bounds(p)
		if !ok {
			continue
		}
		if i := e.fileAt(p.key); i >= 0 {
			e.fileLimits(i, p, low, high)
		} else if i := e.paramAt(p.key, p.at); i >= 0 {
			e.paramLimits(i, p, low, high)
		}
	}
}

// bounds reads the most, or least and most; nil = not said.
func (e *edit) bounds(p pair) (low, high *int, ok bool) {
	whole := func(v value) *int {
		s, ok := e.word(v, "the limit of "+p.key, maxWord)
		if !ok {
			return nil
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > 1_000_000 {
			e.refuse(v.at, "the limit %s of %s is not a whole number from 0 to 1000000", quoted(s), p.key)
			return nil
		}
		return &n
	}
	before := len(e.problems)
	switch p.value.kind {
	case scalar:
		high = whole(p.value)
	case mapping:
		for _, end := range p.value.pairs {
			switch end.key {
			case "min":
				low = whole(end.value)
			case "max":
				high = whole(end.value)
			default:
				e.refuse(end.at, "%s cannot be said of a limit; what can is min and max", quoted(end.key))
			}
		}
	default:
		e.refuse(p.value.at, "the limit of %s is a number, or min and max", p.key)
	}
	if low != nil && high != nil && *low > *high {
		e.refuse(p.value.at, "the limit of %s begins at %d and ends at %d", p.key, *low, *high)
	}
	return low, high, len(e.problems) == before
}

// maxFiles is how many files a field may take; a run takes a hundred in all.
const maxFiles = 100

func (e *edit) fileLimits(i int, p pair, low, high *int) {
	f := e.agent.Files[i]
	if low != nil {
		f.Min = *low
	}
	if high != nil {
		f.Max = *high
	}
	switch {
	case f.Max < 1 || f.Max > maxFiles:
		e.refuse(p.value.at, "%s takes 1 to %d files; leave it out with without", p.key, maxFiles)
	case f.Min > f.Max:
		e.refuse(p.value.at, "%s needs %d files and takes %d", p.key, f.Min, f.Max)
	case f.Max > 1 && !f.List:
		e.refuse(p.value.at, "%s is one file", p.key)
	}
	f.Source = f.Source && f.Max == 1 // one of several pictures is not the one that is worked on
	if len(f.Roles) > f.Max {
		f.Roles = f.Roles[:f.Max]
	}
	if !e.helped[p.key] {
		f.Help = "" // it names the limits of the shape
	}
	e.agent.Files[i] = f
}

func (e *edit) paramLimits(i int, p pair, low, high *int) {
	param := e.agent.Params[i]
	switch param.Kind {
	case catalog.Int, catalog.Text, catalog.Strings, catalog.Tags:
	case catalog.Duration:
		e.refuse(p.at, "lengths are given under durations")
		return
	default:
		e.refuse(p.at, "%s has no limits; its values are given under options", p.key)
		return
	}
	if low != nil {
		param.Min = low
	}
	if high != nil {
		param.Max = high
	}
	if param.Min != nil && param.Max != nil && *param.Min > *param.Max {
		e.refuse(p.value.at, "%s begins at %d and ends at %d", p.key, *param.Min, *param.Max)
	}
	e.agent.Params[i] = param
}

// defaults says what the account takes where nothing is given.
func (e *edit) defaults(v value) {
	if !e.is(v, mapping, "defaults") {
		return
	}
	for _, p := range v.pairs {
		i := e.paramAt(p.key, p.at)
		s, ok := e.word(p.value, "the default of "+p.key, maxWord)
		if i < 0 || !ok {
			continue
		}
		var d any = s
		if param := e.agent.Params[i]; param.Kind == catalog.Int {
			if n, err := strconv.Atoi(s); err == nil {
				d = n
			}
		} else if param.Kind == catalog.Bool {
			if b, err := strconv.ParseBool(s); err == nil {
				d = b
			}
		}
		e.agent.Params[i].Default, e.agent.Params[i].PerSurface = d, nil
	}
}

// wire gives values the names they have on the wire.
func (e *edit) wire(v value) {
	if !e.is(v, mapping, "wire") {
		return
	}
	for _, p := range v.pairs {
		i := e.paramAt(p.key, p.at)
		if i < 0 || !e.is(p.value, mapping, "the wire values of "+p.key) {
			continue
		}
		options := slices.Clone(e.agent.Params[i].Options)
		for _, name := range p.value.pairs {
			real, ok := e.word(name.value, "the wire value of "+name.key, maxWord)
			j := slices.IndexFunc(options, func(o catalog.Option) bool { return o.Value == name.key })
			switch {
			case j < 0:
				e.refuse(name.at, "%s has no value %s; it has %s", p.key, quoted(name.key), valuesOf(e.agent.Params[i]))
			case ok:
				e.decent(real, name.value.at)
				options[j].Wire = real
			}
		}
		e.agent.Params[i].Options = options
	}
}
