package render

import (
	"regexp"
	"slices"
	"strings"
)

// stepKind is what a box of a flow chart stands for.
type stepKind int

const (
	doStep   stepKind = iota
	askStep           // a decision: a diamond
	endpoint          // the first and the last
)

// step is one box of a flow chart.
type step struct {
	text string
	kind stepKind
}

// passage leads from one step to another.
type passage struct {
	from, to int
	label    string
}

// chart is a flow chart as it was understood.
type chart struct {
	title    string
	steps    []step
	passages []passage
	beyond   bool // there are more steps than mostSteps
}

// mostSteps is how many boxes a chart has at most.
const mostSteps = 40

var (
	numbering  = regexp.MustCompile(`(?m)^\s*(?:step\s*)?(?:\d{1,2}|[a-hA-H])\s*[.):]\s+|^\s*[-*•–]\s+`)
	inlineList = regexp.MustCompile(`\s(?:\(?\d{1,2}[.)])\s+`)
	elseFirst  = regexp.MustCompile(`(?i)^(?:or else|otherwise|else|if not)\b[,:]?\s+`)
	otherwise  = regexp.MustCompile(`(?i)\s*[,;.]?\s*\b(?:or else|otherwise|else|if not)\b[,:]?\s+`)
	answer     = regexp.MustCompile(`(?i)^(?:and\s+)?(?:if\s+)?(yes|no|true|false)\s*[:,]\s*(?:then\s+)?`)
	nextAnswer = regexp.MustCompile(`(?i),\s+((?:and\s+)?(?:if\s+)?(?:yes|no|true|false)\s*:)`)
	sayings    = regexp.MustCompile(`([?.!])\s+`)
	listed     = regexp.MustCompile(`,\s+`)
	returning  = regexp.MustCompile(`(?i)^(?:go back to|return to|back to|repeat|go to|continue with)\s+(.+)$`)
	andBack    = regexp.MustCompile(`(?i),?\s+and\s+(go back to|return to|back to|repeat)\s`)
	sentences  = regexp.MustCompile(`[.!]\s+|;\s*`)
	asking     = regexp.MustCompile(`\?\s+`)
	connectors = regexp.MustCompile(`(?i),?\s+(?:and then|then|after that|afterwards|finally|next)\s+`)
)

// readChart finds the steps of a description, what follows what, and its decisions: "if … then … else …", questions with
// answers, numbered lists, arrows, or plain sentences.
func readChart(text string) chart {
	text = nextAnswer.ReplaceAllString(andBack.ReplaceAllString(text, ", then $1 "), ". $1")
	text = strings.NewReplacer("→", "->", "⇒", "->", "=>", "->", "-->", "->", "\r", "").Replace(text)
	var c chart
	if strings.Contains(text, "->") {
		c.readArrows(text)
	} else {
		c.readSteps(text)
	}
	if len(c.steps) == 0 {
		c.steps = []step{{text: strings.TrimSpace(text)}}
	}
	c.markEnds()
	return c
}

// markEnds makes what nothing leads to a beginning, and what leads nowhere an end.
func (c *chart) markEnds() {
	in, out := make([]int, len(c.steps)), make([]int, len(c.steps))
	for _, p := range c.passages {
		out[p.from]++
		if p.to > p.from {
			in[p.to]++
		}
	}
	for i := range c.steps {
		if c.steps[i].kind == doStep && (in[i] == 0 || out[i] == 0) {
			c.steps[i].kind = endpoint
		}
	}
}

// add gives the number of a step, a new one unless there is one of that text.
func (c *chart) add(text string, kind stepKind, known bool) int {
	text = capital(strings.Trim(text, " .,;:\t\n"))
	if known {
		for i, s := range c.steps {
			if strings.EqualFold(s.text, text) {
				return i
			}
		}
	}
	if len(c.steps) >= mostSteps {
		c.beyond = true
		return -1
	}
	c.steps = append(c.steps, step{text, kind})
	return len(c.steps) - 1
}

