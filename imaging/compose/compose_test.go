package compose

import (
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
)

func flat(w, h int, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// ramp has another colour at every pixel.
func ramp(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, color.NRGBA{uint8(x * 5), uint8(y * 7), uint8(x + y), 255})
		}
	}
	return img
}

// figure is a soft-edged cut-out: a box whose outermost pixels are half transparent.
func figure(w, h int, box image.Rectangle, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			p := c
			if !image.Pt(x, y).In(box.Inset(2)) {
				p.A = 128
			}
			img.SetNRGBA(x, y, p)
		}
	}
	return img
}

func TestOverMixesByAlpha(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name            string
		under, top, out color.NRGBA
	}{
		{"opaque covers exactly", color.NRGBA{1, 2, 3, 255}, color.NRGBA{200, 100, 50, 255}, color.NRGBA{200, 100, 50, 255}},
		{"clear changes nothing", color.NRGBA{1, 2, 3, 77}, color.NRGBA{200, 100, 50, 0}, color.NRGBA{1, 2, 3, 77}},
		{"half over opaque", color.NRGBA{0, 100, 200, 255}, color.NRGBA{200, 100, 0, 128}, color.NRGBA{100, 100, 100, 255}},
		{"half over nothing keeps its colour", color.NRGBA{9, 9, 9, 0}, color.NRGBA{200, 100, 0, 128}, color.NRGBA{200, 100, 0, 128}},
		{"half over half", color.NRGBA{0, 0, 0, 128}, color.NRGBA{255, 255, 255, 128}, color.NRGBA{170, 170, 170, 192}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dst := flat(3, 3, tt.under)
			Over(dst, flat(1, 1, tt.top), image.Pt(1, 1))
			if got := dst.NRGBAAt(1, 1); got != tt.out {
				t.Errorf("%v over %v = %v, want %v", tt.top, tt.under, got, tt.out)
			}
			if got := dst.NRGBAAt(0, 0); got != tt.under {
				t.Errorf("a pixel beside the cut-out became %v", got)
			}
		})
	}
}

func TestOverCutsOffWhatLiesOutside(t *testing.T) {
	t.Parallel()
	red := color.NRGBA{255, 0, 0, 255}
	for _, p := range []image.Point{{-3, -3}, {8, 8}, {-20, 0}, {0, 30}} {
		dst := flat(10, 10, color.NRGBA{0, 0, 0, 255})
		Over(dst, flat(5, 5, red), p)
		for y := range 10 {
			for x := range 10 {
				in := image.Pt(x, y).In(image.Rect(p.X, p.Y, p.X+5, p.Y+5))
				if got := dst.NRGBAAt(x, y) == red; got != in {
					t.Fatalf("placed at %v, pixel (%d,%d) is red: %v", p, x, y, got)
				}
			}
		}
	}
}

func TestScalingACutOutKeepsTheColourOfItsEdge(t *testing.T) {
	t.Parallel()
	cut := figure(64, 64, image.Rect(10, 10, 54, 54), color.NRGBA{220, 40, 40, 255})
	for _, size := range []int{9, 31, 100} {
		got := imaging.Resize(cut, size, size)
		for i := 0; i < len(got.Pix); i += 4 {
			if a := got.Pix[i+3]; a > 40 && (got.Pix[i] < 200 || got.Pix[i+1] > 60) {
				t.Fatalf("at %d px an edge pixel of alpha %d has the colour %v", size, a, got.Pix[i:i+3])
			}
		}
	}
}

func TestCoverFillsTheFrameWithoutDistortion(t *testing.T) {
	t.Parallel()
	src := flat(200, 100, color.NRGBA{40, 80, 120, 255})
	for y := range 100 {
		src.SetNRGBA(100, y, color.NRGBA{255, 255, 255, 255})
	}
	got := Cover(src, 50, 50, Centred)
	if got.Rect != image.Rect(0, 0, 50, 50) {
		t.Fatalf("Cover is %v", got.Rect)
	}
	for i := 3; i < len(got.Pix); i += 4 {
		if got.Pix[i] != 255 {
			t.Fatal("Cover left a gap")
		}
	}
	if mid, side := got.NRGBAAt(25, 25).R, got.NRGBAAt(5, 25).R; mid <= side {
		t.Errorf("the middle of the picture is not in the middle: %d against %d", mid, side)
	}
	if a, b := Cover(ramp(60, 40), 30, 30, Framing{X: 0, Zoom: 1}), Cover(ramp(60, 40), 30, 30, Framing{X: 1, Zoom: 1}); a.NRGBAAt(15, 15) == b.NRGBAAt(15, 15) {
		t.Error("framing left and right show the same")
	}
}

