package mask

import (
	"image"
	"math"
)

// paintValue is the value a firm stroke leaves.
func paintValue(erase bool) uint8 {
	if erase {
		return 0
	}
	return 255
}

// lay puts a stroke of the given strength over one pixel. Strokes take the
// stronger of old and new, so passing twice leaves the same as passing once.
func lay(pixel *uint8, strength uint8, erase bool) {
	if erase {
		*pixel = min(*pixel, 255-strength)
	} else {
		*pixel = max(*pixel, strength)
	}
}

// capsule is the trace of a round brush drawn along a line.
type capsule struct {
	x0, y0, x1, y1 float64
	inner, outer   float64 // full strength up to inner, none from outer on
}

func newCapsule(x0, y0, x1, y1, radius, hardness float64) capsule {
	radius = max(radius, 0.5)
	hardness = min(max(hardness, 0), 1)
	// Half a pixel on either side smooths even the firmest edge, and leaves
	// Level exactly at the radius.
	return capsule{x0, y0, x1, y1, radius*hardness - 0.5, radius + 0.5}
}

// Stroke paints, or erases, as Editor.Stroke does, without a history.
func (p Plane) Stroke(x0, y0, x1, y1, radius, hardness float64, erase bool) image.Rectangle {
	c := newCapsule(x0, y0, x1, y1, radius, hardness)
	r := c.bounds().Intersect(p.Rect())
	c.stamp(p, r, erase)
	return r
}

func (c capsule) bounds() image.Rectangle {
	for _, v := range []float64{c.x0, c.y0, c.x1, c.y1, c.outer} {
		if math.IsNaN(v) || math.Abs(v) > 1<<30 {
			return image.Rectangle{}
		}
	}
	return image.Rect(
		int(math.Floor(min(c.x0, c.x1)-c.outer)), int(math.Floor(min(c.y0, c.y1)-c.outer)),
		int(math.Ceil(max(c.x0, c.x1)+c.outer)), int(math.Ceil(max(c.y0, c.y1)+c.outer)))
}

// stamp draws the part of the capsule within r.
func (c capsule) stamp(p Plane, r image.Rectangle, erase bool) {
	firm := paintValue(erase)
	dx, dy := c.x1-c.x0, c.y1-c.y0
	length2 := dx*dx + dy*dy
	for y := r.Min.Y; y < r.Max.Y; y++ {
		cy := float64(y) + 0.5
		from, to := c.span(cy, c.outer, r)
		if from >= to {
			continue
		}
		row := p.Row(y)
		firmFrom, firmTo := c.span(cy, c.inner, r)
		if firmFrom >= firmTo {
			firmFrom, firmTo = to, to
		}
		edge := func(from, to int) {
			for x := from; x < to; x++ {
				cx := float64(x) + 0.5
				t := 0.0
				if length2 > 0 {
					t = unit(((cx-c.x0)*dx + (cy-c.y0)*dy) / length2)
				}
				ex, ey := cx-c.x0-t*dx, cy-c.y0-t*dy
				if strength := (c.outer - math.Sqrt(ex*ex+ey*ey)) / (c.outer - c.inner); strength > 0 {
					lay(&row[x], uint8(unit(strength)*255+0.5), erase)
				}
			}
		}
		edge(from, firmFrom)
		for x := firmFrom; x < firmTo; x++ {
			row[x] = firm
		}
		edge(firmTo, to)
	}
}

// unit brings v to 0 … 1. In a browser min and max of such numbers are calls; this is not.
func unit(v float64) float64 {
	if v > 1 {
		return 1
	}
	if v > 0 {
		return v
	}
	return 0
}

// span is the half-open range of pixels within r whose centres in the row at
// cy lie within radius of the line. A capsule is convex, so there is only one.
func (c capsule) span(cy, radius float64, r image.Rectangle) (from, to int) {
	if radius <= 0 {
		return 0, 0
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	disc := func(x, y float64) {
		if rest := radius*radius - (cy-y)*(cy-y); rest >= 0 {
			half := math.Sqrt(rest)
			lo, hi = min(lo, x-half), max(hi, x+half)
		}
	}
	disc(c.x0, c.y0)
	disc(c.x1, c.y1)
	dx, dy := c.x1-c.x0, c.y1-c.y0
	if length := math.Hypot(dx, dy); length > 0 {
		// The body between the discs: where the row is abreast of the line and
		// not further from it than the radius.
		ux, uy := dx/length, dy/length
		a, b := between(ux, (cy-c.y0)*uy-c.x0*ux, 0, length)
		a2, b2 := between(uy, -(cy-c.y0)*ux-c.x0*uy, -radius, radius)
		a, b = max(a, a2), min(b, b2)
		if a <= b {
			lo, hi = min(lo, a), max(hi, b)
		}
	}
	if lo > hi {
		return 0, 0
	}
	from = int(math.Ceil(max(lo, float64(r.Min.X)) - 0.5))
	to = int(math.Floor(min(hi, float64(r.Max.X))-0.5)) + 1
	return max(from, r.Min.X), min(to, r.Max.X)
}

// between solves low ≤ slope·x + offset ≤ high for x.
func between(slope, offset, low, high float64) (from, to float64) {
	if slope == 0 {
		if offset < low || offset > high {
			return 1, 0
		}
		return math.Inf(-1), math.Inf(1)
	}
	from, to = (low-offset)/slope, (high-offset)/slope
	return min(from, to), max(from, to)
}
