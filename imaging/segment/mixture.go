package segment

import "math"

const components = 5

// palette groups the colours of a canvas into bins of 4 levels a channel, so that a colour model is evaluated once a bin.
type palette struct {
	of    []int32      // bin of each pixel
	mean  [][3]float64 // mean colour of each bin
	count []float64
}

func newPalette(c *canvas) *palette {
	p := &palette{of: make([]int32, c.w*c.h)}
	number := make([]int32, 1<<18)
	for i := range p.of {
		r, g, b := c.pix[3*i], c.pix[3*i+1], c.pix[3*i+2]
		key := int(r)>>2<<12 | int(g)>>2<<6 | int(b)>>2
		n := number[key]
		if n == 0 {
			p.mean = append(p.mean, [3]float64{})
			p.count = append(p.count, 0)
			n = int32(len(p.mean))
			number[key] = n
		}
		n--
		p.of[i] = n
		p.mean[n][0] += float64(r)
		p.mean[n][1] += float64(g)
		p.mean[n][2] += float64(b)
		p.count[n]++
	}
	for i := range p.mean {
		for k := range 3 {
			p.mean[i][k] /= p.count[i]
		}
	}
	return p
}

// weigh adds up a weight per pixel into its bin.
func (p *palette) weigh(weight func(i int) float64) []float64 {
	out := make([]float64, len(p.mean))
	for i, n := range p.of {
		out[n] += weight(i)
	}
	return out
}

// mixture is a Gaussian mixture over colours, 0..255.
type mixture struct {
	parts []gaussian
}

type gaussian struct {
	weight float64
	mean   [3]float64
	inv    [6]float64 // inverse covariance: rr rg rb gg gb bb
	scale  float64    // log of weight and normalisation
}

// split groups weighted colours into at most n clusters by splitting the widest one along its main axis (Orchard and Bouman, 1991).
// Colours without weight get label -1.
func split(p *palette, weight []float64, n int) ([]int8, []moments) {
	label := make([]int8, len(weight))
	stats := make([]moments, 1, n)
	for i, w := range weight {
		if w > 0 {
			stats[0].add(p.mean[i], w)
		} else {
			label[i] = -1
		}
	}
	if stats[0].w <= 0 {
		return label, nil
	}
	axes := make([]axis, 1, n)
	axes[0] = stats[0].mainAxis()
	for len(stats) < n {
		widest := 0
		for k := range stats {
			if axes[k].spread > axes[widest].spread {
				widest = k
			}
		}
		if axes[widest].spread < 1e-3*stats[widest].w {
			break
		}
		along := axes[widest].along
		cut, next := dot(along, stats[widest].mean()), int8(len(stats))
		stats[widest] = moments{}
		stats, axes = append(stats, moments{}), append(axes, axis{})
		for i, l := range label {
			if l != int8(widest) {
				continue
			}
			if dot(along, p.mean[i]) > cut {
				label[i] = next
			}
			stats[label[i]].add(p.mean[i], weight[i])
		}
		axes[widest], axes[next] = stats[widest].mainAxis(), stats[next].mainAxis()
	}
	return label, stats
}

// newMixture fits a mixture to weighted colours: clusters first, then colours move to the likeliest part a few times. Without weight
// it is empty.
func newMixture(p *palette, weight []float64) mixture {
	_, stats := split(p, weight, components)
	m := mixture{parts: gaussians(stats)}
	for range 2 {
		m = m.refit(p, weight)
	}
	return m
}

// refit moves every colour to its likeliest part and measures the parts again.
func (m mixture) refit(p *palette, weight []float64) mixture {
	stats := make([]moments, len(m.parts))
	for i, w := range weight {
		if w <= 0 {
			continue
		}
		best, bestLog := 0, math.Inf(-1)
		for k := range m.parts {
			if l := m.parts[k].logProb(p.mean[i]); l > bestLog {
				best, bestLog = k, l
			}
		}
		stats[best].add(p.mean[i], w)
	}
	return mixture{parts: gaussians(stats)}
}

// widened is the mixture with some variance, in squared levels, added to every part.
func (m mixture) widened(variance float64) mixture {
	out := mixture{parts: make([]gaussian, len(m.parts))}
	for k, g := range m.parts {
		c, _ := invert(g.inv)
		c[0], c[3], c[5] = c[0]+variance, c[3]+variance, c[5]+variance
		out.parts[k] = newGaussian(g.weight, g.mean, c)
	}
	return out
}

// logProb is the log density of each bin of the palette.
func (m mixture) logProb(p *palette) []float32 {
	out := make([]float32, len(p.mean))
	spread(len(out), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = float32(m.logAt(p.mean[i]))
		}
	})
	return out
}

