package fill

import (
	"context"
	"math"
	"slices"
)

// weigh gives each match a say in the vote: the better it fits, and (early on) the nearer it is to what is known,
// the more it counts.
func (l *level) weigh(ctx context.Context, inward bool) error {
	if l.first < 0 {
		return nil
	}
	spread := float32(max(1, l.quantile(0.6)))
	var trust []float32
	if inward && l.depth != nil {
		trust = make([]float32, 257)
		for d := range trust {
			trust[d] = float32(math.Exp2(-float64(d) / 4))
		}
	}
	return parallel(ctx, bands, func(b int) {
		from, to := l.strip(b)
		for i := from * l.dst.w; i < to*l.dst.w; i++ {
			if l.target[i] == 0 {
				continue
			}
			c := float32(l.cost[i]) / spread
			w := 1 / (1 + c*c*c)
			if trust != nil {
				w *= trust[min(int(l.depth[i]), 256)]
			}
			l.weight[i] = w + 1e-30
		}
	})
}

// quantile is the cost that a share q of the matches stays below, from a sample.
func (l *level) quantile(q float64) int32 {
	var sample []int32
	n := (l.last - l.first + 1) * l.dst.w
	stride := max(1, n/4096) | 1
	for i := l.first * l.dst.w; i < (l.last+1)*l.dst.w; i += stride {
		if l.target[i] != 0 {
			sample = append(sample, l.cost[i])
		}
	}
	if len(sample) == 0 {
		return 1
	}
	slices.Sort(sample)
	return sample[int(q*float64(len(sample)-1))]
}

// voice is how much a patch counts by the pixel's distance from its centre, along one axis, and from how far it is heard.
type voice struct {
	weight [side]float32
	heard  int
}

// The even say of all patches finds agreement; the sharp one keeps grain, which averaging many patches would smooth away. What is farther
// than two pixels off counts so little in that one that it is only asked where nobody is closer.
var (
	even  = voice{[side]float32{1, 1, 1, 1, 1, 1, 1}, reach}
	sharp = voice{[side]float32{0.01, 0.08, 0.5, 1, 0.5, 0.08, 0.01}, 2}
)

// tally is what is known of a level's patches before any pixel is painted.
type tally struct {
	of *voice
	// shift is, for each target, which source pixel it copies to a canvas pixel: the one of index y*src.w + x + shift.
	shift []int32
	// row is how much the patches of a row count together for the pixel in their middle, as far as the voice is heard to both sides, where
	// all of them have one shift; negative elsewhere.
	row []float32
}

// unmatched is the shift of what is no target.
const unmatched = math.MinInt32

// count prepares the tally for a voice.
func (l *level) count(ctx context.Context, of *voice) error {
	w := l.dst.w
	if l.tally.shift == nil {
		l.tally = tally{shift: make([]int32, w*l.dst.h), row: make([]float32, w*l.dst.h)}
	}
	l.tally.of = of
	return parallel(ctx, bands, func(b int) {
		for y := l.dst.h * b / bands; y < l.dst.h*(b+1)/bands; y++ {
			shift, row := l.tally.shift[y*w:(y+1)*w], l.tally.row[y*w:(y+1)*w]
			target, weight := l.target[y*w:(y+1)*w], l.weight[y*w:(y+1)*w]
			alike := 0 // how many of one shift end here
			for x := range w {
				row[x] = -1
				if target[x] == 0 {
					shift[x], alike = unmatched, 0
					continue
				}
				mx, my := l.match[y*w+x].xy()
				shift[x] = int32((my-y)*l.src.w + mx - x)
				if x > 0 && shift[x-1] == shift[x] {
					alike++
				} else {
					alike = 1
				}
				if alike > 2*of.heard {
					var sum float32
					for k, v := range weight[x-2*of.heard : x+1] {
						sum += v * of.weight[k+reach-of.heard]
					}
					row[x-of.heard] = sum
				}
			}
		}
	})
}

// vote paints every hole pixel with the weighted mean of what the patches over it say.
func (l *level) vote(ctx context.Context, of *voice) error {
	if err := l.count(ctx, of); err != nil {
		return err
	}
	return parallel(ctx, bands, func(b int) {
		from, to := l.dst.h*b/bands, l.dst.h*(b+1)/bands
		for y := from; y < to; y++ {
			for x := range l.dst.w {
				i := y*l.dst.w + x
				if l.state[i] != hole {
					continue
				}
				if r, g, b, ok := l.say(x, y, of); ok {
					p := l.dst.pix[4*i : 4*i+4 : 4*i+4]
					p[0], p[1], p[2] = uint8(r+0.5), uint8(g+0.5), uint8(b+0.5)
				}
			}
		}
	})
}

// say is what the patches over canvas pixel (x, y), as they were when last counted, say it looks like; false when none covers it.
func (l *level) say(x, y int, of *voice) (r, g, b float32, ok bool) {
	r, g, b, ok = l.hear(x, y, of.heard, of)
	if !ok && of.heard < reach {
		return l.hear(x, y, reach, of)
	}
	return r, g, b, ok
}

// hear is the same of the patches whose centres are at most far away along each axis.
func (l *level) hear(x, y, far int, of *voice) (r, g, b float32, ok bool) {
	var total, same float32
	x0, x1 := max(x-far, reach), min(x+far, l.dst.w-reach-1)
	y0, y1 := max(y-far, reach), min(y+far, l.dst.h-reach-1)
	place := int32(y*l.src.w + x)
	at := -place // the shift of the patches that same speaks for: neighbours mostly say one thing
	counted := of == l.tally.of && far == of.heard
	settle := func() {
		p := (*[3]uint8)(l.src.pix[4*int(place+at):])
		r += same * float32(p[0])
		g += same * float32(p[1])
		b += same * float32(p[2])
		total += same
	}
	for cy := y0; cy <= y1; cy++ {
		row := cy * l.dst.w
		part := of.weight[cy-y+reach]
		if together := l.tally.row[row+x]; together >= 0 && counted {
			if s := l.tally.shift[row+x]; s != at {
				settle()
				at, same = s, 0
			}
			same += part * together
			continue
		}
		for i := row + x0; i <= row+x1; i++ {
			s := l.tally.shift[i]
			if s == unmatched {
				continue
			}
			if s != at {
				settle()
				at, same = s, 0
			}
			same += l.weight[i] * part * of.weight[i-row-x+reach]
		}
	}
	settle()
	if total <= 0 {
		return 0, 0, 0, false
	}
	return r / total, g / total, b / total, true
}
