package enhance

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
)

// scene is a frame of drawn detail: stripes at several angles, discs and letters' kind of strokes.
func scene(w, h int, shift float64) []float64 {
	out := make([]float64, w*h)
	for y := range h {
		for x := range w {
			// Four samples a pixel, so that edges are as a camera sees them.
			sum := 0.0
			for k := range 4 {
				fx, fy := (float64(x)+0.25+0.5*float64(k%2))/float64(w), (float64(y)+0.25+0.5*float64(k/2))/float64(h)
				v := 120 + 40*math.Sin(6*fx+3*fy)
				if math.Hypot(fx-0.3-shift, (fy-0.4)*0.75) < 0.16 {
					v = 200
				}
				if math.Mod(fx*14+fy*6, 1) < 0.35 && fy > 0.62 {
					v = 60
				}
				if math.Abs(fx-0.72) < 0.012 || math.Abs(fy-0.2-0.4*(fx-0.7)) < 0.012 && fx > 0.55 {
					v = 30
				}
				sum += v
			}
			out[y*w+x] = sum / 4
		}
	}
	return out
}

func planes(w, h int, luma []float64) *image.YCbCr {
	img := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	for i, v := range luma {
		img.Y[i] = clip(float32(v))
	}
	for i := range img.Cb {
		img.Cb[i], img.Cr[i] = 128, 128
	}
	return img
}

func psnr(got []uint8, want []float64) float64 {
	sum := 0.0
	for i, v := range want {
		d := float64(got[i]) - v
		sum += d * d
	}
	return 10 * math.Log10(255*255/(sum/float64(len(want))))
}

// halved is the mean of each 2 × 2 pixels.
func halved(w, h int, p []float64) []float64 {
	out := make([]float64, w*h/4)
	for y := range h / 2 {
		for x := range w / 2 {
			i := 2*y*w + 2*x
			out[y*w/2+x] = (p[i] + p[i+1] + p[i+w] + p[i+w+1]) / 4
		}
	}
	return out
}

func TestAnEnlargementIsNearerToTheTruthThanACubicOne(t *testing.T) {
	t.Parallel()
	const w, h = 320, 240
	truth := scene(w, h, 0)
	src := planes(w/2, h/2, halved(w, h, truth))
	cubic := newScaler(w/2, h/2, w, h)
	cubic.enlarge(cubic.out, src.Y)
	plain := make([]uint8, w*h)
	for i, v := range cubic.out {
		plain[i] = clip(v)
	}
	dst := planes(w, h, make([]float64, w*h))
	New(w/2, h/2, Options{Width: w, Height: h, Look: Plain, Sharpen: 0.3}).Frame(dst, src)
	ours, theirs := psnr(dst.Y, truth), psnr(plain, truth)
	if ours < theirs+0.5 {
		t.Errorf("%.2f dB, cubic interpolation reaches %.2f dB; want at least 0.5 dB more", ours, theirs)
	}
	t.Logf("%.2f dB against %.2f dB of cubic interpolation", ours, theirs)
}

func TestNoiseGoesAndMotionStays(t *testing.T) {
	t.Parallel()
	const w, h, sigma = 160, 120, 5
	r := rand.New(rand.NewPCG(1, 2))
	var survey Survey
	var frames []*image.YCbCr
	for n := range 12 {
		p := planes(w, h, scene(w, h, 0.01*float64(n)))
		for i := range p.Y {
			p.Y[i] = clip(float32(float64(p.Y[i]) + sigma*r.NormFloat64()))
		}
		survey.Add(p)
		frames = append(frames, p)
	}
	look := survey.Look()
	if look.Noise < 0.6*sigma || look.Noise > 1.5*sigma {
		t.Errorf("noise of %d levels is measured as %.1f", sigma, look.Noise)
	}
	film := New(w, h, Options{Width: w, Height: h, Look: Look{Noise: look.Noise, Colour: 1}})
	dst := planes(w, h, make([]float64, w*h))
	for _, p := range frames {
		film.Frame(dst, p)
	}
	truth := scene(w, h, 0.01*11)
	if got, was := psnr(dst.Y, truth), psnr(frames[11].Y, truth); got < was+1.2 {
		t.Errorf("after twelve frames %.2f dB, the noisy frame has %.2f dB; want at least 1.2 dB more", got, was)
	}
}

func TestALookIsOneForTheWholeFilmAndLeavesGoodOnesAlone(t *testing.T) {
	t.Parallel()
	const w, h = 160, 120
	full := make([]float64, w*h)
	dull := make([]float64, w*h)
	for i := range full {
		full[i] = 16 + 219*float64(i%w)/(w-1)
		dull[i] = 80 + 60*float64(i%w)/(w-1)
	}
	var good, bad Survey
	good.Add(planes(w, h, full))
	cast := planes(w, h, dull)
	for i := range cast.Cb {
		cast.Cb[i], cast.Cr[i] = 120, 134
	}
	bad.Add(cast)
	if l := good.Look(); l.Gain != 0 || l.Cb != 0 || l.Cr != 0 {
		t.Errorf("a film that uses the full range is changed: %+v", l)
	}
	l := bad.Look()
	if l.luma(80) >= 80 || l.luma(140) <= 140 {
		t.Errorf("dull light from 80 to 140 becomes %d to %d", l.luma(80), l.luma(140))
	}
	if l.Cb <= 0 || l.Cr >= 0 {
		t.Errorf("a cast of −8 and +6 is answered by %.1f and %.1f", l.Cb, l.Cr)
	}
}

func BenchmarkFrame720To4K(b *testing.B) {
	src := planes(1280, 720, scene(1280, 720, 0))
	dst := planes(3840, 2160, make([]float64, 3840*2160))
	f := New(1280, 720, Options{Width: 3840, Height: 2160, Look: Look{Noise: 2, Colour: 1}, Sharpen: 0.4})
	for b.Loop() {
		f.Frame(dst, src)
	}
}
