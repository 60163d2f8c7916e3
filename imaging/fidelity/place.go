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

// search looks for the place of a result on its source.
type search struct {
	w, h    int
	result  lab
	samples []sample
}

// cost is how far the region's lightness differs at a place, of L* from 0 to 100, and a little for what moved: among equals, the place
// that moves less is the better one.
func (s search) cost(p Place) float64 {
	var sum float64
	for _, at := range s.samples {
		x, y := p.to(at.x, at.y, s.w, s.h)
		sum += math.Abs(float64(at.light - s.result.light(x, y)))
	}
	return sum/float64(len(s.samples)) + 2*(math.Abs(p.Scale-1)+math.Abs(p.DX)+math.Abs(p.DY))
}

// rough gives the best place of a grid: so many steps of a size to each side. Few samples are enough for that.
func (s search) rough(scales int, scale float64, shifts int, shift float64) Place {
	s.samples = thin(s.samples, 6)
	best, least := Place{}, math.Inf(1)
	for n := -scales; n <= scales; n++ {
		for dy := -shifts; dy <= shifts; dy++ {
			for dx := -shifts; dx <= shifts; dx++ {
				p := Place{1 + float64(n)*scale, float64(dx) * shift, float64(dy) * shift}
				if c := s.cost(p); c < least {
					best, least = p, c
				}
			}
		}
	}
	return best
}

// refined goes on from a place in ever smaller steps, to places that are allowed only.
func (s search) refined(best Place, allowed func(Place) bool) (Place, float64) {
	least := s.cost(best)
	side := float64(max(s.w, s.h))
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
			if !allowed(next) {
				continue
			}
			if c := s.cost(next); c < least {
				best, least, moved = next, c, true
			}
		}
		if !moved {
			step /= 2
		}
	}
	return best, least
}

// near says whether a result at that place is still the same picture.
func near(p Place) bool {
	return math.Abs(p.Scale-1) <= maxScale && math.Abs(p.DX) <= maxShift && math.Abs(p.DY) <= maxShift
}

// findPlace looks for the place at which the region's lightness differs least: first on a grid, then in ever smaller steps from the
// best place of it.
func findPlace(a, b lab, keep mask.Plane) Place {
	s := search{a.w, a.h, b, samplesOf(a, keep)}
	still := Place{Scale: 1}
	least := s.cost(still)
	// Where nothing moved, nothing need be looked for.
	if least < .05 {
		return still
	}
	best := s.rough(3, .01, 5, .006)
	if s.cost(best) > least {
		best = still
	}
	best, _ = s.refined(best, near)
	return best
}

// How far away the region is looked for when it is not where it should be. It is taken for the same there when its lightness differs by
// at most sameLight, in L*, and by at most a share of what it differs by where it should be.
const (
	farShift, farScale = .24, .16
	sameLight          = 6.0
	sameShare          = .5
)

// strayed says whether what was to be kept is in the result, but at another place than that.
func strayed(a, b lab, keep mask.Plane, at Place) bool {
	s := search{a.w, a.h, b, samplesOf(a, keep)}
	here := s.cost(at)
	if here < sameLight {
		return false
	}
	_, there := s.refined(s.rough(2, farScale/2, 16, farShift/16), func(Place) bool { return true })
	return there < sameLight && there < here*sameShare
}

func thin(samples []sample, every int) (out []sample) {
	for i := 0; i < len(samples); i += every {
		out = append(out, samples[i])
	}
	return out
}
