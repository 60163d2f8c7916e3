// Package enhance makes the frames of a film clearer and larger: noise is averaged out over time where nothing moves,
// colours are balanced once for the whole film so that nothing flickers, and enlargements keep the promise that they
// average back to what was there.
//
// Frames are 4:2:0 planes of video: BT.709, black at 16 and white at 235 (video.NewPlanes).
package enhance

import (
	"image"
	"math"

	"atelier/imaging/parallel"
)

// Options say what is done to each frame.
type Options struct {
	Width, Height int // of the result, even, at least the source's
	Look          Look
	Sharpen       float64 // 0 … 1
}

// Film enhances the frames of one film, in order. It is used by one goroutine at a time.
type Film struct {
	w, h  int
	opt   Options
	lut   [256]uint8
	past  *image.YCbCr // the frame before, after noise was taken out
	clean *image.YCbCr
	up    [3]*scaler
	luma  []float32 // of the result, before it is rounded
}

// New prepares for frames of w × h pixels.
func New(w, h int, opt Options) *Film {
	f := &Film{w: w, h: h, opt: opt, clean: image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)}
	for v := range 256 {
		f.lut[v] = opt.Look.luma(v)
	}
	cw, ch := (w+1)/2, (h+1)/2
	f.up[0] = newScaler(w, h, opt.Width, opt.Height)
	for k := 1; k < 3; k++ {
		f.up[k] = newScaler(cw, ch, (opt.Width+1)/2, (opt.Height+1)/2)
	}
	f.luma = make([]float32, opt.Width*opt.Height)
	return f
}

// Frame writes the enhanced frame of src into dst, of Options.Width × Options.Height.
func (f *Film) Frame(dst, src *image.YCbCr) {
	f.denoise(src)
	if f.past == nil {
		f.past = image.NewYCbCr(src.Rect, image.YCbCrSubsampleRatio420)
	}
	for _, p := range [][2][]uint8{{f.past.Y, f.clean.Y}, {f.past.Cb, f.clean.Cb}, {f.past.Cr, f.clean.Cr}} {
		copy(p[0], p[1])
	}
	f.grade()
	s := f.up[0]
	s.enlarge(f.luma, f.clean.Y)
	if s.sw != s.dw || s.sh != s.dh {
		s.backProject(f.luma, f.clean.Y)
	}
	f.finish(dst.Y)
	for k, p := range [][2][]uint8{{f.clean.Cb, dst.Cb}, {f.clean.Cr, dst.Cr}} {
		c := f.up[k+1]
		c.enlarge(c.out, p[0])
		parallel.Spread(c.dh, 32, func(from, to int) {
			for i := from * c.dw; i < to*c.dw; i++ {
				p[1][i] = clip(c.out[i])
			}
		})
	}
}

// denoise averages each pixel with its past where the two differ by no more than noise does.
func (f *Film) denoise(src *image.YCbCr) {
	if f.past == nil || f.opt.Look.Noise < 0.4 {
		copy(f.clean.Y, src.Y)
		copy(f.clean.Cb, src.Cb)
		copy(f.clean.Cr, src.Cr)
		return
	}
	sigma := float32(math.Min(8, f.opt.Look.Noise))
	w, h := f.w, f.h
	parallel.Spread(h, 32, func(from, to int) {
		for y := from; y < to; y++ {
			for x := range w {
				i := y*w + x
				// The mean difference of the surroundings tells motion from noise better than one pixel.
				sum, n := int32(0), int32(0)
				for dy := -1; dy <= 1; dy++ {
					yy := y + dy
					if yy < 0 || yy >= h {
						continue
					}
					for dx := -1; dx <= 1; dx++ {
						xx := x + dx
						if xx < 0 || xx >= w {
							continue
						}
						sum += int32(src.Y[yy*w+xx]) - int32(f.past.Y[yy*w+xx])
						n++
					}
				}
				mean := float32(sum) / float32(n)
				here := float32(src.Y[i]) - float32(f.past.Y[i])
				k := 0.6 * keep(abs(mean)/(0.9*sigma)) * keep(abs(here)/(3.2*sigma))
				f.clean.Y[i] = clip(float32(src.Y[i]) - k*here)
				if y%2 == 0 && x%2 == 0 {
					c := (y/2)*src.CStride + x/2
					f.clean.Cb[c] = clip(float32(src.Cb[c]) - k*(float32(src.Cb[c])-float32(f.past.Cb[c])))
					f.clean.Cr[c] = clip(float32(src.Cr[c]) - k*(float32(src.Cr[c])-float32(f.past.Cr[c])))
				}
			}
		}
	})
}

// keep is 1 below one half, 0 above 1, and falls between.
func keep(t float32) float32 {
	switch {
	case t <= 0.5:
		return 1
	case t >= 1:
		return 0
	}
	return 2 - 2*t
}

// grade applies the look to the cleaned frame.
func (f *Film) grade() {
	for i, v := range f.clean.Y {
		f.clean.Y[i] = f.lut[v]
	}
	l := f.opt.Look
	if l.Colour == 1 && l.Cb == 0 && l.Cr == 0 {
		return
	}
	for _, p := range []struct {
		pix   []uint8
		shift float64
	}{{f.clean.Cb, l.Cb}, {f.clean.Cr, l.Cr}} {
		var lut [256]uint8
		for v := range 256 {
			lut[v] = clip(float32(128 + l.Colour*(float64(v)-128+p.shift)))
		}
		for i, v := range p.pix {
			p.pix[i] = lut[v]
		}
	}
}

// finish sharpens the result and rounds it. Overshoot is bounded by what is around each pixel, so that edges get no halos.
func (f *Film) finish(dst []uint8) {
	w, h := f.opt.Width, f.opt.Height
	amount := float32(f.opt.Sharpen)
	parallel.Spread(h, 32, func(from, to int) {
		for y := from; y < to; y++ {
			up, here, low := f.luma[max(0, y-1)*w:], f.luma[y*w:], f.luma[min(h-1, y+1)*w:]
			for x := range w {
				v := here[x]
				if amount > 0 {
					l, r := max(0, x-1), min(w-1, x+1)
					mean := (up[l] + 2*up[x] + up[r] + 2*here[l] + 4*v + 2*here[r] + low[l] + 2*low[x] + low[r]) / 16
					d := v - mean
					// Noise is left alone.
					if a := abs(d); a > 0.6 {
						d *= (a - 0.6) / a
					} else {
						d = 0
					}
					least := min(up[x], low[x], here[l], here[r], v)
					most := max(up[x], low[x], here[l], here[r], v)
					v = min(max(v+amount*d, least-3), most+3)
				}
				dst[y*w+x] = clip(v)
			}
		}
	})
}

func clip(v float32) uint8 {
	switch {
	case v <= 0:
		return 0
	case v >= 254.5:
		return 255
	}
	return uint8(v + 0.5)
}

func abs(v float32) float32 {
	if v < 0 {
		return -v
	}
	return v
}
