package render

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// unhung is a garment without the wooden hanger that shows in its collar: what lies in the middle of its upper end, has the
// colour of wood, and no other part of the garment has that colour.
func unhung(cut *image.NRGBA) *image.NRGBA {
	const (
		upper  = 0.16  // of the height: how far down hangers are seen
		across = 0.34  // of the width, to each side of the middle
		rare   = 0.002 // share of the rest of the garment that its own colours have at least
	)
	w, h := cut.Rect.Dx(), cut.Rect.Dy()
	end := int(upper * float64(h))
	bin := func(p []uint8) int { return int(p[0])>>4<<8 | int(p[1])>>4<<4 | int(p[2])>>4 }
	var own [1 << 12]float64
	total := 0.0
	for y := end; y < h; y++ {
		for x := range w {
			if p := cut.Pix[cut.PixOffset(x, y):]; p[3] == 255 {
				own[bin(p)]++
				total++
			}
		}
	}
	if total == 0 {
		return cut
	}
	wood := compose.Matte(cut)
	wood.Fill(0)
	for y := range end {
		for x := range w {
			p := cut.Pix[cut.PixOffset(x, y):]
			if p[3] == 0 || math.Abs(float64(2*x-w)) > 2*across*float64(w) || own[bin(p)] > rare*total {
				continue
			}
			lab := compose.Lab(p[0], p[1], p[2])
			if lab[0] > 20 && lab[0] < 85 && lab[1] > 4 && lab[2] > 14 && lab[2] > lab[1] {
				wood.Set(x, y, 255)
			}
		}
	}
	wood.Clean(w * h / 4000)
	if wood.Empty() {
		return cut
	}
	out := imaging.Clone(cut)
	gone := wood.Grow(max(1, float64(w)/200)).Feather(1)
	for y := range end {
		for x := range w {
			p := out.Pix[out.PixOffset(x, y):]
			p[3] = uint8(int(p[3]) * (255 - int(gone.At(x, y))) / 255)
		}
	}
	return out
}
