package fill

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/mask"
)

func TestBesideWhatIsAvoidedGroundStaysBelow(t *testing.T) {
	t.Parallel()
	src := texture(240, 200, 8)
	subject := mask.New(240, 200)
	subject.FillRect(image.Rect(0, 70, 60, 200), 255)
	got, err := Expand(t.Context(), src, 400, 200, 160, 0, Options{Seed: 1, Avoid: &subject})
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for y := 150; y < 200; y++ {
		for x := range 150 {
			if c := got.NRGBAAt(x, y); c.B > c.G+20 {
				wrong++
			}
		}
	}
	if wrong > 150 {
		t.Errorf("%d of 7500 pixels beside the foot of what is avoided are sky", wrong)
	}
}

func TestWhatMayBeBackgroundGoesOnAtTheEdge(t *testing.T) {
	t.Parallel()
	src := texture(240, 160, 14)
	shelf := mask.New(240, 160)
	for y := 60; y < 84; y++ {
		for x := range 240 {
			src.SetNRGBA(x, y, color.NRGBA{uint8(190 + (x*7+y*3)%20), 30, 40, 255})
			shelf.Set(x, y, 255)
		}
	}
	shown := func(doubt *mask.Plane) (n int) {
		got, err := Expand(t.Context(), src, 300, 160, 60, 0, Options{Seed: 2, Avoid: &shelf, Doubt: doubt})
		if err != nil {
			t.Fatal(err)
		}
		for y := range 160 {
			for x := range 60 {
				if reddish(got.NRGBAAt(x, y)) {
					n++
				}
			}
		}
		return n
	}
	if n := shown(nil); n != 0 {
		t.Errorf("%d pixels of what must not be copied were", n)
	}
	if n, whole := shown(&shelf), 24*60; n < whole*7/10 || n > whole*13/10 {
		t.Errorf("of what may be background %d pixels go on, want about %d", n, whole)
	}
}