func (m mixture) logAt(c [3]float64) float64 {
	const floor = -60
	best := math.Inf(-1)
	var logs [components]float64
	for k := range m.parts {
		logs[k] = m.parts[k].logProb(c)
		best = max(best, logs[k])
	}
	if best < floor {
		return floor
	}
	sum := 0.0
	for k := range m.parts {
		sum += math.Exp(logs[k] - best)
	}
	return best + math.Log(sum)
}

func (g *gaussian) logProb(c [3]float64) float64 {
	x, y, z := c[0]-g.mean[0], c[1]-g.mean[1], c[2]-g.mean[2]
	q := g.inv[0]*x*x + g.inv[3]*y*y + g.inv[5]*z*z + 2*(g.inv[1]*x*y+g.inv[2]*x*z+g.inv[4]*y*z)
	return g.scale - q/2
}

// moments are weighted sums of colours and of their products.
type moments struct {
	w   float64
	sum [3]float64
	sq  [6]float64
}

func (m *moments) add(c [3]float64, w float64) {
	m.w += w
	for k := range 3 {
		m.sum[k] += w * c[k]
	}
	m.sq[0] += w * c[0] * c[0]
	m.sq[1] += w * c[0] * c[1]
	m.sq[2] += w * c[0] * c[2]
	m.sq[3] += w * c[1] * c[1]
	m.sq[4] += w * c[1] * c[2]
	m.sq[5] += w * c[2] * c[2]
}

func (m *moments) mean() [3]float64 {
	return [3]float64{m.sum[0] / m.w, m.sum[1] / m.w, m.sum[2] / m.w}
}

func (m *moments) covariance() [6]float64 {
	u := m.mean()
	return [6]float64{
		m.sq[0]/m.w - u[0]*u[0], m.sq[1]/m.w - u[0]*u[1], m.sq[2]/m.w - u[0]*u[2],
		m.sq[3]/m.w - u[1]*u[1], m.sq[4]/m.w - u[1]*u[2], m.sq[5]/m.w - u[2]*u[2],
	}
}

// axis is the direction along which colours vary most, and by how much in all: the variance times the weight.
type axis struct {
	spread float64
	along  [3]float64
}

// mainAxis finds the largest eigenvector of the covariance by power iteration.
func (m *moments) mainAxis() axis {
	if m.w <= 0 {
		return axis{}
	}
	c := m.covariance()
	v, value := [3]float64{0.6, 0.7, 0.4}, 0.0
	for range 24 {
		u := [3]float64{c[0]*v[0] + c[1]*v[1] + c[2]*v[2], c[1]*v[0] + c[3]*v[1] + c[4]*v[2], c[2]*v[0] + c[4]*v[1] + c[5]*v[2]}
		value = math.Sqrt(dot(u, u))
		if value < 1e-9 {
			return axis{along: v}
		}
		v = [3]float64{u[0] / value, u[1] / value, u[2] / value}
	}
	return axis{spread: value * m.w, along: v}
}

// gaussians turns moments into densities. A small variance is added, so that a flat colour still has a shape.
func gaussians(stats []moments) []gaussian {
	const noise = 4.0 // squared levels: below this, differences are camera noise and compression
	total := 0.0
	for i := range stats {
		total += stats[i].w
	}
	out := make([]gaussian, 0, len(stats))
	for i := range stats {
		if stats[i].w <= 0 {
			continue
		}
		c := stats[i].covariance()
		c[0], c[3], c[5] = c[0]+noise, c[3]+noise, c[5]+noise
		out = append(out, newGaussian(stats[i].w/total, stats[i].mean(), c))
	}
	return out
}

func newGaussian(weight float64, mean [3]float64, covariance [6]float64) gaussian {
	inv, det := invert(covariance)
	return gaussian{weight: weight, mean: mean, inv: inv, scale: math.Log(weight) - 0.5*math.Log(det) - 1.5*math.Log(2*math.Pi)}
}

// invert is the inverse and the determinant of a symmetric 3×3 matrix.
func invert(c [6]float64) ([6]float64, float64) {
	a := c[3]*c[5] - c[4]*c[4]
	b := c[2]*c[4] - c[1]*c[5]
	d := c[1]*c[4] - c[2]*c[3]
	det := max(c[0]*a+c[1]*b+c[2]*d, 1e-30)
	return [6]float64{
		a / det, b / det, d / det,
		(c[0]*c[5] - c[2]*c[2]) / det, (c[1]*c[2] - c[0]*c[4]) / det, (c[0]*c[3] - c[1]*c[1]) / det,
	}, det
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
