package catalogtest

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"atelier/catalog"
)

// make makes all cases: what is accepted, then what is refused for one field alone, then every rule broken once.
func (m *maker) make() {
	m.accept("the least", m.draft())
	m.everything()
	for _, f := range m.agent.Files {
		m.counts(f)
	}
	for _, p := range m.agent.Params {
		if onSurface(p.Surfaces, m.surface) {
			m.values(p)
		}
	}
	labelled := m.least()
	labelled.taskName = strings.Repeat("n", 20)
	m.accept("a name of 20 characters", labelled)
	labelled.taskName += "n"
	m.refuse("a name of 21 characters", "taskName", labelled, "20")
	rules := map[catalog.RuleKind]int{}
	for _, r := range m.agent.Rules {
		if onSurface(r.Surfaces, m.surface) {
			rules[r.Kind]++
			m.rule(string(r.Kind)+" "+strconv.Itoa(rules[r.Kind]), r)
		}
	}
}

// least is the smallest request.
func (m *maker) least() draft {
	d := m.draft()
	if !d.complete() {
		panic("catalogtest: " + m.agent.Name + ": no request can be made")
	}
	return d
}

// everything adds requests in which each field holds as much as it takes and each param has a value, as far as the rules let
// them stand together. Of two that exclude each other the first stands in the request named everything, and the other in one
// more, so that each field stands in one of them.
func (m *maker) everything() {
	full := m.filled(m.least())
	m.accept("everything", full)
	seen := full.fields()
	for _, f := range m.fields() {
		if seen[f] {
			continue
		}
		d := m.draft()
		d.give(f)
		d.pinned[f] = true
		if !d.complete() {
			panic("catalogtest: " + m.agent.Name + ": no request can have " + f)
		}
		d = m.filled(d)
		m.accept("everything with "+f, d)
		maps.Copy(seen, d.fields())
	}
}

// fields are all there are on the surface, files first.
func (m *maker) fields() []string {
	var out []string
	for _, f := range m.agent.Files {
		out = append(out, f.Name)
	}
	for _, p := range m.agent.Params {
		if onSurface(p.Surfaces, m.surface) {
			out = append(out, p.Name)
		}
	}
	return out
}

// filled gives an accepted request with as much in its fields as they take beside what it has.
func (m *maker) filled(d draft) draft {
	better := func(next draft) bool {
		if refused, _ := next.verdict(); len(refused) > 0 {
			return false
		}
		d = next
		return true
	}
	for _, f := range m.agent.Files {
		for n := f.Max; n > len(d.files[f.Name]); n-- {
			if better(d.holding(f.Name, n)) {
				break
			}
		}
	}
	for _, p := range m.agent.Params {
		if !onSurface(p.Surfaces, m.surface) || d.pinned[p.Name] {
			continue
		}
		for _, v := range slices.Backward(samples(p, m.surface)) {
			if better(d.with(p.Name, v)) {
				break
			}
		}
	}
	return d
}

// around is an accepted request made up from the draft, to be spoilt afterwards.
func (m *maker) around(d draft) draft {
	if !d.complete() {
		panic("catalogtest: " + m.agent.Name + ": no request can be made around a case")
	}
	return d
}

// counts tries the ends of how many files a field takes.
func (m *maker) counts(f catalog.File) {
	m.accept(f.Name+" × "+strconv.Itoa(f.Max), m.draft().holding(f.Name, f.Max))
	if least := max(1, f.Min); least < f.Max {
		m.accept(f.Name+" × "+strconv.Itoa(least), m.draft().holding(f.Name, least))
	}
	full := m.around(m.draft().holding(f.Name, f.Max))
	m.refuse(f.Name+" × "+strconv.Itoa(f.Max+1), f.Name, full.holding(f.Name, f.Max+1), saysOfCount(f, f.Max+1)...)
	if f.Min > 0 {
		m.refuse(f.Name+" × "+strconv.Itoa(f.Min-1), f.Name, full.holding(f.Name, f.Min-1), saysOfCount(f, f.Min-1)...)
	}
}

// values tries every value of a param that suits it and some that do not.
func (m *maker) values(p catalog.Param) {
	for _, v := range samples(p, m.surface) {
		m.accept(p.Name+" "+short(v), m.draft().with(p.Name, v))
	}
	base := m.around(m.draft().with(p.Name, samples(p, m.surface)[0]))
	if p.RequiredOn(m.surface) {
		m.refuse(p.Name+" missing", p.Name, base.without(p.Name), "required")
	}
	for _, v := range m.unsuitable(p) {
		m.refuse(p.Name+" "+short(v), p.Name, base.with(p.Name, v), saysOfValue(p, v)...)
	}
	if p.Lenient {
		m.accept(p.Name+" below", base.with(p.Name, float64(*p.Min-1)))
		m.accept(p.Name+" above", base.with(p.Name, float64(*p.Max+1)))
		m.accept(p.Name+" broken", base.with(p.Name, 1.5))
	}
}

