package mask

import (
	"image"
	"math"
	"slices"
	"sort"
)

// Point is a place on the picture in pixels, (0, 0) at the top left corner of
// the top left pixel.
type Point struct{ X, Y float64 }

// polygon is a closed outline. Rows are asked for from the top down: only the sides that reach a row are looked at then.
type polygon struct {
	area  image.Rectangle
	sides []side // by their upper end

	row       int // the row asked for last
	next      int // first side that begins below it
	active    []side
	crossings []float64
}

// side is one line of the outline, from its upper to its lower end.
type side struct{ top, bottom, x, slope float64 }

// byTop sorts sides. It goes through an interface: a sort made for this one type would add kilobytes to the browser's download.
type byTop []side

func (s byTop) Len() int           { return len(s) }
func (s byTop) Less(i, j int) bool { return s[i].top < s[j].top }
func (s byTop) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func newPolygon(points []Point) *polygon {
	s := &polygon{row: math.MinInt}
	if len(points) < 3 {
		return s
	}
	lo, hi := points[0], points[0]
	for i, b := range points {
		// Such a point cannot be drawn to, nor can the outline be closed without it.
		if !drawable(b) {
			return &polygon{}
		}
		lo = Point{min(lo.X, b.X), min(lo.Y, b.Y)}
		hi = Point{max(hi.X, b.X), max(hi.Y, b.Y)}
		a := points[(i+len(points)-1)%len(points)]
		if a.Y > b.Y {
			a, b = b, a
		}
		if a.Y < b.Y {
			s.sides = append(s.sides, side{a.Y, b.Y, a.X, (b.X - a.X) / (b.Y - a.Y)})
		}
	}
	sort.Sort(byTop(s.sides))
	s.area = image.Rect(int(math.Floor(lo.X)), int(math.Floor(lo.Y)), int(math.Ceil(hi.X)), int(math.Ceil(hi.Y)))
	return s
}

func (s *polygon) bounds() image.Rectangle { return s.area }

func (s *polygon) spans(y int, f func(from, to int)) {
	if y < s.row {
		s.next, s.active = 0, s.active[:0]
	}
	s.row = y
	cy := float64(y) + 0.5
	for s.next < len(s.sides) && s.sides[s.next].top <= cy {
		s.active = append(s.active, s.sides[s.next])
		s.next++
	}
	still := s.active[:0]
	s.crossings = s.crossings[:0]
	for _, l := range s.active {
		if l.bottom <= cy {
			continue
		}
		still = append(still, l)
		s.crossings = append(s.crossings, l.x+(cy-l.top)*l.slope)
	}
	s.active = still
	slices.Sort(s.crossings)
	for i := 0; i+1 < len(s.crossings); i += 2 {
		if from, to := centres(s.crossings[i], s.crossings[i+1]); from < to {
			f(from, to)
		}
	}
}
