package segment

import (
	"image"

	"atelier/imaging/mask"
	"atelier/imaging/parallel"
)

// canvas is a working copy of a picture: opaque RGB, 0..255, three floats a pixel. Transparent pixels show white.
type canvas struct {
	w, h int
	pix  []float32
}

// reduce copies the picture so that its long side is at most limit pixels, each pixel the average of the area it covers. It never enlarges.
func reduce(img *image.NRGBA, limit int) *canvas {
	b := img.Bounds()
	w, h := fit(b.Dx(), b.Dy(), limit)
	c := &canvas{w: w, h: h, pix: make([]float32, 3*w*h)}
	xs, ys := overlaps(b.Dx(), w), overlaps(b.Dy(), h)
	spread(h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			row := c.pix[3*w*y : 3*w*(y+1)]
			for sy := ys[y].from; sy < ys[y].to; sy++ {
				wy := ys[y].weight(sy)
				src := img.Pix[img.PixOffset(b.Min.X, b.Min.Y+sy):]
				for x := range w {
					s := xs[x]
					for sx := s.from; sx < s.to; sx++ {
						k := wy * s.weight(sx)
						p := src[4*sx : 4*sx+4 : 4*sx+4]
						if a := float32(p[3]) / 255; a == 1 {
							row[3*x] += k * float32(p[0])
							row[3*x+1] += k * float32(p[1])
							row[3*x+2] += k * float32(p[2])
						} else {
							row[3*x] += k * (a*float32(p[0]) + 255*(1-a))
							row[3*x+1] += k * (a*float32(p[1]) + 255*(1-a))
							row[3*x+2] += k * (a*float32(p[2]) + 255*(1-a))
						}
					}
				}
			}
		}
	})
	return c
}

// overlap is the run of source pixels below one target pixel, with the weights of its two ends.
type overlap struct {
	from, to           int
	first, inner, last float32
}

func (o overlap) weight(s int) float32 {
	switch s {
	case o.from:
		return o.first
	case o.to - 1:
		return o.last
	}
	return o.inner
}

func overlaps(from, to int) []overlap {
	out := make([]overlap, to)
	ratio := float64(from) / float64(to)
	for i := range out {
		lo, hi := float64(i)*ratio, float64(i+1)*ratio
		a, b := int(lo), int(hi)
		if float64(b) < hi {
			b++
		}
		b = min(b, from)
		o := overlap{from: a, to: b, inner: float32(1 / ratio)}
		o.first = float32((min(float64(a+1), hi) - lo) / ratio)
		o.last = float32((hi - max(float64(b-1), lo)) / ratio)
		out[i] = o
	}
	return out
}

// fit is the size with the same shape whose long side is at most limit.
func fit(w, h, limit int) (int, int) {
	long := max(w, h)
	if long <= limit {
		return w, h
	}
	return max(1, (w*limit+long/2)/long), max(1, (h*limit+long/2)/long)
}

// gray is the luma of each pixel, 0..255.
func (c *canvas) gray() []float32 {
	out := make([]float32, c.w*c.h)
	for i := range out {
		out[i] = 0.299*c.pix[3*i] + 0.587*c.pix[3*i+1] + 0.114*c.pix[3*i+2]
	}
	return out
}

// scalePlane resamples a plane to w×h, bilinear, or by area when it shrinks.
func scalePlane(p mask.Plane, w, h int) mask.Plane {
	if p.W == w && p.H == h {
		return mask.Plane{W: w, H: h, Pix: append([]uint8(nil), p.Pix...)}
	}
	src := make([]float32, len(p.Pix))
	for i, v := range p.Pix {
		src[i] = float32(v)
	}
	out := mask.New(w, h)
	for i, v := range scaleField(src, p.W, p.H, w, h) {
		out.Pix[i] = uint8(v + 0.5)
	}
	return out
}

// scaleField resamples a field of numbers to w×h, bilinear, or by area when it shrinks.
func scaleField(src []float32, sw, sh, w, h int) []float32 {
	out := make([]float32, w*h)
	if w < sw || h < sh {
		xs, ys := overlaps(sw, w), overlaps(sh, h)
		spread(h, func(lo, hi int) {
			for y := lo; y < hi; y++ {
				for sy := ys[y].from; sy < ys[y].to; sy++ {
					wy := ys[y].weight(sy)
					for x := range w {
						for sx := xs[x].from; sx < xs[x].to; sx++ {
							out[y*w+x] += wy * xs[x].weight(sx) * src[sy*sw+sx]
						}
					}
				}
			}
		})
		return out
	}
	xs, ys := taps(sw, w), taps(sh, h)
	spread(h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			a, b := src[ys[y].a*sw:(ys[y].a+1)*sw], src[ys[y].b*sw:(ys[y].b+1)*sw]
			for x := range w {
				t := xs[x]
				top := a[t.a] + (a[t.b]-a[t.a])*t.f
				out[y*w+x] = top + (b[t.a]+(b[t.b]-b[t.a])*t.f-top)*ys[y].f
			}
		}
	})
	return out
}

// tap is where one target pixel reads between two source pixels.
type tap struct {
	a, b int
	f    float32
}

func taps(from, to int) []tap {
	out := make([]tap, to)
	ratio := float64(from) / float64(to)
	for i := range out {
		p := min(max((float64(i)+0.5)*ratio-0.5, 0), float64(from-1))
		a := int(p)
		out[i] = tap{a: a, b: min(a+1, from-1), f: float32(p - float64(a))}
	}
	return out
}

// spread runs f over [0,n) in as many pieces as there are processors and waits for all of them.
func spread(n int, f func(lo, hi int)) { parallel.Spread(n, 1, f) }
