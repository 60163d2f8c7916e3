package segment

import (
	"context"
	"math"
	"slices"
)

// How the edge of a hard mask is opened. Widths are thousandths of the canvas's long side. Chosen on photographs; what
// is smooth and what is hair changes little within ±25 %.
const (
	smoothWidth = 2.4   // to each side of a smooth edge
	hairWidth   = 14    // to each side where hair, fur or fringe crosses it
	leastWidth  = 1.6   // in pixels
	coreShare   = 0.45  // of the radius of a thin part that may be open
	smoothUpTo  = 0.013 // mean change of alpha along the edge that is still smooth
	hairFrom    = 0.018 // and from which it is hair
	hairOfHeads = 0.020 // and what is expected around a head
	headReach   = 1.7   // how far hair is expected, in face sizes
)

// rim is the neighbourhood of a hard edge, on one canvas.
type rim struct {
	*canvas
	labels              []uint8 // 1 kept, 0 not
	heads               []face  // where hair is expected
	solid               []face  // faces that let nothing through
	narrow, wide        float32
	depth               []float32 // distance from the edge, positive in what is kept, at most wide+2
	width               []float32 // how far from the edge soft pixels are looked for
	hairy               []float32 // 0..1
	front, back         []float32 // colours on both sides of the edge, half size, three numbers a pixel
	frontVar, backVar   []float32 // and how they vary
	sideReach, evenness int
}

// soften gives hard labels a soft edge: a pixel or two along smooth contours, wide where there is hair. With settle,
// the edge may also move to where the colours put it. Hair is expected at the heads; the solid ones are faces that let
// nothing through. Alphas are 0..1.
func soften(ctx context.Context, c *canvas, labels []uint8, heads, solid []face, settle bool) ([]float32, error) {
	r := newRim(c, labels, heads)
	r.solid = solid
	trimap := r.trimap()
	alpha := follow(c, r.guess(trimap), trimap) // tells hair from cloth, and where the edge is
	r.findHair(alpha)
	if settle {
		r.settle(alpha)
	}
	r.tighten()
	trimap = r.trimap()
	alpha, err := closedForm(ctx, c, trimap, r.guess(trimap))
	if err != nil {
		return nil, err
	}
	r.finish(alpha)
	return alpha, nil
}

func newRim(c *canvas, labels []uint8, heads []face) *rim {
	long := float32(max(c.w, c.h))
	r := &rim{canvas: c, labels: labels, heads: heads}
	r.narrow, r.wide = max(leastWidth, long*smoothWidth/1000), max(leastWidth, long*hairWidth/1000)
	r.sideReach, r.evenness = int(r.wide+1)/2, max(1, int(0.36*r.wide+0.5))
	r.measure()
	r.learn()
	r.width = make([]float32, len(labels))
	for i := range r.width {
		r.width[i] = r.wide
	}
	return r
}

// measure takes the distances from the edge.
func (r *rim) measure() {
	r.depth = gaps(r.labels, r.w, r.h, r.wide+2)
	for i, l := range r.labels {
		if l == 0 {
			r.depth[i] = -r.depth[i]
		}
	}
}

// learn finds the colours on both sides of the edge around each pixel; the deeper a pixel lies, the more it counts.
func (r *rim) learn() {
	n := len(r.depth)
	kept, rest := make([]float32, n), make([]float32, n)
	for i, d := range r.depth {
		v := min(abs(d)/r.wide, 1)
		switch {
		case d > r.narrow:
			kept[i] = v
		case d < -r.narrow:
			rest[i] = v
		}
	}
	r.front, r.frontVar = r.colours(kept)
	r.back, r.backVar = r.colours(rest)
}

// colours is the weighted mean colour around each pixel, and its variance along one axis, on a grid of half the size.
func (r *rim) colours(weight []float32) (mean, variance []float32) {
	hw, hh := (r.w+1)/2, (r.h+1)/2
	var sums [5][]float32 // weight, weighted square, weighted colour
	for k := range sums {
		sums[k] = make([]float32, hw*hh)
	}
	for y := range r.h {
		for x := range r.w {
			i, j := y*r.w+x, r.half(x, y)
			w, p := weight[i]+1e-5, r.pix[3*i:]
			sums[0][j] += w
			sums[1][j] += w * length2(p)
			for k := range 3 {
				sums[2+k][j] += w * p[k]
			}
		}
	}
	for k := range sums {
		sums[k] = boxBlur(sums[k], hw, hh, r.sideReach)
	}
	mean, variance = make([]float32, 3*hw*hh), sums[1]
	for j, total := range sums[0] {
		for k := range 3 {
			mean[3*j+k] = sums[2+k][j] / total
		}
		variance[j] = max(variance[j]/total-length2(mean[3*j:]), 0) / 2
	}
	return mean, variance
}

