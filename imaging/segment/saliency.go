package segment

import (
	"math"
	"slices"
)

// stranger is, for each pixel, how much its colour surprises someone who has only seen the frame's edge: about 0 for what the edge is
// made of, 1 and more for what it is not.
func stranger(k *cutter) []float32 {
	edge := max(2, min(k.w, k.h)/25)
	at := func(i int) float64 {
		x, y := i%k.w, i/k.w
		switch {
		case x < edge || x >= k.w-edge || y < edge:
			return 1
		case y >= k.h-edge:
			return 0.3 // people and things are often cut off below
		}
		return 0
	}
	weight := k.colours.weigh(at)
	m := newMixture(k.colours, weight)
	logs := m.logProb(k.colours)
	// What is usual at the edge itself sets the scale.
	type entry struct{ surprise, weight float64 }
	seen := make([]entry, 0, len(logs))
	total := 0.0
	for i, w := range weight {
		if w > 0 {
			seen = append(seen, entry{-float64(logs[i]), w})
			total += w
		}
	}
	slices.SortFunc(seen, func(a, b entry) int {
		if a.surprise < b.surprise {
			return -1
		}
		return 1
	})
	usual := 0.0
	for sum, i := 0.0, 0; i < len(seen) && sum < 0.9*total; i++ {
		sum += seen[i].weight
		usual = seen[i].surprise
	}
	out := make([]float32, k.w*k.h)
	for i, b := range k.colours.of {
		out[i] = float32((-float64(logs[b]) - usual) / 6)
	}
	return out
}

// salience scores how much each pixel stands out from the frame's edge, by colour and by what lies between; about -3.6 to 4.8.
func salience(k *cutter) []float32 {
	strange := stranger(k)
	fence := barrier(k.canvas)
	high := max(quantile(fence, 0.9), 12)
	for i := range strange {
		a := min(max(strange[i], 0), 1.5)*2 - 1
		b := min(fence[i]/high, 1)*4 - 2
		strange[i] = 1.2 * (a + b)
	}
	return strange
}

// barrier is the minimum barrier distance of each pixel to the frame's edge: the smallest range of one channel that a path from the
// edge must cross (Zhang et al., "Minimum Barrier Salient Object Detection at 80 FPS", 2015), summed over channels, 0..255·3. No
// path begins at the lower edge: people and things are often cut off there, and what they stand on also reaches the sides.
func barrier(c *canvas) []float32 {
	n := c.w * c.h
	out := make([]float32, n)
	fields := make([][]float32, 3)
	spread(3, func(lo, hi int) {
		for ch := lo; ch < hi; ch++ {
			fields[ch] = barrierOf(c, ch)
		}
	})
	for _, f := range fields {
		for i, v := range f {
			out[i] += v
		}
	}
	return out
}

func barrierOf(c *canvas, ch int) []float32 {
	w, h := c.w, c.h
	v := make([]float32, w*h)
	d, top, low := make([]float32, w*h), make([]float32, w*h), make([]float32, w*h)
	for i := range v {
		v[i] = c.pix[3*i+ch]
	}
	v = boxBlur(v, w, h, 1)
	for i := range v {
		x, y := i%w, i/w
		top[i], low[i] = v[i], v[i]
		if x > 0 && y > 0 && x < w-1 {
			d[i] = math.MaxFloat32
		}
	}
	relax := func(i, j int) {
		t, l := max(top[j], v[i]), min(low[j], v[i])
		if t-l < d[i] {
			d[i], top[i], low[i] = t-l, t, l
		}
	}
	for pass := range 4 {
		if pass&1 == 0 {
			for y := 1; y < h; y++ {
				for x := 1; x < w-1; x++ {
					i := y*w + x
					relax(i, i-1)
					relax(i, i-w)
				}
			}
			continue
		}
		for y := h - 1; y > 0; y-- {
			for x := w - 2; x > 0; x-- {
				i := y*w + x
				relax(i, i+1)
				if y < h-1 {
					relax(i, i+w)
				}
			}
		}
	}
	return d
}

// boxBlur is the mean over a square of 2r+1 pixels, cut off at the frame.
func boxBlur(src []float32, w, h, r int) []float32 {
	tmp := make([]float32, len(src))
	out := make([]float32, len(src))
	spread(h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			row, to := src[y*w:(y+1)*w], tmp[y*w:(y+1)*w]
			sum := 0.0
			for x := range min(r, w) {
				sum += float64(row[x])
			}
			for x := range w {
				if x+r < w {
					sum += float64(row[x+r])
				}
				if x-r-1 >= 0 {
					sum -= float64(row[x-r-1])
				}
				to[x] = float32(sum / float64(min(x+r, w-1)-max(x-r, 0)+1))
			}
		}
	})
	spread(w, func(lo, hi int) {
		sums := make([]float64, hi-lo)
		for y := range min(r, h) {
			for x := lo; x < hi; x++ {
				sums[x-lo] += float64(tmp[y*w+x])
			}
		}
		for y := range h {
			n := 1 / float64(min(y+r, h-1)-max(y-r, 0)+1)
			for x := lo; x < hi; x++ {
				if y+r < h {
					sums[x-lo] += float64(tmp[(y+r)*w+x])
				}
				if y-r-1 >= 0 {
					sums[x-lo] -= float64(tmp[(y-r-1)*w+x])
				}
				out[y*w+x] = float32(sums[x-lo] * n)
			}
		}
	})
	return out
}

// quantile is the value below which a share of the field lies.
func quantile(field []float32, share float64) float32 {
	if len(field) == 0 {
		return 0
	}
	s := slices.Clone(field)
	slices.Sort(s)
	return s[min(len(s)-1, int(share*float64(len(s))))]
}
