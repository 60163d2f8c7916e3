package catalogtest

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"atelier/catalog"
)

// verdict gives the fields that deserve to be refused, sorted, and whether that rests on facts of the files.
func (d draft) verdict() (refused []string, facts bool) {
	if utf8.RuneCountInString(d.taskName) > 20 {
		refused = append(refused, "taskName")
	}
	for _, f := range d.agent.Files {
		if n := len(d.files[f.Name]); n < f.Min || n > f.Max {
			refused = append(refused, f.Name)
		}
	}
	for _, p := range d.agent.Params {
		if !onSurface(p.Surfaces, d.surface) {
			continue
		}
		v, there := d.values[p.Name]
		if !there && p.RequiredOn(d.surface) || there && !suits(p, v) {
			refused = append(refused, p.Name)
		}
	}
	for _, r := range d.agent.Rules {
		if !onSurface(r.Surfaces, d.surface) {
			continue
		}
		fields := d.broken(r)
		refused = append(refused, fields...)
		facts = facts || len(fields) > 0 && (r.Kind == catalog.EachFile || r.Kind == catalog.TotalSeconds || r.Kind == catalog.Relative)
	}
	slices.Sort(refused)
	return slices.Compact(refused), facts
}

// suits says whether a value is one the param takes.
func suits(p catalog.Param, v any) bool {
	switch v := v.(type) {
	case float64:
		// A lenient param takes any number: what is not a whole one in range is replaced.
		return (p.Kind == catalog.Int || p.Kind == catalog.Preset) && (p.Lenient || v == float64(int64(v)) && inside(p, v))
	case bool:
		return p.Kind == catalog.Bool
	case []any:
		return suitsList(p, v)
	case string:
		switch p.Kind {
		case catalog.Enum:
			return optionOf(p, v)
		case catalog.Text:
			return inside(p, float64(utf8.RuneCountInString(v)))
		case catalog.Colour:
			_, err := strconv.ParseUint(strings.TrimPrefix(v, "#"), 16, 32)
			return len(v) == 7 && v[0] == '#' && err == nil
		case catalog.MaskPNG:
			return v == Mask
		case catalog.MaskURL:
			return strings.HasPrefix(v, "https://")
		case catalog.Duration:
			n, err := strconv.Atoi(strings.TrimSuffix(v, "s"))
			ranged := (p.Min != nil || p.Max != nil) && err == nil && strings.HasSuffix(v, "s") && inside(p, float64(n))
			return optionOf(p, v) || ranged
		}
	}
	return false
}

func suitsList(p catalog.Param, list []any) bool {
	if !inside(p, float64(len(list))) {
		return false
	}
	for _, v := range list {
		n, number := v.(float64)
		s, word := v.(string)
		if p.Kind == catalog.Tags && (!number || n < 1) || p.Kind == catalog.Strings && (!word || !optionOf(p, s)) {
			return false
		}
	}
	return p.Kind == catalog.Tags || p.Kind == catalog.Strings
}

func inside(p catalog.Param, n float64) bool {
	return (p.Min == nil || n >= float64(*p.Min)) && (p.Max == nil || n <= float64(*p.Max))
}

func optionOf(p catalog.Param, v string) bool {
	return slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return o.Value == v })
}

// broken gives the fields to blame when the draft breaks the rule, none when it keeps it.
func (d draft) broken(r catalog.Rule) []string {
	met := d.true(r.When)
	holding := slices.DeleteFunc(slices.Clone(r.Fields), func(f string) bool { return !d.has(f) })
	saying := slices.DeleteFunc(slices.Clone(r.Fields), func(f string) bool { return !d.says(f) })
	switch r.Kind {
	case catalog.AtLeastOne:
		if met && len(holding) == 0 {
			return r.Fields[:1]
		}
	case catalog.ExactlyOne:
		if met && len(holding) == 0 {
			return r.Fields[:1]
		}
		if met && len(holding) > 1 {
			return holding[1:2]
		}
	case catalog.RequiredWhen:
		if met {
			return slices.DeleteFunc(slices.Clone(r.Fields), d.has)
		}
	case catalog.OnlyWhen:
		if !met {
			return saying
		}
	case catalog.ForbiddenWith:
		if met && slices.ContainsFunc(r.With, d.says) {
			return saying
		}
	case catalog.MaxItems:
		n := 0
		for _, f := range r.Fields {
			n += len(d.files[f])
		}
		if met && n > r.Max {
			return r.Fields[:1]
		}
	case catalog.ValuesWhen:
		if !met {
			return slices.DeleteFunc(holding, func(f string) bool {
				return !slices.ContainsFunc(d.entries(f), func(v string) bool { return slices.Contains(r.Values, v) })
			})
		}
	case catalog.Forced:
		if met {
			return slices.DeleteFunc(holding, func(f string) bool { return d.effective(f) == r.Values[0] })
		}
	case catalog.EachFile:
		if met {
			return slices.DeleteFunc(holding, func(f string) bool {
				return !slices.ContainsFunc(d.files[f], func(one File) bool { return unfit(r.Facts, one.Facts) })
			})
		}
	case catalog.TotalSeconds:
		total := 0.0
		for _, f := range r.Fields {
			for _, one := range d.files[f] {
				total += one.Facts.Seconds
			}
		}
		if met && total > float64(r.Max) {
			return r.Fields[:1]
		}
	case catalog.Relative:
		return d.misplaced(r)
	}
	return nil
}

// entries are the words a param holds: one, or those of its list.
func (d draft) entries(param string) []string {
	list, ok := d.values[param].([]any)
	if !ok {
		return []string{text(d.values[param])}
	}
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = text(v)
	}
	return out
}

// unfit says whether a film breaks the limits; the cases make films far from the limits' edges only where rounding is
// allowed, on the edges elsewhere.
func unfit(l *catalog.FactLimits, f catalog.Facts) bool {
	switch {
	case f == catalog.Facts{}:
		return false
	case !slices.Contains(l.Containers, f.Container), f.Seconds < l.MinSeconds, f.Seconds > l.MaxSeconds:
		return true
	}
	return !slices.Contains(l.Lines, min(f.Width, f.Height))
}

func (d draft) misplaced(r catalog.Rule) []string {
	at, given := d.values[r.Fields[0]].(float64)
	target, known := d.values[r.Bound.Target].(float64)
	side := map[string]float64{"width": SourceWidth, "height": SourceHeight}[r.Bound.Side]
	pad := float64(r.Bound.Pad)
	if given && (at < pad-side || known && at > target-pad) {
		return r.Fields
	}
	return nil
}
