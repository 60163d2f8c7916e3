package main

import (
	"fmt"
	"strconv"
	"strings"

	"atelier/catalog"
)

// rule tells a rule in words: its fields, what is asked of them, and when.
func rule(r catalog.Rule) string {
	when := ""
	if r.When != nil {
		when = " when " + condition(*r.When)
	}
	return code(r.Fields, ", ") + ": " + asks(r) + when
}

func asks(r catalog.Rule) string {
	switch r.Kind {
	case catalog.AtLeastOne:
		return "at least one is given"
	case catalog.ExactlyOne:
		return "exactly one is given"
	case catalog.RequiredWhen:
		return "must be given"
	case catalog.OnlyWhen:
		return "may be given only"
	case catalog.ForbiddenWith:
		return "not together with " + code(r.With, ", ")
	case catalog.NoEffectWhen:
		return "noted, without effect"
	case catalog.MaxItems:
		return fmt.Sprintf("at most %d files", r.Max)
	case catalog.ValuesWhen:
		return code(r.Values, ", ") + " only"
	case catalog.Forced:
		return "is " + code(r.Values[:1], "") + ", also when it is not given,"
	case catalog.FallsBack:
		return fmt.Sprintf("noted, %s counts as %s", code(r.Values[:1], ""), code(r.Values[1:], ""))
	case catalog.EachFile:
		return "each " + film(*r.Facts)
	case catalog.TotalSeconds:
		return fmt.Sprintf("at most %d s together", r.Max)
	case catalog.Relative:
		return fmt.Sprintf("from -(%s of the picture)+%d to `%s`-%d", r.Bound.Side, r.Bound.Pad, r.Bound.Target, r.Bound.Pad)
	}
	panic("agentsdoc: there are no words for the rule " + string(r.Kind))
}

func film(l catalog.FactLimits) string {
	lines := make([]string, len(l.Lines))
	for i, n := range l.Lines {
		lines[i] = strconv.Itoa(n)
	}
	return fmt.Sprintf("%s, short side %s px, %g to %g s", strings.Join(l.Containers, " or "), strings.Join(lines, " or "), l.MinSeconds, l.MaxSeconds)
}

func condition(c catalog.Condition) string {
	is := "is "
	if c.Not {
		is = "is not "
	}
	what := "given"
	if len(c.In) > 0 {
		what = code(c.In, " or ")
	}
	words := []string{"`" + c.Field + "` " + is + what}
	for _, also := range c.Also {
		words = append(words, condition(also))
	}
	return strings.Join(words, " and ")
}

func code(words []string, between string) string {
	return "`" + strings.Join(words, "`"+between+"`") + "`"
}
