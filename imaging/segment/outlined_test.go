package segment

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// whiteShoes is a scene of somebody on a pale ground, whose cut ends at the ankles: white shoes that only a thin line divides from the ground, a
// soft shadow of the right one, a plate with such a line farther off, and ground as narrow as a shoe between the legs.
func whiteShoes(line float64) (s *scene, f finding, people []face, shoes [2]image.Rectangle, shadow, plate, between image.Rectangle) {
	const w, h, ground = 240, 250, 234.0
	legs := [2]image.Rectangle{image.Rect(80, 60, 94, 186), image.Rect(116, 60, 130, 186)}
	shoes = [2]image.Rectangle{image.Rect(74, 186, 98, 203), image.Rect(112, 186, 136, 203)}
	shadow, plate, between = image.Rect(136, 190, 166, 206), image.Rect(200, 192, 226, 210), image.Rect(99, 120, 111, 210)
	rim := func(at image.Point, r image.Rectangle) bool { return at.In(r) && !at.In(r.Inset(1)) }
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	f = finding{labels: make([]uint8, w*h), prior: make([]float32, w*h)}
	for i := range w * h {
		at := image.Pt(i%w, i/w)
		lit := ground + math.Sin(float64(at.X))*math.Cos(1.3*float64(at.Y))
		c := color.NRGBA{level(lit), level(lit), level(lit - 2), 255}
		f.prior[i] = -9
		switch {
		case at.In(legs[0]), at.In(legs[1]):
			c = color.NRGBA{40, 50, 90, 255}
			f.labels[i], f.prior[i] = 1, 12
		case rim(at, shoes[0]), rim(at, shoes[1]), rim(at, plate):
			c = color.NRGBA{level(line), level(line), level(line), 255}
		case at.In(shoes[0]), at.In(shoes[1]):
			c = color.NRGBA{236, 236, 236, 255}
		case at.In(shadow):
			away := float64(at.X-shadow.Min.X) / float64(shadow.Dx())
			ends := min(float64(at.Y-shadow.Min.Y), float64(shadow.Max.Y-1-at.Y), 8) / 8
			v := level(lit * (1 - 0.2*ends*(1-away)))
			c = color.NRGBA{v, v, v, 255}
		}
		img.SetNRGBA(at.X, at.Y, c)
	}
	s = &scene{img: img, opt: Options{}.WithDefaults(), zoom: 1, cut: newCutter(reduce(img, h))}
	return s, f, []face{{x: 105, y: 34, size: 22}}, shoes, shadow, plate, between
}

func TestWhiteShoesOnWhiteGroundAreWhatTheirOutlineEncloses(t *testing.T) {
	t.Parallel()
	s, f, people, shoes, shadow, plate, between := whiteShoes(196)
	if err := s.addFeet(t.Context(), &f, people, true); err != nil {
		t.Fatal(err)
	}
	for n, r := range shoes {
		if got := shareOf(f, s.cut.w, r.Inset(1)); got < 0.95 {
			t.Errorf("shoe %d is kept by %.2f, want at least 0.95", n, got)
		}
	}
	for name, r := range map[string]image.Rectangle{
		"the shadow": image.Rect(shadow.Min.X+4, shadow.Min.Y, shadow.Max.X, shadow.Max.Y), "a plate": plate, "the ground between the legs": between,
		"the ground below": image.Rect(40, 208, 180, 250),
	} {
		if got := shareOf(f, s.cut.w, r); got > 0.05 {
			t.Errorf("%s is kept by %.2f", name, got)
		}
	}
}

func TestGroundWithoutAnOutlineIsNoShoe(t *testing.T) {
	t.Parallel()
	s, f, people, shoes, _, _, _ := whiteShoes(233)
	if err := s.addFeet(t.Context(), &f, people, true); err != nil {
		t.Fatal(err)
	}
	for n, r := range shoes {
		if got := shareOf(f, s.cut.w, r); got > 0.05 {
			t.Errorf("the ground below leg %d is kept by %.2f", n, got)
		}
	}
}