// unsuitable are values that the param does not take: of another type, next to the ends of its range, unknown.
func (m *maker) unsuitable(p catalog.Param) []any {
	var out []any
	below, above := []float64{}, []float64{}
	if p.Min != nil {
		below = append(below, float64(*p.Min-1))
	}
	if p.Max != nil {
		above = append(above, float64(*p.Max+1))
	}
	switch p.Kind {
	case catalog.Int, catalog.Preset:
		out = append(out, "some", true, []any{1.0})
		if !p.Lenient {
			out = append(out, 1.5)
		}
		for _, n := range append(below, above...) {
			if !p.Lenient {
				out = append(out, n)
			}
		}
	case catalog.Enum:
		out = append(out, "no such value", 7.0, []any{p.Options[0].Value})
	case catalog.Duration:
		out = append(out, "5", "0s", "1m", "31.5s", 8.0)
		for _, n := range append(below, above...) {
			out = append(out, text(n)+"s")
		}
	case catalog.Text:
		out = append(out, 7.0, true, []any{"words"})
		for _, n := range above {
			out = append(out, strings.Repeat("x", int(n)))
		}
	case catalog.Bool:
		out = append(out, 1.0, "perhaps")
	case catalog.Colour:
		out = append(out, "336699", "#33669", "#33669g", "blue", 7.0)
	case catalog.Tags:
		out = append(out, 1.0, []any{"one"}, []any{0.0})
	case catalog.Strings:
		out = append(out, p.Options[0].Value, []any{"no such value"}, []any{7.0})
	case catalog.MaskPNG:
		out = append(out, "data:image/png;base64,"+Mask, "no mask", 7.0)
	case catalog.MaskURL:
		out = append(out, "ftp://pictures.example/mask.png", "mask.png", 7.0)
	}
	return out
}

// short names a value in the name of a case.
func short(v any) string {
	if list, ok := v.([]any); ok {
		v = "[" + text(list[0]) + "]"
	}
	s := []rune(text(v))
	return string(s[:min(len(s), 24)])
}

// rule breaks a rule in every way it can be broken.
func (m *maker) rule(name string, r catalog.Rule) {
	says := saysOfRule(m.agent, r)
	switch r.Kind {
	case catalog.AtLeastOne:
		d := m.around(m.bound(r))
		for _, f := range r.Fields {
			d = d.without(f)
		}
		m.refuse(name+": none", r.Fields[0], d, says...)
		for _, f := range r.Fields {
			m.accept(name+": "+f+" alone", m.alone(r, f))
		}
	case catalog.ExactlyOne:
		d := m.where(r, true)
		for _, f := range r.Fields {
			d = d.without(f)
		}
		m.refuse(name+": none", r.Fields[0], d, says...)
		d.give(r.Fields[0])
		d.give(r.Fields[1])
		m.refuse(name+": two", r.Fields[1], d, says...)
	case catalog.RequiredWhen:
		for _, f := range r.Fields {
			m.refuse(name+": no "+f, f, m.where(r, true).without(f), says...)
		}
	case catalog.OnlyWhen:
		for _, f := range r.Fields {
			m.refuse(name+": "+f, f, m.spoken(m.where(r, false), f), says...)
		}
	case catalog.NoEffectWhen:
		for _, f := range r.Fields {
			d := m.spoken(m.where(r, true), f)
			m.accept(name+": "+f+" does nothing", d)
		}
	case catalog.ForbiddenWith:
		for _, f := range r.Fields {
			for _, other := range r.With {
				m.refuse(name+": "+f+" with "+other, f, m.spoken(m.spoken(m.where(r, true), f), other), says...)
			}
		}
	case catalog.MaxItems:
		m.tooMany(name, r)
	case catalog.ValuesWhen:
		for _, v := range r.Values {
			m.refuse(name+": "+v, r.Fields[0], m.where(r, false).with(r.Fields[0], m.boxed(r.Fields[0], v)), says...)
		}
	case catalog.Forced:
		p, _ := m.agent.Param(r.Fields[0])
		for _, o := range p.Options {
			if o.Value != r.Values[0] {
				m.refuse(name+": "+o.Value, p.Name, m.where(r, true).with(p.Name, o.Value), says...)
			}
		}
		m.accept(name+": as it must be", m.where(r, true).with(p.Name, r.Values[0]))
	case catalog.FallsBack:
		m.accept(name, m.where(r, true).with(r.Fields[0], r.Values[0]))
	case catalog.EachFile, catalog.TotalSeconds:
		m.films(name, r)
	case catalog.Relative:
		m.places(name, r)
	}
}

// where is a request in which the rule's condition is met, or is not; what it looks at stays so.
func (m *maker) where(r catalog.Rule, met bool) draft {
	d := m.least()
	turned := d.turn(r.When, met)
	if r.When != nil {
		d.pinned[r.When.Field] = true
		for _, f := range alsoFields(r.When) {
			d.pinned[f] = true
		}
	}
	d = m.around(d)
	if !turned || d.true(r.When) != met {
		panic("catalogtest: " + m.agent.Name + ": the condition of a rule cannot be turned: " + r.Message)
	}
	return d
}

// alone is a request with one of the rule's fields and none of the others.
func (m *maker) alone(r catalog.Rule, field string) draft {
	d := m.bound(r)
	for _, f := range r.Fields {
		d = d.without(f)
		d.pinned[f] = true
	}
	d.give(field)
	return d
}

