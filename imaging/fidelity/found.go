package fidelity

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/mask"
)

// clearly is how much less a region's lightness must differ at another place for it to count as found there.
const clearly = .8

// Find looks for the region in a result that may show it changed, elsewhere, or not at all. found is false where
// nothing looks like it; p then moves nothing.
func (r Region) Find(result *image.NRGBA) (p Place, found bool) {
	w, h := r.source.Rect.Dx(), r.source.Rect.Dy()
	a, b := labOf(r.source), labOf(imaging.Resize(result, w, h))
	s := search{w, h, b, samplesOf(a, r.keep)}
	still := Place{Scale: 1}
	here := s.cost(still)
	p = findPlace(a, b, r.keep)
	if there := s.cost(p); there < sameLight && there < clearly*here && !p.still(w, h) {
		return p, true
	}
	if here < sameLight {
		return still, true
	}
	if !strayed(a, b, r.keep, still) {
		return still, false
	}
	p, _ = s.refined(s.rough(2, farScale/2, 16, farShift/16), func(Place) bool { return true })
	return p, true
}

// Moved is how far the region's outermost points lie from where they were when the region is at a place, as a share
// of the picture's shorter side.
func (r Region) Moved(p Place) float64 {
	w, h := r.source.Rect.Dx(), r.source.Rect.Dy()
	b, far := r.whole.Bounds(), 0.0
	for _, at := range []image.Point{b.Min, b.Max, {X: b.Min.X, Y: b.Max.Y}, {X: b.Max.X, Y: b.Min.Y}} {
		x, y := p.to(float64(at.X), float64(at.Y), w, h)
		far = max(far, math.Hypot(x-float64(at.X), y-float64(at.Y)))
	}
	return far / float64(min(w, h))
}

// Laid returns a result of the source's shape as it lies on its source. What comes from beyond its edge repeats the
// edge.
func Laid(result *image.NRGBA, p Place) *image.NRGBA {
	if p.still(result.Rect.Dx(), result.Rect.Dy()) {
		return result
	}
	return laid(result, p)
}

// Cast is the colour, in CIELAB, that must be added to a result so that the part of the region within band pixels of
// its edge, of pictures of Side pixels, has its mean colour back; at most most steps of CIEDE2000. ok is false where
// the differences within the band are further apart than their mean: it is another picture there, and not one tinted.
func (r Region) Cast(result *image.NRGBA, band, most float64) (shift [3]float64, ok bool) {
	w, h := r.source.Rect.Dx(), r.source.Rect.Dy()
	a, b := labOf(r.source), labOf(imaging.Resize(result, w, h))
	inner := r.keep.Shrink(band)
	var sum, square, mean [3]float64
	n := 0.0
	for i, v := range r.keep.Pix {
		p, q := a.pix[i], b.pix[i]
		if v < mask.Level || inner.Pix[i] >= mask.Level || p[0] == absent || q[0] == absent {
			continue
		}
		n++
		for k := range 3 {
			d := float64(p[k] - q[k])
			sum[k] += d
			square[k] += d * d
			mean[k] += float64(p[k])
		}
	}
	if n == 0 {
		return shift, false
	}
	var length, spread float64
	var was, is [3]float32
	for k := range 3 {
		shift[k] = sum[k] / n
		length += shift[k] * shift[k]
		spread += max(0, square[k]/n-shift[k]*shift[k])
		was[k], is[k] = float32(mean[k]/n), float32(mean[k]/n-shift[k])
	}
	if spread > length {
		return [3]float64{}, false
	}
	if d := deltaE(was, is); d > most {
		for k := range 3 {
			shift[k] *= most / d
		}
	}
	return shift, true
}
