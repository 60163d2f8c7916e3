package catalogtest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"atelier/catalog"
)

// draft is a request in the making. Fields that are pinned are what the case is about: they stay as they are.
type draft struct {
	agent    catalog.Agent
	surface  catalog.Surface
	taskName string
	values   catalog.Values
	files    map[string][]File
	pinned   map[string]bool
}

func (m *maker) draft() draft {
	return draft{agent: m.agent, surface: m.surface, values: catalog.Values{}, files: map[string][]File{}, pinned: map[string]bool{}}
}

func (d draft) clone() draft {
	d.values, d.files, d.pinned = maps.Clone(d.values), maps.Clone(d.files), maps.Clone(d.pinned)
	return d
}

// with gives the draft with a value, pinned.
func (d draft) with(param string, v any) draft {
	d = d.clone()
	d.values[param] = v
	d.pinned[param] = true
	return d
}

// without gives the draft without a field, pinned.
func (d draft) without(field string) draft {
	d = d.clone()
	d.clear(field)
	d.pinned[field] = true
	return d
}

// holding gives the draft with n files in a field, pinned.
func (d draft) holding(field string, n int) draft {
	d = d.clone()
	d.fill(field, n)
	d.pinned[field] = true
	return d
}

// known gives the draft with files of these facts in a field, pinned.
func (d draft) known(field string, facts ...catalog.Facts) draft {
	d = d.holding(field, len(facts))
	d.files[field] = slices.Clone(d.files[field])
	for i, f := range facts {
		d.files[field][i].Facts = f
	}
	return d
}

func (d *draft) clear(field string) {
	delete(d.values, field)
	delete(d.files, field)
}

func (d *draft) fill(field string, n int) {
	f, _ := d.agent.File(field)
	d.files[field] = slices.Repeat([]File{{Media: f.Media}}, n)
}

// give puts something ordinary in a field.
func (d *draft) give(field string) {
	if f, ok := d.agent.File(field); ok {
		d.fill(field, max(1, f.Min))
		return
	}
	p, _ := d.agent.Param(field)
	d.values[field] = samples(p, d.surface)[0]
}

// has says whether a field holds anything.
func (d draft) has(field string) bool {
	if len(d.files[field]) > 0 {
		return true
	}
	p, ok := d.agent.Param(field)
	return ok && onSurface(p.Surfaces, d.surface) && d.values[field] != nil
}

// fields are those that hold something.
func (d draft) fields() map[string]bool {
	out := map[string]bool{}
	for name, files := range d.files {
		out[name] = len(files) > 0
	}
	for name := range d.values {
		out[name] = true
	}
	return out
}

// says tells whether a field holds anything but its default.
func (d draft) says(field string) bool {
	p, ok := d.agent.Param(field)
	return d.has(field) && (!ok || text(d.values[field]) != text(p.DefaultOn(d.surface)) || p.Kind == catalog.Tags || p.Kind == catalog.Strings)
}

// effective is a value as conditions see it.
func (d draft) effective(param string) string {
	if v, ok := d.values[param]; ok {
		return text(v)
	}
	p, _ := d.agent.Param(param)
	return text(p.DefaultOn(d.surface))
}

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

func onSurface(list []catalog.Surface, s catalog.Surface) bool {
	return len(list) == 0 || slices.Contains(list, s)
}

// true says whether a condition is met; a nil one always is.
func (d draft) true(c *catalog.Condition) bool {
	if c == nil {
		return true
	}
	met := false
	if len(c.In) == 0 {
		met = d.has(c.Field)
	} else if p, ok := d.agent.Param(c.Field); ok && onSurface(p.Surfaces, d.surface) {
		met = slices.Contains(c.In, d.effective(c.Field))
	}
	if met == c.Not {
		return false
	}
	for i := range c.Also {
		if !d.true(&c.Also[i]) {
			return false
		}
	}
	return true
}

// turn changes fields that are not pinned until the condition is met, or until it is not. It says whether that worked.
func (d *draft) turn(c *catalog.Condition, met bool) bool {
	if d.true(c) == met {
		return true
	}
	if c == nil {
		return false
	}
	for _, change := range d.changes(c) {
		if next := change(d.clone()); next.true(c) == met {
			if refused, _ := next.verdict(); !slices.ContainsFunc(refused, func(f string) bool { return d.pinned[f] }) {
				*d = next
				return true
			}
		}
	}
	if met { // one change was not enough: do what is asked of each part
		for i := range c.Also {
			if !d.turn(&c.Also[i], true) {
				return false
			}
		}
		alone := catalog.Condition{Field: c.Field, In: c.In, Not: c.Not}
		return d.turn(&alone, true) && d.true(c)
	}
	return false
}