// bound is a draft in which the rule's condition is met, if it has one.
func (m *maker) bound(r catalog.Rule) draft {
	if r.When == nil {
		return m.draft()
	}
	return m.where(r, true)
}

// spoken is the draft with something in the field that is not its default.
func (m *maker) spoken(d draft, field string) draft {
	d = d.clone()
	d.pinned[field] = true
	if d.give(field); d.says(field) {
		return d
	}
	p, _ := m.agent.Param(field)
	for _, v := range samples(p, m.surface) {
		if d.values[field] = v; d.says(field) {
			return d
		}
	}
	panic("catalogtest: " + m.agent.Name + ": " + field + " can say nothing but its default")
}

// boxed gives a word as the param holds it.
func (m *maker) boxed(param, v string) any {
	if p, _ := m.agent.Param(param); p.Kind == catalog.Strings {
		return []any{v}
	}
	return v
}

// tooMany puts one file more into the fields than they may hold together.
func (m *maker) tooMany(name string, r catalog.Rule) {
	d := m.where(r, true)
	room := r.Max + 1
	for _, field := range r.Fields {
		f, _ := m.agent.File(field)
		n := min(room, f.Max)
		d = d.holding(field, n)
		room -= n
	}
	if room > 0 {
		return // the fields' own limits leave no room to break it
	}
	if len(r.Fields) == 1 && r.When != nil {
		m.accept(name+": as many as allowed", m.where(r, true).holding(r.Fields[0], r.Max))
	}
	m.refuse(name+": "+strconv.Itoa(r.Max+1)+" files", r.Fields[0], d, saysOfRule(m.agent, r)...)
}

// films tries films within the limits and beyond each of them.
func (m *maker) films(name string, r catalog.Rule) {
	good := catalog.Facts{Container: "mp4", Width: 1280, Height: 720, Seconds: 5}
	if r.Kind == catalog.TotalSeconds {
		half := good
		half.Seconds = float64(r.Max) / 2
		m.accept(name+": as long as allowed", m.filmed(r.Fields[0], half, half))
		half.Seconds++
		m.refuse(name+": too long together", r.Fields[0], m.filmed(r.Fields[0], half, half), saysOfRule(m.agent, r)...)
		return
	}
	change := func(f func(*catalog.Facts)) catalog.Facts {
		one := good
		f(&one)
		return one
	}
	l := r.Facts
	for _, field := range r.Fields {
		for _, c := range l.Containers {
			m.accept(name+": "+field+" in "+c, m.filmed(field, change(func(f *catalog.Facts) { f.Container = c })))
		}
		for _, line := range l.Lines {
			m.accept(name+": "+field+" upright "+strconv.Itoa(line), m.filmed(field, change(func(f *catalog.Facts) { f.Width, f.Height = line, line*16/9 })))
		}
		for _, s := range []float64{l.MinSeconds, l.MaxSeconds} {
			m.accept(name+": "+field+" of "+text(s)+" s", m.filmed(field, change(func(f *catalog.Facts) { f.Seconds = s })))
		}
		m.accept(name+": "+field+" unknown", m.filmed(field, catalog.Facts{}))
		bad := map[string]func(*catalog.Facts){
			"another container": func(f *catalog.Facts) { f.Container = "webm" },
			"too fine":          func(f *catalog.Facts) { f.Width, f.Height = 1920, 1080 },
			"too coarse":        func(f *catalog.Facts) { f.Width, f.Height = 426, 240 },
			"too short":         func(f *catalog.Facts) { f.Seconds = l.MinSeconds - 0.5 },
			"too long":          func(f *catalog.Facts) { f.Seconds = l.MaxSeconds + 0.5 },
		}
		for _, what := range []string{"another container", "too fine", "too coarse", "too short", "too long"} {
			d := m.around(m.filmed(field, good))
			d.files[field] = []File{{Media: catalog.Video, Facts: change(bad[what])}}
			m.refuse(name+": "+field+" "+what, field, d, saysOfRule(m.agent, r)...)
		}
	}
}

// filmed is a request with films of these facts in a field.
func (m *maker) filmed(field string, facts ...catalog.Facts) draft {
	d := m.draft()
	d.fill(field, len(facts))
	d.pinned[field] = true
	d = m.around(d)
	return d.known(field, facts...)
}

// places tries the ends of where the source may stand, and beyond.
func (m *maker) places(name string, r catalog.Rule) {
	const target = 2000.0
	side := map[string]float64{"width": SourceWidth, "height": SourceHeight}[r.Bound.Side]
	low, high := float64(r.Bound.Pad)-side, target-float64(r.Bound.Pad)
	d := m.around(m.draft().with(r.Bound.Target, target))
	field := r.Fields[0]
	for _, at := range []float64{low, 0, high} {
		m.accept(name+": "+field+" "+text(at), d.with(field, at))
	}
	for _, at := range []float64{low - 1, high + 1} {
		m.refuse(name+": "+field+" "+text(at), field, d.with(field, at), text(low)+" to "+text(high)+" px")
	}
}
