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

// A hanger of wire goes with its hook, and what has a strap of another colour keeps it.
func TestAGarmentIsWornWithoutAHangerOfWire(t *testing.T) {
	t.Parallel()
	wire, green, black := color.NRGBA{70, 70, 74, 255}, color.NRGBA{70, 130, 100, 255}, color.NRGBA{20, 20, 20, 255}
	draw := func(lines color.NRGBA, straps bool) *image.NRGBA {
		cut := image.NewNRGBA(image.Rect(0, 0, 400, 500))
		for y := range 500 {
			for x := range 400 {
				switch {
				case y >= 90 && x >= 20 && x < 380:
					cut.SetNRGBA(x, y, green)
				case y < 90 && straps && (x >= 100 && x < 106 || x >= 294 && x < 300), y < 70 && !straps && x >= 197 && x < 203:
					cut.SetNRGBA(x, y, lines)
				case !straps && y >= 70 && y < 90 && (max(x-200, 200-x) >= 6*(y-70)-6 && max(x-200, 200-x) < 6*(y-70)+6):
					cut.SetNRGBA(x, y, lines)
				}
			}
		}
		return cut
	}
	hung := draw(wire, false)
	if kind := garmentKind("", hung); kind != notWorn {
		t.Fatalf("with a hook it is taken for %d already: nothing is shown by what follows", kind)
	}
	got := unhung(hung)
	if got.Rect.Dx() != 400 || got.Rect.Dy() < 408 || got.Rect.Dy() > 414 {
		t.Errorf("without hook and hanger the garment of 400 × 410 is %v", got.Rect.Size())
	}
	if kind := garmentKind("", got); kind != upperGarment {
		t.Errorf("it is taken for %d, not for what is worn above", kind)
	}
	strapped := draw(black, true)
	if got := unhung(strapped); got.Rect != strapped.Rect || got.NRGBAAt(103, 20) != black {
		t.Errorf("the straps are gone: %v", got.Rect.Size())
	}
}
