package fill

import "slices"

// at packs a position; both coordinates fit in 16 bits because canvases are bounded by maxSide.
type at uint32

func pack(x, y int) at      { return at(uint32(x) | uint32(y)<<16) }
func (p at) xy() (x, y int) { return int(p & 0xffff), int(p >> 16) }

const nowhere = at(0xffffffff)

// nearestKnown gives, for every pixel, the closest known one (itself where it is known) by sweeping positions down
// and up again; nowhere when nothing is known.
func nearestKnown(w, h int, state []uint8) []at {
	near := make([]at, w*h)
	for i, s := range state {
		near[i] = nowhere
		if s == known {
			near[i] = pack(i%w, i/w)
		}
	}
	dist := func(x, y int, p at) int {
		if p == nowhere {
			return 1 << 40
		}
		px, py := p.xy()
		return (px-x)*(px-x) + (py-y)*(py-y)
	}
	take := func(x, y, i, j int) {
		if near[j] != nowhere && dist(x, y, near[j]) < dist(x, y, near[i]) {
			near[i] = near[j]
		}
	}
	rightwards := func(y int) {
		for x := 1; x < w; x++ {
			if i := y*w + x; state[i] != known {
				take(x, y, i, i-1)
			}
		}
	}
	leftwards := func(y int) {
		for x := w - 2; x >= 0; x-- {
			if i := y*w + x; state[i] != known {
				take(x, y, i, i+1)
			}
		}
	}
	column := func(y, step int) {
		for x := range w {
			i := y*w + x
			if state[i] == known {
				continue
			}
			take(x, y, i, i+step)
		}
	}
	for y := range h {
		if y > 0 {
			column(y, -w)
		}
		rightwards(y)
		leftwards(y)
	}
	for y := h - 2; y >= 0; y-- {
		column(y, w)
		rightwards(y)
		leftwards(y)
	}
	return near
}

// nearestGiven is the same with what must not be copied: it tells all the same which rows and columns lie here.
func nearestGiven(w, h int, state []uint8) []at {
	given := slices.Clone(state)
	for i, s := range given {
		if s == mute {
			given[i] = known
		}
	}
	return nearestKnown(w, h, given)
}
