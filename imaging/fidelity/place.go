package fidelity

import (
	"math"

	"atelier/imaging/mask"
)

// Place is how a result lies on its source: point p of the source, measured from the middle of the picture as a share of its
// longer side, is point Scale·p + (DX, DY) of the result.
type Place struct {
	Scale, DX, DY float64
}

// How far a result may be scaled and shifted and still be the same picture: services cut to multiples of 8 or 64 pixels.
const (
	maxScale = .035
	maxShift = .03
)

// to gives the point of the result that belongs to a point of the source, both in pixels of pictures of w × h.
func (p Place) to(x, y float64, w, h int) (float64, float64) {
	side, cx, cy := float64(max(w, h)), float64(w-1)/2, float64(h-1)/2
	return (x-cx)*p.Scale + cx + p.DX*side, (y-cy)*p.Scale + cy + p.DY*side
}

// back is the reverse of to.
func (p Place) back(x, y float64, w, h int) (float64, float64) {
	side, cx, cy := float64(max(w, h)), float64(w-1)/2, float64(h-1)/2
	return (x-cx-p.DX*side)/p.Scale + cx, (y-cy-p.DY*side)/p.Scale + cy
}

// still says whether nothing moves by a quarter of a pixel in a picture of w × h.
func (p Place) still(w, h int) bool {
	side := float64(max(w, h))
	return (math.Abs(p.Scale-1)/2+max(math.Abs(p.DX), math.Abs(p.DY)))*side < .25
}

// sampleCount is about how many pixels of the region are looked at to find the place.
const sampleCount = 6000

// sample is a pixel of the region: where it is and how light.
type sample struct {
	x, y  float64
	light float32
}

func samplesOf(a lab, keep mask.Plane) (samples []sample) {
	area := 0
	for _, v := range keep.Pix {
		if v >= mask.Level {
			area++
		}
	}
	step := max(1, area/sampleCount)
	n := 0
	for y := range a.h {
		for x := range a.w {
			if keep.Kept(x, y) {
				if n%step == 0 {
					samples = append(samples, sample{float64(x), float64(y), a.at(x, y)[0]})
				}
				n++
			}
		}
	}
	return samples
}

// findPlace looks for the place at which the region's lightness differs least: first on a grid, then in ever smaller steps from the
// best place of it.
func findPlace(a, b lab, keep mask.Plane) Place {
	samples := samplesOf(a, keep)
	cost := func(p Place) float64 {
		var sum float64
		for _, s := range samples {
			x, y := p.to(s.x, s.y, a.w, a.h)
			sum += math.Abs(float64(s.light - b.light(x, y)))
		}
		// Among equals, the place that moves less.
		return sum/float64(len(samples)) + 2*(math.Abs(p.Scale-1)+math.Abs(p.DX)+math.Abs(p.DY))
	}
	best := Place{Scale: 1}
	least := cost(best)
	// Where nothing moved, nothing need be looked for.
	if least < .05 {
		return best
	}
	try := func(p Place) bool {
		if math.Abs(p.Scale-1) > maxScale || math.Abs(p.DX) > maxShift || math.Abs(p.DY) > maxShift {
			return false
		}
		c := cost(p)
		if c < least {
			best, least = p, c
			return true
		}
		return false
	}
	all := samples
	samples = thin(samples, 6)
	least = cost(best)
	for scale := -3; scale <= 3; scale++ {
		for dy := -5; dy <= 5; dy++ {
			for dx := -5; dx <= 5; dx++ {
				try(Place{1 + float64(scale)*.01, float64(dx) * .006, float64(dy) * .006})
			}
		}
	}
	samples = all
	least = cost(best)
	side := float64(max(a.w, a.h))
	for step := .004; step*side > .1; {
		p := best
		moved := false
		for _, next := range []Place{
			{p.Scale, p.DX + step, p.DY},
			{p.Scale, p.DX - step, p.DY},
			{p.Scale, p.DX, p.DY + step},
			{p.Scale, p.DX, p.DY - step},
			{p.Scale + step, p.DX, p.DY},
			{p.Scale - step, p.DX, p.DY},
		} {
			moved = try(next) || moved
		}
		if !moved {
			step /= 2
		}
	}
	return best
}

func thin(samples []sample, every int) (out []sample) {
	for i := 0; i < len(samples); i += every {
		out = append(out, samples[i])
	}
	return out
}