func (c *chart) join(from, to int, label string) {
	p := passage{from, to, label}
	if from >= 0 && to >= 0 && from != to && !slices.Contains(c.passages, p) {
		c.passages = append(c.passages, p)
	}
}

// readArrows reads chains of steps joined by arrows; a step of the same text is the same box. A text before an arrow's
// step such as "yes:" stands at the arrow.
func (c *chart) readArrows(text string) {
	for row := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if !strings.Contains(row, "->") && c.title == "" && len(c.steps) == 0 {
			c.title = strings.Trim(row, " .:")
			continue
		}
		c.readChain(row)
	}
}

// readChain reads one chain. Sentences within it go on: an answer from the last question, anything else from all that has
// no end yet.
func (c *chart) readChain(row string) {
	last, asked := -1, -1
	var loose []int
	for part := range strings.SplitSeq(row, "->") {
		part = numbering.ReplaceAllString(part, "")
		for i, said := range strings.Split(sayings.ReplaceAllString(part, "$1\n"), "\n") {
			label, text := answered(strings.TrimSpace(said))
			if text == "" {
				continue
			}
			if i > 0 && label != "" && asked >= 0 && last != asked {
				loose = append(loose, last)
				last = asked
			}
			kind := doStep
			if strings.HasSuffix(text, "?") {
				kind = askStep
			}
			known := len(c.steps)
			at := c.add(text, kind, true)
			if i > 0 && at >= 0 && at < known {
				last = -1 // a sentence that takes up a step from before
			}
			ended := i > 0 && label == ""
			if last >= 0 && !(ended && c.goesOn(last) && c.steps[last].kind != askStep) {
				if label == "" && c.steps[last].kind == askStep {
					label = c.answerLeft(last)
				}
				c.join(last, at, label)
			}
			if ended {
				for _, end := range loose {
					if !c.goesOn(end) {
						c.join(end, at, "")
					}
				}
				loose = nil
			}
			if at >= 0 {
				last = at
				if kind == askStep {
					asked = at
				}
			}
		}
	}
}

// goesOn tells whether anything follows a step.
func (c *chart) goesOn(n int) bool {
	return slices.ContainsFunc(c.passages, func(p passage) bool { return p.from == n })
}

// answered divides a text such as "yes: go on" or "if no, wait" into the answer and what follows it; without an answer the label is
// empty.
func answered(text string) (label, rest string) {
	if m := answer.FindStringSubmatch(text); m != nil {
		return capital(strings.ToLower(m[1])), strings.TrimSpace(text[len(m[0]):])
	}
	return "", text
}

// answerLeft is the answer a question has not been given yet.
func (c *chart) answerLeft(question int) string {
	for _, p := range c.passages {
		if p.from == question && p.label == "Yes" {
			return "No"
		}
	}
	return "Yes"
}

// split divides a text into its steps.
func split(text string) []string {
	text = strings.TrimSpace(text)
	var parts []string
	switch {
	case strings.Contains(text, "\n"):
		parts = strings.Split(text, "\n")
	case len(inlineList.FindAllString(" "+text, -1)) > 1:
		parts = inlineList.Split(" "+text, -1)
	default:
		parts = []string{text}
	}
	var out []string
	for _, part := range parts {
		part = strings.TrimSpace(numbering.ReplaceAllString(part, ""))
		for _, s := range sentences.Split(asking.ReplaceAllString(part, "?; "), -1) {
			if s = strings.Trim(s, " .,;\t"); s != "" {
				out = append(out, s)
			}
		}
	}
	var fine []string
	for _, s := range out {
		if _, ok := readDecision(s); ok || answer.MatchString(s) { // what it leads to is read with it
			fine = append(fine, s)
			continue
		}
		if parts := listedDecision(s); parts != nil {
			fine = append(fine, parts...)
			continue
		}
		for _, p := range connectors.Split(s, -1) {
			if p = strings.Trim(p, " .,;"); p != "" {
				fine = append(fine, p)
			}
		}
	}
	if _, asks := readDecision(text); len(fine) == 1 && len(listed.FindAllString(fine[0], -1)) > 1 && !asks {
		fine = listed.Split(strings.ReplaceAll(fine[0], ", and ", ", "), -1)
	}
	return fine
}

