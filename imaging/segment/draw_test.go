package segment

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"atelier/imaging/mask"
)

// picture is a drawing with the alpha it was drawn with.
type picture struct {
	img   *image.NRGBA
	alpha []float64
}

// paper is a textured surface: a colour with noise and soft stripes.
func paper(w, h int, base color.NRGBA, seed uint64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	rng := rand.New(rand.NewPCG(seed, 1))
	for y := range h {
		for x := range w {
			n := 10*math.Sin(float64(x)/9+float64(seed))*math.Cos(float64(y)/13) + rng.NormFloat64()*5
			img.SetNRGBA(x, y, color.NRGBA{R: level(float64(base.R) + n), G: level(float64(base.G) + n), B: level(float64(base.B) + n), A: 255})
		}
	}
	return img
}

func level(v float64) uint8 { return uint8(min(max(v, 0), 255)) }

// over lays front over back with the alpha of a shape.
func over(back, front *image.NRGBA, alpha func(x, y float64) float64) picture {
	b := back.Bounds()
	p := picture{img: image.NewNRGBA(b), alpha: make([]float64, b.Dx()*b.Dy())}
	for y := range b.Dy() {
		for x := range b.Dx() {
			a := alpha(float64(x)+0.5, float64(y)+0.5)
			p.alpha[y*b.Dx()+x] = a
			f, g := front.NRGBAAt(x, y), back.NRGBAAt(x, y)
			mix := func(u, v uint8) uint8 { return level(a*float64(u) + (1-a)*float64(v) + 0.5) }
			p.img.SetNRGBA(x, y, color.NRGBA{R: mix(f.R, g.R), G: mix(f.G, g.G), B: mix(f.B, g.B), A: 255})
		}
	}
	return p
}

// inside is 1 within a shape given by a signed distance (negative inside), with a one-pixel edge.
func inside(distance float64) float64 { return min(max(0.5-distance, 0), 1) }

// shirt is the outline of a T-shirt in a square of side s.
func shirt(s float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		u, v := math.Abs(x/s-0.5), y/s
		body := max(u-0.2, math.Abs(v-0.52)-0.33)
		sleeve := max(math.Abs(v-(0.27+0.9*(u-0.2)))-0.08, u-0.36, -u)
		neck := 0.09 - math.Hypot(u, v-0.17)
		return inside(max(min(body, sleeve), neck) * s)
	}
}

// disc is a filled circle.
func disc(cx, cy, r float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return inside(math.Hypot(x-cx, y-cy) - r) }
}

// fur is a disc with fine soft hairs around it.
func fur(cx, cy, r float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		d, t := math.Hypot(x-cx, y-cy), math.Atan2(y-cy, x-cx)
		if d <= r {
			return 1
		}
		long := 14 + 6*math.Sin(7*t)
		if d > r+long {
			return 0
		}
		hair := 0.5 + 0.5*math.Cos(90*t+d/7)
		return min(max(hair*(1-(d-r)/long)*1.3, 0), 1)
	}
}

// overlapOf is the intersection over union of a mask with what was drawn.
func overlapOf(m mask.Plane, alpha []float64) float64 {
	both, either := 0, 0
	for i, a := range alpha {
		kept, drawn := m.Pix[i] >= mask.Level, a >= 0.5
		if kept && drawn {
			both++
		}
		if kept || drawn {
			either++
		}
	}
	return float64(both) / float64(max(either, 1))
}

// difference is the sum of absolute differences of a matte from what was drawn.
func difference(m mask.Plane, alpha []float64) float64 {
	sum := 0.0
	for i, a := range alpha {
		sum += math.Abs(float64(m.Pix[i])/255 - a)
	}
	return sum
}
