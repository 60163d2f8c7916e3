package fill

import (
	"context"
	"math"

	parts "atelier/imaging/parallel"
)

// A patch is side × side pixels around its centre.
const (
	reach = 3
	side  = 2*reach + 1
)

// level is one size of the problem: a canvas with holes, a source to copy from, and for every patch of the canvas
// that touches a hole the best patch found in the source.
type level struct {
	dst   picture
	state []uint8
	src   picture
	use   []uint8
	ok    []uint8 // centres of source patches that may be copied

	near   []at     // in source coordinates, where content for a canvas pixel is expected
	depth  []uint16 // distance to the nearest known pixel
	slack  []uint16 // rows by which content may be away from near for nothing
	target []uint8  // 0 not matched, plain within holes, or mixed where given pixels lie in the patch
	first  int      // rows that hold targets: first … last
	last   int
	match  []at
	cost   []int32
	weight []float32
	tally  tally

	across, down []int32 // cost of taking content from that many columns or rows away
	busy         []int32 // cost of a source patch that is used a lot, or is seldom
	rare         rarity
	lean         []int32 // cost of each source column to a variant that rather copies from others; nil for the first
}

const (
	plain = 1
	mixed = 2

	costMax = math.MaxInt32 / 2
)

// newLevel prepares matching. left and top place the source on the canvas, in pixels of this level.
func newLevel(dst picture, state []uint8, src picture, use []uint8) *level {
	l := &level{dst: dst, state: state, src: src, use: use, first: -1}
	var touched, given []uint8
	parts.Together(
		func() { l.ok = patchCentres(src.w, src.h, use) },
		func() { touched = grow(dst.w, dst.h, func(i int) bool { return state[i] == hole }) },
		func() { given = grow(dst.w, dst.h, func(i int) bool { return state[i] != hole }) },
	)
	l.target = touched
	for y := range dst.h {
		for x := range dst.w {
			i := y*dst.w + x
			if touched[i] == 0 {
				continue
			}
			if x < reach || y < reach || x >= dst.w-reach || y >= dst.h-reach {
				l.target[i] = 0
				continue
			}
			if given[i] == 1 {
				l.target[i] = mixed
			}
			if l.first < 0 {
				l.first = y
			}
			l.last = y
		}
	}
	l.match = make([]at, dst.w*dst.h)
	l.cost = make([]int32, dst.w*dst.h)
	l.weight = make([]float32, dst.w*dst.h)
	return l
}

// pull is how strongly content keeps to the place next to where it is needed.
const pull = 1.5

// expect sets near, from the closest given pixels on the canvas, depth and slack, and prices distance from there: rows cost more than
// columns, so that sky stays above and ground below. Far from what is known content may come from farther away for nothing, or the rim of
// the picture would be repeated there: from columns as far away, from rows half as far above and below, and from few at the sides, or ground
// would climb up houses.
func (l *level) expect(ctx context.Context, near []at, left, top float64) error {
	l.near, l.depth, l.slack = near, make([]uint16, len(near)), make([]uint16, len(near))
	w, most := l.dst.w, l.src.h/4
	err := parallel(ctx, bands, func(b int) {
		for i := len(near) * b / bands; i < len(near)*(b+1)/bands; i++ {
			p := near[i]
			if p == nowhere {
				near[i] = pack(l.src.w/2, l.src.h/2)
				l.depth[i], l.slack[i] = math.MaxUint16, math.MaxUint16
				continue
			}
			x, y := p.xy()
			dx, dy := float64(x-i%w), float64(y-i/w)
			l.depth[i] = uint16(min(math.MaxUint16, math.Sqrt(dx*dx+dy*dy)))
			rows := abs(y - i/w)
			l.slack[i] = uint16(min(rows/2, most) + min((int(l.depth[i])-rows)/12, most))
			near[i] = pack(clamp(int(math.Round(float64(x)-left)), 0, l.src.w-1), clamp(int(math.Round(float64(y)-top)), 0, l.src.h-1))
		}
	})
	if err != nil {
		return err
	}
	const unit = side * side * 1200 // squared colour difference a displacement by the whole picture is worth
	price := func(n int, share float64) []int32 {
		table := make([]int32, n)
		for d := range table {
			table[d] = int32(unit * pull * share * float64(d) / float64(n))
		}
		return table
	}
	l.across, l.down = price(l.src.w, 0.4), price(l.src.h, 4)
	return nil
}

