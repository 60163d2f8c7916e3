package render

import (
	"image"
	"testing"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

func TestLongHairGoesOnBeyondTheHeadAndClothesDoNot(t *testing.T) {
	t.Parallel()
	const w, h = 200, 300
	f := features{left: spot{90, 60}, right: spot{110, 60}, mouth: spot{100, 82}}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	region, subject := mask.New(w, h), mask.New(w, h)
	paint := func(r image.Rectangle, c [3]float64, in ...mask.Plane) {
		eachPixel(img, func(x, y int, p []uint8) {
			if image.Pt(x, y).In(r) {
				k := 1 + 0.1*float64((x*7+y*3)%5-2)
				copy(p, []uint8{byte255(c[0] * k), byte255(c[1] * k), byte255(c[2] * k), 255})
			}
		})
		for _, m := range in {
			m.FillRect(r, 255)
		}
	}
	brown, blue := [3]float64{70, 42, 30}, [3]float64{40, 70, 160}
	paint(img.Rect, [3]float64{200, 200, 196})
	paint(image.Rect(50, 110, 150, h), blue, subject)
	paint(image.Rect(68, 20, 132, 110), brown, region, subject)    // the head's region ends below the chin
	paint(image.Rect(60, 100, 76, 200), brown, subject)            // a strand that falls over the shoulder
	paint(image.Rect(130, 240, 146, 280), brown, subject)          // a bag of the same colour
	paint(image.Rect(80, 40, 120, 100), [3]float64{220, 170, 140}) // the face
	hd := head{face: image.Rect(72, 40, 128, 96), skin: mask.New(w, h), hair: region.Clone(), ok: true}
	hair := counted(func(add func([3]float64, float64)) {
		for y := 20; y < 40; y++ {
			for x := 68; x < 132; x++ {
				p := img.Pix[img.PixOffset(x, y):]
				add(compose.Lab(p[0], p[1], p[2]), 1)
			}
		}
	})
	hd.fall(img, region, subject, hair, f)
	for at, want := range map[image.Point]bool{{X: 66, Y: 150}: true, {X: 67, Y: 190}: true, {X: 100, Y: 180}: false, {X: 138, Y: 260}: false, {X: 20, Y: 150}: false} {
		if got := hd.hair.At(at.X, at.Y) > 128; got != want {
			t.Errorf("%v is hair: %v, want %v", at, got, want)
		}
	}
}
