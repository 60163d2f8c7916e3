package fill

import (
	"image"
	"math/rand/v2"
	"testing"
)

func TestSlowVariantsAreCopiedFromOtherParts(t *testing.T) {
	t.Parallel()
	// One texture all over, of which the red tells from which column it comes.
	const w, h = 160, 100
	random := rand.New(rand.NewPCG(1, 2))
	src := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := uint8(90 + random.IntN(60))
			copy(src.Pix[src.PixOffset(x, y):], []uint8{uint8(100 + x/8), v, v, 255})
		}
	}
	column := func(variant int) float64 {
		out, err := Expand(t.Context(), src, w, 2*h, 0, h, Options{Seed: 3, Variant: variant})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for y := range h {
			for x := range w {
				sum += 8 * (int(out.Pix[out.PixOffset(x, y)]) - 100)
			}
		}
		return float64(sum) / (w * h * w)
	}
	first, left, right := column(0), column(1), column(2)
	t.Logf("columns %.2f, %.2f and %.2f of the width", first, left, right)
	if left > first-0.05 || right < first+0.05 {
		t.Errorf("on the whole the first comes from %.2f of the width, the next from %.2f and %.2f, want one farther left and one farther right", first, left, right)
	}
}
