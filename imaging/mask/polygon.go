package mask

import (
	"image"
	"math"
	"slices"
)

// Point is a place on the picture in pixels, (0, 0) at the top left corner of
// the top left pixel.
type Point struct{ X, Y float64 }

// polygon is a closed outline.
type polygon struct {
	points []Point
}

func newPolygon(points []Point) polygon { return polygon{points} }

func (s polygon) bounds() image.Rectangle {
	if len(s.points) < 3 {
		return image.Rectangle{}
	}
	lo, hi := s.points[0], s.points[0]
	for _, p := range s.points {
		// Such a point cannot be drawn to, nor can the outline be closed without it.
		if math.IsNaN(p.X) || math.IsNaN(p.Y) || math.Abs(p.X) > 1<<30 || math.Abs(p.Y) > 1<<30 {
			return image.Rectangle{}
		}
		lo = Point{min(lo.X, p.X), min(lo.Y, p.Y)}
		hi = Point{max(hi.X, p.X), max(hi.Y, p.Y)}
	}
	return image.Rect(int(math.Floor(lo.X)), int(math.Floor(lo.Y)), int(math.Ceil(hi.X)), int(math.Ceil(hi.Y)))
}

// fill sets every pixel within r whose centre lies inside the outline.
func (s polygon) fill(p Plane, r image.Rectangle, erase bool) {
	v := paintValue(erase)
	var crossings []float64
	for y := r.Min.Y; y < r.Max.Y; y++ {
		cy := float64(y) + 0.5
		crossings = crossings[:0]
		for i, b := range s.points {
			a := s.points[(i+len(s.points)-1)%len(s.points)]
			if (a.Y <= cy) != (b.Y <= cy) {
				crossings = append(crossings, a.X+(cy-a.Y)/(b.Y-a.Y)*(b.X-a.X))
			}
		}
		slices.Sort(crossings)
		row := p.Row(y)
		for i := 0; i+1 < len(crossings); i += 2 {
			from := max(int(math.Ceil(crossings[i]-0.5)), r.Min.X)
			to := min(int(math.Ceil(crossings[i+1]-0.5)), r.Max.X)
			for x := from; x < to; x++ {
				row[x] = v
			}
		}
	}
}
