package mask

import "image"

// The states of a pixel while connected regions are looked for.
const (
	barred uint8 = 0    // not of the kind looked for
	open   uint8 = 1    // of the kind, and not reached yet
	taken  uint8 = 0x80 // reached; Level, so that it already shows as painted
)

// flood finds connected regions by spans: stretches of a row, so that large even regions cost little.
type flood struct {
	plane   Plane                    // of states, valid in rows that are ready
	ready   []bool                   // by row
	match   func(y int, row []uint8) // writes barred or open
	corners int                      // 1 when pixels that touch at a corner belong together
	stack   []span
}

// span is a stretch of a row, from ≤ x < to.
type span struct{ y, from, to int32 }

func newFlood(states Plane, corners bool, match func(y int, row []uint8)) *flood {
	f := &flood{plane: states, ready: make([]bool, states.H), match: match}
	if corners {
		f.corners = 1
	}
	return f
}

// keptFlood looks for regions that are painted, or for those that are not. Painted pixels connect across corners, unpainted ones do
// not, so that a painted line one pixel wide separates what is on either side of it.
func (p Plane) keptFlood(states Plane, kept bool) *flood {
	flip := uint8(1)
	if kept {
		flip = 0
	}
	return newFlood(states, kept, func(y int, row []uint8) {
		src := p.Row(y)
		src = src[:len(row)]
		for x, v := range src {
			row[x] = v>>7 ^ flip
		}
	})
}

func (f *flood) row(y int) []uint8 {
	row := f.plane.Row(y)
	if !f.ready[y] {
		f.ready[y] = true
		f.match(y, row)
	}
	return row
}

// region takes the open region around a pixel and calls each for every span of it. It takes nothing when the pixel is not open, and
// stops, reporting false, when the work is cancelled.
func (f *flood) region(work *pace, x, y int, each func(s span)) bool {
	if f.row(y)[x] != open {
		return true
	}
	f.stack = f.stack[:0]
	f.take(x, y, each)
	for len(f.stack) > 0 {
		s := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		from, to := max(int(s.from)-f.corners, 0), min(int(s.to)+f.corners, f.plane.W)
		for _, ny := range [2]int{int(s.y) - 1, int(s.y) + 1} {
			if ny < 0 || ny >= f.plane.H {
				continue
			}
			row := f.row(ny)
			for x := nextOpen(row, from, to); x < to; x = nextOpen(row, x, to) {
				x = f.take(x, ny, each)
			}
		}
		if !work.spend(to - from + 16) {
			return false
		}
	}
	return true
}

// take marks the whole stretch of open pixels around x and returns where it ends.
func (f *flood) take(x, y int, each func(s span)) int {
	row := f.plane.Row(y)
	from, to := x, x+1
	for from > 0 && row[from-1] == open {
		from--
	}
	const opens = uint64(open) * 0x0101010101010101
	for to+8 <= len(row) && load64(row[to:]) == opens {
		to += 8
	}
	for to < len(row) && row[to] == open {
		to++
	}
	part := row[from:to]
	for i := range part {
		part[i] = taken
	}
	s := span{int32(y), int32(from), int32(to)}
	f.stack = append(f.stack, s)
	each(s)
	return to
}

// nextOpen is the first open pixel of row from x on, or to when there is none before it.
func nextOpen(row []uint8, x, to int) int {
	const low = 0x0101010101010101
	for x+8 <= to && load64(row[x:])&low == 0 {
		x += 8
	}
	for x < to && row[x] != open {
		x++
	}
	return x
}

// regions takes every region in turn, from the top down, and calls begin and end around its spans.
func (f *flood) regions(work *pace, begin func(), each func(s span), end func()) bool {
	for y := range f.plane.H {
		row := f.row(y)
		for x := nextOpen(row, 0, len(row)); x < len(row); x = nextOpen(row, x, len(row)) {
			begin()
			if !f.region(work, x, y, each) {
				return false
			}
			end()
		}
		if !work.spend(f.plane.W) {
			return false
		}
	}
	return true
}

// settle turns the states into a mask of what was taken. Cancelled, it leaves the rest.
func (f *flood) settle(work *pace) {
	for y := range f.plane.H {
		row := f.plane.Row(y)
		if !f.ready[y] {
			clear(row)
			continue
		}
		firm(row)
		if !work.spend(f.plane.W / 8) {
			return
		}
	}
}

func (s span) rect() image.Rectangle { return image.Rect(int(s.from), int(s.y), int(s.to), int(s.y)+1) }