func TestFlipTwiceIsTheSamePicture(t *testing.T) {
	t.Parallel()
	img, want := ramp(7, 5), ramp(7, 5)
	Flip(img)
	if img.NRGBAAt(0, 0) != want.NRGBAAt(6, 0) {
		t.Error("Flip did not exchange left and right")
	}
	Flip(img)
	if string(img.Pix) != string(want.Pix) {
		t.Error("two flips changed the picture")
	}
}

func TestPlaceStandsTheSubjectOnTheFloor(t *testing.T) {
	t.Parallel()
	cut := figure(100, 100, image.Rect(30, 20, 60, 90), color.NRGBA{10, 200, 10, 255})
	placed, at := Place(cut, image.Pt(400, 300), 0.5, 0.9, 0.5)
	if got := placed.Rect.Dy(); got != 150 {
		t.Errorf("the subject is %d px high, want half of 300", got)
	}
	if foot := at.Y + placed.Rect.Dy(); foot != 270 {
		t.Errorf("the subject stands at %d, want 270", foot)
	}
	if middle := at.X + placed.Rect.Dx()/2; middle < 198 || middle > 202 {
		t.Errorf("the subject's middle is at %d, want 200", middle)
	}
}

func TestTurnKeepsAreaAndColour(t *testing.T) {
	t.Parallel()
	cut := figure(80, 60, image.Rect(10, 10, 70, 50), color.NRGBA{10, 20, 230, 255})
	sum := func(img *image.NRGBA) (n float64) {
		for i := 3; i < len(img.Pix); i += 4 {
			n += float64(img.Pix[i])
		}
		return n
	}
	got := Turn(cut, 25)
	if a, b := sum(cut), sum(got); math.Abs(a-b) > 0.02*a {
		t.Errorf("coverage went from %.0f to %.0f", a, b)
	}
	for i := 0; i < len(got.Pix); i += 4 {
		if got.Pix[i+3] > 30 && got.Pix[i+2] < 225 {
			t.Fatalf("a turned pixel has the colour %v", got.Pix[i:i+4])
		}
	}
}

func TestHarmoniseMovesColoursAndLeavesKeptPixelsExact(t *testing.T) {
	t.Parallel()
	img := ramp(50, 36)
	target := Measure(flat(8, 8, color.NRGBA{30, 60, 160, 255}), nil)
	keep := mask.New(50, 36)
	keep.FillRect(image.Rect(10, 10, 30, 30), 255)
	before := Measure(img, nil)
	got := imaging.Clone(img)
	Harmonise(got, before, target, 0.5, &keep)
	for y := 10; y < 30; y++ {
		for x := 10; x < 30; x++ {
			if got.NRGBAAt(x, y) != img.NRGBAAt(x, y) {
				t.Fatalf("kept pixel (%d,%d) changed", x, y)
			}
		}
	}
	out := outsideOf(keep)
	was, is := Measure(img, &out), Measure(got, &out)
	for k := range 3 {
		if math.Abs(is.Mean[k]-target.Mean[k]) >= math.Abs(was.Mean[k]-target.Mean[k]) {
			t.Errorf("channel %d went from %.1f to %.1f, away from %.1f", k, was.Mean[k], is.Mean[k], target.Mean[k])
		}
	}
}

func outsideOf(m mask.Plane) mask.Plane {
	c := m.Clone()
	c.Invert()
	return c
}

func TestRecolouringByNothingChangesNothingVisible(t *testing.T) {
	t.Parallel()
	img := ramp(51, 36)
	got := imaging.Clone(img)
	Grade(got, 0, 0, 1)
	for i, v := range img.Pix {
		if d := int(got.Pix[i]) - int(v); d < -1 || d > 1 {
			t.Fatalf("byte %d went from %d to %d", i, v, got.Pix[i])
		}
	}
}

