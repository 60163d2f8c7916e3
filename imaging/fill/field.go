package fill

import "context"

// bands is how many strips the rows of a level are cut into. It is fixed, so that a seed gives the same picture on
// any number of processors.
const bands = 24

// strip is rows from … to-1 of band b.
func (l *level) strip(b int) (from, to int) {
	n := l.last - l.first + 1
	return l.first + n*b/bands, l.first + n*(b+1)/bands
}

// may reports whether the source patch at (x, y) exists and may be copied.
func (l *level) may(x, y int) bool {
	return x >= 0 && y >= 0 && x < l.src.w && y < l.src.h && l.ok[y*l.src.w+x] == 1
}

// inherit takes the matches of the level of half the size, where pieces meet the one most neighbours take. Where doubling lands on a patch that may not be copied,
// a place close by is taken.
func (l *level) inherit(ctx context.Context, c *level, seed uint64) error {
	if l.first < 0 {
		return nil
	}
	return parallel(ctx, bands, func(b int) {
		r := rng(seed + uint64(b)*7919)
		var found [9]offer
		from, to := l.strip(b)
		for y := from; y < to; y++ {
			for x := range l.dst.w {
				i := y*l.dst.w + x
				if l.target[i] == 0 {
					continue
				}
				j, ok := c.closest(x/2, y/2)
				if !ok {
					l.match[i], l.cost[i] = l.anywhere(&r), costMax
					continue
				}
				cx, cy := c.match[j].xy()
				best := offer{dx: 2 * (cx - j%c.dst.w), dy: 2 * (cy - j/c.dst.w)}
				for _, o := range found[:c.offers(2, x, y, &found)] {
					if o.weight > best.weight {
						best = o
					}
				}
				l.match[i], l.cost[i] = l.around(x+best.dx, y+best.dy, &r), c.cost[j]
			}
		}
	})
}

// closest is the target at or next to (x, y).
func (l *level) closest(x, y int) (int, bool) {
	x = clamp(x, reach, l.dst.w-reach-1)
	y = clamp(y, reach, l.dst.h-reach-1)
	if x < 0 || y < 0 {
		return 0, false
	}
	if i := y*l.dst.w + x; l.target[i] != 0 {
		return i, true
	}
	for d := 1; d <= 2*side; d++ {
		for _, p := range [8][2]int{{d, 0}, {-d, 0}, {0, d}, {0, -d}, {d, d}, {-d, d}, {d, -d}, {-d, -d}} {
			px, py := x+p[0], y+p[1]
			if px < 0 || py < 0 || px >= l.dst.w || py >= l.dst.h {
				continue
			}
			if i := py*l.dst.w + px; l.target[i] != 0 {
				return i, true
			}
		}
	}
	return 0, false
}

// around is a patch that may be copied, at (x, y) or as close as a few tries find one.
func (l *level) around(x, y int, r *rng) at {
	if l.may(x, y) {
		return pack(x, y)
	}
	x, y = clamp(x, reach, l.src.w-reach-1), clamp(y, reach, l.src.h-reach-1)
	for d := 0; d < 64; d++ {
		sx, sy := x+r.between(-d, d), y+r.between(-d, d)
		if l.may(sx, sy) {
			return pack(sx, sy)
		}
	}
	return l.anywhere(r)
}

// anywhere is some patch that may be copied; the caller has made sure that there is one.
func (l *level) anywhere(r *rng) at {
	n := len(l.ok)
	start := r.between(0, n-1)
	for k := range n {
		if i := (start + k) % n; l.ok[i] == 1 {
			return pack(i%l.src.w, i/l.src.w)
		}
	}
	return pack(reach, reach)
}

// price works out the cost of every match anew, after the canvas has changed.
func (l *level) price(ctx context.Context) error {
	if l.first < 0 {
		return nil
	}
	return parallel(ctx, bands, func(b int) {
		from, to := l.strip(b)
		for y := from; y < to; y++ {
			for x := range l.dst.w {
				if i := y*l.dst.w + x; l.target[i] != 0 {
					sx, sy := l.match[i].xy()
					l.cost[i] = l.compare(x, y, sx, sy, costMax)
				}
			}
		}
	})
}

