package smartselect

import (
	"image"
	"math"
	"slices"

	"atelier/imaging/mask"
	"atelier/imaging/net"
)

// Compared on photographs of people and of single garments; docs/assurance.md names the figures.
const (
	// boxHolds is the share of connected people that lies in a box around them. With less, the box means a part of them.
	boxHolds = 0.8
	// boxFilled is the share of a box that the rectangle around its people fills. With less, the box means something else.
	boxFilled = 0.5
	// strokeHolds is the share of a stroke that lies on people, for it to mean them.
	strokeHolds = 0.5
	// sure is the mean chance of connected people. Textures and things that the network takes for people have less.
	sure = 0.85
	// partKept is the share of connected people above which the answer holds a part of them; a stroke then corrects that.
	partKept = 0.01
	// partFade is what remains of the prior for picked people after each stroke that drops a part of them.
	partFade = 0.5
	// partsWeight is what the colours of strokes on picked people count, against 1 for the colours of all that is kept.
	partsWeight = 2
)

// sight holds what the person network sees in a picture. Its zero value has not looked yet.
type sight struct {
	picture net.Picture
	chance  mask.Plane        // of each pixel of the base to show a person: 255 is certain
	near    []image.Rectangle // parts of the base that the network looked at a second time
}

// look asks the network about the whole picture when it was not asked before.
func (s *Session) look() {
	const longest = 4 * net.PeopleSize // the network averages four pixels a side at most
	v, l := &s.sight, s.base()
	if v.picture.W > 0 {
		return
	}
	fine := s.levels[slices.IndexFunc(s.levels, func(l *level) bool { return max(l.w, l.h) <= longest })]
	v.picture = net.PictureOf(&image.NRGBA{Pix: fine.pix, Stride: 4 * fine.w, Rect: image.Rect(0, 0, fine.w, fine.h)})
	v.chance = mask.New(l.w, l.h)
	v.chance = v.see(v.chance.Rect())
}

// lookNear asks the network about an area of the base that it has not seen at that size.
func (s *Session) lookNear(area image.Rectangle) {
	const (
		margin = 0.15 // around the area, in parts of its sides
		larger = 3    // times an area: one seen before that is no larger is near enough
		weight = 2    // of the second look, against 1 for the first; as in segment
	)
	s.look()
	v := &s.sight
	dx, dy := int(margin*float64(area.Dx())), int(margin*float64(area.Dy()))
	wide := image.Rect(area.Min.X-dx, area.Min.Y-dy, area.Max.X+dx, area.Max.Y+dy).Intersect(v.chance.Rect())
	if wide.Empty() || wide == v.chance.Rect() ||
		slices.ContainsFunc(v.near, func(n image.Rectangle) bool { return area.In(n) && pixels(n) <= larger*pixels(area) }) {
		return
	}
	v.near = append(v.near, wide)
	seen := v.see(wide)
	for y := range seen.H {
		row := v.chance.Row(wide.Min.Y + y)[wide.Min.X:]
		for x, near := range seen.Row(y) {
			row[x] = uint8((int(row[x]) + weight*int(near)) / (1 + weight))
		}
	}
}

func pixels(r image.Rectangle) int { return r.Dx() * r.Dy() }

// see returns what the network sees in an area of the base.
func (v *sight) see(area image.Rectangle) mask.Plane {
	k := float64(v.picture.W) / float64(v.chance.W)
	grid := mask.New(net.PeopleSize, net.PeopleSize)
	for i, chance := range net.People(v.picture, net.Region{
		X: k * float64(area.Min.X+area.Max.X) / 2, Y: k * float64(area.Min.Y+area.Max.Y) / 2,
		W: k * float64(area.Dx()), H: k * float64(area.Dy()),
	}) {
		grid.Pix[i] = uint8(255*chance + 0.5)
	}
	return grid.Fitted(area.Dx(), area.Dy()).Run()
}

// touching returns the connected people of whom the network is sure and of whom at least a share lies under marked
// pixels.
func (v *sight) touching(marked mask.Plane, share float64) mask.Plane {
	out, left := mask.New(marked.W, marked.H), v.chance.Clone()
	for i, m := range marked.Pix {
		if m&left.Pix[i] < mask.Level {
			continue
		}
		piece := left.RegionAt(image.Pt(i%marked.W, i/marked.W)).Run()
		n, sum := float64(common(piece, piece)), 0.0
		for j, kept := range piece.Pix {
			left.Pix[j] &^= kept
			sum += float64(kept & v.chance.Pix[j])
		}
		if float64(common(piece, marked)) >= share*n && sum >= sure*255*n {
			join(out, piece)
		}
	}
	return out
}