func TestLightIsFoundOnTheBrightSide(t *testing.T) {
	t.Parallel()
	scene := flat(100, 60, color.NRGBA{40, 40, 40, 255})
	for y := range 60 {
		for x := range 30 {
			scene.SetNRGBA(x, y, color.NRGBA{240, 240, 240, 255})
		}
	}
	left := EstimateLight(scene)
	if left.Side() >= -0.3 {
		t.Errorf("the light comes from %.0f°, want well from the left", left.Angle)
	}
	Flip(scene)
	if got := EstimateLight(scene); got.Side() <= 0.3 || math.Abs(got.Angle-left.Mirrored().Angle) > 1 {
		t.Errorf("mirrored, the light comes from %.0f°, want %.0f°", got.Angle, left.Mirrored().Angle)
	}
}

func TestASubjectShowsFromWhereItWasLit(t *testing.T) {
	t.Parallel()
	// Bright above and dark below says nothing; bright on the right does.
	cut := image.NewNRGBA(image.Rect(0, 0, 80, 120))
	for y := 10; y < 110; y++ {
		for x := 20; x < 60; x++ {
			v := 60 + x
			if y < 60 {
				v += 90
			}
			cut.SetNRGBA(x, y, color.NRGBA{uint8(v), uint8(v), uint8(v), 255})
		}
	}
	if got := LitFrom(cut); got < 0.1 {
		t.Errorf("LitFrom = %.2f, want to the right", got)
	}
	even := figure(80, 120, image.Rect(20, 10, 60, 110), color.NRGBA{90, 90, 90, 255})
	if got := LitFrom(even); got != 0 {
		t.Errorf("evenly lit, LitFrom = %.2f", got)
	}
}

func TestTheGroundBeginsAtTheLevelEdge(t *testing.T) {
	t.Parallel()
	scene := flat(120, 200, color.NRGBA{180, 200, 230, 255})
	for y := 140; y < 200; y++ {
		for x := range 120 {
			scene.SetNRGBA(x, y, color.NRGBA{120, 100, 70, 255})
		}
	}
	for y := 20; y < 140; y++ { // an upright edge is none of the ground's
		for x := 30; x < 50; x++ {
			scene.SetNRGBA(x, y, color.NRGBA{40, 60, 40, 255})
		}
	}
	if got := FloorLine(scene); math.Abs(got-0.7) > 0.03 {
		t.Errorf("FloorLine = %.2f, want 0.70", got)
	}
}

// darkened is how much darker the scene became within r.
func darkened(scene *image.NRGBA, was uint8, r image.Rectangle) (sum int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			sum += int(was) - int(scene.NRGBAAt(x, y).G)
		}
	}
	return sum
}

func TestShadowLiesAtTheFeetAndAwayFromTheLight(t *testing.T) {
	t.Parallel()
	matte := mask.New(300, 200)
	matte.FillRect(image.Rect(130, 40, 170, 160), 255)
	for _, tt := range []struct {
		name  string
		light Light
	}{
		{"soft from the left", Light{Angle: 150, Softness: 0.8}},
		{"hard from the left", Light{Angle: 140, Softness: 0.1}},
		{"low behind on the left", Light{Angle: 160, Softness: 0.3, Behind: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			scene := flat(300, 200, color.NRGBA{200, 200, 200, 255})
			ContactShadow(scene, matte, Shadow{Strength: 0.7, Light: tt.light, Floor: 100})
			if got := scene.NRGBAAt(150, 161).G; got > 140 {
				t.Errorf("under the feet the floor is %d, want it dark", got)
			}
			if got := darkened(scene, 200, image.Rect(0, 0, 300, 95)); got != 0 {
				t.Errorf("above the ground it became darker by %d", got)
			}
			left := darkened(scene, 200, image.Rect(0, 100, 125, 200))
			right := darkened(scene, 200, image.Rect(175, 100, 300, 200))
			if right <= 2*left {
				t.Errorf("lit from the left, the right is darker by %d and the left by %d", right, left)
			}
			before, behind := darkened(scene, 200, image.Rect(175, 166, 300, 200)), darkened(scene, 200, image.Rect(175, 100, 300, 154))
			if towards := before > behind; towards != tt.light.Behind {
				t.Errorf("in front of the feet it is darker by %d, behind them by %d", before, behind)
			}
		})
	}
}