// place is the price of copying the patch at (sx, sy) to target i.
func (l *level) place(i, sx, sy int) int32 {
	if l.near == nil {
		return 0
	}
	nx, ny := l.near[i].xy()
	sum := l.across[clamp(abs(sx-nx)-int(l.depth[i]), 0, l.src.w-1)] + l.down[clamp(abs(sy-ny)-int(l.slack[i]), 0, l.src.h-1)]
	if l.busy != nil {
		sum += l.busy[sy*l.src.w+sx]
	}
	return sum
}

// compare is the squared difference of the canvas patch at (tx, ty) and the source patch at (sx, sy), plus what the
// displacement costs; it stops as soon as it is not below limit.
func (l *level) compare(tx, ty, sx, sy int, limit int32) int32 {
	i := ty*l.dst.w + tx
	sum := l.place(i, sx, sy)
	if sum >= limit {
		return sum
	}
	if l.target[i] == mixed {
		return l.compareMixed(tx, ty, sx, sy, sum, limit)
	}
	a := 4 * ((ty-reach)*l.dst.w + tx - reach)
	b := 4 * ((sy-reach)*l.src.w + sx - reach)
	for range side {
		p := (*[4 * side]uint8)(l.dst.pix[a:])
		q := (*[4 * side]uint8)(l.src.pix[b:])
		sum += rowDifference(p, q)
		if sum >= limit {
			return sum
		}
		a += 4 * l.dst.w
		b += 4 * l.src.w
	}
	return sum
}

// rowDifference is the squared difference of one row of two patches.
func rowDifference(p, q *[4 * side]uint8) int32 {
	d0, d1, d2 := int32(p[0])-int32(q[0]), int32(p[1])-int32(q[1]), int32(p[2])-int32(q[2])
	s, t := d0*d0+d1*d1, d2*d2
	d0, d1, d2 = int32(p[4])-int32(q[4]), int32(p[5])-int32(q[5]), int32(p[6])-int32(q[6])
	s, t = s+d0*d0, t+d1*d1+d2*d2
	d0, d1, d2 = int32(p[8])-int32(q[8]), int32(p[9])-int32(q[9]), int32(p[10])-int32(q[10])
	s, t = s+d0*d0+d1*d1, t+d2*d2
	d0, d1, d2 = int32(p[12])-int32(q[12]), int32(p[13])-int32(q[13]), int32(p[14])-int32(q[14])
	s, t = s+d0*d0, t+d1*d1+d2*d2
	d0, d1, d2 = int32(p[16])-int32(q[16]), int32(p[17])-int32(q[17]), int32(p[18])-int32(q[18])
	s, t = s+d0*d0+d1*d1, t+d2*d2
	d0, d1, d2 = int32(p[20])-int32(q[20]), int32(p[21])-int32(q[21]), int32(p[22])-int32(q[22])
	s, t = s+d0*d0, t+d1*d1+d2*d2
	d0, d1, d2 = int32(p[24])-int32(q[24]), int32(p[25])-int32(q[25]), int32(p[26])-int32(q[26])
	return s + t + d0*d0 + d1*d1 + d2*d2
}

// counts is how much a canvas pixel counts in a mixed patch, by its state: what is given weighs more than what was
// guessed, so that the new content joins it, and mute pixels do not count at all.
var counts = [3]int32{hole: 1, known: 4, mute: 0}

// compareMixed weighs pixels by their state, on the scale of plain patches.
func (l *level) compareMixed(tx, ty, sx, sy int, start, limit int32) int32 {
	var sum, weight int32
	for y := -reach; y <= reach; y++ {
		a := (ty+y)*l.dst.w + tx - reach
		b := (sy+y)*l.src.w + sx - reach
		states := l.state[a : a+side : a+side]
		p, q := (*[4 * side]uint8)(l.dst.pix[4*a:]), (*[4 * side]uint8)(l.src.pix[4*b:])
		for x, state := range states {
			w := counts[state]
			d0, d1, d2 := int32(p[4*x])-int32(q[4*x]), int32(p[4*x+1])-int32(q[4*x+1]), int32(p[4*x+2])-int32(q[4*x+2])
			sum += w * (d0*d0 + d1*d1 + d2*d2)
			weight += w
		}
		// All pixels of the patch weigh at most known's share, so this is the least the patch can cost.
		if start+sum/counts[known] >= limit {
			return start + sum/counts[known]
		}
	}
	if weight == 0 {
		return start
	}
	return start + int32(int64(sum)*side*side/int64(weight))
}

func clamp(v, lo, hi int) int { return max(lo, min(v, hi)) }

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}
