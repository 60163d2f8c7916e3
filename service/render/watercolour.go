package render

import (
	"context"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// asWatercolour lays the picture as thin washes over a few pencil lines on white paper: the paper shines through, colour
// gathers at the rim of each wash and in the grain, and the washes end before the sheet does.
func asWatercolour(_ context.Context, b *brush) error {
	like := imaging.Clone(b.img)
	wash := paint(paint(paint(b.img, unit(b.img, 9)), unit(b.img, 6)), unit(b.img, 3))
	cells(wash, compose.Blur(wash, unit(wash, 4)), []float64{70, 128, 186, 240}, 0.5)
	compose.Grade(wash, 4, [4]float64{0, 3, -3, 1}[b.req.Item%4], 1.15)
	near := compose.Blur(wash, unit(wash, 5))
	n := field{seed: b.v.random.Uint32()}
	w, h := float64(wash.Rect.Dx()), float64(wash.Rect.Dy())
	long := math.Max(w, h)
	paper := [3]float64{252, 250, 244}
	eachPixel(wash, func(x, y int, p []uint8) {
		fx, fy := float64(x)/long, float64(y)/long
		grain := n.sum(260*fx, 260*fy, 2)
		pool := 1 + 0.28*n.sum(7*fx, 7*fy, 4) + 0.12*grain
		pool += 0.035 * math.Max(0, math.Min(9, lightOf(near.Pix[near.PixOffset(x, y):])-lightOf(p))) // the rim of a wash
		edge := math.Min(math.Min(fx, w/long-fx), math.Min(fy, h/long-fy)) + 0.05*n.sum(9*fx+40, 9*fy, 4)
		cover := 0.8 * pool * smooth((edge-0.025)/0.012)
		for k := range 3 {
			// Transparent paint takes light away, more of it where more lies.
			through := math.Max(0.05, float64(p[k])/255)
			p[k] = byte255((paper[k] + 3*grain) * math.Pow(through, cover))
		}
	})
	b.img = wash
	ink(b.img, like, unit(like, 1.1), 0.34)
	return nil
}
