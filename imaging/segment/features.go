package segment

import "math"

// features is the number of what is measured of a pixel for the forest.
const features = 27

// stride is the distance in pixels of the coarse canvas between the pixels that are measured.
const stride = 2

// sights is what is measured of a picture with people: one row of features for each pixel of a grid, row by row.
type sights struct {
	w, h int
	rows [][features]float32
}

// see measures the pixels of a picture in which the given cut was found around people.
func see(k *cutter, e evidence, f finding, people []face) sights {
	n := k.w * k.h
	b := newBodyMap(k, f.labels, people)
	score := k.score(f.models, f.prior)
	sure := make([]float32, n)
	solid := make([]float32, n)
	for i, v := range score {
		sure[i] = float32(1 / (1 + math.Exp(-float64(v)/3)))
		solid[i] = float32(f.labels[i])
	}
	reach := max(2, int(float64(max(k.w, k.h))/100))
	near, wide, unsure := boxBlur(solid, k.w, k.h, reach), boxBlur(solid, k.w, k.h, 4*reach), boxBlur(sure, k.w, k.h, reach)
	grain := boxBlur(k.grain(), k.w, k.h, 2)
	bottom := 0.0
	for i, l := range f.labels {
		if l == 1 && b.across[i] < 2.5 {
			bottom = max(bottom, b.down[i])
		}
	}
	samples := b.samples()
	rows := (k.h + stride - 1) / stride
	s := sights{w: (k.w + stride - 1) / stride, h: rows}
	s.rows = make([][features]float32, s.w*s.h)
	spread(rows, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			for x := range s.w {
				px, py := x*stride, y*stride
				i := py*k.w + px
				bin := k.colours.of[i]
				r, g, bl := k.pix[3*i], k.pix[3*i+1], k.pix[3*i+2]
				v := &s.rows[y*s.w+x]
				*v = [features]float32{
					float32(b.across[i]), float32(b.down[i]), float32(logit(min(max(e.chance[i], 0.01), 0.99))),
					e.stands[i], e.local[i], f.prior[i], score[i], solid[i],
					near[i], wide[i], unsure[i],
					0.299*r + 0.587*g + 0.114*bl, r - g, g - bl, grain[i],
					samples[0][bin], samples[1][bin], samples[2][bin], samples[3][bin],
					samples[0][bin] - samples[2][bin], samples[2][bin] - samples[3][bin], samples[1][bin] - samples[2][bin],
					float32(bottom - b.down[i]), float32(bottom), abs(float32(px)/float32(k.w) - 0.5), float32(py) / float32(k.h),
					b.size[i] / float32(k.h),
				}
			}
		}
	})
	return s
}

// grain is the squared difference of each pixel's luma from its surroundings.
func (c *canvas) grain() []float32 {
	g := c.gray()
	for i, v := range boxBlur(g, c.w, c.h, 1) {
		d := g[i] - v
		g[i] = sqrt32(d * d)
	}
	return g
}

// samples is for each colour bin how like it is to what the people show in four places: face, hair, chest and legs, as log densities.
func (b *bodyMap) samples() [4][]float32 {
	const least = -25
	places := [4]func(i int) bool{
		func(i int) bool { return b.face(i) && b.bare[i] },
		func(i int) bool {
			return b.across[i] < 0.5 && b.down[i] > -0.9 && b.down[i] < -0.45 && b.person[i] == 1
		},
		func(i int) bool { return b.across[i] < 0.8 && b.down[i] > 1 && b.down[i] < 2.6 && b.person[i] == 1 },
		func(i int) bool { return b.down[i] > 4.3 && b.down[i] < 7.2 && b.person[i] == 1 },
	}
	var out [4][]float32
	for n, in := range places {
		m := newMixture(b.colours, b.colours.weigh(func(i int) float64 { return flag(in(i)) }))
		if len(m.parts) == 0 {
			out[n] = make([]float32, len(b.colours.mean))
			for i := range out[n] {
				out[n][i] = least
			}
			continue
		}
		out[n] = m.widened(60).logProb(b.colours)
		for i, v := range out[n] {
			out[n][i] = max(v, least)
		}
	}
	return out
}

// opinion is the forest's logits of all classes for every pixel of a canvas, class by class; nil when it was not asked.
type opinion [classes][]float32

// average takes the mean of two opinions.
func (o opinion) average(other opinion) {
	for c := range o {
		for i, v := range other[c] {
			o[c][i] = (o[c][i] + v) / 2
		}
	}
}

// subject is the logit of not being background.
func (o opinion) subject() []float32 {
	return o.against(func(c class) bool { return c != background }, nil)
}

// against is the logit of one group of classes against all others. With among, only classes in it count.
func (o opinion) against(group func(c class) bool, among func(c class) bool) []float32 {
	out := make([]float32, len(o[0]))
	spread(len(out), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			yes, no := 1e-9, 1e-9
			for c := range classes {
				switch v := math.Exp(float64(o[c][i])); {
				case group(c):
					yes += v
				case among == nil || among(c):
					no += v
				}
			}
			out[i] = float32(math.Log(yes / no))
		}
	})
	return out
}

// opinion asks the forest about every pixel of the canvas.
func (s sights) opinion(f forest, w, h int) opinion {
	var small, out opinion
	for c := range small {
		small[c] = make([]float32, len(s.rows))
	}
	spread(len(s.rows), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for c, v := range f.scores(&s.rows[i]) {
				small[c][i] = v
			}
		}
	})
	for c := range out {
		out[c] = scaleField(small[c], s.w, s.h, w, h)
	}
	return out
}
