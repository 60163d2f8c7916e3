package segment

import (
	"context"
	"math"

	"atelier/imaging/cut"
)

// cutter cuts one canvas in two. It holds what does not change between rounds: the colour bins and the edge strengths.
type cutter struct {
	*canvas
	colours *palette
	edges   []float32 // per pixel the weight towards right, below, below right, below left; 0 at the frame
	grid    *cut.Grid // of the last cut, to be used again; so a cutter is used by one goroutine at a time
}

// smoothness is the cost of an edge where neighbours look alike, against log-likelihood ratios of colour (Rother et al., "GrabCut", 2004).
const smoothness = 36

func newCutter(c *canvas) *cutter {
	k := &cutter{canvas: c, colours: newPalette(c), edges: make([]float32, 4*c.w*c.h)}
	beta := k.contrast()
	spread(c.h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			for x := range c.w {
				i := y*c.w + x
				for d, s := range forward {
					if x+s.dx < 0 || x+s.dx >= c.w || y+s.dy >= c.h {
						continue
					}
					k.edges[4*i+d] = smoothness * s.near * float32(math.Exp(-beta*float64(k.apart(i, i+s.dy*c.w+s.dx))))
				}
			}
		}
	})
	return k
}

// forward are the four neighbours that have not been visited yet; near is one over their distance, dir their number in the grid.
var forward = [4]struct {
	dx, dy int
	near   float32
	dir    int
}{{1, 0, 1, 0}, {0, 1, 1, 2}, {1, 1, math.Sqrt2 / 2, 4}, {-1, 1, math.Sqrt2 / 2, 6}}

// apart is the squared colour distance of two pixels.
func (c *canvas) apart(i, j int) float32 {
	r, g, b := c.pix[3*i]-c.pix[3*j], c.pix[3*i+1]-c.pix[3*j+1], c.pix[3*i+2]-c.pix[3*j+2]
	return r*r + g*g + b*b
}

// contrast is one over twice the mean squared difference of neighbours.
func (c *canvas) contrast() float64 {
	sum, n := 0.0, 0
	for y := range c.h {
		for x := range c.w - 1 {
			sum += float64(c.apart(y*c.w+x, y*c.w+x+1))
			n++
		}
	}
	for i := range c.w * (c.h - 1) {
		sum += float64(c.apart(i, i+c.w))
		n++
	}
	if sum < 1 {
		return 0
	}
	return float64(n) / (2 * sum)
}

// cut labels each pixel 1 or 0 so that scores (positive pulls towards 1) and edges are paid least. With a band only its pixels are
// decided; the others keep their label from the band's plane, where 0 and 1 are
// fixed, 2 is open, and neutral pulls neither way.
func (k *cutter) cut(ctx context.Context, score []float32, band []uint8) ([]uint8, error) {
	if k.grid == nil {
		k.grid = cut.New(k.w, k.h)
	} else {
		k.grid.Reset()
	}
	g := k.grid
	open := func(i int) bool { return band == nil || band[i] == 2 }
	for y := range k.h {
		for x := range k.w {
			i, n := y*k.w+x, g.Node(x, y)
			here := open(i)
			if here {
				g.Pull(n, score[i])
			}
			for d, s := range forward {
				e := k.edges[4*i+d]
				if e == 0 {
					continue
				}
				j := i + s.dy*k.w + s.dx
				switch there := open(j); {
				case here && there:
					g.Connect(n, s.dir, e)
				case here:
					g.Pull(n, e*side(band[j]))
				case there:
					g.Pull(g.Next(n, s.dir), e*side(band[i]))
				}
			}
		}
	}
	if err := g.Solve(ctx); err != nil {
		return nil, err
	}
	out := make([]uint8, k.w*k.h)
	for y := range k.h {
		for x := range k.w {
			i := y*k.w + x
			switch {
			case !open(i):
				out[i] = band[i]
			case g.Keeps(g.Node(x, y)):
				out[i] = 1
			}
		}
	}
	return out, nil
}

// side is the pull of a decided neighbour.
func side(label uint8) float32 {
	switch label {
	case 0:
		return -1
	case 1:
		return 1
	}
	return 0
}

// neutral is the label of pixels that take no side in a cut.
const neutral = 3

// models are what kept and redrawn pixels look like.
type models struct{ kept, redrawn mixture }

// learn fits both models to pixels weighted by how surely they belong.
func (k *cutter) learn(kept func(i int) float64, redrawn func(i int) float64) models {
	return models{
		kept:    newMixture(k.colours, k.colours.weigh(kept)),
		redrawn: newMixture(k.colours, k.colours.weigh(redrawn)),
	}
}

// ratio is the log-likelihood ratio of each colour bin, within ±limit; positive speaks for kept.
func (m models) ratio(p *palette, limit float32) []float32 {
	out := make([]float32, len(p.mean))
	if len(m.kept.parts) == 0 || len(m.redrawn.parts) == 0 {
		return out
	}
	a, b := m.kept.logProb(p), m.redrawn.logProb(p)
	for i := range out {
		out[i] = min(max(a[i]-b[i], -limit), limit)
	}
	return out
}

// grab alternates between learning colours from labels and cutting (Rother et al., 2004). prior is added to the colour's score: it is
// what is known about each pixel besides its colour.
func (k *cutter) grab(ctx context.Context, labels []uint8, prior []float32, rounds int) ([]uint8, models, error) {
	var m models
	for range rounds {
		m = k.learn(
			func(i int) float64 { return float64(labels[i]) },
			func(i int) float64 { return float64(1 - labels[i]) },
		)
		next, err := k.cut(ctx, k.score(m, prior), nil)
		if err != nil {
			return nil, m, err
		}
		changed := 0
		for i := range next {
			if next[i] != labels[i] {
				changed++
			}
		}
		labels = next
		if changed*1000 < len(labels) {
			break
		}
	}
	return labels, m, nil
}

// score is how much speaks for keeping each pixel: its colour's likelihood ratio and what else is known.
func (k *cutter) score(m models, prior []float32) []float32 {
	ratio := m.ratio(k.colours, colourLimit)
	out := make([]float32, len(prior))
	for i, b := range k.colours.of {
		out[i] = ratio[b] + prior[i]
	}
	return out
}
