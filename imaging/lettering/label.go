package lettering

import "image"

// run is a part of a row that lies on one side of a level.
type run struct {
	y, from, to int32
	parent      int32
	next        int32 // of its shape, -1 at the end
	bright      bool
}

// labels parts a plane at a level into what hangs together, on both sides of it. It is used again and again.
type labels struct {
	w, h int
	runs []run
	rows []int32 // the first run of each row
}

func newLabels(w, h int) *labels { return &labels{w: w, h: h, rows: make([]int32, h+1)} }

func (l *labels) find(i int32) int32 {
	for l.runs[i].parent != i {
		l.runs[i].parent = l.runs[l.runs[i].parent].parent
		i = l.runs[i].parent
	}
	return i
}

func (l *labels) cut(p plane, level int) {
	l.runs = l.runs[:0]
	t := uint8(level)
	for y := range l.h {
		l.rows[y] = int32(len(l.runs))
		row := p.pix[y*l.w : (y+1)*l.w]
		for x := 0; x < l.w; {
			from, bright := x, row[x] >= t
			for x < l.w && (row[x] >= t) == bright {
				x++
			}
			n := int32(len(l.runs))
			l.runs = append(l.runs, run{y: int32(y), from: int32(from), to: int32(x), parent: n, next: -1, bright: bright})
		}
		if y == 0 {
			continue
		}
		a, b := l.rows[y-1], l.rows[y]
		for a < l.rows[y] && b < int32(len(l.runs)) {
			p, q := &l.runs[a], &l.runs[b]
			if p.bright == q.bright && p.from < q.to && q.from < p.to {
				i, j := l.find(a), l.find(b)
				if i != j {
					l.runs[max(i, j)].parent = min(i, j)
				}
			}
			if p.to < q.to {
				a++
			} else {
				b++
			}
		}
	}
	l.rows[l.h] = int32(len(l.runs))
}

// shapes are the parts that have a letter's size, free of the picture's edge.
func (l *labels) shapes() []glyph {
	return l.collect(func(g *glyph, area int) bool {
		wide, high := g.box.Dx(), g.box.Dy()
		return high >= lowest && float64(high) <= highest*float64(l.h) && wide >= 2 &&
			float64(wide) >= narrow*float64(high) && float64(wide) <= broad*float64(high) && 8*area >= wide*high
	})
}

// parts are all parts on one side of the level, free of the picture's edge.
func (l *labels) parts(bright bool) []glyph {
	return l.collect(func(g *glyph, _ int) bool { return g.bright == bright })
}

func (l *labels) collect(wanted func(g *glyph, area int) bool) []glyph {
	type sum struct {
		box  image.Rectangle
		area int
		last int32
	}
	sums := make([]sum, len(l.runs))
	for i := range l.runs {
		r := &l.runs[i]
		s := &sums[l.find(int32(i))]
		box := image.Rect(int(r.from), int(r.y), int(r.to), int(r.y)+1)
		if s.area > 0 {
			l.runs[s.last].next = int32(i)
		}
		s.box, s.last = s.box.Union(box), int32(i)
		s.area += box.Dx()
	}
	var out []glyph
	for i, s := range sums {
		if s.area == 0 || s.box.Min.X == 0 || s.box.Min.Y == 0 || s.box.Max.X == l.w || s.box.Max.Y == l.h {
			continue
		}
		if g := (glyph{box: s.box, bright: l.runs[i].bright}); wanted(&g, s.area) {
			g.pixels = l.pixels(int32(i), s.area)
			out = append(out, g)
		}
	}
	return out
}

// pixels are those of the shape that begins with a run.
func (l *labels) pixels(first int32, area int) []int32 {
	out := make([]int32, 0, area)
	for k := first; k >= 0; k = l.runs[k].next {
		r := l.runs[k]
		for x := r.from; x < r.to; x++ {
			out = append(out, r.y*int32(l.w)+x)
		}
	}
	return out
}
