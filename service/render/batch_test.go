package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// checkered is a wall of small red and white squares with a blue figure before it, and that figure alone.
func checkered(w, h int, body image.Rectangle) (whole, figure *image.NRGBA) {
	whole, figure = image.NewNRGBA(image.Rect(0, 0, w, h)), image.NewNRGBA(image.Rect(0, 0, w, h))
	eachPixel(whole, func(x, y int, p []uint8) {
		c := color.NRGBA{230, 230, 230, 255}
		if (x/3+y/3)%2 == 0 {
			c = color.NRGBA{200, 40, 40, 255}
		}
		if image.Pt(x, y).In(body) {
			c = color.NRGBA{20, 30, 190, 255}
			figure.SetNRGBA(x, y, c)
		}
		copy(p, []uint8{c.R, c.G, c.B, c.A})
	})
	return whole, figure
}

func TestBehindAFigureItIsOutOfFocusWithoutARimOfItsColours(t *testing.T) {
	t.Parallel()
	body := image.Rect(120, 60, 180, 360)
	whole, figure := checkered(300, 400, body)
	matte := compose.Matte(figure)
	Request{Item: 3}.vary().focusOn(whole, matte)
	contrast := func(y int) (sum int) {
		for x := 1; x < 100; x++ {
			a, b := int(whole.NRGBAAt(x, y).G), int(whole.NRGBAAt(x-1, y).G)
			sum += max(a, b) - min(a, b)
		}
		return sum
	}
	// Seen beside somebody's head it is soft, at their feet it is sharp.
	if soft, sharp := contrast(100), contrast(390); 3*soft > sharp {
		t.Errorf("behind the head neighbours differ by %d in all, at the feet by %d", soft, sharp)
	}
	for y := 70; y < 350; y++ {
		for _, x := range []int{body.Min.X - 2, body.Max.X + 1} {
			if c := whole.NRGBAAt(x, y); c.B > c.R {
				t.Fatalf("beside the figure at (%d,%d) its colour shows: %v", x, y, c)
			}
		}
	}
}

func TestACloserFramingCutsNothingOfTheFigureOff(t *testing.T) {
	t.Parallel()
	size := image.Pt(400, 600)
	for name, seen := range map[string]image.Rectangle{
		"in the middle": image.Rect(150, 60, 260, 540), "at the left": image.Rect(2, 100, 160, 500),
		"cut below": image.Rect(120, 200, 300, 600), "as high as the picture": image.Rect(100, 4, 200, 598), "small, low": image.Rect(300, 420, 340, 590),
	} {
		closer := 0
		for item := range 4 {
			f := Request{Item: item}.vary().closer(seen, size)
			w, h := float64(size.X)/f.Zoom, float64(size.Y)/f.Zoom
			x, y := f.X*(float64(size.X)-w), f.Y*(float64(size.Y)-h)
			if float64(seen.Min.X) < x-0.5 || float64(seen.Min.Y) < y-0.5 || float64(seen.Max.X) > x+w+0.5 || float64(seen.Max.Y) > y+h+0.5 {
				t.Errorf("%s, item %d: the part %.0f × %.0f at (%.0f,%.0f) cuts it off", name, item, w, h, x, y)
			}
			if f.Zoom > 1 {
				closer++
			}
		}
		if room := name != "as high as the picture"; room != (closer == 3) {
			t.Errorf("%s: %d of four items are closer", name, closer)
		}
	}
}

func TestEveryItemOfAPoseGoesTheWayThatWasAsked(t *testing.T) {
	t.Parallel()
	for words, way := range map[string]func(p posture) float64{
		"look to the left": func(p posture) float64 { return p.limbs.turn[boneHead] },
		"lean to the left": func(p posture) float64 { return p.limbs.turn[boneTorso] },
		"move to the left": func(p posture) float64 { return 100 * (p.across - 0.5) },
	} {
		for item := range 16 {
			p, ok := readPosture(words, posture{share: 0.8, floor: 0.9, across: 0.5})
			if !ok {
				t.Fatalf("%q is not understood", words)
			}
			n := p.nuanced(Request{Item: item, Seed: 3}.vary())
			if n.flip {
				t.Errorf("%q, item %d: the figure is mirrored", words, item)
			}
			if w := way(n); w > -1.5 {
				t.Errorf("%q, item %d goes by %.1f to the right", words, item, w)
			}
		}
	}
}

func TestNobodyIsClonedIntoThePlaceOfAPosedFigure(t *testing.T) {
	t.Parallel()
	src := wall()
	person, others := mask.New(240, 200), mask.New(240, 200)
	paint := func(m mask.Plane, r image.Rectangle, c color.NRGBA) {
		m.FillRect(r, 255)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				grey := src.NRGBAAt(x, y).R
				src.SetNRGBA(x, y, color.NRGBA{c.R + grey/32, c.G + grey/16, c.B + grey/16, 255})
			}
		}
	}
	paint(person, image.Rect(100, 40, 140, 190), color.NRGBA{20, 30, 190, 255})
	// They reach as far as what has to be completed, so that copies of them would join.
	paint(others, image.Rect(140, 90, 180, 150), color.NRGBA{200, 30, 30, 255})
	cutout := opaque(src, person)
	req := Request{Agent: "aipose", Original: src, Values: map[string]any{"textDescription": "move to the left"}, Count: 1}
	out, err := pose(t.Context(), req, Segmentation{Mask: person, Matte: person, Subject: person, Foreground: cutout, Others: others, Confidence: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	for y := 40; y < 190; y++ {
		for x := 110; x < 136; x++ {
			if red(out.NRGBAAt(x, y)) {
				t.Fatalf("where the figure stood somebody else shows at (%d,%d): %v", x, y, out.NRGBAAt(x, y))
			}
		}
	}
}
