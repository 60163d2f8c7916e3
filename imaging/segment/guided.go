package segment

import (
	"image"
	"slices"

	"atelier/imaging/mask"
)

// enlarge takes an alpha found on a canvas to the size of the picture. Near soft pixels it follows the picture's own detail: alpha is
// fitted as a linear function of colour around each canvas pixel, and the function is applied to the full-size colours (He and Sun,
// "Fast Guided Filter", 2015). Elsewhere alpha is 0 or 255 anyway.
func enlarge(img *image.NRGBA, c *canvas, alpha []float32) mask.Plane {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	out := mask.New(w, h)
	if w == c.w && h == c.h {
		for i, v := range alpha {
			out.Pix[i] = uint8(v*255 + 0.5)
		}
		return out
	}
	near := softArea(c, alpha)
	lines := fitLines(c, alpha, near)
	xs, ys := taps(c.w, w), taps(c.h, h)
	spread(h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			top, bottom := ys[y].a*c.w, ys[y].b*c.w
			for x := range w {
				t := xs[x]
				i, j, k, l := top+t.a, top+t.b, bottom+t.a, bottom+t.b
				if near[i]|near[j]|near[k]|near[l] == 0 {
					out.Pix[y*w+x] = uint8(alpha[i]*255 + 0.5)
					continue
				}
				wx, wy := t.f, ys[y].f
				wi, wj, wk, wl := (1-wx)*(1-wy), wx*(1-wy), (1-wx)*wy, wx*wy
				var f [4]float32
				for n := range f {
					f[n] = wi*lines[i][n] + wj*lines[j][n] + wk*lines[k][n] + wl*lines[l][n]
				}
				p := img.PixOffset(b.Min.X+x, b.Min.Y+y)
				s := img.Pix[p : p+3 : p+3]
				v := f[0]*float32(s[0]) + f[1]*float32(s[1]) + f[2]*float32(s[2]) + f[3]
				out.Pix[y*w+x] = uint8(min(max(v, 0), 1)*255 + 0.5)
			}
		}
	})
	return out
}

// softArea marks the pixels within two of a pixel where alpha changes.
func softArea(c *canvas, alpha []float32) []uint8 {
	soft := make([]uint8, len(alpha))
	for y := range c.h {
		for x := range c.w {
			i := y*c.w + x
			v := alpha[i]
			if v > 0.004 && v < 0.996 || x > 0 && diff(v, alpha[i-1]) > 0.004 || y > 0 && diff(v, alpha[i-c.w]) > 0.004 {
				soft[i] = 1
			}
		}
	}
	return dilate(soft, c.w, c.h, 3)
}

func diff(a, b float32) float32 {
	if a > b {
		return a - b
	}
	return b - a
}

// fitLines is alpha as a function of colour for each marked pixel: three slopes and an offset, the mean over the fits of the windows
// around it. Pixels that are not marked get their own alpha as a constant.
func fitLines(c *canvas, alpha []float32, near []uint8) [][4]float32 {
	const r = 2
	raw := make([][4]float32, len(alpha))
	spread(c.h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			for x := range c.w {
				i := y*c.w + x
				if near[i] == 0 {
					raw[i] = [4]float32{3: alpha[i]}
					continue
				}
				raw[i] = fitLine(c, alpha, x, y, r)
			}
		}
	})
	out := make([][4]float32, len(alpha))
	spread(c.h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			for x := range c.w {
				i := y*c.w + x
				if near[i] == 0 {
					out[i] = raw[i]
					continue
				}
				n := float32(0)
				for yy := max(y-1, 0); yy <= min(y+1, c.h-1); yy++ {
					for xx := max(x-1, 0); xx <= min(x+1, c.w-1); xx++ {
						l := &raw[yy*c.w+xx]
						for k := range l {
							out[i][k] += l[k]
						}
						n++
					}
				}
				for k := range out[i] {
					out[i][k] /= n
				}
			}
		}
	})
	return out
}

// follow lets a guess of the alpha of open pixels follow the detail of a canvas.
func follow(c *canvas, guess []float32, open []uint8) []float32 {
	near := make([]uint8, len(open))
	for i, t := range open {
		near[i] = t >> 1
	}
	out := slices.Clone(guess)
	for i, l := range fitLines(c, guess, near) {
		if near[i] == 1 {
			out[i] = min(max(l[0]*c.pix[3*i]+l[1]*c.pix[3*i+1]+l[2]*c.pix[3*i+2]+l[3], 0), 1)
		}
	}
	return out
}

func fitLine(c *canvas, alpha []float32, x, y, r int) [4]float32 {
	var m moments
	var cross [3]float64
	sum := 0.0
	for yy := max(y-r, 0); yy <= min(y+r, c.h-1); yy++ {
		for xx := max(x-r, 0); xx <= min(x+r, c.w-1); xx++ {
			j := yy*c.w + xx
			p := [3]float64{float64(c.pix[3*j]), float64(c.pix[3*j+1]), float64(c.pix[3*j+2])}
			a := float64(alpha[j])
			m.add(p, 1)
			sum += a
			for k := range 3 {
				cross[k] += a * p[k]
			}
		}
	}
	const epsilon = 255 * 255 * 1e-4
	mean, v := m.mean(), m.covariance()
	a := sum / m.w
	for k := range 3 {
		cross[k] = cross[k]/m.w - a*mean[k]
	}
	v[0], v[3], v[5] = v[0]+epsilon, v[3]+epsilon, v[5]+epsilon
	inv, _ := invert(v)
	s := [3]float64{
		inv[0]*cross[0] + inv[1]*cross[1] + inv[2]*cross[2],
		inv[1]*cross[0] + inv[3]*cross[1] + inv[4]*cross[2],
		inv[2]*cross[0] + inv[4]*cross[1] + inv[5]*cross[2],
	}
	return [4]float32{float32(s[0]), float32(s[1]), float32(s[2]), float32(a - dot(s, mean))}
}
