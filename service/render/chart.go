package render

import (
	"context"
	"image"
	"image/color"
	"math"
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
}

// mostSteps is how many boxes a chart has at most.
const mostSteps = 40

var (
	numbering  = regexp.MustCompile(`(?m)^\s*(?:step\s*)?(?:\d{1,2}|[a-hA-H])\s*[.):]\s+|^\s*[-*•–]\s+`)
	inlineList = regexp.MustCompile(`\s(?:\(?\d{1,2}[.)])\s+`)
	decision   = regexp.MustCompile(`(?i)^(?:and\s+|then\s+)?(?:if|when|in case|should)\s+(.+?)\s*(?:,\s*then\s+|,\s*|\s+then\s+)(.+?)$`)
	otherwise  = regexp.MustCompile(`(?i)\s*[,;.]?\s*\b(?:or else|otherwise|else|if not)\b[,:]?\s+`)
	answer     = regexp.MustCompile(`(?i)^(?:if\s+)?(yes|no|true|false)\s*[:,]\s*(?:then\s+)?`)
	sayings    = regexp.MustCompile(`([?.!])\s+`)
	listed     = regexp.MustCompile(`,\s+`)
	returning  = regexp.MustCompile(`(?i)^(?:go back to|return to|back to|repeat|go to|continue with)\s+(.+)$`)
	sentences  = regexp.MustCompile(`[.!]\s+|;\s*`)
	connectors = regexp.MustCompile(`(?i),?\s+(?:and then|then|after that|afterwards|finally|next)\s+`)
)