func TestTheShadowUnderAFootIsAsRoundAsTheFoot(t *testing.T) {
	t.Parallel()
	matte := mask.New(400, 400)
	matte.FillRect(image.Rect(180, 20, 220, 360), 255)
	for y := 320; y < 362; y++ {
		for x := 130; x < 270; x++ {
			if dx, dy := float64(x-200)/60, float64(y-345)/15; dx*dx+dy*dy <= 1 {
				matte.Set(x, y, 255)
			}
		}
	}
	scene := flat(400, 400, color.NRGBA{200, 200, 200, 255})
	ContactShadow(scene, matte, Shadow{Strength: 0.7, Light: Light{Angle: 90, Softness: 0.9}, Floor: 250})
	middle, toe := 200-int(scene.NRGBAAt(200, 363).G), 200-int(scene.NRGBAAt(256, 360).G)
	if middle < 60 || 2*toe > middle {
		t.Errorf("beside the toe the floor is darker by %d and under the foot by %d: its shadow is a block", toe, middle)
	}
}

func TestAShadowClimbsTheWall(t *testing.T) {
	t.Parallel()
	matte := mask.New(300, 200)
	matte.FillRect(image.Rect(130, 40, 170, 160), 255)
	on := func(wall bool) int {
		scene := flat(300, 200, color.NRGBA{200, 200, 200, 255})
		ContactShadow(scene, matte, Shadow{Strength: 0.7, Light: Light{Angle: 140, Softness: 0.1}, Floor: 148, Wall: wall})
		return darkened(scene, 200, image.Rect(172, 60, 300, 140))
	}
	if got := on(true); got == 0 {
		t.Error("no shadow on the wall close behind")
	}
	if got := on(false); got != 0 {
		t.Errorf("on open ground a shadow of %d stands in the air", got)
	}
}

func TestFeetOfUnequalHeightStandOnOneLine(t *testing.T) {
	t.Parallel()
	matte := mask.New(200, 200)
	matte.FillRect(image.Rect(80, 20, 120, 120), 255)
	matte.FillRect(image.Rect(80, 120, 92, 170), 255)   // the foot behind
	matte.FillRect(image.Rect(108, 120, 120, 178), 255) // and the one in front
	s := Stand(matte)
	if s.Cut || s.Slope <= 0 || math.Abs(s.at(85)-170) > 3 || math.Abs(s.at(114)-178) > 3 {
		t.Errorf("the feet at rows 170 and 178 stand on a line through %.0f and %.0f (cut off: %v)", s.at(85), s.at(114), s.Cut)
	}
}

func TestASubjectCutOffByTheFrameThrowsNoShadow(t *testing.T) {
	t.Parallel()
	matte := mask.New(100, 100)
	matte.FillRect(image.Rect(30, 20, 70, 100), 255)
	scene := ramp(100, 100)
	want := imaging.Clone(scene)
	ContactShadow(scene, matte, Shadow{Strength: 0.7})
	if string(scene.Pix) != string(want.Pix) {
		t.Error("a shadow fell where there is no floor")
	}
}

func TestSceneLightSpillsOverSoftPixelsOnly(t *testing.T) {
	t.Parallel()
	dark := color.NRGBA{20, 20, 20, 255}
	cut := figure(60, 60, image.Rect(15, 15, 45, 45), dark)
	bright := color.NRGBA{250, 240, 200, 255}
	plain, lit := flat(60, 60, bright), flat(60, 60, bright)
	Over(plain, cut, image.Point{})
	Settle(lit, cut, 4, 0.6)
	brighter := 0
	for i := 0; i < len(cut.Pix); i += 4 {
		got, without := [4]uint8(lit.Pix[i:i+4]), [4]uint8(plain.Pix[i:i+4])
		switch a := cut.Pix[i+3]; {
		case (a == 0 || a == 255) && got != without:
			t.Fatalf("over alpha %d the picture is %v, want %v", a, got, without)
		case a == 128 && got[0] > without[0]+10:
			brighter++
		}
	}
	if brighter == 0 {
		t.Error("no edge pixel took on the scene's light")
	}
}

