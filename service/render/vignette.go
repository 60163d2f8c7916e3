package render

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/mask"
)

// vignette is how much of its light a picture has kept by the distance from its middle: what a lens or a filter takes from the
// corners. Distances are 1 at the middles of the sides and √2 in the corners.
type vignette struct {
	size image.Point
	kept [vignetteRings + 1]float64 // 1 in the middle, never rising
}

const (
	vignetteRings = 10
	vignetteCells = 48 // along the longer side of the copy that is measured
	ringsTo       = math.Sqrt2
)

// vignetteOf measures a picture where it does not show avoid. It tells whether there is one: the background darkens towards all of
// its corners alike and keeps its colour.
func vignetteOf(src *image.NRGBA, avoid mask.Plane) (vignette, bool) {
	const (
		least  = 0.86 // of the light may be kept at the sides
		corner = 0.92 // and of that in a quarter of the picture
		hue    = 0.05 // by how much shares of colour may differ from within to without
		rough  = 0.30 // and light from place to place at one distance
		enough = 5    // cells that tell
	)
	v := vignette{size: src.Rect.Size()}
	small := imaging.Fit(src, vignetteCells, vignetteCells)
	w, h := small.Rect.Dx(), small.Rect.Dy()
	type sum struct{ n, light, squares float64 }
	add := func(s *sum, l float64) { s.n, s.light, s.squares = s.n+1, s.light+l, s.squares+l*l }
	var rings [vignetteRings + 1]sum
	var quarters [4][2]sum // within and without
	var tint [2][3]float64
	for y := range h {
		for x := range w {
			p := small.Pix[small.PixOffset(x, y):]
			at := image.Pt((2*x+1)*v.size.X/(2*w), (2*y+1)*v.size.Y/(2*h))
			if p[3] < mask.Level || len(avoid.Pix) > 0 && avoid.Kept(at.X, at.Y) {
				continue
			}
			l := math.Log(lightOf(p) + 4)
			far := v.distance(at.X, at.Y)
			add(&rings[int(far/ringsTo*vignetteRings+0.5)], l)
			zone := 0
			if far > 0.95 {
				zone = 1
			} else if far > 0.75 {
				continue
			}
			add(&quarters[2*at.Y/v.size.Y*2+2*at.X/v.size.X][zone], l)
			all := float64(p[0]) + float64(p[1]) + float64(p[2]) + 1
			for k := range 3 {
				tint[zone][k] += float64(p[k]) / all
			}
		}
	}
	told, within, without := 0, 0.0, 0.0
	for _, q := range quarters {
		within, without = within+q[0].n, without+q[1].n
		if q[0].n < enough || q[1].n < enough {
			continue
		}
		told++
		if math.Exp(q[1].light/q[1].n-q[0].light/q[0].n) > corner {
			return vignette{}, false
		}
	}
	if told < 3 {
		return vignette{}, false
	}
	for k := range 3 {
		if math.Abs(tint[0][k]/within-tint[1][k]/without) > hue {
			return vignette{}, false
		}
	}
	top, spread, n := math.Inf(-1), 0.0, 0.0
	for i, r := range rings {
		mean := math.Inf(-1)
		if r.n >= enough {
			mean = r.light / r.n
			spread += r.squares - r.n*mean*mean
			n += r.n
		}
		switch {
		case !math.IsInf(mean, -1) && math.IsInf(top, -1):
			top, v.kept[i] = mean, 1
		case math.IsInf(mean, -1) && i > 0:
			v.kept[i] = v.kept[i-1]
		case math.IsInf(mean, -1):
			v.kept[i] = 1
		default:
			v.kept[i] = min(v.kept[i-1], math.Exp(mean-top))
		}
	}
	if n == 0 || math.Sqrt(spread/n) > rough || v.light(v.size.X/2, 0) > least && v.light(0, v.size.Y/2) > least {
		return vignette{}, false
	}
	return v, true
}

// distance is how far a pixel, which may lie beyond the picture, is from the middle.
func (v vignette) distance(x, y int) float64 {
	dx, dy := (2*float64(x)+1)/float64(v.size.X)-1, (2*float64(y)+1)/float64(v.size.Y)-1
	return math.Hypot(dx, dy)
}

// light is the share of light that a pixel keeps. Beyond the picture it falls on until it is that of the corners.
func (v vignette) light(x, y int) float64 {
	i, part := math.Modf(v.distance(x, y) / ringsTo * vignetteRings)
	k := min(int(i), vignetteRings-1)
	return v.kept[k] + (v.kept[k+1]-v.kept[k])*min(1, part+i-float64(k))
}

// even is a copy of a picture with the light of its corners everywhere, so that nothing is too bright to be told apart.
func (v vignette) even(src *image.NRGBA) *image.NRGBA {
	out := imaging.Clone(src)
	eachPixel(out, func(x, y int, p []uint8) { v.scale(p, v.kept[vignetteRings]/v.light(x, y)) })
	return out
}

// restore gives what is new on an evenly lit canvas the light that goes on from the picture at a place, and that picture its own pixels.
func (v vignette) restore(canvas, src *image.NRGBA, place image.Point) {
	eachPixel(canvas, func(x, y int, p []uint8) {
		at := image.Pt(x, y).Sub(place)
		if at.In(image.Rectangle{Max: v.size}) {
			copy(p, src.Pix[src.PixOffset(at.X, at.Y):][:4])
			return
		}
		v.scale(p, v.light(at.X, at.Y)/v.kept[vignetteRings])
	})
}

func (v vignette) scale(p []uint8, k float64) {
	for n := range 3 {
		p[n] = byte255(k * float64(p[n]))
	}
}
