package fill

// picture is w*h pixels of four bytes: red, green, blue and one that is never read.
type picture struct {
	w, h int
	pix  []uint8
}

func newPicture(w, h int) picture { return picture{w: w, h: h, pix: make([]uint8, 4*w*h)} }

func (p picture) clone() picture {
	c := newPicture(p.w, p.h)
	copy(c.pix, p.pix)
	return c
}

// What a canvas pixel is. On the source side only open and shut are used.
const (
	hole  = 0 // to be filled
	known = 1 // given; compared with source patches
	mute  = 2 // given, but part of what must not be copied: not compared, not continued

	shut      = 0 // never copied from
	open      = 1
	reluctant = 2 // copied from only where it joins much better; halved like mute
)

// half is the picture at half the size together with the states of its pixels. Only pixels that are not 0 (hole,
// shut) give colour; a pixel is given a state when at least half of what it covers has one, mute before known.
func half(p picture, state []uint8) (picture, []uint8) {
	w, h := (p.w+1)/2, (p.h+1)/2
	out := newPicture(w, h)
	states := make([]uint8, w*h)
	for y := range h {
		y0 := 2 * y
		y1 := min(y0+1, p.h-1)
		for x := range w {
			x0 := 2 * x
			x1 := min(x0+1, p.w-1)
			var r, g, b, n, muted uint32
			for _, i := range [4]int{y0*p.w + x0, y0*p.w + x1, y1*p.w + x0, y1*p.w + x1} {
				s := state[i]
				if s == 0 {
					continue
				}
				if s == mute {
					muted++
				}
				q := p.pix[4*i : 4*i+3 : 4*i+3]
				r += uint32(q[0])
				g += uint32(q[1])
				b += uint32(q[2])
				n++
			}
			if n == 0 {
				continue
			}
			o := 4 * (y*w + x)
			out.pix[o] = uint8((r + n/2) / n)
			out.pix[o+1] = uint8((g + n/2) / n)
			out.pix[o+2] = uint8((b + n/2) / n)
			if n >= 2 {
				states[y*w+x] = known
				if 2*muted >= n {
					states[y*w+x] = mute
				}
			}
		}
	}
	return out, states
}

// patchCentres marks the pixels around which a whole patch may be copied.
func patchCentres(w, h int, use []uint8) []uint8 {
	ok := make([]uint8, w*h)
	eachCentre(w, h, use, func(i int) bool {
		ok[i] = 1
		return true
	})
	return ok
}

// eachCentre calls see with the index of each pixel around which a whole patch may be copied, until it returns false.
func eachCentre(w, h int, use []uint8, see func(i int) bool) {
	rows := make([]int, w) // how many rows end here of which a patch's width may be copied
	for y := range h {
		n := 0 // how many open pixels end here, along the row
		for x, u := range use[y*w : (y+1)*w] {
			if n++; u == shut {
				n = 0
			}
			if n < side {
				rows[x] = 0
				continue
			}
			if rows[x]++; rows[x] >= side && !see((y-reach)*w+x-reach) {
				return
			}
		}
	}
}

// hasCentres reports whether there are so many of them.
func hasCentres(w, h int, use []uint8, enough int) bool {
	n := 0
	eachCentre(w, h, use, func(int) bool {
		n++
		return n < enough
	})
	return n >= enough
}

// grow is the set of pixels within reach (a square) of those in the set, written as 1.
func grow(w, h int, in func(i int) bool) []uint8 {
	across := make([]uint8, w*h)
	for y := range h {
		last := -side - 1
		for x := range w {
			if in(y*w + x) {
				last = x
			}
			if x-last <= reach {
				across[y*w+x] = 1
			}
		}
		last = w + side + 1
		for x := w - 1; x >= 0; x-- {
			if in(y*w + x) {
				last = x
			}
			if last-x <= reach {
				across[y*w+x] = 1
			}
		}
	}
	out := make([]uint8, w*h)
	last := make([]int, w)
	for x := range last {
		last[x] = -side - 1
	}
	for y := range h {
		for x := range w {
			if across[y*w+x] == 1 {
				last[x] = y
			}
			if y-last[x] <= reach {
				out[y*w+x] = 1
			}
		}
	}
	for x := range last {
		last[x] = h + side + 1
	}
	for y := h - 1; y >= 0; y-- {
		for x := range w {
			if across[y*w+x] == 1 {
				last[x] = y
			}
			if last[x]-y <= reach {
				out[y*w+x] = 1
			}
		}
	}
	return out
}
