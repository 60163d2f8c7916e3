// Package smartselect cuts an object out of a picture from a box around it or from strokes, fast enough to answer while one paints.
// The colours on both sides are learnt on a small copy and cut there; the edge is then followed from size to size up to the picture's
// own. A stroke changes the cut around itself only and begins with the answer before. People in a box or under a stroke
// start from what a network sees of them (people.go).
//
// It is plain Go without codecs and without goroutines: it runs in a worker of the browser.
package smartselect

import (
	"errors"
	"image"
	"math"

	"atelier/imaging/mask"
)

// WorkingSide is the longest side of a picture to work on, in pixels.
const WorkingSide = 2048

// baseSide is the longest side of the copy on which colours are learnt.
const baseSide = 320

// Stroke is a line drawn over what is certainly kept, or certainly not, in pixels of the working picture.
type Stroke struct {
	Keep   bool
	Points []mask.Point
	Radius float64
}

// segments calls f with every line of the stroke; a single point is a line of no length.
func (s Stroke) segments(f func(a, b mask.Point)) {
	for i, b := range s.Points {
		f(s.Points[max(i-1, 0)], b)
	}
}

// Session is one picture being cut. It is used by one goroutine at a time.
type Session struct {
	levels []*level // from the picture's own size down to the base
	model  model
	begun  bool // there is an answer

	sight  sight
	prior  []float32  // of the base: what the network says beside the colours; nil where it saw nobody
	people mask.Plane // of the base: the connected people that strokes picked; empty without any
	parts  model      // colours of the strokes on picked people; nil until one drops a part of them
}

var (
	errSize  = errors.New("smartselect: the picture has not the size it says, or is larger than WorkingSide")
	errBox   = errors.New("smartselect: the box covers nothing of the picture")
	errEmpty = errors.New("smartselect: the stroke has no points")
)

// New prepares a picture of w × h pixels: four bytes each, R G B A. It keeps rgba.
func New(rgba []byte, w, h int) (*Session, error) {
	if w < 1 || h < 1 || max(w, h) > WorkingSide || len(rgba) != 4*w*h {
		return nil, errSize
	}
	s := &Session{levels: []*level{newLevel(w, h, 1, rgba)}}
	for l := s.levels[0]; max(l.w, l.h) > baseSide; {
		l = l.half()
		s.levels = append(s.levels, l)
	}
	return s, nil
}

func (s *Session) base() *level { return s.levels[len(s.levels)-1] }

// Start takes a mask of the picture's size as the answer so far; strokes then change it around themselves.
func (s *Session) Start(p mask.Plane) error {
	first := s.levels[0]
	if p.W != first.w || p.H != first.h {
		return errSize
	}
	for _, l := range s.levels {
		clear(l.seeds.Pix)
		small := p
		if l != first {
			small = p.Fitted(l.w, l.h).Run()
		}
		for i, v := range small.Pix {
			l.keep[i] = v >> 7
		}
	}
	s.begun = true
	s.forgetPeople()
	return nil
}

// Box cuts out what is in a rectangle of the picture. It forgets strokes and answers before.
func (s *Session) Box(r image.Rectangle) error {
	first := s.levels[0]
	r = r.Intersect(image.Rect(0, 0, first.w, first.h))
	if r.Empty() {
		return errBox
	}
	for _, l := range s.levels {
		clear(l.seeds.Pix)
		clear(l.keep)
	}
	l := s.base()
	k := l.scale
	inside := image.Rect(int(float64(r.Min.X)/k), int(float64(r.Min.Y)/k), int(math.Ceil(float64(r.Max.X)/k)), int(math.Ceil(float64(r.Max.Y)/k))).
		Intersect(image.Rect(0, 0, l.w, l.h))
	if inside == image.Rect(0, 0, l.w, l.h) && l.w > 8 && l.h > 8 {
		inside = inside.Inset(2) // something has to show what is around
	}
	for y := inside.Min.Y; y < inside.Max.Y; y++ {
		for x := inside.Min.X; x < inside.Max.X; x++ {
			l.keep[y*l.w+x] = 1
		}
	}
	s.boxPeople(inside)
	const rounds = 5
	v := newSolver(l, inside, func(int, int) bool { return true })
	for round := range rounds {
		s.learn()
		v.begin(func(i int32) float32 { return s.score(l, i) })
		v.solve(40+20*round, smoothness(l))
		v.finish()
	}
	s.tidy(l)
	s.begun = true
	s.follow(image.Rect(0, 0, l.w, l.h))
	return nil
}

