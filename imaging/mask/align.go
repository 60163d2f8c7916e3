package mask

import "math"

// The search of Align: how far the other picture may be shifted, in parts of the long side, and scaled.
const (
	mostShift = 0.2
	mostScale = 1.25
)

// Sketch is a small copy of a picture in which Align looks for another one.
type Sketch struct {
	W, H   int // of the picture
	levels []relief
}

// relief is how strongly brightness changes at each pixel of a small copy.
type relief struct {
	w, h int
	v    []float32
}

// NewSketch takes a copy of a picture of w × h pixels, reduced by any factor as a canvas does it: 256 pixels on the long side are
// enough.
func NewSketch(w, h int, reduced Source) Sketch {
	s := Sketch{W: w, H: h}
	if !reduced.whole() {
		return s
	}
	grey := relief{reduced.W, reduced.H, make([]float32, reduced.W*reduced.H)}
	for i := range grey.v {
		p := reduced.Pix[4*i:]
		grey.v[i] = 0.299*float32(p[0]) + 0.587*float32(p[1]) + 0.114*float32(p[2])
	}
	for max(grey.w, grey.h) > 256 {
		grey = grey.half()
	}
	for {
		s.levels = append(s.levels, grey.edges())
		if max(grey.w, grey.h) < 64 || min(grey.w, grey.h) < 16 {
			break
		}
		grey = grey.half()
	}
	return s
}

func (g relief) at(x, y int) float32 {
	return g.v[min(max(y, 0), g.h-1)*g.w+min(max(x, 0), g.w-1)]
}

func (g relief) half() relief {
	out := relief{(g.w + 1) / 2, (g.h + 1) / 2, nil}
	out.v = make([]float32, out.w*out.h)
	for y := range out.h {
		for x := range out.w {
			out.v[y*out.w+x] = (g.at(2*x, 2*y) + g.at(2*x+1, 2*y) + g.at(2*x, 2*y+1) + g.at(2*x+1, 2*y+1)) / 4
		}
	}
	return out
}

// edges is the strength of brightness' change, its root taken so that one bright edge does not drown all others, smoothed a little.
func (g relief) edges() relief {
	raw := relief{g.w, g.h, make([]float32, len(g.v))}
	for y := range g.h {
		for x := range g.w {
			dx, dy := g.at(x+1, y)-g.at(x-1, y), g.at(x, y+1)-g.at(x, y-1)
			raw.v[y*g.w+x] = float32(math.Sqrt(math.Hypot(float64(dx), float64(dy))))
		}
	}
	out := relief{g.w, g.h, make([]float32, len(g.v))}
	for y := range g.h {
		for x := range g.w {
			var sum float32
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					sum += raw.at(x+dx, y+dy)
				}
			}
			out.v[y*g.w+x] = sum / 9
		}
	}
	return out
}

// Aligning is a Job that finds an Alignment.
type Aligning struct {
	*Job
	best Alignment
}

// Alignment is what was found when the job is over: no shift and no confidence when the pictures have different sizes.
func (a *Aligning) Alignment() Alignment { return a.best }

// Align finds where what the first picture shows lies in the second: shifted by up to a fifth of the long side and scaled by up to a
// quarter. Both pictures must have the same size.
func Align(from, to Sketch) *Aligning {
	a := &Aligning{best: Alignment{Scale: 1}}
	a.Job = newJob(func(work *pace) {
		if from.W != to.W || from.H != to.H || len(from.levels) == 0 || len(from.levels) != len(to.levels) ||
			from.levels[0].w != to.levels[0].w || from.levels[0].h != to.levels[0].h {
			return
		}
		a.search(work, from, to)
	})
	return a
}

// place is an alignment on a level: the shift in its pixels.
type place struct {
	dx, dy, scale float64
	match         float64 // correlation, -1 to 1
}

