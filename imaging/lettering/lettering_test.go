package lettering

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"atelier/imaging/testpics"
)

func TestPicturesWithoutLetteringHaveNone(t *testing.T) {
	t.Parallel()
	windows := testpics.Flat(480, 360, color.NRGBA{170, 150, 130, 255})
	for y := 40; y < 320; y += 60 {
		for x := 30; x < 440; x += 44 {
			draw.Draw(windows, image.Rect(x, y, x+24, y+36), image.NewUniform(color.NRGBA{40, 46, 60, 255}), image.Point{}, draw.Src)
		}
	}
	garment, _ := testpics.Garment(480, 640, 3)
	person, _ := testpics.Person(480, 640, 4)
	for name, img := range map[string]*image.NRGBA{
		"a scene": testpics.Photo(480, 360, 7), "another scene": testpics.Photo(640, 480, 8),
		"windows": windows, "a garment": garment, "a person": person,
	} {
		if found := Find(img, Side); len(found.Lines) != 0 {
			t.Errorf("%s: lettering is found at %v", name, found.Boxes(img.Rect.Dx(), img.Rect.Dy()))
		}
	}
}

// Strands of hair, toes, spots of a pelt: some shapes of one colour side by side, each as thick, as long and as high up as it happens to be.
func TestShapesThatHappenToStandSideBySideAreNoLettering(t *testing.T) {
	t.Parallel()
	taken := 0
	for seed := range 40 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		img := testpics.Flat(200, 120, color.NRGBA{190, 170, 150, 255})
		for i := range 7 {
			foot, high := 60+r.Float64()*5, 10+r.Float64()*7
			thick, lean := 1+r.Float64()*2.2, (r.Float64()-0.5)*8
			for y := range 120 {
				up := (foot - float64(y)) / high
				for x := range 200 {
					if math.Abs(float64(x)-float64(40+i*13)-lean*up) < thick && up > 0 && up < 1 {
						img.SetNRGBA(x, y, color.NRGBA{60, 44, 36, 255})
					}
				}
			}
		}
		if len(Find(img, Side).Lines) > 0 {
			taken++
		}
	}
	if taken > 6 { // some happen to be as regular as letters
		t.Errorf("%d of 40 rows of such shapes are taken for lettering", taken)
	}
}
