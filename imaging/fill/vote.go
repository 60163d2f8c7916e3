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

// How much a patch counts by the pixel's distance from its centre, along one axis. The even say of all patches finds
// agreement; the sharp one keeps grain, which averaging many patches would smooth away.
var (
	even  = [side]float32{1, 1, 1, 1, 1, 1, 1}
	sharp = [side]float32{0.01, 0.08, 0.5, 1, 0.5, 0.08, 0.01}
)

// vote paints every hole pixel with the weighted mean of what the patches over it say.
func (l *level) vote(ctx context.Context, centre *[side]float32) error {
	return parallel(ctx, bands, func(b int) {
		from, to := l.dst.h*b/bands, l.dst.h*(b+1)/bands
		for y := from; y < to; y++ {
			for x := range l.dst.w {
				i := y*l.dst.w + x
				if l.state[i] != hole {
					continue
				}
				if r, g, b, ok := l.say(x, y, centre); ok {
					p := l.dst.pix[4*i : 4*i+4 : 4*i+4]
					p[0], p[1], p[2] = uint8(r+0.5), uint8(g+0.5), uint8(b+0.5)
				}
			}
		}
	})
}

// say is what the patches over canvas pixel (x, y) say it looks like; false when none covers it.
func (l *level) say(x, y int, centre *[side]float32) (r, g, b float32, ok bool) {
	var total float32
	x0, x1 := max(x-reach, reach), min(x+reach, l.dst.w-reach-1)
	y0, y1 := max(y-reach, reach), min(y+reach, l.dst.h-reach-1)
	for cy := y0; cy <= y1; cy++ {
		row := cy * l.dst.w
		part := centre[cy-y+reach]
		for i := row + x0; i <= row+x1; i++ {
			if l.target[i] == 0 {
				continue
			}
			m := l.match[i]
			w := l.weight[i] * part * centre[i-row-x+reach]
			sx, sy := int(m&0xffff)+x-(i-row), int(m>>16)+y-cy
			p := l.src.pix[4*(sy*l.src.w+sx):]
			p = p[:3:3]
			r += w * float32(p[0])
			g += w * float32(p[1])
			b += w * float32(p[2])
			total += w
		}
	}
	if total <= 0 {
		return 0, 0, 0, false
	}
	return r / total, g / total, b / total, true
}
