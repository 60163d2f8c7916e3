package mask

import (
	"image"
	"math"
)

// Shape is an area of the picture with a firm edge: a pixel belongs to it when its centre does.
type Shape interface {
	// bounds is around every pixel of the shape; empty when it has none or is not a number.
	bounds() image.Rectangle
	// spans calls f for every stretch of pixels, from ≤ x < to, of the row y, from the left to the right.
	spans(y int, f func(from, to int))
}

// Polygon is the inside of a closed outline: a lasso or a polygon. Outlines that cross themselves fill by the even-odd rule.
func Polygon(points []Point) Shape { return newPolygon(points) }

// Rectangle is the area between two corners, in any order.
func Rectangle(a, b Point) Shape {
	return box{Point{min(a.X, b.X), min(a.Y, b.Y)}, Point{max(a.X, b.X), max(a.Y, b.Y)}}
}

// Ellipse is the one that fills the rectangle between two corners.
func Ellipse(a, b Point) Shape { return ellipse{Rectangle(a, b).(box)} }

type box struct{ a, b Point }

func (s box) bounds() image.Rectangle {
	if !drawable(s.a) || !drawable(s.b) {
		return image.Rectangle{}
	}
	x0, x1 := centres(s.a.X, s.b.X)
	y0, y1 := centres(s.a.Y, s.b.Y)
	return image.Rect(x0, y0, max(x0, x1), max(y0, y1))
}

func (s box) spans(y int, f func(from, to int)) {
	if r := s.bounds(); y >= r.Min.Y && y < r.Max.Y && r.Min.X < r.Max.X {
		f(r.Min.X, r.Max.X)
	}
}

// centres are the pixels whose centres lie from ≤ centre < to.
func centres(from, to float64) (first, end int) {
	return int(math.Ceil(from - 0.5)), int(math.Ceil(to - 0.5))
}

// drawable reports whether a point is a number, and not too far away to reckon with.
func drawable(p Point) bool {
	return math.Abs(p.X) <= 1<<30 && math.Abs(p.Y) <= 1<<30
}

type ellipse struct{ box }

func (s ellipse) spans(y int, f func(from, to int)) {
	rx, ry := (s.b.X-s.a.X)/2, (s.b.Y-s.a.Y)/2
	v := (float64(y) + 0.5 - s.a.Y - ry) / ry
	if !(v*v <= 1) {
		return
	}
	half := rx * math.Sqrt(1-v*v)
	if from, to := centres(s.a.X+rx-half, s.a.X+rx+half); from < to {
		f(from, to)
	}
}

// Select joins a shape with what is painted: Add paints it, Subtract erases it, Intersect erases everything else, and Replace leaves
// the shape alone. A shape without an area changes nothing.
func (e *Editor) Select(s Shape, op Op) image.Rectangle {
	r := s.bounds()
	if r.Empty() {
		return r
	}
	if op == Intersect || op == Replace {
		r = r.Union(e.plane.Rect()) // what lies outside is erased
	}
	return e.edit(r, func(r image.Rectangle) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			row, at := e.plane.Row(y), r.Min.X
			s.spans(y, func(from, to int) {
				from, to = max(from, r.Min.X), min(to, r.Max.X)
				if from >= to {
					return
				}
				switch op {
				case Add, Subtract:
					fillRow(row[from:to], paintValue(op == Subtract))
				case Replace:
					fillRow(row[from:to], 255)
				}
				if op == Intersect || op == Replace {
					clear(row[at:from])
					at = to
				}
			})
			if op == Intersect || op == Replace {
				clear(row[at:r.Max.X])
			}
		}
	})
}

func fillRow(row []uint8, v uint8) {
	word := uint64(v) * 0x0101010101010101
	n := 0
	for ; n+8 <= len(row); n += 8 {
		store64(row[n:], word)
	}
	for ; n < len(row); n++ {
		row[n] = v
	}
}