// readChart finds the steps of a description, what follows what, and its decisions: "if … then … else …", questions with
// answers, numbered lists, arrows, or plain sentences.
func readChart(text string) chart {
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
			at := c.add(text, kind, true)
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
		for _, s := range sentences.Split(part, -1) {
			if s = strings.Trim(s, " .,;\t"); s != "" {
				out = append(out, s)
			}
		}
	}
	var fine []string
	for _, s := range out {
		if decision.MatchString(s) {
			fine = append(fine, s)
			continue
		}
		for _, p := range connectors.Split(s, -1) {
			if p = strings.Trim(p, " .,;"); p != "" {
				fine = append(fine, p)
			}
		}
	}
	if len(fine) == 1 && len(listed.FindAllString(fine[0], -1)) > 1 && !decision.MatchString(fine[0]) {
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
	branch := func(question int, label, text string) {
		if m := returning.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
			if back := c.like(m[1], question); back >= 0 {
				c.join(question, back, label)
				return
			}
		}
		if at := c.add(text, doStep, false); at >= 0 {
			c.join(question, at, label)
			ends = append(ends, loose{at, ""})
		}
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
		if rest, ok := strings.CutPrefix(strings.ToLower(s), "otherwise "); ok && asked >= 0 && len(rest) > 0 {
			ends = slices.DeleteFunc(ends, func(e loose) bool { return e.from == asked })
			branch(asked, "No", strings.Trim(s[len("otherwise "):], ", "))
			continue
		}
		asked = -1
		if m := decision.FindStringSubmatch(s); m != nil {
			question := c.add(m[1]+"?", askStep, false)
			if question < 0 {
				break
			}
			c.steps[question].text = strings.TrimSuffix(c.steps[question].text, "?") + "?"
			reach(question)
			yes, no, both := m[2], "", false
			if at := otherwise.FindStringIndex(m[2]); at != nil {
				yes, no, both = m[2][:at[0]], m[2][at[1]:], true
			}
			branch(question, "Yes", yes)
			if both {
				branch(question, "No", no)
			} else {
				ends = append(ends, loose{question, "No"})
			}
			asked = question
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

// plan is a chart laid out on a sheet.
type plan struct {
	size  image.Point
	boxes []image.Rectangle
	lines []route
	title image.Rectangle
}

// route is the way of an arrow from box to box.
type route struct {
	passage
	way   []spot
	label spot
}

// lay puts steps that follow one another into rows from top to bottom, steps of the same rank side by side, long charts
// into several columns. scale is the pixels of a unit, some 1/1024 of the width.
func (c chart) lay(scale float64) plan {
	rank := make([]int, len(c.steps))
	for range len(c.steps) {
		for _, p := range c.passages {
			if p.to > p.from {
				rank[p.to] = max(rank[p.to], rank[p.from]+1)
			}
		}
	}
	rows := slices.Max(rank) + 1
	row := make([][]int, rows)
	widest := 1
	for i, r := range rank {
		row[r] = append(row[r], i)
		widest = max(widest, len(row[r]))
	}
	columns := 1
	if widest <= 2 && rows > 9 {
		columns = (rows + 8) / 9
	}
	perColumn := (rows + columns - 1) / columns
	u := scale
	boxW, boxH, gapX, gapY, lane := 380*u, 104*u, 56*u, 74*u, 58*u
	if widest == 1 && columns == 1 {
		boxW = 560 * u
	}
	if widest > 2 {
		boxW = 250 * u
	}
	if rows <= 4 {
		boxH = 150 * u
	}
	margin, head := 70*u, 0.0
	if c.title != "" {
		head = 120 * u
	}
	columnW := float64(widest)*boxW + float64(widest-1)*gapX + 2*lane
	out := plan{boxes: make([]image.Rectangle, len(c.steps))}
	out.size = image.Pt(int(2*margin+float64(columns)*columnW), int(2*margin+head+float64(perColumn)*boxH+float64(perColumn-1)*gapY))
	if least := int(1024 * u); out.size.X < least {
		margin += float64(least-out.size.X) / 2
		out.size.X = least
	}
	out.title = image.Rect(int(60*u), int(50*u), out.size.X-int(60*u), int(50*u+head*0.8))
	for r, list := range row {
		column, line := r/perColumn, r%perColumn
		middle := margin + (float64(column)+0.5)*columnW
		y := 70*u + head + float64(line)*(boxH+gapY)
		for k, i := range list {
			x := middle + (float64(k)-float64(len(list)-1)/2)*(boxW+gapX)
			wide := boxW
			if len(list) == 1 && widest > 1 {
				wide = math.Min(1.25*boxW, columnW-2*lane)
			}
			high := boxH
			if c.steps[i].kind == askStep {
				high = boxH + 0.5*gapY // a diamond holds less
			}
			out.boxes[i] = image.Rect(int(x-wide/2), int(y-(high-boxH)/2), int(x+wide/2), int(y+boxH+(high-boxH)/2))
		}
	}
	left, right := 0, 0
	for _, p := range c.passages {
		a, b := out.boxes[p.from], out.boxes[p.to]
		ax, bx := float64(a.Min.X+a.Max.X)/2, float64(b.Min.X+b.Max.X)/2
		edge := func(side int) float64 { // beyond all boxes of the column
			middle := margin + (float64(rank[p.from]/perColumn)+0.5)*columnW
			return middle + float64(side)*(columnW/2-lane)
		}
		r := route{passage: p}
		before := gapY * 0.42
		switch {
		case rank[p.from]/perColumn != rank[p.to]/perColumn && p.to > p.from:
			// Up to the head of the next column between the two.
			x := margin + float64(rank[p.to]/perColumn)*columnW
			low, high := float64(a.Max.Y)+0.3*gapY, float64(b.Min.Y)-0.4*gapY
			r.way = []spot{{ax, float64(a.Max.Y)}, {ax, low}, {x, low}, {x, high}, {bx, high}, {bx, float64(b.Min.Y)}}
		case p.to < p.from:
			// Back up on the side the box stands on, so that the way crosses no other box.
			ay, by := float64(a.Min.Y+a.Max.Y)/2, float64(b.Min.Y+b.Max.Y)/2
			if ax > bx+1 {
				x := edge(1) + lane*(0.3+0.25*float64(right%3))
				right++
				r.way = []spot{{float64(a.Max.X), ay}, {x, ay}, {x, by}, {float64(b.Max.X), by}}
				break
			}
			x := edge(-1) - lane*(0.3+0.25*float64(left%3))
			left++
			r.way = []spot{{float64(a.Min.X), ay}, {x, ay}, {x, by}, {float64(b.Min.X), by}}
		case rank[p.to] > rank[p.from]+1:
			x := edge(1) + lane*(0.3+0.25*float64(right%3))
			right++
			ay, by := float64(a.Min.Y+a.Max.Y)/2, float64(b.Min.Y+b.Max.Y)/2
			r.way = []spot{{float64(a.Max.X), ay}, {x, ay}, {x, by}, {float64(b.Max.X), by}}
		case math.Abs(ax-bx) < 1:
			r.way = []spot{{ax, float64(a.Max.Y)}, {bx, float64(b.Min.Y)}}
		default:
			y := float64(min(b.Min.Y, out.rowTop(row[rank[p.to]]))) - before
			r.way = []spot{{ax, float64(a.Max.Y)}, {ax, y}, {bx, y}, {bx, float64(b.Min.Y)}}
		}
		r.label = spot{r.way[0].x + 12*u, r.way[0].y + 22*u}
		if len(r.way) == 4 && r.way[0].y == r.way[1].y {
			r.label = spot{r.way[0].x + 6*u, r.way[0].y - 10*u}
			if r.way[1].x < r.way[0].x {
				r.label.x = r.way[0].x - 44*u
			}
		} else if len(r.way) == 4 {
			r.label = spot{(r.way[1].x+r.way[2].x)/2 - 18*u, r.way[1].y - 8*u}
		}
		out.lines = append(out.lines, r)
	}
	return out
}

// rowTop is the highest edge of some boxes.
func (p plan) rowTop(list []int) int {
	top := math.MaxInt
	for _, i := range list {
		top = min(top, p.boxes[i].Min.Y)
	}
	return top
}

// diamond is the outline of a decision.
func diamond(r image.Rectangle) contour {
	x, y := float64(r.Min.X+r.Max.X)/2, float64(r.Min.Y+r.Max.Y)/2
	return polygon(spot{x, float64(r.Min.Y)}, spot{float64(r.Max.X), y}, spot{x, float64(r.Max.Y)}, spot{float64(r.Min.X), y})
}

// flowchart draws the steps of a description as boxes, its decisions as diamonds, and arrows from each to what follows it
// (Run API, "Family C").
func flowchart(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	text, err := legible(req.text("textDescription"))
	if err != nil {
		return nil, err
	}
	c := readChart(text)
	const scale = 1.0
	at := c.lay(scale)
	p := req.palette()
	paper := p.paper
	if lightOf([]uint8{paper.R, paper.G, paper.B, 255}) > 128 {
		paper = mixed(paper, color.NRGBA{255, 255, 255, 255}, 0.5)
	}
	out := image.NewNRGBA(image.Rectangle{Max: at.size})
	flood(out, paper)
	if c.title != "" {
		h, lines, err := inBox(c.title, 46*scale, true, at.title.Dx(), at.title.Dy())
		if err != nil {
			return nil, err
		}
		h.middled(out, lines, (at.title.Min.X+at.title.Max.X)/2, (at.title.Min.Y+at.title.Max.Y)/2, p.ink)
	}
	wire := mixed(paper, p.ink, 0.75)
	for _, r := range at.lines {
		arrowTo(out, 3.4*scale, wire, r.way...)
	}
	manner := req.Item % 4
	for i, s := range c.steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := drawStep(out, s, at.boxes[i], p, paper, manner); err != nil {
			return nil, err
		}
		req.progress(0.1 + 0.8*float64(i+1)/float64(len(c.steps)))
	}
	small, err := newHand(21*scale, true)
	if err != nil {
		return nil, err
	}
	for _, r := range at.lines {
		if r.passage.label != "" {
			w := float64(small.width(r.passage.label))
			card(r.label.x-5, r.label.y-19, r.label.x+w+5, r.label.y+6, 6).fill(out, paper)
			small.write(out, r.passage.label, int(r.label.x), int(r.label.y), p.ink)
		}
	}
	return out, nil
}

// drawStep draws one box with its text. The manner, another for each item, is how boxes look: filled, outlined, cards
// with a coloured edge, or with a shadow.
func drawStep(out *image.NRGBA, s step, r image.Rectangle, p palette, paper color.NRGBA, manner int) error {
	fill := mixed(paper, p.second, 0.75)
	switch s.kind {
	case endpoint:
		fill = p.accent
	case askStep:
		fill = mixed(p.accent, paper, 0.55)
	}
	outline := func(shrink int) contour {
		b := r.Inset(shrink)
		switch s.kind {
		case askStep:
			return diamond(b)
		case endpoint:
			return card(float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y), float64(b.Dy())/2)
		}
		return card(float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y), float64(b.Dy())/8)
	}
	edge := mixed(fill, p.ink, 0.35)
	switch manner {
	case 1:
		outline(0).fill(out, edge)
		fill = mixed(paper, fill, 0.18)
		outline(4).fill(out, fill)
	case 2:
		outline(0).fill(out, fill)
		fill = mixed(paper, color.NRGBA{255, 255, 255, 255}, 0.4)
		outline(7).fill(out, fill)
	case 3:
		for n := 9; n > 0; n-- {
			outline(-n/3).moved(1, 0, float64(n)).fill(out, color.NRGBA{0, 0, 0, 10})
		}
		outline(0).fill(out, fill)
	default:
		outline(0).fill(out, edge)
		outline(2).fill(out, fill)
	}
	wide, high := r.Dx()*86/100, r.Dy()*84/100
	if s.kind == askStep {
		wide, high = r.Dx()*62/100, r.Dy()*54/100
	}
	h, lines, err := inBox(s.text, 30, s.kind == endpoint, wide, high)
	if err != nil {
		return err
	}
	h.middled(out, lines, (r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2, on(fill))
	return nil
}
