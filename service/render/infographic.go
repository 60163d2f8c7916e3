package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// fact is one statement of a description: a figure with its unit and what it is about, or words alone.
type fact struct {
	figure string  // as it is written, with its unit; empty when the statement has no number
	value  float64 // of the figure
	unit   string  // "%" for percent too
	label  string
}

var (
	figures = regexp.MustCompile(`(?i)([€$£]\s?)?(\d[\d.,]*\d|\d)\s*(%|percent\b|per cent\b|(?:million|billion|trillion|thousand|bn|mn|k)\b)?\s*(kg|km|°c|°f|kwh|gwh|tonnes|tons|hours?|minutes?|days?|years?|weeks?|months?|litres?|liters?|people|users|euros?|dollars?|€|£|cups?|m²|cm|mm|g|m|l|x)?(?:\b|$|\s)`)
	clauses = regexp.MustCompile(`[.!?]\s+|;\s*|\n+|,\s+(?:and\s+)?`)
)

// mostFacts is how many statements an infographic has room for.
const mostFacts = 16

// readFacts divides a description into its title and its statements.
func readFacts(text string) (title string, facts []fact) {
	text = strings.TrimSpace(text)
	if at := strings.IndexAny(text, ":\n"); at > 0 && at < 90 {
		title, text = strings.TrimSpace(text[:at]), text[at+1:]
	} else if at := strings.IndexAny(text, ".!?"); at > 0 && at < 90 && !figures.MatchString(text[:at]) && at+1 < len(text) {
		title, text = strings.TrimSpace(text[:at]), text[at+1:]
	}
	for part := range strings.SplitSeq(clauses.ReplaceAllString(strings.TrimSpace(text)+" ", "\n"), "\n") {
		if part = strings.TrimSpace(numbering.ReplaceAllString(strings.Trim(part, " .,\t"), "")); part != "" {
			facts = append(facts, readFact(part))
		}
	}
	if title == "" && len(facts) > 1 && facts[0].figure == "" {
		title, facts = facts[0].label, facts[1:]
	}
	if title == "" && len(facts) == 1 && facts[0].figure == "" && len(facts[0].label) < 90 {
		title, facts = facts[0].label, nil // there is nothing to say but this
	}
	return title, facts
}

// readFact finds the figure of a statement.
func readFact(s string) fact {
	at := figures.FindStringSubmatchIndex(s)
	if at == nil {
		return fact{label: capital(s)}
	}
	group := func(n int) string {
		if at[2*n] < 0 {
			return ""
		}
		return s[at[2*n]:at[2*n+1]]
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(group(2), ",", ""), 64)
	if err != nil {
		return fact{label: capital(s)}
	}
	f := fact{figure: strings.TrimSpace(s[at[0]:at[1]]), value: v, unit: strings.ToLower(strings.TrimSpace(group(1) + " " + group(3) + " " + group(4)))}
	switch strings.ToLower(group(3)) {
	case "%", "percent", "per cent":
		f.unit, f.figure = "%", group(2)+"%"
	}
	f.label = strings.Join(strings.Fields(s[:at[0]]+" "+s[at[1]:]), " ")
	f.label = capital(strings.Trim(strings.TrimPrefix(strings.TrimPrefix(f.label, "of "), "Of "), " :–-=,"))
	if f.label == "" {
		f.label = f.figure
	}
	return f
}

// sections are the facts of an infographic by how they are shown.
type sections struct {
	bars   []fact // of one unit, to be compared
	shares []fact // percentages, as rings
	big    []fact // single figures
	points []fact // words
}

// sorted divides facts among the sections: percentages are rings, several figures of one unit are bars.
func sorted(facts []fact) sections {
	count := map[string]int{}
	for _, f := range facts {
		if f.figure != "" {
			count[f.unit]++
		}
	}
	var s sections
	for _, f := range facts {
		switch {
		case f.figure == "":
			s.points = append(s.points, f)
		case f.unit == "%" && f.value <= 100 && len(s.shares) < 4:
			s.shares = append(s.shares, f)
		case count[f.unit] > 1 && (len(s.bars) == 0 || s.bars[0].unit == f.unit):
			s.bars = append(s.bars, f)
		default:
			s.big = append(s.big, f)
		}
	}
	return s
}

// sheet is an infographic in the making: sections are laid one below the other.
type sheet struct {
	img    *image.NRGBA
	p      palette
	margin int
	y      int
}

// The heights of what stands on a sheet, in pixels of a sheet 1024 wide.
const (
	sheetWide  = 1024
	headHigh   = 190
	bigHigh    = 210
	ringHigh   = 270
	barHigh    = 78
	pointHigh  = 132
	sheetSpace = 44
)

