package mask

import "math"

// Grow returns the plane with everything within r pixels of a painted pixel
// painted too (exact Euclidean distance), 0 or 255 throughout. r of 0 or less
// returns the plane made hard.
func (p Plane) Grow(r float64) Plane { return p.Growing(r).Run() }

// Growing is Grow in slices.
func (p Plane) Growing(r float64) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		// Nothing happens further from the paint than r.
		near := p.used(reach(r) + 1)
		if grown, ok := p.crop(near).dilate(work, r, true); ok {
			m.plane.paste(grown, near.Min)
			m.touch(m.plane.Rect())
		}
	})
}

// Shrink returns the plane with everything within r pixels of an unpainted
// pixel erased, 0 or 255 throughout. The picture's own edge does not eat into
// the mask: what is beyond it counts as painted.
func (p Plane) Shrink(r float64) Plane { return p.Shrinking(r).Run() }

// Shrinking is Shrink in slices.
func (p Plane) Shrinking(r float64) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		near := p.used(reach(r) + 1)
		kept, ok := p.crop(near).dilate(work, r, false)
		if !ok {
			return
		}
		kept.Invert()
		m.plane.paste(kept, near.Min)
		m.touch(m.plane.Rect())
	})
}

// reach is how many whole pixels lie within r.
func reach(r float64) int { return int(min(max(r, 0), math.MaxUint16-2)) }

// dilate marks with 255 every pixel within r of a pixel that is kept, or, with
// kept false, of one that is not. It reports false when the work was cancelled.
//
// Columns are measured first, how far up or down the nearest such pixel is;
// each row then is the union of the intervals those distances reach sideways.
func (p Plane) dilate(work *pace, r float64, kept bool) (Plane, bool) {
	out := New(p.W, p.H)
	if len(p.Pix) == 0 {
		return out, true
	}
	work.expect(3 * len(p.Pix))
	reach := reach(r)
	r2 := max(r, 0) * max(r, 0)
	// half[d] is how far sideways a pixel d rows away still reaches.
	half := make([]int, reach+1)
	for d := range half {
		half[d] = int(math.Sqrt(max(r2-float64(d*d), 0)))
	}

	far := uint16(reach + 1)
	column := make([]uint16, len(p.Pix))
	above := make([]uint16, p.W)
	for x := range above {
		above[x] = far
	}
	for y := range p.H {
		row, distance := p.Row(y), column[y*p.W:(y+1)*p.W]
		above, distance = above[:len(row)], distance[:len(row)]
		for x, v := range row {
			d := min(above[x]+1, far)
			if (v >= Level) == kept {
				d = 0
			}
			distance[x] = d
		}
		above = distance
		if !work.spend(p.W) {
			return Plane{}, false
		}
	}
	for y := p.H - 2; y >= 0; y-- {
		below, distance := column[(y+1)*p.W:(y+2)*p.W], column[y*p.W:(y+1)*p.W]
		distance = distance[:len(below)]
		for x, d := range below {
			distance[x] = min(distance[x], d+1)
		}
		if !work.spend(p.W) {
			return Plane{}, false
		}
	}
	for y := range p.H {
		distance, row := column[y*p.W:(y+1)*p.W], out.Row(y)
		row = row[:len(distance)]
		covered := -1 // last pixel reached from the left
		for x, d := range distance {
			if d < far {
				covered = max(covered, x+half[d])
			}
			if x <= covered {
				row[x] = 255
			}
		}
		covered = p.W
		for x := p.W - 1; x >= 0; x-- {
			if d := distance[x]; d < far {
				covered = min(covered, x-half[d])
			}
			if x >= covered {
				row[x] = 255
			}
		}
		if !work.spend(p.W) {
			return Plane{}, false
		}
	}
	return out, true
}