// search improves the matches once: each target tries what its neighbours found, then random places at falling
// distances from its own, beginning with radius. Even passes run down and to the right, odd ones up and to the left.
func (l *level) search(ctx context.Context, pass int, radius int, seed uint64) error {
	if l.first < 0 {
		return nil
	}
	// A band must not read what its neighbour is changing: it sees the row next to it as it was.
	edges := make([][]at, bands)
	for b := range edges {
		from, to := l.strip(b)
		y := from - 1
		if pass%2 == 1 {
			y = to
		}
		if y >= 0 && y < l.dst.h {
			edges[b] = append([]at(nil), l.match[y*l.dst.w:(y+1)*l.dst.w]...)
		}
	}
	return parallel(ctx, bands, func(b int) {
		from, to := l.strip(b)
		s := searcher{level: l, radius: radius, random: rng(seed ^ uint64(b+1)*0x9e3779b97f4a7c15)}
		if pass%2 == 0 {
			s.step = 1
			above := edges[b]
			for y := from; y < to; y++ {
				s.row(y, above)
				above = l.match[y*l.dst.w : (y+1)*l.dst.w]
			}
			return
		}
		s.step = -1
		below := edges[b]
		for y := to - 1; y >= from; y-- {
			s.row(y, below)
			below = l.match[y*l.dst.w : (y+1)*l.dst.w]
		}
	})
}

// searcher is one band's pass.
type searcher struct {
	*level
	step   int
	radius int
	random rng
}

// row improves row y; before are the matches of the row visited before it, nil at the edge.
func (s *searcher) row(y int, before []at) {
	l := s.level
	w := l.dst.w
	x := reach
	if s.step < 0 {
		x = w - reach - 1
	}
	beforeY := y - s.step
	for n := w - 2*reach; n > 0; n-- {
		i := y*w + x
		if l.target[i] != 0 {
			c := choice{x: x, y: y, cost: l.cost[i], match: l.match[i], along: nowhere, down: nowhere}
			c.apart = apart + c.cost/apartShare
			if j := i - s.step; l.target[j] != 0 {
				mx, my := l.match[j].xy()
				c.along = pack(mx+s.step, my)
			}
			if before != nil && l.target[beforeY*w+x] != 0 {
				mx, my := before[x].xy()
				c.down = pack(mx, my+s.step)
			}
			for _, q := range [2]at{c.along, c.down} {
				if q != nowhere {
					sx, sy := q.xy()
					l.try(&c, sx, sy)
				}
			}
			for r := s.radius; r >= 1 && c.cost > 0; r /= 2 {
				mx, my := c.match.xy()
				v := s.random.next()
				span := uint64(2*r + 1)
				l.try(&c, mx-r+int((v&0xffffffff)*span>>32), my-r+int((v>>32)*span>>32))
			}
			l.cost[i], l.match[i] = c.cost, c.match
		}
		x += s.step
	}
}

// What it costs when a patch does not continue what is copied beside it: a little, and a share of what its match costs
// anyway. Large pieces copied as they are keep grain and structure; many small ones average to mud.
const (
	apart      = side * side * 2
	apartShare = 6
)

// choice is the match of the patch at (x, y) while it is looked for.
type choice struct {
	x, y        int
	match       at
	cost        int32
	along, down at    // what would continue the two neighbours visited before; nowhere without one
	apart       int32 // price of continuing one less
}

// rift is the price of not continuing the neighbours.
func (c *choice) rift(q at) int32 {
	var sum int32
	if q != c.along && c.along != nowhere {
		sum += c.apart
	}
	if q != c.down && c.down != nowhere {
		sum += c.apart
	}
	return sum
}

// try takes the source patch at (sx, sy) when it is better.
func (l *level) try(c *choice, sx, sy int) {
	if sx < reach || sy < reach || sx >= l.src.w-reach || sy >= l.src.h-reach || l.ok[sy*l.src.w+sx] == 0 {
		return
	}
	q := pack(sx, sy)
	if q == c.match {
		return
	}
	limit := c.cost + c.rift(c.match) - c.rift(q)
	if cost := l.compare(c.x, c.y, sx, sy, limit); cost < limit {
		c.cost, c.match = cost, q
	}
}
