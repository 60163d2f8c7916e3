package segment

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

var (
	white = color.NRGBA{R: 250, G: 250, B: 250, A: 255}
	green = color.NRGBA{R: 70, G: 120, B: 60, A: 255}
	brick = color.NRGBA{R: 150, G: 95, B: 80, A: 255}
	blue  = color.NRGBA{R: 50, G: 70, B: 160, A: 255}
	sand  = color.NRGBA{R: 205, G: 190, B: 160, A: 255}
)

func TestSubjectIsCutOutCleanly(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		pic  picture
		want float64
	}{
		{"a shirt on white paper", over(paper(520, 520, white, 1), paper(520, 520, blue, 2), shirt(520)), 0.97},
		{"a pale shirt on white paper", over(paper(520, 520, white, 1), paper(520, 520, sand, 2), shirt(520)), 0.95},
		{"a shirt on bricks", over(paper(520, 520, brick, 1), paper(520, 520, blue, 2), shirt(520)), 0.97},
		{"a ball in the grass", over(paper(700, 480, green, 3), paper(700, 480, brick, 4), disc(340, 250, 130)), 0.97},
		{"a small product", over(paper(480, 640, sand, 3), paper(480, 640, green, 4), disc(240, 330, 60)), 0.95},
		{"fur", over(paper(600, 520, green, 5), paper(600, 520, sand, 6), fur(300, 260, 140)), 0.9},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := Subject(t.Context(), test.pic.img, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := overlapOf(r.Mask, test.pic.alpha); got < test.want {
				t.Errorf("overlap with the drawing is %.3f, want at least %.2f", got, test.want)
			}
			if islands := kept(r.Mask); islands != 1 {
				t.Errorf("the cut-out has %d pieces, want 1", islands)
			}
		})
	}
}

func TestSlowThingsAreFoundOnDifficultGround(t *testing.T) {
	t.Parallel()
	shade := func(w, h int, base color.NRGBA, cx, cy, gain float64) *image.NRGBA {
		img := paper(w, h, base, 3)
		for y := range h {
			for x := range w {
				d := math.Hypot(float64(x)-cx, float64(y)-cy) / float64(max(w, h))
				c := img.NRGBAAt(x, y)
				k := 1 + gain*(0.35-d)
				img.SetNRGBA(x, y, color.NRGBA{R: level(float64(c.R) * k), G: level(float64(c.G) * k), B: level(float64(c.B) * k), A: 255})
			}
		}
		return img
	}
	table := func(w, h int) *image.NRGBA {
		img := paper(w, h, sand, 4)
		draw.Draw(img, image.Rect(0, h*7/10, w, h), paper(w, h, brick, 5), image.Pt(0, h*7/10), draw.Src)
		return img
	}
	three := func(x, y float64) float64 {
		return max(disc(130, 240, 70)(x, y), disc(320, 250, 85)(x, y), disc(510, 235, 65)(x, y))
	}
	tests := []struct {
		name string
		pic  picture
		want float64
	}{
		{"a white shirt on white paper", over(paper(520, 520, white, 1), shade(520, 520, color.NRGBA{R: 228, G: 230, B: 234, A: 255}, 260, 200, 0.2), shirt(520)), 0.9},
		{"a table below", over(table(640, 480), paper(640, 480, blue, 6), disc(320, 290, 120)), 0.93},
		{"cut off below", over(paper(640, 480, green, 5), paper(640, 480, sand, 6), disc(320, 400, 150)), 0.95},
		{"three things", over(paper(640, 480, white, 5), paper(640, 480, blue, 6), three), 0.93},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := Subject(t.Context(), test.pic.img, Options{Hard: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := overlapOf(r.Mask, test.pic.alpha); got < test.want {
				t.Errorf("overlap with the drawing is %.3f (confidence %.2f), want at least %.2f", got, r.Confidence, test.want)
			}
		})
	}
}

// kept counts the connected pieces of a mask.
func kept(m mask.Plane) int {
	n := 0
	for _, p := range pieces(m.Pix, m.W, m.H) {
		n += int(p.label / 255)
	}
	return n
}

func TestMatteFollowsHairBetterThanTheHardMask(t *testing.T) {
	t.Parallel()
	p := over(paper(600, 520, green, 5), paper(600, 520, sand, 6), fur(300, 260, 140))
	hard := mask.New(600, 520)
	for i, a := range p.alpha {
		if a >= 0.5 {
			hard.Pix[i] = 255
		}
	}
	soft, err := p.soft(t.Context(), hard)
	if err != nil {
		t.Fatal(err)
	}
	before, after := difference(hard, p.alpha), difference(soft, p.alpha)
	if after > 0.6*before {
		t.Errorf("the matte is off by %.0f, the hard mask by %.0f; want at most 60 %% of it", after, before)
	}
}

func TestForegroundLeavesNoHalo(t *testing.T) {
	t.Parallel()
	p := over(paper(400, 400, green, 5), paper(400, 400, white, 6), fur(200, 200, 100))
	matte := mask.New(400, 400)
	for i, a := range p.alpha {
		matte.Pix[i] = level(a*255 + 0.5)
	}
	cut := Foreground(p.img, matte)
	// What was drawn is white: no soft pixel may keep the green behind it.
	sum, n := 0.0, 0
	for i, a := range p.alpha {
		if a > 0.1 && a < 0.9 {
			c := cut.Pix[4*i : 4*i+3]
			sum += math.Abs(float64(c[1]) - float64(c[0]))
			n++
		}
	}
	if n == 0 {
		t.Fatal("the drawing has no soft pixels")
	}
	if mean := sum / float64(n); mean > 8 {
		t.Errorf("soft pixels differ by %.1f levels between red and green, want at most 8", mean)
	}
}