// half is where colours has the answer for a pixel.
func (r *rim) half(x, y int) int { return y/2*((r.w+1)/2) + x/2 }

func length2(p []float32) float32 { return p[0]*p[0] + p[1]*p[1] + p[2]*p[2] }

// mix is where pixel i lies between the colours behind (0) and in front (1), and how much the colours of its own side
// scatter on that scale: from about a half the two sides are not told apart.
func (r *rim) mix(i int) (m, scatter float32) {
	var num, den float32
	j := r.half(i%r.w, i/r.w)
	for k := range 3 {
		s := r.front[3*j+k] - r.back[3*j+k]
		num += s * (r.pix[3*i+k] - r.back[3*j+k])
		den += s * s
	}
	v := r.backVar[j]
	if r.depth[i] > 0 {
		v = r.frontVar[j]
	}
	den = max(den, 1)
	return num / den, sqrt32((v + 4) / den)
}

// trust is how far colours decide, 0..1, when they scatter; sharpness is how fast they lose.
func trust(scatter, sharpness float32) float32 {
	s := scatter * sharpness
	return 1 / (1 + s*s)
}

// trimap opens the rim as wide as it is now.
func (r *rim) trimap() []uint8 {
	trimap := slices.Clone(r.labels)
	for i, l := range r.labels {
		if d := r.depth[i]; abs(d) <= r.width[i] && (l == 0 || d <= r.narrow || !r.inFace(i)) {
			trimap[i] = 2
		}
	}
	return trimap
}

// guess is the alpha that the colours suggest for the open pixels of a trimap or, where those are not told apart, the
// smooth hard edge.
func (r *rim) guess(trimap []uint8) []float32 {
	const half = 0.48 // a pixel beside the edge is nearly one away from the other side
	guess := make([]float32, len(trimap))
	for i, t := range trimap {
		if t != 2 {
			guess[i] = float32(t)
			continue
		}
		d := r.depth[i]
		if d > 0 {
			d -= half
		} else {
			d += half
		}
		step := min(max(0.5+d/2, 0), 1)
		m, s := r.mix(i)
		guess[i] = step + trust(s, 3.5)*(min(max(m, 0), 1)-step)
	}
	return guess
}

// findHair sets how hairy each place of the rim is: how much a first alpha wavers along the edge, not across it. A
// subject with fur is furry nearly everywhere and heads mostly have hair, so both are expected.
func (r *rim) findHair(alpha []float32) {
	change, counted := r.wavering(alpha)
	around := int(r.wide)
	r.hairy = boxBlur(change, r.w, r.h, around)
	counted = boxBlur(counted, r.w, r.h, around)
	var edge []float32
	for i := range r.hairy {
		r.hairy[i] /= max(counted[i], 0.02)
		if abs(r.depth[i]) < 1 {
			edge = append(edge, r.hairy[i])
		}
	}
	usual := quantile(edge, 0.5)
	for i, v := range r.hairy {
		if abs(r.depth[i]) > r.wide {
			r.hairy[i] = 0
			continue
		}
		expected := max(usual, hairOfHeads*r.nearHead(i))
		r.hairy[i] = min(max(((v+expected)/2-smoothUpTo)/(hairFrom-smoothUpTo), 0), 1)
	}
}

// wavering is how far alpha departs from the mean of its neighbours along the edge, less where the sides are not told
// apart; counted is 1 where that was measured.
func (r *rim) wavering(alpha []float32) (change, counted []float32) {
	const margin, apart, most = 4, 2, 0.3
	change, counted = make([]float32, len(alpha)), make([]float32, len(alpha))
	for y := margin; y < r.h-margin; y++ {
		for x := margin; x < r.w-margin; x++ {
			i := y*r.w + x
			if a := abs(r.depth[i]); a < r.narrow || a > r.wide {
				continue
			}
			counted[i] = 1
			dx, dy := r.depth[i+2]-r.depth[i-2], r.depth[i+2*r.w]-r.depth[i-2*r.w]
			long := sqrt32(dx*dx + dy*dy)
			if long < 1 {
				continue
			}
			tx, ty := -apart*dy/long, apart*dx/long
			p := sample(alpha, r.w, float32(x)+tx, float32(y)+ty)
			q := sample(alpha, r.w, float32(x)-tx, float32(y)-ty)
			_, s := r.mix(i)
			change[i] = min(abs(alpha[i]-(p+q)/2), most) * trust(s, 4)
		}
	}
	return change, counted
}

