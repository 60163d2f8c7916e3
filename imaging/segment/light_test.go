package segment

import (
	"image/color"
	"testing"
)

func TestPicturesAreSeenInOrdinaryLight(t *testing.T) {
	t.Parallel()
	street := paper(200, 300, color.NRGBA{R: 132, G: 128, B: 124, A: 255}, 1)
	under := func(red, blue float64) *canvas {
		c := reduce(street, 400)
		for i := 0; i < len(c.pix); i += 3 {
			c.pix[i], c.pix[i+2] = min(c.pix[i]*float32(red), 255), min(c.pix[i+2]*float32(blue), 255)
		}
		return c
	}
	for _, test := range []struct {
		name      string
		red, blue float64
		ordinary  bool
	}{
		{"daylight", 1, 1, true},
		{"evening", 1.15, 0.85, false},
		{"shade", 0.82, 1.2, false},
	} {
		c := under(test.red, test.blue)
		l := lightOf(c)
		if (l == light{}) != test.ordinary {
			t.Errorf("%s: the light is %v", test.name, l)
		}
		again := lightOf(c.in(l))
		for k, v := range again {
			if again != (light{}) && abs(v-1) > 0.02 {
				t.Errorf("%s: channel %d would be changed by %.3f once more", test.name, k, v)
			}
		}
	}
	wall := paper(200, 300, color.NRGBA{R: 200, G: 60, B: 40, A: 255}, 1)
	if l := lightOf(reduce(wall, 400)); l != (light{}) {
		t.Errorf("a red wall is taken for red light: %v", l)
	}
}

// Faces that the detector is not sure of are told by their colour, and so are arms and legs.
func TestSkinIsKnownInTheShade(t *testing.T) {
	t.Parallel()
	p := over(paper(200, 300, color.NRGBA{R: 120, G: 146, B: 161, A: 255}, 1), paper(200, 300, color.NRGBA{R: 181, G: 190, B: 195, A: 255}, 2), disc(100, 100, 30))
	s, err := newScene(t.Context(), p.img, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := 3 * (100*s.cut.w + 100)
	if !skinLike(s.cut.pix[at], s.cut.pix[at+1], s.cut.pix[at+2]) {
		t.Errorf("a pale face in blue light is not like skin: %v", s.cut.pix[at:at+3])
	}
}
