package catalogtest

import (
	"slices"
	"strconv"
	"strings"

	"atelier/catalog"
)

// What a refusal must say for a client to be able to put it right: the field by its name on the wire, and the limit that was
// passed, be it a number, the values there are or the form.

// saysOfCount is said of n files where a field takes others.
func saysOfCount(f catalog.File, n int) []string {
	switch {
	case n > f.Max && f.Max == f.Min && f.Max > 1:
		return []string{"exactly " + strconv.Itoa(f.Max)}
	case n > f.Max:
		return []string{"at most " + strconv.Itoa(f.Max)}
	case f.Min == 1:
		return []string{"required"}
	}
	return []string{strconv.Itoa(f.Min)}
}

// saysOfValue is said of a value that a param does not take.
func saysOfValue(p catalog.Param, v any) []string {
	word, isText := v.(string)
	number, isNumber := v.(float64)
	switch p.Kind {
	case catalog.Enum:
		return wireForms(p)
	case catalog.Int, catalog.Preset:
		if !isNumber || number != float64(int64(number)) {
			return []string{"whole number"}
		}
		return bounds(p)
	case catalog.Duration:
		if n, ok := wholeSeconds(word); ok && !inside(p, float64(n)) {
			return bounds(p)
		}
		if _, ok := wholeSeconds(word); ok {
			return wireForms(p)
		}
		return []string{"of the form 5s"}
	case catalog.Text:
		if isText {
			return bounds(p)
		}
		return []string{"a text"}
	case catalog.Bool:
		return []string{"true or false"}
	case catalog.Colour:
		return []string{"#RRGGBB"}
	case catalog.Tags:
		if list, isList := v.([]any); isList && list[0] == 0.0 {
			return []string{"from 1"}
		}
		return []string{"a list of tag ids"}
	case catalog.Strings:
		if list, isList := v.([]any); isList && list[0] != 7.0 {
			return wireForms(p)
		}
		return []string{"a list of texts"}
	case catalog.MaskPNG:
		if strings.HasPrefix(word, "data:") {
			return []string{"data-URI prefix"}
		}
		return []string{"base64"}
	case catalog.MaskURL:
		return []string{"http"}
	}
	return nil
}

// saysOfRule is said when a rule is broken: its fields, its limit, and what it depends on.
func saysOfRule(a catalog.Agent, r catalog.Rule) []string {
	out := slices.Clone(r.With)
	switch r.Kind {
	case catalog.AtLeastOne, catalog.ExactlyOne:
		out = append(out, r.Fields...)
	case catalog.MaxItems, catalog.TotalSeconds:
		out = append(append(out, r.Fields...), strconv.Itoa(r.Max))
	case catalog.ValuesWhen:
		out = append(out, wireOf(a, r.Fields[0], r.Values)...)
	case catalog.Forced:
		out = append(out, wireOf(a, r.Fields[0], r.Values[:1])...)
	case catalog.EachFile:
		out = append(out, r.Facts.Containers...)
		for _, n := range r.Facts.Lines {
			out = append(out, strconv.Itoa(n))
		}
		out = append(out, text(r.Facts.MinSeconds), text(r.Facts.MaxSeconds))
	}
	if r.When != nil {
		out = append(append(out, r.When.Field), wireOf(a, r.When.Field, r.When.In)...)
		for _, also := range r.When.Also {
			out = append(append(out, also.Field), wireOf(a, also.Field, also.In)...)
		}
	}
	return out
}

func bounds(p catalog.Param) []string {
	var out []string
	for _, n := range []*int{p.Min, p.Max} {
		if n != nil {
			out = append(out, strconv.Itoa(*n))
		}
	}
	return out
}

// wireForms are the values of a param as clients of the API write them.
func wireForms(p catalog.Param) []string {
	out := make([]string, len(p.Options))
	for i, o := range p.Options {
		if out[i] = o.Value; o.Wire != "" {
			out[i] = o.Wire
		}
	}
	return out
}

// wireOf gives some values of a param as clients of the API write them.
func wireOf(a catalog.Agent, param string, values []string) []string {
	out := slices.Clone(values)
	p, _ := a.Param(param)
	for i, v := range values {
		for _, o := range p.Options {
			if o.Value == v && o.Wire != "" {
				out[i] = o.Wire
			}
		}
	}
	return out
}

// wholeSeconds reads 5 out of "5s".
func wholeSeconds(word string) (int, bool) {
	digits, ok := strings.CutSuffix(word, "s")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}