// common counts the pixels that two planes both keep.
func common(a, b mask.Plane) (n int) {
	for i, v := range a.Pix {
		n += int(v & b.Pix[i] >> 7)
	}
	return n
}

// join adds a plane to another of its size.
func join(to, piece mask.Plane) {
	for i, v := range piece.Pix {
		to.Pix[i] |= v
	}
}

// boxPeople starts from the people in a box of the base when the box is about them.
func (s *Session) boxPeople(box image.Rectangle) {
	s.forgetPeople()
	s.lookNear(box)
	l := s.base()
	marked := mask.New(l.w, l.h)
	marked.FillRect(box, 255)
	piece := s.sight.touching(marked, boxHolds)
	if float64(pixels(piece.Bounds().Intersect(box))) < boxFilled*float64(pixels(box)) {
		return
	}
	s.believe(piece)
	for i, v := range piece.Pix {
		l.keep[i] &= v >> 7
	}
}

// strokePeople fits the prior to a stroke, and picks the people it keeps. It returns the area to cut again. Where the
// stroke decides about people as a whole, it clears far.
func (s *Session) strokePeople(stroke Stroke, area image.Rectangle, far []float32) image.Rectangle {
	l := s.base()
	if s.prior != nil { // around the stroke it does not speak against it
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for i := y*l.w + area.Min.X; i < y*l.w+area.Max.X; i++ {
				if s.prior[i] > 0 != stroke.Keep {
					s.prior[i] *= far[i]
				}
			}
		}
	}
	marked := mask.New(l.w, l.h)
	l.mark(marked, stroke, 255)
	follow := s.people
	if len(follow.Pix) > 0 && common(follow, marked) > 0 && (!stroke.Keep || s.parts != nil) {
		s.learnParts(!stroke.Keep)
	} else if follow = s.strokePicks(stroke, marked); follow.Empty() {
		return area
	}
	for i, v := range follow.Pix {
		if v != 0 {
			far[i] = 0
		}
	}
	const beside = 4 // pixels of the base
	return area.Union(follow.Bounds().Inset(-beside)).Intersect(follow.Rect())
}

// strokePicks picks the people whom a stroke keeps and of whom hardly anything was kept before.
func (s *Session) strokePicks(stroke Stroke, marked mask.Plane) (piece mask.Plane) {
	if !stroke.Keep {
		return piece
	}
	s.look()
	if float64(common(s.sight.chance, marked)) < strokeHolds*float64(common(marked, marked)) {
		return piece
	}
	l := s.base()
	found := s.sight.touching(marked, 0)
	all, kept := 0, 0
	for i, v := range found.Pix {
		all += int(v >> 7)
		kept += int(v >> 7 & l.keep[i])
	}
	if float64(kept) > partKept*float64(all) {
		return piece
	}
	s.lookNear(found.Bounds())
	piece = s.sight.touching(marked, 0)
	if piece.Empty() {
		return piece
	}
	s.believe(piece)
	if len(s.people.Pix) == 0 {
		s.people = mask.New(l.w, l.h)
	}
	join(s.people, piece)
	for i, v := range piece.Pix {
		if l.seeds.Pix[i] != dropSeed {
			l.keep[i] |= v >> 7
		}
	}
	return piece
}

// believe adds people to the prior: what the network says of them, and that the rest is not kept.
func (s *Session) believe(piece mask.Plane) {
	chance := s.sight.chance.Pix
	if s.prior == nil {
		s.prior = make([]float32, len(chance))
		for i, v := range chance {
			s.prior[i] = odds(min(v, 255-v))
		}
	}
	for i, v := range piece.Pix {
		if v >= mask.Level {
			s.prior[i] = odds(chance[i])
		}
	}
}

// odds returns the logarithm of the odds of a chance of sight.
func odds(chance uint8) float32 {
	p := (float64(chance) + 0.5) / 256
	return float32(math.Log(p / (1 - p)))
}

// learnParts compares the colours of the strokes on picked people. With dropped, the prior for them fades: a part of
// them is meant.
func (s *Session) learnParts(dropped bool) {
	l := s.base()
	keep, drop := newPalette(), newPalette()
	for i, v := range s.people.Pix {
		if v == 0 {
			continue
		}
		switch l.seeds.Pix[i] {
		case keepSeed:
			keep.add(l.pix[4*i:], 1)
		case dropSeed:
			drop.add(l.pix[4*i:], 1)
		}
		if dropped {
			s.prior[i] *= partFade
		}
	}
	s.parts = newModel(keep, drop)
}

func (s *Session) forgetPeople() { s.people, s.prior, s.parts = mask.Plane{}, nil, nil }
