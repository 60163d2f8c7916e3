package segment

import "math"

// aloof scores how little each pixel hangs together with the frame's edge, by the patches between: ground and sky reach the edge along
// patches of about one colour, whatever their texture, and a subject does not (Zhu et al., "Saliency Optimization from Robust Background
// Detection", 2014). Scores are logits, within ±3.
func aloof(c *canvas) []float32 {
	p := newPatches(c)
	s := p.settle(p.background(c))
	out := make([]float32, len(p.of))
	for i, n := range p.of {
		out[i] = float32(logit(min(max(s[n], 0.05), 0.95)))
	}
	return out
}

// background is for each patch the chance to be background, 0..1: how much of the frame's edge what looks like it takes up, against its
// extent.
func (p *patches) background(c *canvas) []float64 {
	const alike = 10 // L*a*b* distance along a path that is hardly one colour any more
	out := make([]float64, len(p.list))
	slack := p.slack()
	unit := math.Sqrt(float64(c.w*c.h) / patchCount)
	spread(len(p.list), func(lo, hi int) {
		for n := lo; n < hi; n++ {
			area, edge := 0.0, 0.0
			for m, d := range p.paths(n, slack) {
				w := math.Exp(-d * d / (2 * alike * alike))
				area += w * p.list[m].size / (unit * unit)
				edge += w * p.list[m].border / unit
			}
			reach := edge / math.Sqrt(max(area, 1e-6))
			out[n] = 1 - math.Exp(-reach*reach/2)
		}
	})
	return out
}

// slack is what neighbours of one surface differ by: the mean least difference of a patch to those beside it.
func (p *patches) slack() float64 {
	sum := 0.0
	for n := range p.list {
		least := math.MaxFloat64
		for _, m := range p.list[n].beside {
			least = min(least, p.apart(n, int(m)))
		}
		if len(p.list[n].beside) > 0 {
			sum += least
		}
	}
	return sum / float64(len(p.list))
}

func (p *patches) apart(n, m int) float64 {
	a, b := &p.list[n].lab, &p.list[m].lab
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// paths are the shortest distances from a patch to all others, by colour differences above the slack (Dijkstra).
func (p *patches) paths(from int, slack float64) []float64 {
	out := make([]float64, len(p.list))
	done := make([]bool, len(p.list))
	for i := range out {
		out[i] = math.Inf(1)
	}
	out[from] = 0
	for {
		at, least := -1, math.Inf(1)
		for i, d := range out {
			if !done[i] && d < least {
				at, least = i, d
			}
		}
		if at < 0 {
			return out
		}
		done[at] = true
		for _, m := range p.list[at].beside {
			out[m] = min(out[m], least+max(p.apart(at, int(m))-slack, 0))
		}
	}
}

// settle gives each patch a share 0..1 of the subject: near 0 where it is background, near 1 where it differs from the background around it, and
// alike in neighbours of one colour.
func (p *patches) settle(back []float64) []float64 {
	const (
		rounds = 60
		heavy  = 5 // how much background counts against what differs
		alike  = 7 // L*a*b* distance of neighbours that belong together
		least  = 0.1
	)
	front := p.contrast(back)
	out := make([]float64, len(p.list))
	for range rounds {
		for n := range p.list {
			a, b := front[n], front[n]+heavy*back[n]*back[n]
			for _, m := range p.list[n].beside {
				d := p.apart(n, int(m))
				w := math.Exp(-d*d/(2*alike*alike)) + least
				a, b = a+w*out[m], b+w
			}
			out[n] = a / max(b, 1e-9)
		}
	}
	most := 0.0
	for _, v := range out {
		most = max(most, v)
	}
	for n := range out {
		out[n] /= max(most, 1e-9)
	}
	return out
}

// contrast is how much each patch differs from the background around it, 0..1.
func (p *patches) contrast(back []float64) []float64 {
	const around = 0.25 // of the picture's long side
	long := 1.0
	for _, q := range p.list {
		long = max(long, q.x, q.y)
	}
	out := make([]float64, len(p.list))
	most := 0.0
	for n, q := range p.list {
		if q.size == 0 {
			continue
		}
		for m, o := range p.list {
			d := math.Hypot(q.x-o.x, q.y-o.y) / long
			out[n] += p.apart(n, m) * math.Exp(-d*d/(2*around*around)) * back[m] * o.size
		}
		out[n] *= 1 - back[n]
		most = max(most, out[n])
	}
	for n := range out {
		out[n] /= max(most, 1e-9)
	}
	return out
}