func TestLargePicturesAreCutAtFullSize(t *testing.T) {
	t.Parallel()
	p := over(paper(1200, 1200, brick, 1), paper(1200, 1200, blue, 2), shirt(1200))
	r, err := Subject(t.Context(), p.img, Options{Fine: 500})
	if err != nil {
		t.Fatal(err)
	}
	if got := overlapOf(r.Mask, p.alpha); got < 0.985 {
		t.Errorf("overlap with the drawing is %.3f, want at least 0.985", got)
	}
	if got := difference(r.Matte, p.alpha); got > 0.004*1200*1200 {
		t.Errorf("the matte is off by %.0f pixels in all, want at most %.0f", got, 0.004*1200*1200)
	}
}

func TestSubPictureIsReadFromItsOwnCorner(t *testing.T) {
	t.Parallel()
	p := over(paper(300, 300, green, 5), paper(300, 300, brick, 6), disc(150, 150, 70))
	big := image.NewNRGBA(image.Rect(0, 0, 420, 400))
	draw.Draw(big, big.Bounds(), image.NewUniform(blue), image.Point{}, draw.Src)
	draw.Draw(big, image.Rect(100, 50, 400, 350), p.img, image.Point{}, draw.Src)
	sub, ok := big.SubImage(image.Rect(100, 50, 400, 350)).(*image.NRGBA)
	if !ok {
		t.Fatal("a part of an NRGBA picture is not one")
	}
	r, err := Subject(t.Context(), sub, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := overlapOf(r.Mask, p.alpha); got < 0.95 {
		t.Errorf("overlap with the drawing is %.3f, want at least 0.95", got)
	}
}

func TestTransparentPicturesAreTakenAtTheirWord(t *testing.T) {
	t.Parallel()
	img := paper(120, 100, blue, 1)
	for i := range img.Pix {
		if i%4 == 3 && (i/4)%120 < 60 {
			img.Pix[i] = 0
		}
	}
	r, err := Subject(t.Context(), img, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range r.Mask.Pix {
		if v != img.Pix[4*i+3] {
			t.Fatalf("pixel (%d,%d) is %d, its alpha is %d", i%120, i/120, v, img.Pix[4*i+3])
		}
	}
	if r.Confidence < 0.9 {
		t.Errorf("confidence is %.2f, want at least 0.9", r.Confidence)
	}
}

func TestHopelessPicturesGiveLowConfidenceAndNoPanic(t *testing.T) {
	t.Parallel()
	uniform := image.NewNRGBA(image.Rect(0, 0, 200, 150))
	draw.Draw(uniform, uniform.Bounds(), image.NewUniform(sand), image.Point{}, draw.Src)
	tests := []struct {
		name string
		img  *image.NRGBA
	}{
		{"uniform", uniform},
		{"transparent", image.NewNRGBA(image.Rect(0, 0, 60, 40))},
		{"one pixel", paper(1, 1, sand, 1)},
		{"one column", paper(1, 300, sand, 1)},
		{"one row", paper(300, 1, sand, 1)},
		{"two by two", paper(2, 2, sand, 1)},
		{"noise", paper(90, 700, sand, 1)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range []Kind{WholeSubject, Apparel, UpperApparel, LowerApparel, Human, InverseHuman} {
				r, err := Region(t.Context(), test.img, kind, Options{})
				if err != nil {
					t.Fatalf("%s: %v", kind, err)
				}
				if r.Confidence >= 0.5 {
					t.Errorf("%s: confidence is %.2f, want less than 0.5", kind, r.Confidence)
				}
				if r.Note == saidNoFace && r.Mask.Stats(0).Share == 0 {
					t.Errorf("%s: nothing is kept, and the note says: %s", kind, r.Note)
				}
				if b := test.img.Bounds(); r.Mask.W != b.Dx() || r.Matte.H != b.Dy() {
					t.Errorf("%s: mask is %d wide, matte %d high, picture is %v", kind, r.Mask.W, r.Matte.H, b)
				}
			}
		})
	}
}

func TestEmptyPictureIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Subject(t.Context(), image.NewNRGBA(image.Rectangle{}), Options{}); !errors.Is(err, errEmpty) {
		t.Errorf("Subject of nothing = %v, want %v", err, errEmpty)
	}
}

func TestWorkStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := over(paper(520, 520, brick, 1), paper(520, 520, blue, 2), shirt(520))
	if _, err := Subject(ctx, p.img, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Subject = %v, want %v", err, context.Canceled)
	}
}

func TestGarmentThatLiesFlatIsApparel(t *testing.T) {
	t.Parallel()
	img, _ := testpics.Garment(300, 400, 1)
	whole, err := Subject(t.Context(), img, Options{})
	if err != nil || whole.Confidence < 0.5 {
		t.Fatalf("confidence %.2f, %v", whole.Confidence, err)
	}
	r, err := Region(t.Context(), img, Apparel, Options{})
	if err != nil || r.Confidence != whole.Confidence || r.Note != saidNoFace {
		t.Fatalf("confidence %.2f, %q, %v", r.Confidence, r.Note, err)
	}
	if !bytes.Equal(r.Mask.Pix, whole.Mask.Pix) {
		t.Error("not all of it is kept")
	}
}
