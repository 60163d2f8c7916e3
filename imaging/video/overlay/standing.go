package overlay

import (
	"image"

	"atelier/imaging/lettering"
	"atelier/imaging/mask"
	"atelier/imaging/video/flow"
)

// standing is lettering of any size that keeps its place while the film goes on, wherever in the frame it is.
type standing struct {
	found       lettering.Found
	line        lettering.Line
	rims        [][2]image.Point // beside one another inside and outside of its letters, in pixels of the gray picture
	contrast    float32          // mean difference between the two
	first, last float64          // seconds at which it was seen in full
	seen        int
	cover       *mask.Plane // part of a mask of the frame's size; nil until it is wanted
	at          image.Point // where that part lies
}

const (
	lookEvery  = 0.3 // seconds between the frames that are looked at for standing letters
	leastLooks = 3   // in how many of them they stand
	fades      = 1.2 // seconds that lettering takes to come and to go
	mostRims   = 900
	nudge      = 3  // pixels by which letters of the scene have moved between two looks
	drift      = 14 // and that lettering moves at most while it comes
)

// newStanding prepares a line of letters found in a frame whose gray copy is g; nil when it differs too little in
// brightness to be followed.
func newStanding(found lettering.Found, line lettering.Line, g *flow.Gray, second float64) *standing {
	s := &standing{found: found, line: line, first: second, last: second, seen: 1}
	in := make(map[int]bool, len(line.Letters))
	for _, i := range line.Letters {
		in[i] = true
	}
	at := func(x, y int) image.Point { return image.Pt(x*g.W/found.W, y*g.H/found.H) }
	for _, i := range line.Letters {
		x, y := i%found.W, i/found.W
		for _, d := range [4]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			ox, oy := x+2*d.X, y+2*d.Y
			if in[i+d.Y*found.W+d.X] || in[oy*found.W+ox] || !image.Pt(ox, oy).In(image.Rect(0, 0, found.W, found.H)) {
				continue
			}
			ix, iy := x, y
			if in[(y-d.Y)*found.W+x-d.X] {
				ix, iy = x-d.X, y-d.Y
			}
			s.rims = append(s.rims, [2]image.Point{at(ix, iy), at(ox, oy)})
		}
	}
	if n := len(s.rims); n > mostRims {
		for i := range mostRims {
			s.rims[i] = s.rims[i*n/mostRims]
		}
		s.rims = s.rims[:mostRims]
	}
	for _, r := range s.rims {
		s.contrast += (g.Pix[r[0].Y*g.W+r[0].X] - g.Pix[r[1].Y*g.W+r[1].X]) / float32(len(s.rims))
	}
	if s.contrast < 12 && s.contrast > -12 {
		return nil
	}
	return s
}

// share is the part of the letters' rims that a frame shows at an offset, with at least a part of their contrast.
func (s *standing) share(g *flow.Gray, by image.Point, part float32) float64 {
	n := 0
	frame := image.Rect(0, 0, g.W, g.H)
	for _, r := range s.rims {
		a, b := r[0].Add(by), r[1].Add(by)
		if !a.In(frame) || !b.In(frame) {
			continue
		}
		if d := g.Pix[a.Y*g.W+a.X] - g.Pix[b.Y*g.W+b.X]; d/s.contrast > part {
			n++
		}
	}
	return float64(n) / float64(len(s.rims))
}

// stands reports whether the letters are in a frame in full, just where they were.
func (s *standing) stands(g *flow.Gray) bool {
	return unmoved(func(by image.Point) float64 { return s.share(g, by, 0.4) })
}

// unmoved reports whether most of some letters are where they were, and nowhere near it more of them; share is the part of them at an
// offset.
func unmoved(share func(by image.Point) float64) bool {
	here := share(image.Point{})
	if here < 0.7 {
		return false
	}
	for dy := -nudge; dy <= nudge; dy++ {
		for dx := -nudge; dx <= nudge; dx++ {
			if share(image.Pt(dx, dy)) > here+0.03 {
				return false
			}
		}
	}
	return true
}