// changes are the ways of changing what a condition looks at, the least first.
func (d draft) changes(c *catalog.Condition) []func(draft) draft {
	var out []func(draft) draft
	for _, field := range append([]string{c.Field}, alsoFields(c)...) {
		if d.pinned[field] {
			continue
		}
		out = append(out, func(n draft) draft { n.clear(field); return n }, func(n draft) draft { n.give(field); return n })
		if p, ok := d.agent.Param(field); ok {
			for _, o := range p.Options {
				out = append(out, func(n draft) draft { n.values[field] = o.Value; return n })
			}
		}
	}
	return out
}

func alsoFields(c *catalog.Condition) []string {
	var out []string
	for _, also := range c.Also {
		out = append(out, also.Field)
	}
	return out
}

// complete adds to a draft, and takes from it, what is needed for it to be accepted; pinned fields stay as they are. It
// says whether that worked.
func (d *draft) complete() bool {
	for range 20 {
		refused, _ := d.verdict()
		if len(refused) == 0 {
			return true
		}
		d.mend()
	}
	return false
}

// mend does one round of what the limits and rules ask for.
func (d *draft) mend() {
	for _, f := range d.agent.Files {
		if len(d.files[f.Name]) < f.Min && !d.pinned[f.Name] {
			d.fill(f.Name, f.Min)
		}
	}
	for _, p := range d.agent.Params {
		if onSurface(p.Surfaces, d.surface) && p.RequiredOn(d.surface) && !d.has(p.Name) && !d.pinned[p.Name] {
			d.give(p.Name)
		}
	}
	for _, r := range d.agent.Rules {
		if onSurface(r.Surfaces, d.surface) && len(d.broken(r)) > 0 {
			d.obey(r)
		}
	}
}

// obey changes the draft so that it no longer breaks the rule.
func (d *draft) obey(r catalog.Rule) {
	switch r.Kind {
	case catalog.AtLeastOne, catalog.ExactlyOne, catalog.RequiredWhen:
		missing := slices.DeleteFunc(slices.Clone(r.Fields), d.has)
		if r.Kind == catalog.ExactlyOne && len(missing) < len(r.Fields)-1 {
			d.dropFree(r.Fields)
			return
		}
		for _, f := range missing {
			if !d.pinned[f] {
				d.give(f)
				if r.Kind != catalog.RequiredWhen {
					return
				}
			}
		}
	case catalog.OnlyWhen, catalog.ValuesWhen:
		if !d.turn(r.When, true) {
			d.dropFree(r.Fields)
		}
	case catalog.ForbiddenWith:
		if d.dropFree(r.Fields); slices.ContainsFunc(r.Fields, d.has) {
			d.dropFree(r.With)
		}
	case catalog.Forced, catalog.MaxItems:
		if r.When != nil && d.turn(r.When, false) {
			return
		}
		d.dropFree(r.Fields)
	case catalog.Relative:
		if p, ok := d.agent.Param(r.Bound.Target); ok && !d.pinned[p.Name] && p.Max != nil {
			d.values[p.Name] = float64(*p.Max)
		}
	}
}

func (d *draft) dropFree(fields []string) {
	for _, f := range fields {
		if !d.pinned[f] {
			d.clear(f)
		}
	}
}

// samples are values of a param that suit it, the most ordinary first: every option, both ends of every range.
func samples(p catalog.Param, s catalog.Surface) []any {
	var out []any
	for _, o := range p.Options {
		if p.Kind == catalog.Strings {
			out = append(out, []any{o.Value})
		} else {
			out = append(out, o.Value)
		}
	}
	bounds := []float64{}
	if p.Min != nil {
		bounds = append(bounds, float64(*p.Min))
	}
	if p.Max != nil {
		bounds = append(bounds, float64(*p.Max))
	}
	switch p.Kind {
	case catalog.Int, catalog.Preset:
		for _, b := range bounds {
			out = append(out, b)
		}
		if d, ok := p.DefaultOn(s).(int); ok && !slices.Contains(bounds, float64(d)) {
			out = append(out, float64(d))
		}
		if len(out) == 0 {
			out = append(out, 0.0)
		}
	case catalog.Duration:
		for _, b := range bounds {
			out = append(out, text(b)+"s")
		}
	case catalog.Text:
		for _, b := range bounds {
			out = append(out, strings.Repeat("ø", int(b)))
		}
		if len(out) == 0 {
			out = append(out, "A calm morning by the sea")
		}
	case catalog.Bool:
		out = append(out, true, false)
	case catalog.Colour:
		out = append(out, "#336699", "#ffFFff")
	case catalog.Tags:
		out = append(out, []any{1.0})
	case catalog.MaskPNG:
		out = append(out, Mask)
	case catalog.MaskURL:
		out = append(out, "https://pictures.example/mask.png")
	}
	return out
}