// infographic sets the numbers of a description as bars, rings and large figures, and the rest as numbered points (Run
// API, "Family C").
func infographic(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	text, err := legible(req.text("textDescription"))
	if err != nil {
		return nil, err
	}
	title, facts := readFacts(text)
	if len(facts) > mostFacts {
		return nil, &UnseenError{fmt.Sprintf("The text makes %d statements, and an infographic has room for %d. Shorten it, or make two.", len(facts), mostFacts)}
	}
	s := sorted(facts)
	columns := 1
	if len(s.points) > 4 || len(s.points) > 1 && req.Item%2 == 1 {
		columns = 2
	}
	high := headHigh + sheetSpace
	add := func(n, each int) {
		if n > 0 {
			high += n*each + sheetSpace
		}
	}
	add((len(s.big)+2)/3, bigHigh)
	add((len(s.shares)+3)/4, ringHigh)
	add(len(s.bars), barHigh)
	add((len(s.points)+columns-1)/columns, pointHigh)
	p := req.palette()
	k := &sheet{img: image.NewNRGBA(image.Rect(0, 0, sheetWide, max(720, high))), p: p, margin: 64}
	if len(facts) == 0 {
		return k.img, k.cover(title, req.Item)
	}
	flood(k.img, p.paper)
	if err := k.head(title, req.Item); err != nil {
		return nil, err
	}
	order := []func() error{
		func() error { return k.figures(s.big) },
		func() error { return k.rings(s.shares, req.Item) },
		func() error { return k.bars(s.bars, req.Item) },
		func() error { return k.points(s.points, columns, req.Item) },
	}
	if req.Item%4 >= 2 {
		order[0], order[2] = order[2], order[0]
	}
	for i, draw := range order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := draw(); err != nil {
			return nil, err
		}
		req.progress(float64(i+1) / 5)
	}
	req.vary().grade(k.img)
	return k.img, nil
}

// cover fills the sheet with the title, when nothing else is said.
func (k *sheet) cover(title string, item int) error {
	size := k.img.Rect.Size()
	flood(k.img, k.p.accent)
	shade := mixed(k.p.accent, on(k.p.accent), 0.1)
	for i, r := range [2]float64{380, 210} {
		x, y := float64(size.X)*float64((item+i)%2), float64(size.Y)*float64((item/2+i)%2)
		sector(x, y, 0, r, 0, 1).fill(k.img, shade)
	}
	h, lines, err := wholly(title, 104, true, size.X-3*k.margin, size.Y-5*k.margin)
	if err != nil {
		return err
	}
	h.middled(k.img, lines, size.X/2, size.Y/2, on(k.p.accent))
	below := float64(size.Y/2 + len(lines)*h.high/2 + k.margin/2)
	card(float64(size.X/2-75), below, float64(size.X/2+75), below+8, 4).fill(k.img, k.p.second)
	return nil
}

// head sets the title on a band.
func (k *sheet) head(title string, item int) error {
	band := k.p.accent
	w := float64(sheetWide)
	switch item % 3 {
	case 0:
		polygon(spot{0, 0}, spot{w, 0}, spot{w, headHigh - 34}, spot{0, headHigh}).fill(k.img, band)
	case 1:
		card(40, 36, w-40, headHigh-6, 26).fill(k.img, band)
	default:
		card(float64(k.margin), headHigh-14, float64(k.margin)+150, headHigh-6, 4).fill(k.img, band)
		band = k.p.paper
	}
	h, lines, err := wholly(title, 62, true, sheetWide-2*k.margin-30, headHigh-70)
	if err != nil {
		return err
	}
	h.middled(k.img, lines, sheetWide/2, headHigh/2-8+10*(item%3), on(band))
	k.y = headHigh + sheetSpace
	return nil
}

// figures sets numbers large, three in a row.
func (k *sheet) figures(list []fact) error {
	for from := 0; from < len(list); from += 3 {
		row := list[from:min(len(list), from+3)]
		gap := 26
		wide := (sheetWide - 2*k.margin - gap*(len(row)-1)) / len(row)
		for i, f := range row {
			x := k.margin + i*(wide+gap)
			back := mixed(k.p.paper, k.p.second, 0.4)
			card(float64(x), float64(k.y), float64(x+wide), float64(k.y+bigHigh-gap), 22).fill(k.img, back)
			h, lines, err := wholly(f.figure, 78, true, wide-36, 1)
			if err != nil {
				return err
			}
			h.middled(k.img, lines, x+wide/2, k.y+64, readable(k.p.accent, back))
			small, text, err := wholly(f.label, 26, false, wide-40, bigHigh-gap-112)
			if err != nil {
				return err
			}
			small.middled(k.img, text, x+wide/2, k.y+142, on(back))
		}
		k.y += bigHigh
	}
	k.end(len(list))
	return nil
}

