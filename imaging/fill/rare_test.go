package fill

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/mask"
)

// Of a street beside somebody who is not copied much more is made than there is: what stands in it is copied by turns, and nothing again
// and again.
func TestSlowWhatStandsBesideSomebodyIsCopiedByTurns(t *testing.T) {
	t.Parallel()
	const w, h, houses = 320, 220, 9
	src := texture(w, h, 9)
	hue := func(n int) color.NRGBA {
		return [houses]color.NRGBA{
			{200, 40, 40, 255}, {40, 160, 40, 255}, {40, 40, 200, 255}, {200, 200, 40, 255}, {200, 40, 200, 255}, {40, 200, 200, 255}, {240, 240, 240, 255}, {20, 20, 20, 255}, {230, 130, 30, 255},
		}[n]
	}
	for n := range houses {
		x0 := 6 + 22*n
		if n > 2 {
			x0 += 110 // they stand on both sides
		}
		r := rng(uint64(n) + 1)
		for y := 70 + 6*(n%4); y < 134; y++ {
			for x := x0; x < x0+17; x++ {
				c, v := hue(n), uint8(r.between(0, 12))
				src.SetNRGBA(x, y, color.NRGBA{c.R + v, c.G + v, c.B + v, 255})
			}
		}
	}
	avoid := mask.New(w, h)
	for y := range h {
		for x := 76; x < 178; x++ {
			avoid.Set(x, y, 255)
		}
	}
	count := func(img *image.NRGBA) (n [houses]float64) {
		for i := 0; i < len(img.Pix); i += 4 {
			for k := range n {
				c := hue(k)
				if abs(int(img.Pix[i])-int(c.R)-6) < 9 && abs(int(img.Pix[i+1])-int(c.G)-6) < 9 && abs(int(img.Pix[i+2])-int(c.B)-6) < 9 {
					n[k]++
				}
			}
		}
		return n
	}
	once := count(src)
	const seeds = 4
	sum := 0.0
	for seed := range int64(seeds) {
		got, err := Expand(t.Context(), src, 960, h, 0, 0, Options{Seed: seed, Avoid: &avoid})
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for n, v := range count(got) {
			most = max(most, v/once[n]-1)
		}
		sum += most
	}
	if mean := sum / seeds; mean > 1.5 {
		t.Errorf("what is copied most is copied %.2f times, want 1.5 at most", mean)
	}
}
