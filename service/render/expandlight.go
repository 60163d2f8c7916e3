package render

import (
	"image"
	"math"

	"atelier/imaging/compose"
)

// fall is how the light of a backdrop changes beyond a picture, as shares of its brightness at the far corners.
type fall struct {
	around, down, across float64 // everywhere, more at the bottom, more at the right
	warmth               float64
}

// falls are those of the first items; later ones draw theirs by lot. The first goes on as it is.
// ASSUMED [How the items of an expansion differ]: the documents do not say in what the items of expandimage differ. Where what is added is a plain backdrop, other
// patches would not be seen: its light falls off instead.
var falls = [4]fall{
	{},
	{around: -0.13},
	{around: -0.06, down: -0.13, warmth: 0.01},
	{around: -0.05, across: -0.13, warmth: -0.015},
}

func (v variation) fall() fall {
	if v.item < len(falls) {
		return falls[v.item]
	}
	some := func() float64 { return 2*v.random.Float64() - 1 }
	return fall{around: -0.02 - 0.12*v.random.Float64(), down: 0.11 * some(), across: 0.11 * some(), warmth: 0.02 * some()}
}

// letFall gives the backdrop that was added around place, in place, the light of an item, beginning with none at all where the
// picture ends. What has a pattern of its own stays as it is.
func (v variation) letFall(img *image.NRGBA, place image.Rectangle) {
	f := v.fall()
	size := img.Rect.Size()
	most := 0.0
	for _, p := range [4]image.Point{{}, {size.X - 1, 0}, {0, size.Y - 1}, size.Sub(image.Pt(1, 1))} {
		most = math.Max(most, awayFrom(place, p.X, p.Y))
	}
	if f == (fall{}) || most < 2 {
		return
	}
	mean, even := evenBeyond(img, place)
	if !even {
		return
	}
	// A narrow strip has no room for a slope that is not seen as an edge.
	strength := math.Min(1, most/(0.12*float64(min(place.Dx(), place.Dy()))))
	const dark = 60 // dark grounds are lit where light ones are shaded, by a few levels where they are black
	lit := 0.0
	if mean < dark {
		strength, lit = -strength, dark+1.4*(dark-mean)
	}
	grain := field{seed: v.random.Uint32()}
	parallelRows(size.Y, func(y int) {
		low := 2*float64(y)/float64(size.Y) - 1
		for x := range size.X {
			far := awayFrom(place, x, y)
			if far == 0 {
				continue
			}
			right := 2*float64(x)/float64(size.X) - 1
			s := strength * smooth(1.3*far/most)
			k := s * (f.around + f.down*low + f.across*right)
			p := img.Pix[img.PixOffset(x, y):]
			if p[3] == 0 {
				continue
			}
			// Without grain so gentle a slope would show its steps.
			rough := float64(grain.hash(x, y)&255)/255 - 0.5
			for n, tint := range [3]float64{1, 0, -1} {
				c := float64(p[n])
				p[n] = byte255(c + (c+lit)*(k+tint*math.Abs(s)*f.warmth) + rough*math.Min(1, 40*math.Abs(s)))
			}
		}
	})
}

// awayFrom is how far a pixel lies from a rectangle, 0 within.
func awayFrom(r image.Rectangle, x, y int) float64 {
	return math.Hypot(float64(max(0, r.Min.X-x, x-r.Max.X+1)), float64(max(0, r.Min.Y-y, y-r.Max.Y+1)))
}

// evenBeyond is the mean brightness of a picture beyond a rectangle, and whether it hardly changes from place to place there.
func evenBeyond(img *image.NRGBA, place image.Rectangle) (mean float64, even bool) {
	const most = 1.1 // Lab steps between neighbouring cells, in the mean
	size := img.Rect.Size()
	cell := max(4, min(size.X, size.Y)/64)
	w, h := size.X/cell, size.Y/cell
	if w < 2 || h < 2 {
		return 0, false
	}
	type seen struct {
		lab [3]float64
		ok  bool
	}
	cells := make([]seen, w*h)
	n, sum, apart, pairs := 0.0, 0.0, 0.0, 0.0
	for i := range cells {
		r := image.Rect(0, 0, cell, cell).Add(image.Pt(i%w*cell, i/w*cell))
		if r.Overlaps(place) {
			continue
		}
		var c [3]float64
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				p := img.Pix[img.PixOffset(x, y):]
				for k := range c {
					c[k] += float64(p[k]) / float64(cell*cell)
				}
				sum += lightOf(p)
				n++
			}
		}
		cells[i] = seen{compose.Lab(byte255(c[0]), byte255(c[1]), byte255(c[2])), true}
		for _, j := range [2]int{i - 1, i - w} {
			if j < 0 || !cells[j].ok || j == i-1 && i%w == 0 {
				continue
			}
			d := 0.0
			for k, a := range cells[i].lab {
				d += (a - cells[j].lab[k]) * (a - cells[j].lab[k])
			}
			apart += math.Sqrt(d)
			pairs++
		}
	}
	return sum / math.Max(1, n), pairs > 0 && apart/pairs < most
}
