package render

import (
	"image"
	"image/color"
	"testing"
)

func TestAGarmentIsWornWithoutItsHanger(t *testing.T) {
	t.Parallel()
	wood := color.NRGBA{176, 116, 62, 255}
	for _, test := range []struct {
		name  string
		cloth color.NRGBA
		gone  bool
	}{{"another colour", color.NRGBA{70, 130, 100, 255}, true}, {"the colour of wood", wood, false}} {
		cut := image.NewNRGBA(image.Rect(0, 0, 200, 300))
		for y := range 300 {
			for x := 20; x < 180; x++ {
				c := test.cloth
				if x > 70 && x < 130 && y < 14 {
					c = wood
				}
				cut.SetNRGBA(x, y, c)
			}
		}
		got := unhung(cut)
		if gone := got.NRGBAAt(100, 6).A == 0; gone != test.gone {
			t.Errorf("cloth of %s: the hanger is gone: %v", test.name, gone)
		}
		for _, p := range []image.Point{{100, 30}, {40, 6}, {100, 250}} {
			if got.NRGBAAt(p.X, p.Y) != cut.NRGBAAt(p.X, p.Y) {
				t.Errorf("cloth of %s has changed at %v", test.name, p)
			}
		}
	}
}
