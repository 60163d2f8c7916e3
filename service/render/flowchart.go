package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
)

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
		case rank[p.to] > rank[p.from]+1 && ax < bx-1: // past those beside it
			x := edge(-1) - lane*(0.3+0.25*float64(left%3))
			left++
			ay, by := float64(a.Min.Y+a.Max.Y)/2, float64(b.Min.Y+b.Max.Y)/2
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
	if c.beyond {
		return nil, &UnseenError{fmt.Sprintf("The text has more steps than the %d that a flow chart has room for. Shorten it, or make several.", mostSteps)}
	}
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
		h, lines, err := wholly(c.title, 46*scale, true, at.title.Dx(), at.title.Dy())
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
	h, lines, err := wholly(s.text, 30, s.kind == endpoint, wide, high)
	if err != nil {
		return err
	}
	h.middled(out, lines, (r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2, on(fill))
	return nil
}