// smoothness is what an edge costs against colours. On larger copies a pixel of edge is less of the outline, and more pixels speak.
func smoothness(l *level) float64 {
	return 40 * math.Sqrt(baseSide/float64(max(l.w, l.h, baseSide/2)))
}

// learn counts the colours of what is kept and of what is not; strokes count most.
func (s *Session) learn() {
	l := s.base()
	kept, dropped := newPalette(), newPalette()
	for i, k := range l.keep {
		p := l.pix[4*i : 4*i+4 : 4*i+4]
		weight := float32(1)
		switch l.seeds.Pix[i] {
		case keepSeed:
			k, weight = 1, 8
		case dropSeed:
			k, weight = 0, 8
		}
		if k == 1 {
			kept.add(p, weight)
		} else {
			dropped.add(p, weight)
		}
	}
	s.model = newModel(kept, dropped)
}

// Stroke adds a stroke and cuts again around it. It returns the part of the picture in which the answer may have changed.
func (s *Session) Stroke(stroke Stroke) (image.Rectangle, error) {
	if len(stroke.Points) == 0 {
		return image.Rectangle{}, errEmpty
	}
	for _, p := range stroke.Points {
		if math.IsNaN(p.X+p.Y+stroke.Radius) || math.Abs(p.X) > 1<<20 || math.Abs(p.Y) > 1<<20 || stroke.Radius > 1<<20 {
			return image.Rectangle{}, errEmpty
		}
	}
	for _, l := range s.levels {
		l.stroke(stroke)
	}
	l := s.base()
	all := image.Rect(0, 0, l.w, l.h)
	reach := float64(max(l.w, l.h)) / 5
	area := all
	if s.begun {
		area = s.around(l, stroke, reach)
	}
	far := s.distance(l, area, stroke, reach)
	area = s.strokePeople(stroke, area, far)
	rounds := 2
	if !s.begun {
		rounds = 4
	}
	v := newSolver(l, area, func(int, int) bool { return true })
	for range rounds {
		s.learn()
		v.begin(func(i int32) float32 { return s.seeded(l, i, far) })
		v.solve(60, smoothness(l))
		v.finish()
	}
	if !s.begun {
		s.tidy(l)
	}
	s.begun = true
	return s.follow(area), nil
}

// score returns what speaks for a pixel of the base: its colour and, with people, what is known of them.
func (s *Session) score(l *level, i int32) float32 {
	colour := bin(l.pix[4*i:])
	v := s.model[colour]
	if s.prior != nil {
		v += s.prior[i]
	}
	if s.parts != nil && s.people.Pix[i] != 0 {
		v += partsWeight * s.parts[colour]
	}
	return v
}

// seeded is what speaks for a pixel of the base: its stroke for certain, or its score and, far from the new stroke, the
// answer before.
func (s *Session) seeded(l *level, i int32, far []float32) float32 {
	const certain = 1e4
	switch l.seeds.Pix[i] {
	case keepSeed:
		return certain
	case dropSeed:
		return -certain
	}
	v := s.score(l, i)
	if s.begun {
		const hold = 2 * surest
		if f := hold * far[i] * far[i]; l.keep[i] == 1 {
			v += f
		} else {
			v -= f
		}
	}
	return v
}

// around is the part of the level within reach of a stroke.
func (s *Session) around(l *level, stroke Stroke, reach float64) image.Rectangle {
	lo, hi := stroke.Points[0], stroke.Points[0]
	for _, p := range stroke.Points {
		lo, hi = mask.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}, mask.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	k := l.scale
	grow := reach + stroke.Radius/k
	return image.Rect(int(lo.X/k-grow), int(lo.Y/k-grow), int(hi.X/k+grow)+1, int(hi.Y/k+grow)+1).Intersect(image.Rect(0, 0, l.w, l.h))
}