// rings sets percentages as rings, up to four in a row.
func (k *sheet) rings(list []fact, item int) error {
	if len(list) == 0 {
		return nil
	}
	wide := (sheetWide - 2*k.margin) / len(list)
	for i, f := range list {
		x, r := float64(k.margin+i*wide+wide/2), 84.0
		y := float64(k.y) + r
		sector(x, y, 0.66*r, r, 0, 1).fill(k.img, mixed(k.p.paper, k.p.ink, 0.14))
		c := k.p.accent
		if i%2 == 1 {
			c = mixed(k.p.accent, k.p.second, 0.6)
		}
		inner := 0.66 * r
		if item%4 == 3 {
			inner = 0.5 * r
		}
		sector(x, y, inner, r, 0, f.value/100).fill(k.img, c)
		h, lines, err := wholly(f.figure, 42, true, int(1.2*r), 1)
		if err != nil {
			return err
		}
		h.middled(k.img, lines, int(x), int(y), k.p.ink)
		small, text, err := wholly(f.label, 25, false, wide-24, ringHigh-int(2*r)-14)
		if err != nil {
			return err
		}
		small.centred(k.img, text, int(x), k.y+int(2*r)+34, k.p.ink)
	}
	k.y += ringHigh
	k.end(len(list))
	return nil
}

// bars compares figures of one unit.
func (k *sheet) bars(list []fact, item int) error {
	most := 0.0
	for _, f := range list {
		most = math.Max(most, math.Abs(f.value))
	}
	left := k.margin + 300
	wide := sheetWide - k.margin - left - 150
	for i, f := range list {
		y := k.y + i*barHigh
		h, lines, err := wholly(f.label, 26, false, 280, barHigh-12)
		if err != nil {
			return err
		}
		h.middled(k.img, lines, k.margin+140, y+barHigh/2, k.p.ink)
		long := float64(wide)
		card(float64(left), float64(y+14), float64(left)+long, float64(y+barHigh-14), 12).fill(k.img, mixed(k.p.paper, k.p.ink, 0.08))
		c := k.p.accent
		if item%2 == 1 && i%2 == 1 {
			c = mixed(c, k.p.second, 0.55)
		}
		if most > 0 {
			long *= math.Abs(f.value) / most
		}
		card(float64(left), float64(y+14), float64(left)+math.Max(6, long), float64(y+barHigh-14), 12).fill(k.img, c)
		n, text, err := wholly(f.figure, 30, true, 140, 1)
		if err != nil {
			return err
		}
		n.write(k.img, strings.Join(text, " "), left+wide+14, y+barHigh/2+int(0.36*n.size), k.p.ink)
	}
	k.y += len(list) * barHigh
	k.end(len(list))
	return nil
}

// points sets statements without figures as numbered cards.
func (k *sheet) points(list []fact, columns, item int) error {
	gap := 22
	wide := (sheetWide - 2*k.margin - gap*(columns-1)) / columns
	for i, f := range list {
		x, y := k.margin+i%columns*(wide+gap), k.y+i/columns*pointHigh
		back := mixed(k.p.paper, k.p.second, 0.3)
		card(float64(x), float64(y), float64(x+wide), float64(y+pointHigh-gap), 18).fill(k.img, back)
		middle := y + (pointHigh-gap)/2
		if item%2 == 0 {
			oval(float64(x+58), float64(middle), 34, 34, 0).fill(k.img, k.p.accent)
		} else {
			card(float64(x+24), float64(middle-34), float64(x+92), float64(middle+34), 14).fill(k.img, k.p.accent)
		}
		n, err := newHand(36, true)
		if err != nil {
			return err
		}
		n.middled(k.img, []string{strconv.Itoa(i + 1)}, x+58, middle, on(k.p.accent))
		h, lines, err := wholly(f.label, 30, false, wide-140, pointHigh-gap-22)
		if err != nil {
			return err
		}
		top := middle - (len(lines)-1)*h.high/2 + int(0.36*h.size)
		for _, line := range lines {
			h.write(k.img, line, x+116, top, on(back))
			top += h.high
		}
	}
	k.y += (len(list) + columns - 1) / columns * pointHigh
	k.end(len(list))
	return nil
}

// end leaves space after a section that has anything.
func (k *sheet) end(n int) {
	if n > 0 {
		k.y += sheetSpace
	}
}

// readable is c, or what can be read on a ground that c is too much like.
func readable(c, ground color.NRGBA) color.NRGBA {
	if math.Abs(lightOf([]uint8{c.R, c.G, c.B})-lightOf([]uint8{ground.R, ground.G, ground.B})) < 60 {
		return on(ground)
	}
	return c
}
