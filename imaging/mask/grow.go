package mask

import "math"

// Grow returns the plane with everything within r pixels of a painted pixel
// painted too (exact Euclidean distance), 0 or 255 throughout. r of 0 or less
// returns the plane made hard.
func (p Plane) Grow(r float64) Plane { return p.Growing(r).Run() }

// Growing is Grow in slices.
func (p Plane) Growing(r float64) *Making { return p.spreading(r, true) }

// Shrink returns the plane with everything within r pixels of an unpainted
// pixel erased, 0 or 255 throughout. The picture's own edge does not eat into
// the mask: what is beyond it counts as painted.
func (p Plane) Shrink(r float64) Plane { return p.Shrinking(r).Run() }

// Shrinking is Shrink in slices.
func (p Plane) Shrinking(r float64) *Making { return p.spreading(r, false) }

// spreading lets what is painted grow, or else what is not.
func (p Plane) spreading(r float64, kept bool) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		if reach(r) < math.MaxUint8-1 {
			spread[uint8](m, work, p, r, kept)
		} else {
			spread[uint16](m, work, p, r, kept)
		}
		m.touch(m.plane.Rect())
	})
}

// reach is how many whole pixels lie within r.
func reach(r float64) int { return int(min(max(r, 0), math.MaxUint16-2)) }

// spread writes 255 for every pixel within r of a pixel that is kept or, with kept false, 0 for every pixel within r of one that is
// not, and 255 for the others.
//
// Columns are measured first, how far up or down the nearest such pixel is;
// each row then is the union of the intervals those distances reach sideways.
func spread[distance uint8 | uint16](m *Making, work *pace, p Plane, r float64, kept bool) {
	reach := reach(r)
	near, ok := p.used(work, reach+1) // nothing happens further from the paint
	if !ok || near.Empty() {
		return
	}
	w, h := near.Dx(), near.Dy()
	work.expect(3 * w * h)
	r2 := max(r, 0) * max(r, 0)
	// half[d] is how far sideways a pixel d rows away still reaches.
	half := make([]int, reach+1)
	for d := range half {
		half[d] = int(math.Sqrt(max(r2-float64(d*d), 0)))
	}

	far := distance(reach + 1)
	column := make([]distance, w*h)
	above := make([]distance, w)
	for x := range above {
		above[x] = far
	}
	for y := range h {
		row, here := p.Row(near.Min.Y + y)[near.Min.X:near.Max.X], column[y*w:(y+1)*w]
		above, here = above[:len(row)], here[:len(row)]
		for x, v := range row {
			d := min(above[x]+1, far)
			if (v >= Level) == kept {
				d = 0
			}
			here[x] = d
		}
		above = here
		if !work.spend(w) {
			return
		}
	}
	for y := h - 2; y >= 0; y-- {
		below, here := column[(y+1)*w:(y+2)*w], column[y*w:(y+1)*w]
		here = here[:len(below)]
		for x, d := range below {
			here[x] = min(here[x], d+1)
		}
		if !work.spend(w) {
			return
		}
	}
	reached, rest := uint8(255), uint8(0)
	if !kept {
		reached, rest = 0, 255
	}
	for y := range h {
		here, row := column[y*w:(y+1)*w], m.plane.Row(near.Min.Y + y)[near.Min.X:near.Max.X]
		row = row[:len(here)]
		covered := -1 // last pixel reached from the left
		for x, d := range here {
			if d < far {
				covered = max(covered, x+half[d])
			}
			row[x] = rest
			if x <= covered {
				row[x] = reached
			}
		}
		covered = w
		for x := w - 1; x >= 0; x-- {
			if d := here[x]; d < far {
				covered = min(covered, x-half[d])
			}
			if x >= covered {
				row[x] = reached
			}
		}
		if !work.spend(w) {
			return
		}
	}
}
