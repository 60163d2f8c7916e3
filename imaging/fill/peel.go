package fill

import "slices"

// peelTries is how many places of the source a patch is compared with when a hole is filled from its border inward.
const peelTries = 700

// peel gives the coarsest level its first filling: hole pixels are taken in the order of their distance from what is
// known, each patch is matched by what it already has, and paints what it has not. Lines and edges that run into the
// hole are so continued before any averaging. The seed picks among matches of nearly equal quality.
func (l *level) peel(seed uint64) {
	r := rng(seed)
	var all []at
	for i, v := range l.ok {
		if v == 1 {
			all = append(all, pack(i%l.src.w, i/l.src.w))
		}
	}
	var order []int
	for i, s := range l.state {
		if s == hole {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return
	}
	// Pixels at one distance are taken in a scattered order, so that no direction wins.
	scattered := make(map[int]uint64, len(order))
	for _, i := range order {
		scattered[i] = uint64(l.depth[i])<<32 | r.next()>>32
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case scattered[a] < scattered[b]:
			return -1
		case scattered[a] > scattered[b]:
			return 1
		}
		return 0
	})
	filled := make([]bool, len(l.state))
	for i, s := range l.state {
		filled[i] = s == known
	}
	stride := max(1, len(all)/peelTries)
	for _, i := range order {
		if filled[i] {
			continue
		}
		cx := clamp(i%l.dst.w, reach, l.dst.w-reach-1)
		cy := clamp(i/l.dst.w, reach, l.dst.h-reach-1)
		best, found := int32(costMax), all[0]
		slack := 1 + 0.3*r.unit()
		for k := r.between(0, stride-1); k < len(all); k += stride {
			sx, sy := all[k].xy()
			c := l.compareFilled(filled, cx, cy, sx, sy, best)
			if float64(c)*slack < float64(best) {
				best, found = c, all[k]
			}
			if stride > 1 && r.next()&7 == 0 {
				k += r.between(-1, 1)
				k = max(k, 0)
			}
		}
		sx, sy := found.xy()
		for y := -reach; y <= reach; y++ {
			for x := -reach; x <= reach; x++ {
				j := (cy+y)*l.dst.w + cx + x
				if l.state[j] != hole || filled[j] || abs(x)+abs(y) > reach {
					continue
				}
				s := 4 * ((sy+y)*l.src.w + sx + x)
				copy(l.dst.pix[4*j:4*j+3], l.src.pix[s:s+3])
				filled[j] = true
			}
		}
		filled[i] = true
		l.match[cy*l.dst.w+cx] = found
	}
	l.seedMatches(&r)
}

// compareFilled is the mean squared difference over the pixels that have a colour already, on the scale of compare.
func (l *level) compareFilled(filled []bool, tx, ty, sx, sy int, limit int32) int32 {
	sum := l.place(ty*l.dst.w+tx, sx, sy)
	if sum >= limit {
		return sum
	}
	var diff, n int32
	for y := -reach; y <= reach; y++ {
		a := (ty+y)*l.dst.w + tx - reach
		b := (sy+y)*l.src.w + sx - reach
		for x := range side {
			if !filled[a+x] {
				continue
			}
			p, q := l.dst.pix[4*(a+x):4*(a+x)+3:4*(a+x)+3], l.src.pix[4*(b+x):4*(b+x)+3:4*(b+x)+3]
			d0, d1, d2 := int32(p[0])-int32(q[0]), int32(p[1])-int32(q[1]), int32(p[2])-int32(q[2])
			diff += d0*d0 + d1*d1 + d2*d2
			n++
		}
	}
	if n == 0 {
		return sum
	}
	return sum + diff/n*side*side
}

// seedMatches gives every target that has none the match of the filled patch before it, moved along.
func (l *level) seedMatches(r *rng) {
	for y := l.first; y <= l.last; y++ {
		for x := range l.dst.w {
			i := y*l.dst.w + x
			if l.target[i] == 0 {
				continue
			}
			l.cost[i] = costMax
			if l.match[i] == 0 {
				nx, ny := l.near[i].xy()
				l.match[i] = l.around(nx, ny, r)
			}
		}
	}
}