// search looks at everything on the smallest level and around the best few places on each finer one.
func (a *Aligning) search(work *pace, from, to Sketch) {
	last := len(from.levels) - 1
	small := from.levels[last]
	reach := max(int(mostShift*float64(max(small.w, small.h))+0.5), 1)
	var scales []float64
	for k := 1 / mostScale; k < mostScale*1.001; k *= 1.02 {
		scales = append(scales, k)
	}
	work.expect(len(scales) * (2*reach + 1) * (2*reach + 1) * len(small.v))
	var found []place
	for _, k := range scales {
		best := place{match: -1}
		for dy := -reach; dy <= reach; dy++ {
			for dx := -reach; dx <= reach; dx++ {
				p := place{dx: float64(dx), dy: float64(dy), scale: k}
				if p.match = correlate(from.levels[last], to.levels[last], p); p.match > best.match {
					best = p
				}
				if !work.spend(len(small.v)) {
					return
				}
			}
		}
		found = append(found, best)
	}
	found = bestPlaces(found, 4)
	for level := last; level >= 0; level-- {
		step := 0.015 / float64(int(1)<<(last-level))
		for i, p := range found {
			if level < last {
				p.dx, p.dy = 2*p.dx, 2*p.dy
			}
			var ok bool
			if found[i], ok = climb(work, from.levels[level], to.levels[level], p, step); !ok {
				return
			}
		}
		found = bestPlaces(found, max(len(found)/2, 1))
	}
	best := found[0]
	k := float64(max(from.W, from.H)) / float64(max(from.levels[0].w, from.levels[0].h))
	plain := correlate(from.levels[0], to.levels[0], place{scale: 1})
	a.best = Alignment{DX: best.dx * k, DY: best.dy * k, Scale: best.scale, Confidence: min(max((best.match-0.25)/0.5, 0), 1)}
	if plain >= best.match-0.005 { // moving gains nothing
		a.best.DX, a.best.DY, a.best.Scale = 0, 0, 1
	}
}

// bestPlaces are the n with the highest match, best first.
func bestPlaces(places []place, n int) []place {
	for i := range places {
		for j := i; j > 0 && places[j].match > places[j-1].match; j-- {
			places[j], places[j-1] = places[j-1], places[j]
		}
	}
	return places[:min(n, len(places))]
}

// climb moves by ever smaller steps as long as the match gets better.
func climb(work *pace, from, to relief, p place, step float64) (place, bool) {
	p.match = correlate(from, to, p)
	for shift := 1.0; shift >= 0.25; shift /= 2 {
		for better := true; better; {
			better = false
			for _, q := range []place{
				{dx: p.dx + shift, dy: p.dy, scale: p.scale},
				{dx: p.dx - shift, dy: p.dy, scale: p.scale},
				{dx: p.dx, dy: p.dy + shift, scale: p.scale},
				{dx: p.dx, dy: p.dy - shift, scale: p.scale},
				{dx: p.dx, dy: p.dy, scale: p.scale + step*shift},
				{dx: p.dx, dy: p.dy, scale: p.scale - step*shift},
			} {
				if q.scale < 0.95/mostScale || q.scale > 1.05*mostScale {
					continue
				}
				if q.match = correlate(from, to, q); q.match > p.match {
					p, better = q, true
				}
				if !work.spend(len(from.v)) {
					return p, false
				}
			}
		}
	}
	return p, true
}

// correlate is how alike the two are where they overlap, -1 to 1, when the first is laid onto the second at p. Less than half an
// overlap counts as nothing alike.
func correlate(from, to relief, p place) float64 {
	cx, cy := float64(to.w)/2, float64(to.h)/2
	columns := make([]int, to.w)
	fractions := make([]float32, to.w)
	for x := range columns {
		at := (float64(x)+0.5-cx-p.dx)/p.scale + cx - 0.5
		columns[x] = int(math.Floor(at))
		fractions[x] = float32(at - math.Floor(at))
	}
	var n, sa, sb, saa, sbb, sab float64
	for y := range to.h {
		at := (float64(y)+0.5-cy-p.dy)/p.scale + cy - 0.5
		top := int(math.Floor(at))
		if top < 0 || top+1 >= from.h {
			continue
		}
		f := float32(at - math.Floor(at))
		upper, lower := from.v[top*from.w:(top+1)*from.w], from.v[(top+1)*from.w:(top+2)*from.w]
		row := to.v[y*to.w : (y+1)*to.w]
		var ra, rb, raa, rbb, rab float32
		count := 0
		for x, b := range row {
			i := columns[x]
			if i < 0 || i+1 >= from.w {
				continue
			}
			g := fractions[x]
			u := upper[i] + (upper[i+1]-upper[i])*g
			l := lower[i] + (lower[i+1]-lower[i])*g
			a := u + (l-u)*f
			ra += a
			rb += b
			raa += a * a
			rbb += b * b
			rab += a * b
			count++
		}
		n += float64(count)
		sa, sb, saa, sbb, sab = sa+float64(ra), sb+float64(rb), saa+float64(raa), sbb+float64(rbb), sab+float64(rab)
	}
	if n < 0.5*float64(len(to.v)) {
		return -1
	}
	va, vb := saa-sa*sa/n, sbb-sb*sb/n
	if va <= 1e-6 || vb <= 1e-6 {
		return 0
	}
	return (sab - sa*sb/n) / math.Sqrt(va*vb)
}