// distance is how far each pixel of the area is from a stroke, 0 on it to 1 from reach on.
func (s *Session) distance(l *level, area image.Rectangle, stroke Stroke, reach float64) []float32 {
	out := make([]float32, l.w*l.h)
	if !s.begun {
		return out
	}
	const most = 24 // lines are enough to tell how far
	step := (len(stroke.Points) + most - 1) / most
	var lines []mask.Point
	for i := 0; i < len(stroke.Points); i += step {
		lines = append(lines, stroke.Points[i])
	}
	lines = append(lines, stroke.Points[len(stroke.Points)-1])
	for i, p := range lines {
		lines[i] = mask.Point{X: p.X / l.scale, Y: p.Y / l.scale}
	}
	radius := stroke.Radius / l.scale
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			nearest := math.Inf(1)
			for i := 1; i < len(lines); i++ {
				nearest = min(nearest, toLine(mask.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}, lines[i-1], lines[i]))
			}
			out[y*l.w+x] = float32(min(max(math.Sqrt(nearest)-radius, 0)/reach, 1))
		}
	}
	return out
}

// tidy drops islands and fills holes too small to be meant, but where a stroke asked for them.
func (s *Session) tidy(l *level) {
	p := mask.New(l.w, l.h)
	kept := 0
	for i, k := range l.keep {
		p.Pix[i] = -k
		kept += int(k)
	}
	p.Clean(max(kept/60, 4))
	for i, v := range p.Pix {
		switch l.seeds.Pix[i] {
		case keepSeed:
			l.keep[i] = 1
		case dropSeed:
			l.keep[i] = 0
		default:
			l.keep[i] = v >> 7
		}
	}
}

// follow takes the answer of an area of the base to the finer levels: there only pixels along the edge are decided again. It returns
// the area of the picture.
func (s *Session) follow(area image.Rectangle) image.Rectangle {
	for n := len(s.levels) - 2; n >= 0; n-- {
		coarse, l := s.levels[n+1], s.levels[n]
		border := coarse.border(area)
		area = image.Rect(2*area.Min.X, 2*area.Min.Y, min(2*area.Max.X, l.w), min(2*area.Max.Y, l.h))
		for y := area.Min.Y; y < area.Max.Y; y++ {
			from, to := coarse.keep[y/2*coarse.w:], l.keep[y*l.w:]
			for x := area.Min.X; x < area.Max.X; x++ {
				to[x] = from[x/2]
			}
		}
		v := newSolver(l, area, func(x, y int) bool { return border[y/2*coarse.w+x/2] != 0 })
		v.begin(func(i int32) float32 { return s.edgeScore(l, i) })
		v.solve(30, smoothness(l))
		v.finish()
	}
	return area
}

func (s *Session) edgeScore(l *level, i int32) float32 {
	switch l.seeds.Pix[i] {
	case keepSeed:
		return 1e4
	case dropSeed:
		return -1e4
	}
	return s.model[bin(l.pix[4*i:])]
}

// border marks the pixels of an area within two of the other side.
func (l *level) border(area image.Rectangle) []uint8 {
	edge := make([]uint8, l.w*l.h)
	out := make([]uint8, l.w*l.h)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			i := y*l.w + x
			if x+1 < l.w && l.keep[i] != l.keep[i+1] {
				edge[i], edge[i+1] = 1, 1
			}
			if y+1 < l.h && l.keep[i] != l.keep[i+l.w] {
				edge[i], edge[i+l.w] = 1, 1
			}
		}
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if edge[y*l.w+x] == 0 {
				continue
			}
			for yy := max(y-1, 0); yy <= min(y+1, l.h-1); yy++ {
				for xx := max(x-1, 0); xx <= min(x+1, l.w-1); xx++ {
					out[yy*l.w+xx] = 1
				}
			}
		}
	}
	return out
}

// Mask is the answer: 255 kept, 0 not.
func (s *Session) Mask() mask.Plane {
	l := s.levels[0]
	p := mask.New(l.w, l.h)
	for i, k := range l.keep {
		p.Pix[i] = -k
	}
	return p
}

// Part is the part of the answer within r of a picture of w × h pixels, of which the working picture is a smaller copy: 255 kept, 0
// not.
func (s *Session) Part(w, h int, r image.Rectangle) mask.Plane {
	r = r.Intersect(image.Rect(0, 0, w, h))
	l := s.levels[0]
	working := mask.New(l.w, l.h)
	const beside = 2 // rows of the working picture that its neighbours look at
	for y := max(r.Min.Y*l.h/h-beside, 0); y < min(r.Max.Y*l.h/h+beside, l.h); y++ {
		row := working.Row(y)
		for x, k := range l.keep[y*l.w:][:l.w] {
			row[x] = -k
		}
	}
	p := working.FittedPart(w, h, r).Run()
	p.Threshold(mask.Level)
	return p
}