// sample is a field between its pixels.
func sample(f []float32, w int, x, y float32) float32 {
	i := int(y)*w + int(x)
	u, v := x-float32(int(x)), y-float32(int(y))
	return (f[i]*(1-u)+f[i+1]*u)*(1-v) + (f[i+w]*(1-u)+f[i+w+1]*u)*v
}

// nearHead is 1 on and around heads and falls to 0 half a face size further out.
func (r *rim) nearHead(i int) float32 {
	e := 0.0
	for _, f := range r.heads {
		out := math.Hypot((float64(i%r.w)-f.x)/f.size, (float64(i/r.w)-f.y)/f.size/1.25)
		e = max(e, min(2*(headReach-out), 1))
	}
	return float32(e)
}

// inFace tells whether a pixel lies in a face that lets nothing through.
func (r *rim) inFace(i int) bool {
	return slices.ContainsFunc(r.solid, func(f face) bool { return f.inside(float64(i%r.w)+0.5, float64(i/r.w)+0.5) })
}

// settle moves the edge to where a first alpha puts it, where the colours on its sides differ or that alpha is clear.
// Elsewhere it only smooths the edge.
func (r *rim) settle(alpha []float32) {
	field := make([]float32, len(alpha))
	for i, l := range r.labels {
		field[i] = float32(l)
	}
	field = boxBlur(boxBlur(field, r.w, r.h, r.evenness), r.w, r.h, r.evenness)
	for i, a := range alpha {
		if abs(r.depth[i]) > r.wide {
			field[i] = float32(r.labels[i])
			continue
		}
		_, s := r.mix(i)
		clear := (2*a - 1) * (2*a - 1)
		field[i] += (a - field[i]) * max(trust(s, 2), 0.7*clear)
	}
	r.labels = make([]uint8, len(alpha))
	for i, v := range boxBlur(field, r.w, r.h, 1) {
		if v >= 0.5 {
			r.labels[i] = 1
		}
	}
	r.measure()
}

// tighten narrows the rim where there is no hair, and there never leaves a finger or a gap between limbs without a
// part that is certain.
func (r *rim) tighten() {
	thick := r.thickness()
	for i, h := range r.hairy {
		r.width[i] = min(r.narrow+(r.wide-r.narrow)*h, max(1, coreShare*thick[i])+h*r.wide)
	}
}

// thickness is for each pixel the radius of the largest disc around it that fits on its side of the edge, at most
// wide+2.
func (r *rim) thickness() []float32 {
	out := make([]float32, len(r.depth))
	for i, d := range r.depth {
		out[i] = abs(d)
	}
	for y := range r.h {
		for x := range r.w {
			i := y*r.w + x
			if !r.ridge(x, y) {
				continue
			}
			d := abs(r.depth[i])
			reach := int(d)
			for yy := max(y-reach, 0); yy <= min(y+reach, r.h-1); yy++ {
				for xx := max(x-reach, 0); xx <= min(x+reach, r.w-1); xx++ {
					j := yy*r.w + xx
					if out[j] < d && r.labels[j] == r.labels[i] && float32((xx-x)*(xx-x)+(yy-y)*(yy-y)) <= d*d {
						out[j] = d
					}
				}
			}
		}
	}
	return out
}

// ridge tells whether no neighbour lies clearly deeper; on the plateau beyond the limit only its border counts.
func (r *rim) ridge(x, y int) bool {
	const slope = 0.7 // beside a straight edge the next pixel is at least 0.9 deeper
	d := abs(r.depth[y*r.w+x])
	border := false
	for yy := max(y-1, 0); yy <= min(y+1, r.h-1); yy++ {
		for xx := max(x-1, 0); xx <= min(x+1, r.w-1); xx++ {
			n := abs(r.depth[yy*r.w+xx])
			if n > d+slope {
				return false
			}
			border = border || n < d
		}
	}
	return d < r.wide+2 || border
}

// finish pulls the alphas of smooth edges towards 0 and 1, and lets none end abruptly at the border of the rim.
func (r *rim) finish(alpha []float32) {
	const least, ramp = 0.08, 2
	smooth := boxBlur(r.depth, r.w, r.h, 1)
	for i, w := range r.width {
		d := smooth[i]
		if abs(d) > r.wide {
			continue
		}
		low := least * (1 - r.hairy[i])
		a := (alpha[i] - low) / (1 - 2*low)
		length := min(w, ramp)
		a = min(max(a, (d-w)/length+1), (d+w)/length)
		alpha[i] = min(max(a, 0), 1)
	}
}

func abs(v float32) float32 { return max(v, -v) }

func sqrt32(v float32) float32 { return float32(math.Sqrt(float64(v))) }