func TestWhatLiesBehindIsOutOfFocusAndTheFeetAreNot(t *testing.T) {
	t.Parallel()
	scene := image.NewNRGBA(image.Rect(0, 0, 120, 120))
	for y := range 120 {
		for x := range 120 {
			v := uint8(x / 4 % 2 * 200)
			scene.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
		}
	}
	want := imaging.Clone(scene)
	contrast := func(y int) int { return int(scene.NRGBAAt(46, y).R) - int(scene.NRGBAAt(42, y).R) }
	Defocus(scene, 6, 60, 100)
	if got := contrast(20); got > 60 || got < -60 {
		t.Errorf("behind, stripes of 200 still differ by %d", got)
	}
	if near, far := contrast(90), contrast(70); near*near <= far*far {
		t.Errorf("stripes differ by %d near the feet and by %d farther back", near, far)
	}
	for y := 100; y < 120; y++ {
		if scene.NRGBAAt(50, y) != want.NRGBAAt(50, y) {
			t.Fatalf("row %d, where the subject stands, is out of focus", y)
		}
	}
}

func TestSkinTakesAnotherTone(t *testing.T) {
	t.Parallel()
	fair, deep := Lab(230, 190, 165), Lab(110, 70, 50)
	for _, tt := range [][2][3]float64{{fair, deep}, {deep, fair}} {
		from, to := tt[0], tt[1]
		img := image.NewNRGBA(image.Rect(0, 0, 3, 1))
		for x, k := range []float64{0.7, 1, 1.1} { // in the shade, in the middle, in the light
			r, g, b := RGB([3]float64{from[0] * k, from[1], from[2]})
			img.SetNRGBA(x, 0, color.NRGBA{r, g, b, 255})
		}
		all := mask.New(3, 1)
		all.Fill(255)
		all.Set(2, 0, 0)
		before := img.NRGBAAt(2, 0)
		Retone(img, from, to, all)
		c := img.NRGBAAt(1, 0)
		got := Lab(c.R, c.G, c.B)
		for k := range 3 {
			if math.Abs(got[k]-to[k]) > 3 {
				t.Errorf("the tone became %.0f, want %.0f", got, to)
			}
		}
		if shade := img.NRGBAAt(0, 0); shade.R >= c.R {
			t.Error("the shade is no darker than the middle")
		}
		if img.NRGBAAt(2, 0) != before {
			t.Error("what is not skin changed")
		}
	}
}

func TestAnUnwantedColourGoes(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.SetNRGBA(0, 0, color.NRGBA{60, 110, 200, 255})
	img.SetNRGBA(1, 0, color.NRGBA{190, 120, 60, 255})
	Mute(img, color.NRGBA{74, 116, 172, 255})
	blue, brown := img.NRGBAAt(0, 0), img.NRGBAAt(1, 0)
	if chroma := Lab(blue.R, blue.G, blue.B); math.Hypot(chroma[1], chroma[2]) > 14 {
		t.Errorf("the blue became %v", blue)
	}
	if d := int(brown.R) - 190; d < -2 || d > 2 {
		t.Errorf("the brown became %v", brown)
	}
}

func TestARimIsSoftenedOutsideOnly(t *testing.T) {
	t.Parallel()
	cut := image.NewNRGBA(image.Rect(0, 0, 20, 20))
	for i := 5; i < 15; i++ {
		for j := 5; j <= i; j++ {
			cut.SetNRGBA(j, i, color.NRGBA{200, 30, 40, 255})
		}
	}
	before := imaging.Clone(cut)
	SoftenRim(cut)
	for i := 0; i < len(cut.Pix); i += 4 {
		if before.Pix[i+3] == 255 && [4]uint8(cut.Pix[i:]) != [4]uint8(before.Pix[i:]) {
			t.Fatal("an opaque pixel changed")
		}
	}
	if c := cut.NRGBAAt(9, 8); c.A == 0 || c.A == 255 || c.R != 200 || c.G != 30 {
		t.Errorf("beside the slope there is %v, want part of the red", c)
	}
	if c := cut.NRGBAAt(12, 8); c.A != 0 {
		t.Errorf("farther away there is %v", c)
	}
}

func BenchmarkComposite1024(b *testing.B) {
	scene := ramp(1024, 1024)
	cut := figure(1024, 1024, image.Rect(300, 100, 700, 950), color.NRGBA{90, 60, 40, 255})
	matte := Matte(cut)
	b.ReportAllocs()
	for b.Loop() {
		out := imaging.Clone(scene)
		Harmonise(out, Measure(out, nil), Measure(cut, nil), 0.3, nil)
		ContactShadow(out, matte, Shadow{Strength: 0.6, Light: EstimateLight(out), Floor: 600})
		Settle(out, cut, 16, 0.5)
	}
}