// readSteps reads steps in their order, with decisions between them.
func (c *chart) readSteps(text string) {
	list := split(text)
	if len(list) > 2 {
		// "How to …:" before a list is its title.
		if first, rest, ok := strings.Cut(list[0], ":"); ok && len(first) < 80 && !answer.MatchString(list[0]) {
			c.title = strings.TrimSpace(first)
			list[0] = strings.TrimSpace(rest)
		}
	}
	type loose struct {
		from  int
		label string
	}
	var ends []loose // what the next step follows
	reach := func(to int) {
		for _, e := range ends {
			c.join(e.from, to, e.label)
		}
		ends = nil
	}
	var decide func(d decided) (question int)
	branch := func(question int, label, text string) {
		if d, ok := readDecision(text); ok {
			before := ends
			ends = []loose{{question, label}}
			decide(d)
			ends = append(before, ends...)
			return
		}
		last := loose{question, label}
		for _, part := range connectors.Split(" "+text, -1) {
			if part = strings.Trim(part, " .,;"); part == "" {
				continue
			}
			if m := returning.FindStringSubmatch(part); m != nil {
				if back := c.like(m[1], len(c.steps)); back >= 0 {
					c.join(last.from, back, last.label)
					return
				}
			}
			at := c.add(part, doStep, false)
			if at < 0 {
				break
			}
			c.join(last.from, at, last.label)
			last = loose{at, ""}
		}
		if last.from != question {
			ends = append(ends, last)
		}
	}
	decide = func(d decided) int {
		question := c.add(d.asked+"?", askStep, false)
		if question < 0 {
			return question
		}
		c.steps[question].text = strings.TrimRight(c.steps[question].text, "?") + "?"
		reach(question)
		branch(question, "Yes", d.yes)
		if d.no != "" {
			branch(question, "No", d.no)
		} else {
			ends = append(ends, loose{question, "No"})
		}
		return question
	}
	asked := -1
	for _, s := range list {
		if strings.TrimSpace(s) == "" {
			continue
		}
		if label, rest := answered(s); label != "" && asked >= 0 {
			kept := slices.DeleteFunc(slices.Clone(ends), func(e loose) bool { return e.from == asked })
			ends = nil
			branch(asked, label, rest)
			ends = append(kept, ends...)
			continue
		}
		if word := elseFirst.FindString(s); word != "" && asked >= 0 {
			ends = slices.DeleteFunc(ends, func(e loose) bool { return e.from == asked })
			branch(asked, "No", s[len(word):])
			continue
		}
		asked = -1
		if d, ok := readDecision(s); ok {
			if asked = decide(d); asked < 0 {
				break
			}
			continue
		}
		kind := doStep
		if strings.HasSuffix(s, "?") {
			kind = askStep
		}
		if m := returning.FindStringSubmatch(s); m != nil && len(ends) > 0 {
			if back := c.like(m[1], len(c.steps)); back >= 0 {
				reach(back)
				continue
			}
		}
		at := c.add(s, kind, false)
		if at < 0 {
			break
		}
		reach(at)
		ends = []loose{{at, ""}}
		if kind == askStep {
			asked = at
		}
	}
}

// like finds the step before a number that shares most words with a text, -1 when none shares half of them.
func (c *chart) like(text string, before int) int {
	list := words(text)
	best, at := 0, -1
	for i, s := range c.steps[:min(before, len(c.steps))] {
		n := 0
		for _, w := range words(s.text) {
			if slices.Contains(list, w) {
				n++
			}
		}
		if n > best && 2*n >= len(list) {
			best, at = n, i
		}
	}
	return at
}

// capital is a text with its first letter in upper case.
func capital(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}
