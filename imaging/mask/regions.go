package mask

import "image"

// Stats describes a plane in numbers the editor shows.
type Stats struct {
	Kept   int             // painted pixels
	Share  float64         // of all pixels, 0 to 1
	Bounds image.Rectangle // around everything painted
	Specks int             // painted islands of fewer than the asked pixels
	Holes  int             // unpainted islands of fewer than the asked pixels
}

// Stats measures the plane; islands of fewer than minArea pixels count as
// specks and holes. Pixels that touch at a corner belong together when painted.
func (p Plane) Stats(minArea int) Stats {
	s := Stats{Bounds: p.Bounds(), Kept: p.count()}
	if len(p.Pix) > 0 {
		s.Share = float64(s.Kept) / float64(len(p.Pix))
	}
	if minArea > 1 {
		states, work := New(p.W, p.H), &pace{}
		p.small(states, work, true, minArea, func([]span) { s.Specks++ })
		p.small(states, work, false, minArea, func([]span) { s.Holes++ })
	}
	return s
}

// count is how many pixels are painted.
func (p Plane) count() int {
	n := 0
	for y := range p.H {
		n += countRow(p.Row(y))
	}
	return n
}

// Clean erases painted islands of fewer than minArea pixels and paints over
// holes of fewer than minArea pixels, in place.
func (p Plane) Clean(minArea int) {
	if minArea <= 1 {
		return
	}
	states, work := New(p.W, p.H), &pace{}
	for _, kept := range []bool{true, false} {
		p.small(states, work, kept, minArea, func(spans []span) { p.paint(spans, paintValue(kept)) })
	}
}

// paint sets the pixels of spans to v.
func (p Plane) paint(spans []span, v uint8) {
	for _, s := range spans {
		part := p.Row(int(s.y))[s.from:s.to]
		for x := range part {
			part[x] = v
		}
	}
}

// small calls found with every region, painted or not as kept says, of fewer than area pixels. States is scratch of the plane's size.
func (p Plane) small(states Plane, work *pace, kept bool, area int, found func(spans []span)) bool {
	var spans []span
	n := 0
	work.expect(3 * len(p.Pix))
	return p.keptFlood(states, kept).regions(work,
		func() { spans, n = spans[:0], 0 },
		func(s span) {
			if n += int(s.to - s.from); n < area {
				spans = append(spans, s)
			}
		},
		func() {
			if n < area {
				found(spans)
			}
		})
}

// DroppingSpecks makes the plane without painted islands of up to area pixels.
func (p Plane) DroppingSpecks(area int) *Making { return p.cleaning(true, area) }

// FillingHoles makes the plane with unpainted islands of up to area pixels painted.
func (p Plane) FillingHoles(area int) *Making { return p.cleaning(false, area) }

func (p Plane) cleaning(kept bool, area int) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		copy(m.plane.Pix, p.Pix)
		if area > 0 && !p.small(New(p.W, p.H), work, kept, area+1, func(spans []span) { m.plane.paint(spans, paintValue(kept)) }) {
			return
		}
		m.touch(m.plane.Rect())
	})
}

// Third is a third of the picture in one direction.
type Third int

// Thirds, from the left or the top.
const (
	FirstThird Third = iota
	MiddleThird
	LastThird
)

// Region is one connected part of a mask, for people who cannot see it: with Kept, Share and where its middle lies it can be told in
// words.
type Region struct {
	Kept         bool
	Area         int             // pixels
	Share        float64         // of the picture, 0 to 1
	Box          image.Rectangle // around it
	At           image.Point     // one of its pixels, for RegionAt
	Across, Down Third           // where its middle lies
	Edge         bool            // it touches the picture's edge
}

// Listing is a Job that lists regions.
type Listing struct {
	*Job
	regions []Region
	total   int
}

// Regions are the parts found, the largest first, when the job is over.
func (l *Listing) Regions() []Region { return l.regions }

// Total is how many parts there are in all, those beyond the limit included.
func (l *Listing) Total() int { return l.total }

// Listing finds the connected parts, painted and unpainted, and keeps the largest limit of them. Painted pixels that touch at a corner
// belong together, unpainted ones do not.
func (p Plane) Listing(limit int) *Listing {
	l := &Listing{}
	l.Job = newJob(func(work *pace) {
		work.expect(6 * len(p.Pix))
		states := New(p.W, p.H)
		for _, kept := range []bool{true, false} {
			if !l.list(work, p.keptFlood(states, kept), kept, limit) {
				return
			}
		}
	})
	return l
}

func (l *Listing) list(work *pace, f *flood, kept bool, limit int) bool {
	var r Region
	var sumX, sumY float64
	w, h := f.plane.W, f.plane.H
	return f.regions(work,
		func() { r, sumX, sumY = Region{Kept: kept}, 0, 0 },
		func(s span) {
			n := int(s.to - s.from)
			if r.Area == 0 {
				r.At = image.Pt(int(s.from), int(s.y))
			}
			r.Area += n
			r.Box = r.Box.Union(s.rect())
			sumX += float64(n) * float64(s.from+s.to) / 2
			sumY += float64(n) * (float64(s.y) + 0.5)
		},
		func() {
			r.Share = float64(r.Area) / float64(w*h)
			r.Across = third(sumX/float64(r.Area), w)
			r.Down = third(sumY/float64(r.Area), h)
			r.Edge = r.Box.Min.X == 0 || r.Box.Min.Y == 0 || r.Box.Max.X == w || r.Box.Max.Y == h
			l.total++
			l.insert(r, limit)
		})
}

// insert puts a region in its place, behind those of the same size, and keeps the largest ones.
func (l *Listing) insert(r Region, limit int) {
	at := len(l.regions)
	for at > 0 && l.regions[at-1].Area < r.Area {
		at--
	}
	if at >= limit {
		return
	}
	if len(l.regions) < limit {
		l.regions = append(l.regions, Region{})
	}
	copy(l.regions[at+1:], l.regions[at:])
	l.regions[at] = r
}

func third(at float64, side int) Third {
	return Third(min(max(int(3*at/float64(max(side, 1))), 0), 2))
}

// RegionAt makes a plane with the connected region around a pixel, painted or not, and nothing else: Combine it with Subtract to erase
// it, with Add to paint it. A point outside the plane gives an empty plane.
func (p Plane) RegionAt(at image.Point) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		if !at.In(p.Rect()) {
			return
		}
		work.expect(2 * len(p.Pix))
		f := p.keptFlood(m.plane, p.Kept(at.X, at.Y))
		if f.region(work, at.X, at.Y, func(s span) { m.touch(s.rect()) }) {
			f.settle(work)
		}
	})
}

// Bucket makes the region a bucket of paint poured at a pixel fills: what is not painted around it, up to the strokes that enclose it.
// Poured on what is painted it fills nothing. With erase it is the other way round. Combine it with Add, or with Subtract to erase.
func (p Plane) Bucket(at image.Point, erase bool) *Making {
	if !at.In(p.Rect()) || p.Kept(at.X, at.Y) != erase {
		return newMaking(p.W, p.H, func(*Making, *pace) {})
	}
	return p.RegionAt(at)
}
