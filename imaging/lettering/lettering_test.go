package lettering

import (
	"image"
	"image/color"
	"image/draw"
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
