package segment

import (
	"image"

	"atelier/imaging/mask"
)

// Foreground is the cut-out of a picture: its alpha is the matte, and where the matte is soft its colours are what they would be
// without the background, so that no halo of the old background stays when it is laid over a new one. The plane has the picture's
// size (Forte, "Approximate Fast Foreground Colour Estimation", 2021).
func Foreground(img *image.NRGBA, matte mask.Plane) *image.NRGBA {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	if w == 0 || h == 0 {
		return out
	}
	c := reduce(img, fineSize)
	alpha := make([]float32, c.w*c.h)
	for i, v := range scalePlane(matte, c.w, c.h).Pix {
		alpha[i] = float32(v) / 255
	}
	f, back := separate(c, alpha)
	xs, ys := taps(c.w, w), taps(c.h, h)
	spread(h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			src := img.Pix[img.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range w {
				a := matte.Pix[y*w+x]
				to := out.Pix[out.PixOffset(x, y):][:4:4]
				copy(to, src[4*x:4*x+3])
				to[3] = a
				if a == 255 {
					continue
				}
				t, v := xs[x], float32(a)/255
				for k := range 3 {
					p := bilinear(f, c.w, t, ys[y], k)
					q := bilinear(back, c.w, t, ys[y], k)
					p += v * (float32(src[4*x+k]) - v*p - (1-v)*q)
					to[k] = uint8(min(max(p, 0), 255) + 0.5)
				}
			}
		}
	})
	return out
}

func bilinear(pix []float32, w int, x, y tap, k int) float32 {
	a, b := pix[3*(y.a*w+x.a)+k], pix[3*(y.a*w+x.b)+k]
	c, d := pix[3*(y.b*w+x.a)+k], pix[3*(y.b*w+x.b)+k]
	a += (b - a) * x.f
	c += (d - c) * x.f
	return a + (c-a)*y.f
}

// separate estimates the colours in front and behind: blurred with alpha and with its complement as weights, wide and then narrow.
func separate(c *canvas, alpha []float32) (front, back []float32) {
	long := max(c.w, c.h)
	front, back = c.pix, c.pix
	for _, r := range []int{max(4, long/14), max(2, long/160)} {
		f := weighted(c, front, alpha, r, false)
		g := weighted(c, back, alpha, r, true)
		for i, a := range alpha {
			for k := range 3 {
				n := 3*i + k
				rest := c.pix[n] - a*f[n] - (1-a)*g[n]
				f[n] = min(max(f[n]+a*rest, 0), 255)
			}
		}
		front, back = f, g
	}
	return front, back
}

// weighted is the mean colour around each pixel, with alpha or its complement as weight; where nothing weighs, the plain mean.
func weighted(c *canvas, pix, alpha []float32, r int, inverse bool) []float32 {
	n := c.w * c.h
	weight := make([]float32, n)
	for i, a := range alpha {
		if inverse {
			a = 1 - a
		}
		weight[i] = a + 1e-5
	}
	total := boxBlur(weight, c.w, c.h, r)
	out := make([]float32, 3*n)
	field := make([]float32, n)
	for k := range 3 {
		for i := range field {
			field[i] = pix[3*i+k] * weight[i]
		}
		for i, v := range boxBlur(field, c.w, c.h, r) {
			out[3*i+k] = v / total[i]
		}
	}
	return out
}
