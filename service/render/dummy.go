package render

import (
	"image"
	"math"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// linen is the cover of the tailor's dummy, brass its stand.
var (
	linen = [3]float64{222, 211, 194}
	brass = [3]float64{148, 122, 86}
)

// onDummy is a garment on a tailor's dummy: a neck in its collar, linen where the neckline shows the back, and a stand
// below its hem.
func onDummy(garment *image.NRGBA) *image.NRGBA {
	gw, gh := garment.Rect.Dx(), garment.Rect.Dy()
	matte := compose.Matte(garment)
	shoulders := math.Max(0.35*float64(gw), math.Min(0.8*float64(gw), bodyWidth(matte, 0.10*float64(gh), float64(gw)/2, float64(gw)/2)))
	unit := shoulders / 2
	above := int(0.75 * unit)
	below := max(int(0.55*unit), int(3.4*unit)-gh+int(2.2*unit))
	out := image.NewNRGBA(image.Rect(0, 0, gw, above+gh+below))
	middle := float64(gw) / 2
	floor := float64(out.Rect.Dy()) - 0.12*unit
	eachPixel(out, func(x, y int, p []uint8) {
		fx, fy := float64(x)+0.5-middle, float64(y)+0.5-float64(above)
		var c [3]float64
		cover := 0.0
		paint := func(half, at float64, tone [3]float64) {
			// A round thing seen from the front: light from the left, darker to the edges.
			u := at / half
			a := math.Max(0, math.Min(1, (half-math.Abs(at))/1.2+0.5))
			if a <= cover {
				return
			}
			cover = a
			lit := 1.04 - 0.30*u*u - 0.12*u
			weave := 1 + 0.012*math.Sin(float64(x)*1.9)*math.Sin(float64(y)*1.9)
			for k := range 3 {
				c[k] = tone[k] * lit * weave
			}
		}
		switch row := fy / unit; {
		case row > -0.62 && row < -0.52:
			paint(0.26*unit, fx, brass) // the cap of the neck
		case row >= -0.52 && row < 0.9:
			paint(unit*torsoHalf(row), fx, linen)
		}
		if fy > 0.5*float64(gh) && float64(y) < floor {
			paint(0.045*unit, fx, brass)
		}
		if dy := (float64(y) - floor) / (0.11 * unit); math.Abs(dy) < 1 {
			paint(0.62*unit*math.Sqrt(1-dy*dy), fx, brass)
		}
		if cover > 0 {
			p[0], p[1], p[2], p[3] = byte255(c[0]), byte255(c[1]), byte255(c[2]), byte255(255*cover)
		}
	})
	// Behind cloth there is nothing to see of it but through the neckline, in shade.
	hidden(out, matte, above)
	compose.Over(out, garment, image.Pt(0, above))
	return out
}

// torsoHalf is half the width of the dummy at a height below its shoulders, both in half shoulders.
func torsoHalf(row float64) float64 {
	if row < 0 {
		return 0.25 + 0.05*smooth((row+0.25)/0.25)
	}
	return 0.30 + 0.44*smooth(row/0.28)
}

// hidden clears what would show of the dummy outside the garment's shoulders, and shades the rest within the neckline.
func hidden(dummy *image.NRGBA, garment mask.Plane, above int) {
	for y := range garment.H {
		left, right := -1, -1
		row := garment.Row(y)
		for x, v := range row {
			if v >= mask.Level {
				if left < 0 {
					left = x
				}
				right = x
			}
		}
		for x := range garment.W {
			p := dummy.Pix[dummy.PixOffset(x, y+above):][:4:4]
			if p[3] == 0 || 2*y > garment.H {
				continue
			}
			if left < 0 || x < left || x > right {
				if math.Abs(float64(x)-float64(garment.W)/2) > 0.16*float64(garment.W) {
					clear(p)
				}
				continue
			}
			for k := range 3 {
				p[k] = byte255(0.86 * float64(p[k]))
			}
		}
	}
}
