package catalog

import (
	"fmt"
	"strconv"
	"strings"
)

// Asks says what a rule asks of its fields and when, in the words of the API: "at least one is given", "may be given only when
// pose is freePose". mark is put on every name and value, such as the quotes of a document.
func (r Rule) Asks(mark func(string) string) string {
	asks := r.what(mark)
	if r.When != nil {
		asks += " when " + r.When.inWords(mark)
	}
	return asks
}

// Markdown is the rule with its fields, as documents tell it: "`lastFrame`: may be given only when `firstFrame` is given".
func (r Rule) Markdown() string {
	code := func(name string) string { return "`" + name + "`" }
	return marked(r.Fields, ", ", code) + ": " + r.Asks(code)
}

func (r Rule) what(mark func(string) string) string {
	switch r.Kind {
	case AtLeastOne:
		return "at least one is given"
	case ExactlyOne:
		return "exactly one is given"
	case RequiredWhen:
		return "must be given"
	case OnlyWhen:
		return "may be given only"
	case ForbiddenWith:
		return "not together with " + marked(r.With, ", ", mark)
	case NoEffectWhen:
		return "noted, without effect"
	case MaxItems:
		return fmt.Sprintf("at most %d files", r.Max)
	case ValuesWhen:
		return marked(r.Values, ", ", mark) + " only"
	case Forced:
		return "is " + marked(r.Values[:1], "", mark) + ", also when it is not given,"
	case FallsBack:
		return fmt.Sprintf("noted, %s counts as %s", mark(r.Values[0]), mark(r.Values[1]))
	case EachFile:
		return "each " + r.Facts.inWords()
	case TotalSeconds:
		return fmt.Sprintf("at most %d s together", r.Max)
	case Relative:
		return fmt.Sprintf("from -(%s of the picture)+%d to %s-%d", r.Bound.Side, r.Bound.Pad, mark(r.Bound.Target), r.Bound.Pad)
	}
	return string(r.Kind)
}

func (l FactLimits) inWords() string {
	lines := make([]string, len(l.Lines))
	for i, n := range l.Lines {
		lines[i] = strconv.Itoa(n)
	}
	return fmt.Sprintf("%s, short side %s px, %g to %g s", strings.Join(l.Containers, " or "), strings.Join(lines, " or "), l.MinSeconds, l.MaxSeconds)
}

func (w Condition) inWords(mark func(string) string) string {
	is := "is "
	if w.Not {
		is = "is not "
	}
	what := "given"
	if len(w.In) > 0 {
		what = marked(w.In, " or ", mark)
	}
	words := []string{mark(w.Field) + " " + is + what}
	for _, also := range w.Also {
		words = append(words, also.inWords(mark))
	}
	return strings.Join(words, " and ")
}

func marked(words []string, between string, mark func(string) string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = mark(w)
	}
	return strings.Join(all, between)
}
