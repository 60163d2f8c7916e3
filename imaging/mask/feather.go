package mask

// Feather returns the plane with its edges softened over about r pixels on
// either side: three box blurs, which come close to a Gaussian of sigma r/2.
// Level stays where the edge was. An export is hard again; a soft edge is for
// showing, compositing and for choosing a Threshold.
func (p Plane) Feather(r float64) Plane {
	if r <= 0 || len(p.Pix) == 0 {
		return p.Clone()
	}
	// Three boxes of width 2b+1 have the variance 3·((2b+1)²-1)/12 = b(b+1).
	box := max(int(r/2+0.25), 1)
	near := p.used(3*box + 1)
	if near.Empty() {
		return New(p.W, p.H)
	}
	soft := p.crop(near)
	scratch := make([]uint8, len(soft.Pix))
	for range 3 {
		blurRows(scratch, soft.Pix, soft.W, min(box, max(p.W, p.H)))
		blurColumns(soft.Pix, scratch, soft.W, min(box, max(p.W, p.H)))
	}
	out := New(p.W, p.H)
	out.paste(soft, near.Min)
	return out
}

// blurRows averages 2·box+1 neighbours along each row; the ends repeat.
func blurRows(dst, src []uint8, w, box int) {
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
	}
}

// blurColumns averages 2·box+1 neighbours down each column, a row at a time.
func blurColumns(dst, src []uint8, w, box int) {
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
	}
}

// divider divides by a constant, rounding, with one multiplication.
type divider struct {
	half, factor uint64
}

func newDivider(n int) divider {
	return divider{half: uint64(n) / 2, factor: (1<<40 + uint64(n) - 1) / uint64(n)}
}

func (d divider) by(sum uint32) uint8 { return uint8((uint64(sum) + d.half) * d.factor >> 40) }
