package fidelity

import (
	"image"
	"math"

	"atelier/imaging/mask"
)

// absent is the lightness of what is transparent, or beyond the picture: far from every colour.
const absent = -1000

// lab is a picture in CIELAB (D65), with L in 0..100.
type lab struct {
	w, h int
	pix  [][3]float32
}

func (l lab) at(x, y int) [3]float32 { return l.pix[y*l.w+x] }

// light is the lightness between pixels; beyond the edge that of the edge.
func (l lab) light(x, y float64) float32 {
	x, y = min(max(x, 0), float64(l.w-1)), min(max(y, 0), float64(l.h-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, l.w-1), min(y0+1, l.h-1)
	fx, fy := float32(x-float64(x0)), float32(y-float64(y0))
	top := l.at(x0, y0)[0]*(1-fx) + l.at(x1, y0)[0]*fx
	low := l.at(x0, y1)[0]*(1-fx) + l.at(x1, y1)[0]*fx
	return top*(1-fy) + low*fy
}

// laid gives the picture as it lies on a source of w × h. What comes from beyond its edge is far from every colour.
func (l lab) laid(p Place, w, h int) lab {
	if p == (Place{Scale: 1}) {
		return l
	}
	out := lab{w, h, make([][3]float32, w*h)}
	for y := range h {
		for x := range w {
			sx, sy := p.to(float64(x), float64(y), w, h)
			if sx < -.5 || sy < -.5 || sx > float64(l.w)-.5 || sy > float64(l.h)-.5 {
				out.pix[y*w+x] = [3]float32{absent, 0, 0}
				continue
			}
			sx, sy = min(max(sx, 0), float64(l.w-1)), min(max(sy, 0), float64(l.h-1))
			x0, y0 := int(sx), int(sy)
			x1, y1 := min(x0+1, l.w-1), min(y0+1, l.h-1)
			fx, fy := float32(sx-float64(x0)), float32(sy-float64(y0))
			a, b, c, d := l.at(x0, y0), l.at(x1, y0), l.at(x0, y1), l.at(x1, y1)
			for i := range 3 {
				out.pix[y*w+x][i] = (a[i]*(1-fx)+b[i]*fx)*(1-fy) + (c[i]*(1-fx)+d[i]*fx)*fy
			}
		}
	}
	return out
}

// farthest bounds a difference: what was cut away is as far as black from white.
const farthest = 100

// nearest is how far a pixel is from the most alike of the nine around its place in the other picture: resampling moves edges by
// a fraction of a pixel.
func (l lab) nearest(other lab, x, y int) float64 {
	p := l.at(x, y)
	least := float32(math.Inf(1))
	var best [3]float32
	for ny := max(y-1, 0); ny <= min(y+1, other.h-1); ny++ {
		for nx := max(x-1, 0); nx <= min(x+1, other.w-1); nx++ {
			q := other.at(nx, ny)
			dl, da, db := p[0]-q[0], p[1]-q[1], p[2]-q[2]
			if d := dl*dl + da*da + db*db; d < least {
				least, best = d, q
			}
		}
	}
	if least == 0 {
		return 0
	}
	return min(deltaE(p, best), farthest)
}

// window is the side in px of what SSIM looks at at a time.
const window = 8

// ssim is the mean structural similarity of the lightness of two pictures over the windows within a region (Wang, Bovik, Sheikh,
// Simoncelli, "Image Quality Assessment: From Error Visibility to Structural Similarity", 2004, equation 13). Where the region is
// too thin for any window it is 1.
func ssim(a, b lab, keep mask.Plane) float64 {
	const (
		c1 = (.01 * 100) * (.01 * 100)
		c2 = (.03 * 100) * (.03 * 100)
		n  = window * window
	)
	var sum float64
	count := 0
	for y := 0; y+window <= a.h; y += window / 2 {
		for x := 0; x+window <= a.w; x += window / 2 {
			if !within(keep, x, y) {
				continue
			}
			var sa, sb, saa, sbb, sab float64
			for v := y; v < y+window; v++ {
				for u := x; u < x+window; u++ {
					la, lb := float64(a.at(u, v)[0]), max(float64(b.at(u, v)[0]), -100)
					sa, sb = sa+la, sb+lb
					saa, sbb, sab = saa+la*la, sbb+lb*lb, sab+la*lb
				}
			}
			ma, mb := sa/n, sb/n
			va, vb, cov := saa/n-ma*ma, sbb/n-mb*mb, sab/n-ma*mb
			sum += (2*ma*mb + c1) * (2*cov + c2) / ((ma*ma + mb*mb + c1) * (va + vb + c2))
			count++
		}
	}
	if count == 0 {
		return 1
	}
	return sum / float64(count)
}

func within(keep mask.Plane, x, y int) bool {
	for v := y; v < y+window; v++ {
		for u := x; u < x+window; u++ {
			if !keep.Kept(u, v) {
				return false
			}
		}
	}
	return true
}

// labOf converts a picture; what is transparent is far from every colour, so it counts as changed.
func labOf(img *image.NRGBA) lab {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	l := lab{w, h, make([][3]float32, w*h)}
	var linear [256]float64
	for i := range linear {
		v := float64(i) / 255
		if v <= .04045 {
			linear[i] = v / 12.92
		} else {
			linear[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	for y := range h {
		row := img.Pix[y*img.Stride : y*img.Stride+4*w]
		for x := range w {
			c := row[4*x : 4*x+4 : 4*x+4]
			if c[3] < 128 {
				l.pix[y*w+x] = [3]float32{absent, 0, 0}
				continue
			}
			r, g, b := linear[c[0]], linear[c[1]], linear[c[2]]
			fx := cbrt((.4124*r + .3576*g + .1805*b) / .95047)
			fy := cbrt(.2126*r + .7152*g + .0722*b)
			fz := cbrt((.0193*r + .1192*g + .9505*b) / 1.08883)
			l.pix[y*w+x] = [3]float32{float32(116*fy - 16), float32(500 * (fx - fy)), float32(200 * (fy - fz))}
		}
	}
	return l
}

func cbrt(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}