// place is where in a frame of a second the letters are, also while they come and go; false when they are not there.
func (s *standing) place(g *flow.Gray, second float64) (image.Point, bool) {
	switch {
	case s.seen < leastLooks || second < s.first-longest || second > s.last+longest:
		return image.Point{}, false
	case second >= s.first && second <= s.last || s.share(g, image.Point{}, 0.4) > 0.6:
		return image.Point{}, true
	case second < s.first-fades || second > s.last+fades:
		return image.Point{}, false
	}
	// Faint, and perhaps on its way.
	const faint = 0.05
	best, most := image.Point{}, s.share(g, image.Point{}, faint)+0.04
	for dy := -drift; dy <= drift; dy++ {
		for dx := -drift; dx <= drift; dx++ {
			if n := s.share(g, image.Pt(dx, dy), faint); n > most {
				best, most = image.Pt(dx, dy), n
			}
		}
	}
	return best, most > 0.72
}

// laid is standing lettering in one frame, off its place by some pixels of the frame.
type laid struct {
	on *standing
	by image.Point
}

// paint covers the lettering, with its outline and shadow, in a mask of the frame's size.
func (l laid) paint(out mask.Plane) {
	s := l.on
	if s.cover == nil {
		all := s.found.Mask(out.W, out.H, s.line)
		box := all.Bounds()
		part := mask.New(box.Dx(), box.Dy())
		for y := range part.H {
			copy(part.Row(y), all.Row(y + box.Min.Y)[box.Min.X:])
		}
		s.cover, s.at = &part, box.Min
	}
	places := []image.Point{s.at.Add(l.by)}
	if l.by != (image.Point{}) {
		// On its way it is seen less exactly.
		for _, d := range [4]image.Point{{X: 3}, {X: -3}, {Y: 3}, {Y: -3}} {
			places = append(places, places[0].Add(d))
		}
	}
	for _, at := range places {
		for y := range s.cover.H {
			for x, v := range s.cover.Row(y) {
				if v != 0 {
					out.Set(x+at.X, y+at.Y, 255)
				}
			}
		}
	}
}

// lookForStanding goes on with the letters that stand and takes in those that have come.
func (t *Titles) lookForStanding(img *image.NRGBA, g *flow.Gray, second float64) {
	if len(t.looks) > 0 && second-t.looks[len(t.looks)-1] < lookEvery {
		return
	}
	t.looks = append(t.looks, second)
	found := lettering.Find(img, Side)
	var stand []*standing
	for _, s := range t.standing {
		if second-s.last < longest && s.stands(g) {
			s.seen++
			s.last = second
			stand = append(stand, s)
		}
	}
	for _, line := range found.Lines {
		known := false
		for _, s := range stand {
			common := s.line.Box.Intersect(line.Box)
			if s.found.W == found.W && 10*common.Dx()*common.Dy() > 8*line.Box.Dx()*line.Box.Dy() {
				known = true
				s.line.Rim = max(s.line.Rim, line.Rim)
			}
		}
		if s := newStanding(found, line, g, second); s != nil && !known {
			t.standing = append(t.standing, s)
		}
	}
}

// standingIn is the lettering that stands in a frame of the film.
func (t *Titles) standingIn(img *image.NRGBA, second float64) []laid {
	var out []laid
	var g *flow.Gray
	for _, s := range t.standing {
		if s.seen < leastLooks || second < s.first-longest || second > s.last+longest {
			continue
		}
		if g == nil {
			g = flow.GrayOf(img, Side)
		}
		if by, ok := s.place(g, second); ok {
			out = append(out, laid{s, image.Pt(by.X*img.Rect.Dx()/g.W, by.Y*img.Rect.Dy()/g.H)})
		}
	}
	return out
}
