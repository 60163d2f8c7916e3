package segment

import (
	"math"
	"slices"
)

// openGaps takes out of a cut of people what shows between their legs although the cut closes over it: a piece whose colours mostly lie
// beside them at the same height, that is like what is nearest there, and that stands clearly apart from the legs around it. Where the
// legs close it below as well, it has to be long and just like what is beside, and the forest in doubt: patterns and panels of clothes
// are not. Arms are left alone, where hands are too much like streets and walls.
func (s *scene) openGaps(f *finding, people []face) {
	const (
		ours  = 0.5  // of what has a colour at a height, at most, for one of the background's
		most  = 0.08 // of the people
		least = 4000 // the smallest gap is that part of the picture
		clear = 80   // levels between a gap and what lies around it
		same  = 20   // levels between a gap and what lies beside at its height
		opens = 3    // pixels at what is not kept, of a gap that goes on there
		just  = 12   // levels, as same, of one that does not
		edged = 100  // as clear
		slim  = 5    // times as high as wide
		doubt = 2    // how much the forest says that it is theirs, a logit
	)
	k := s.cut
	theirs := k.sharesOf(f.labels)
	var says []float32
	if f.opinion[background] != nil {
		says = f.opinion.subject()
	}
	like, inside := make([]uint8, k.w*k.h), 0
	for i, l := range f.labels {
		if l == 0 {
			continue
		}
		inside++
		if k.atLegs(i, people) && theirs(i) < ours {
			like[i] = 1
		}
	}
	for _, p := range pieces(like, k.w, k.h) {
		if n := len(p.pixels); p.label == 0 || n < max(6, k.w*k.h/least) || float64(n) > most*float64(inside) {
			continue
		}
		rows := k.extents(p)
		apart, rim := float64(same), float32(clear)
		if k.openSides(p, f.labels) < opens {
			if len(rows)*len(rows) < slim*len(p.pixels) || says == nil || p.mean(says) > doubt {
				continue
			}
			apart, rim = just, edged
		}
		if !k.flanked(rows, f.labels) || k.fromBeside(p, rows, f.labels) > apart || s.rimOf(p, like, f.labels) < rim {
			continue
		}
		for _, i := range p.pixels {
			f.labels[i], f.chance[i] = 0, 0
			f.prior[i] -= 2 * colourLimit // finer copies keep it
		}
	}
}

// hips is how far below a face's centre the hips are, in its diameters.
const hips = 4.3

// atLegs tells whether a pixel lies where somebody has their legs: below the hips, about the middle.
func (c *canvas) atLegs(i int, people []face) bool {
	const aside = 1.4 // face diameters from the middle
	x, y := float64(i%c.w)+0.5, float64(i/c.w)+0.5
	return slices.ContainsFunc(people, func(f face) bool {
		across, down := f.place(x, y)
		return down > hips && math.Abs(across) < aside
	})
}

// sharesOf tells of a pixel how much of what has about its colour at about its height is kept, 0..1.
func (k *cutter) sharesOf(labels []uint8) func(i int) float64 {
	const clusters, bands = 64, 14
	cluster, _ := split(k.colours, k.colours.count, clusters)
	var kept, all [bands][clusters]float64
	place := func(i int) (lo, hi int, part float64) {
		at := min(max((float64(i/k.w)+0.5)/float64(k.h)*bands-0.5, 0), bands-1)
		lo = int(at)
		return lo, min(lo+1, bands-1), at - float64(lo)
	}
	for i, l := range labels {
		n := cluster[k.colours.of[i]]
		lo, hi, part := place(i)
		all[lo][n] += 1 - part
		all[hi][n] += part
		kept[lo][n] += float64(l) * (1 - part)
		kept[hi][n] += float64(l) * part
	}
	return func(i int) float64 {
		n := cluster[k.colours.of[i]]
		lo, hi, part := place(i)
		return (kept[lo][n]*(1-part) + kept[hi][n]*part) / max(all[lo][n]*(1-part)+all[hi][n]*part, 1e-9)
	}
}

// extents are the first and last column of a piece by its rows.
func (c *canvas) extents(p piece) map[int][2]int {
	rows := map[int][2]int{}
	for _, i := range p.pixels {
		x, y := int(i)%c.w, int(i)/c.w
		if r, ok := rows[y]; ok {
			rows[y] = [2]int{min(r[0], x), max(r[1], x)}
		} else {
			rows[y] = [2]int{x, x}
		}
	}
	return rows
}

// flanked tells whether what has the given extents has what is kept on both sides in most of its rows. Hands and bags have it on one side.
func (c *canvas) flanked(rows map[int][2]int, labels []uint8) bool {
	const most = 0.6
	kept := func(x, y int) bool { return x >= 0 && x < c.w && labels[y*c.w+x] == 1 }
	both := 0
	for y, r := range rows {
		if kept(r[0]-1, y) && kept(r[0]-3, y) && kept(r[1]+1, y) && kept(r[1]+3, y) {
			both++
		}
	}
	return float64(both) >= most*float64(len(rows))
}

// openSides is how many sides of its pixels a piece turns to what is not kept, as the gap of two legs does where its other end was found.
func (c *canvas) openSides(p piece, labels []uint8) int {
	n := 0
	for _, i := range p.pixels {
		for _, d := range [4]int{-c.w, c.w, -1, 1} {
			if j := int(i) + d; j >= 0 && j < len(labels) && labels[j] == 0 {
				n++
			}
		}
	}
	return n
}

// fromBeside is how far, in levels, a piece's colour is from what is not kept and lies nearest beside it in its rows, on the side where it
// is less far. The pixels next to what is kept mix both and do not count.
func (c *canvas) fromBeside(p piece, rows map[int][2]int, labels []uint8) float64 {
	const skip, wide = 3, 12
	own := c.meanOf(p.pixels)
	best := math.Inf(1)
	for side, step := range [2]int{-1, 1} {
		var found []int32
		for y, r := range rows {
			seen := 0
			for x := r[side] + step; x >= 0 && x < c.w && seen < skip+wide; x += step {
				if i := y*c.w + x; labels[i] == 0 {
					if seen++; seen > skip {
						found = append(found, int32(i))
					}
				}
			}
		}
		if len(found) == 0 {
			continue
		}
		slices.Sort(found) // sums come out the same whatever the order of the rows was
		there := c.meanOf(found)
		best = min(best, math.Hypot(math.Hypot(there[0]-own[0], there[1]-own[1]), there[2]-own[2]))
	}
	return best
}

// meanOf is the mean colour of some pixels.
func (c *canvas) meanOf(pixels []int32) (mean [3]float64) {
	for _, i := range pixels {
		for k := range mean {
			mean[k] += float64(c.pix[3*int(i)+k]) / float64(len(pixels))
		}
	}
	return mean
}
