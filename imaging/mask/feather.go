package mask

// Feather returns the plane with its edges softened over about r pixels on
// either side: three box blurs, which come close to a Gaussian of sigma r/2.
// Level stays where the edge was. An export is hard again; a soft edge is for
// showing, compositing and for choosing a Threshold.
func (p Plane) Feather(r float64) Plane { return p.Feathering(r).Run() }

// Feathering is Feather in slices.
func (p Plane) Feathering(r float64) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		if p.blurInto(m.plane, work, r, false) {
			m.touch(m.plane.Rect())
		}
	})
}

// Smooth returns the plane with its outline evened out over about r pixels: corners are rounded, dents and spikes narrower than r go.
// It is 0 or 255 throughout.
func (p Plane) Smooth(r float64) Plane { return p.Smoothing(r).Run() }

// Smoothing is Smooth in slices.
func (p Plane) Smoothing(r float64) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		if p.blurInto(m.plane, work, r, true) {
			m.touch(m.plane.Rect())
		}
	})
}

// blurInto writes the plane, blurred, into an empty one of its size. With hard, soft edges are made firm before and after. It reports
// false when the work was cancelled.
func (p Plane) blurInto(out Plane, work *pace, r float64, hard bool) bool {
	// Three boxes of width 2b+1 have the variance 3·((2b+1)²-1)/12 = b(b+1).
	box := min(max(int(r/2+0.25), 1), max(p.W, p.H))
	if r <= 0 {
		box = 0
	}
	near, ok := p.used(work, 3*box+1)
	if !ok || near.Empty() {
		return ok
	}
	soft, scratch := New(near.Dx(), near.Dy()), Plane{}
	work.expect(8 * len(soft.Pix))
	for y := range soft.H {
		row := soft.Row(y)
		copy(row, p.Row(near.Min.Y + y)[near.Min.X:near.Max.X])
		if hard {
			firm(row)
		}
		if !work.spend(soft.W) {
			return false
		}
	}
	if box > 0 {
		scratch = New(soft.W, soft.H)
		for range 3 {
			if !blurRows(work, scratch.Pix, soft.Pix, soft.W, box) || !blurColumns(work, soft.Pix, scratch.Pix, soft.W, box) {
				return false
			}
		}
	}
	for y := range soft.H {
		row := out.Row(near.Min.Y + y)[near.Min.X:near.Max.X]
		copy(row, soft.Row(y))
		if hard {
			firm(row)
		}
		if !work.spend(soft.W) {
			return false
		}
	}
	return true
}

// firm makes every pixel of a row 0 or 255.
func firm(row []uint8) {
	for len(row) >= 8 {
		// A byte of 1 for each painted pixel, times 255.
		store64(row, load64(row)>>7&0x0101010101010101*255)
		row = row[8:]
	}
	for x, v := range row {
		row[x] = -(v >> 7)
	}
}

// blurRows averages 2·box+1 neighbours along each row; the ends repeat.
func blurRows(work *pace, dst, src []uint8, w, box int) bool {
	div := newDivider(2*box + 1)
	for at := 0; at < len(src); at += w {
		row, out := src[at:at+w], dst[at:at+w]
		first, last := uint32(row[0]), uint32(row[w-1])
		sum := first * uint32(box+1)
		for x := 1; x <= box; x++ {
			sum += uint32(row[min(x, w-1)])
		}
		for x := range out {
			out[x] = div.by(sum)
			in, gone := last, first
			if x+box+1 < w {
				in = uint32(row[x+box+1])
			}
			if x-box >= 0 {
				gone = uint32(row[x-box])
			}
			sum += in - gone
		}
		if !work.spend(w) {
			return false
		}
	}
	return true
}

// blurColumns averages 2·box+1 neighbours down each column, a row at a time.
func blurColumns(work *pace, dst, src []uint8, w, box int) bool {
	div := newDivider(2*box + 1)
	h := len(src) / w
	row := func(y int) []uint8 {
		y = min(max(y, 0), h-1)
		return src[y*w : (y+1)*w]
	}
	sums := make([]uint32, w)
	for y := -box; y <= box; y++ {
		for x, v := range row(y) {
			sums[x] += uint32(v)
		}
	}
	for y := range h {
		out := dst[y*w : (y+1)*w]
		in, gone := row(y+box+1), row(y-box)
		for x, sum := range sums {
			out[x] = div.by(sum)
			sums[x] = sum + uint32(in[x]) - uint32(gone[x])
		}
		if !work.spend(w) {
			return false
		}
	}
	return true
}

// divider divides by a constant, rounding, with one multiplication.
type divider struct {
	half, factor uint64
}

func newDivider(n int) divider {
	return divider{half: uint64(n) / 2, factor: (1<<40 + uint64(n) - 1) / uint64(n)}
}

func (d divider) by(sum uint32) uint8 { return uint8((uint64(sum) + d.half) * d.factor >> 40) }
