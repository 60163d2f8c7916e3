package fill

import (
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging/mask"
)

var red = color.NRGBA{210, 20, 30, 255}

// reddish reports whether a pixel could only come from the painted disc.
func reddish(c color.NRGBA) bool { return int(c.R) > int(c.G)+60 && int(c.R) > int(c.B)+60 }

func TestWhatIsAvoidedIsNeverCloned(t *testing.T) {
	t.Parallel()
	const w, h = 240, 200
	src := texture(w, h, 4)
	subject := mask.New(w, h)
	paintDisc(src, &subject, 60, 110, 45, red)
	for seed := range int64(3) {
		got, err := Expand(t.Context(), src, 420, 260, 20, 30, Options{Seed: seed, Avoid: &subject})
		if err != nil {
			t.Fatal(err)
		}
		for y := range 260 {
			for x := range 420 {
				if p := image.Pt(x-20, y-30); !p.In(src.Rect) && reddish(got.NRGBAAt(x, y)) {
					t.Fatalf("seed %d: the subject shows at (%d,%d)", seed, x, y)
				}
			}
		}
	}
	hole := disc(w, h, 175, 110, 40)
	got, err := Complete(t.Context(), src, hole, Options{Avoid: &subject})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range hole.Pix {
		if v != 0 && reddish(got.NRGBAAt(i%w, i/w)) {
			t.Fatalf("the subject shows in the hole at (%d,%d)", i%w, i/w)
		}
	}
}

func TestARemovedSubjectLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	src := texture(200, 200, 5)
	hole := mask.New(200, 200)
	paintDisc(src, nil, 100, 100, 40, red)
	paintDisc(nil, &hole, 100, 100, 44, red)
	got, err := Complete(t.Context(), src, hole, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range hole.Pix {
		if reddish(got.NRGBAAt(i%200, i/200)) {
			t.Fatalf("the removed subject still shows at (%d,%d)", i%200, i/200)
		}
	}
}

// step is the mean difference between columns x-1 and x.
func step(img *image.NRGBA, x, y0, y1 int) float64 {
	sum := 0.0
	for y := y0; y < y1; y++ {
		a, b := img.NRGBAAt(x-1, y), img.NRGBAAt(x, y)
		sum += math.Abs(float64(a.R)-float64(b.R)) + math.Abs(float64(a.G)-float64(b.G)) + math.Abs(float64(a.B)-float64(b.B))
	}
	return sum / float64(y1-y0)
}

func TestTheBorderOfTheOriginalCannotBeSeen(t *testing.T) {
	t.Parallel()
	// A picture that gets brighter to the right: copied patches alone would jump at its edge.
	src := texture(300, 240, 6)
	for y := range 240 {
		for x := range 300 {
			c := src.NRGBAAt(x, y)
			c.R, c.G, c.B = c.R/2+uint8(x/5), c.G/2+uint8(x/5), c.B/2+uint8(x/5)
			src.SetNRGBA(x, y, c)
		}
	}
	got, err := Expand(t.Context(), src, 420, 240, 60, 0, Options{Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	inside := 0.0
	for x := 120; x < 220; x++ {
		inside += step(got, x, 0, 240) / 100
	}
	for _, x := range []int{60, 360} {
		if seam := step(got, x, 0, 240); seam > 1.35*inside {
			t.Errorf("across the border at %d columns differ by %.1f, inside the picture by %.1f", x, seam, inside)
		}
	}
}

func TestAShadedBackdropGoesOnEvenly(t *testing.T) {
	t.Parallel()
	const w, h = 260, 220
	src := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rng(3)
	for y := range h {
		for x := range w {
			dx, dy := float64(x-w/2)/w, float64(y-h/2)/h
			v := 214 - 90*(dx*dx+dy*dy) + float64(r.between(-1, 1))
			src.SetNRGBA(x, y, color.NRGBA{uint8(v), uint8(v * 0.97), uint8(v * 0.9), 255})
		}
	}
	got, err := Expand(t.Context(), src, 400, 300, 70, 40, Options{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	// Means over blocks take the grain out; what is left between neighbours is the slope, or a step.
	const block = 5
	mean := func(x, y int) float64 {
		sum := 0
		for j := range block {
			for i := range block {
				sum += int(got.NRGBAAt(x+i, y+j).G)
			}
		}
		return float64(sum) / (block * block)
	}
	for y := 0; y+block <= 300; y += block {
		for x := 0; x+2*block <= 400; x += block {
			if d := math.Abs(mean(x, y) - mean(x+block, y)); d > 4 {
				t.Fatalf("at (%d,%d) brightness steps by %.1f", x, y, d)
			}
		}
	}
}

func TestNewSpaceHasGrainSkyAboveAndGroundBelow(t *testing.T) {
	t.Parallel()
	src := texture(240, 200, 8)
	got, err := Expand(t.Context(), src, 440, 200, 100, 0, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	inside, outside := 0.0, 0.0
	for x := 1; x < 90; x++ {
		outside += step(got, x, 0, 200)
		inside += step(got, x+120, 0, 200)
	}
	if outside < 0.6*inside || outside > 1.5*inside {
		t.Errorf("new columns differ by %.0f, given ones by %.0f: blurred or rough", outside, inside)
	}
	wrong := 0
	for y := range 200 {
		for _, x := range []int{20, 50, 390, 420} {
			c := got.NRGBAAt(x, y)
			sky := c.B > c.G+20
			if y < 100 && !sky || y > 140 && sky {
				wrong++
			}
		}
	}
	if wrong > 20 {
		t.Errorf("%d of 640 new pixels have ground above or sky below", wrong)
	}
}

func TestSeedsGiveDifferentCompletionsAndAreRepeatable(t *testing.T) {
	t.Parallel()
	src := texture(160, 140, 9)
	at := func(seed int64) *image.NRGBA {
		t.Helper()
		img, err := Expand(t.Context(), src, 260, 180, 50, 20, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	a, again, b := at(1), at(1), at(2)
	if string(a.Pix) != string(again.Pix) {
		t.Error("the same seed gave two pictures")
	}
	differ := 0
	for i := 0; i < len(a.Pix); i += 4 {
		if [3]uint8(a.Pix[i:]) != [3]uint8(b.Pix[i:]) {
			differ++
		}
	}
	if added := 260*180 - 160*140; differ < added/3 {
		t.Errorf("two seeds differ in %d of %d new pixels", differ, added)
	}
}

func TestLargeCanvasesCopyRealPixels(t *testing.T) {
	t.Parallel()
	// Above 2100 pixels matches are not refined: every new pixel of a two-colour picture has to be close to one of them.
	src := image.NewNRGBA(image.Rect(0, 0, 1600, 900))
	for y := range 900 {
		for x := range 1600 {
			v := uint8(40)
			if (x/2+y/2)%2 == 0 {
				v = 210
			}
			src.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
		}
	}
	got, err := Expand(t.Context(), src, 2600, 900, 500, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	between := 0
	for y := range 900 {
		for x := range 480 {
			if v := got.NRGBAAt(x, y).R; v > 80 && v < 170 {
				between++
			}
		}
	}
	if share := float64(between) / (480 * 900); share > 0.25 {
		t.Errorf("%.0f %% of the new pixels are neither of the two colours", 100*share)
	}
}

func TestACutOutIsContinuedByTransparency(t *testing.T) {
	t.Parallel()
	src := image.NewNRGBA(image.Rect(0, 0, 80, 80))
	paintDisc(src, nil, 40, 40, 25, red)
	got, err := Expand(t.Context(), src, 160, 120, 40, 20, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.NRGBAAt(5, 5).A != 0 || got.NRGBAAt(80, 60) != red {
		t.Errorf("corner %v and middle %v, want clear and red", got.NRGBAAt(5, 5), got.NRGBAAt(80, 60))
	}
}

func TestWhereNothingElseIsLeftTheSubjectIsCopied(t *testing.T) {
	t.Parallel()
	src := texture(60, 60, 3)
	all := mask.New(60, 60)
	all.Fill(255)
	got, err := Expand(t.Context(), src, 90, 60, 15, 0, Options{Avoid: &all})
	if err != nil {
		t.Fatal(err)
	}
	if got.NRGBAAt(2, 30).A != 255 {
		t.Error("the new space is empty")
	}
}

func TestPicturesSmallerThanAPatchAreContinued(t *testing.T) {
	t.Parallel()
	for _, side := range []int{1, 3, 6, 8} {
		src := image.NewNRGBA(image.Rect(0, 0, side, side))
		for i := range src.Pix {
			src.Pix[i] = 200
		}
		for i := 3; i < len(src.Pix); i += 4 {
			src.Pix[i] = 255
		}
		got, err := Expand(t.Context(), src, 40, 30, 4, 5, Options{})
		if err != nil {
			t.Fatalf("side %d: %v", side, err)
		}
		if c := got.NRGBAAt(35, 25); c.R < 190 || c.A != 255 {
			t.Errorf("side %d: the far corner is %v", side, c)
		}
	}
}

func TestImpossibleRequestsAreRefused(t *testing.T) {
	t.Parallel()
	img := texture(20, 20, 1)
	full, other := mask.New(20, 20), mask.New(10, 20)
	full.Fill(255)
	if _, err := Complete(t.Context(), img, full, Options{}); !errors.Is(err, ErrNothingKnown) {
		t.Errorf("a hole as large as the picture: %v", err)
	}
	if _, err := Complete(t.Context(), img, other, Options{}); !errors.Is(err, ErrSize) {
		t.Errorf("a hole of another size: %v", err)
	}
	if _, err := Complete(t.Context(), img, mask.New(20, 20), Options{Avoid: &other}); !errors.Is(err, ErrSize) {
		t.Errorf("pixels to avoid of another size: %v", err)
	}
	if _, err := Expand(t.Context(), img, 0, 20, 0, 0, Options{}); !errors.Is(err, ErrSize) {
		t.Errorf("a canvas without width: %v", err)
	}
	if _, err := Expand(t.Context(), img, 40, 40, 100, 0, Options{}); !errors.Is(err, ErrNothingKnown) {
		t.Errorf("a canvas the picture does not touch: %v", err)
	}
}

func TestSlowALandmarkIsNotRepeatedAllOver(t *testing.T) {
	t.Parallel()
	src := texture(300, 220, 21)
	paintDisc(src, nil, 262, 170, 9, red)
	for seed := range int64(3) {
		got, err := Expand(t.Context(), src, 900, 220, 300, 0, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		copies := 0
		for i := 0; i < len(got.Pix); i += 4 {
			if reddish(color.NRGBA{got.Pix[i], got.Pix[i+1], got.Pix[i+2], 255}) {
				copies++
			}
		}
		// The canvas is three times the picture: one copy per picture's worth of new space is what chance gives.
		if one := 254; copies > 4*one {
			t.Errorf("seed %d: the mark shows about %d times", seed, copies/one)
		}
	}
}

func TestPiecesAreCopiedWhole(t *testing.T) {
	t.Parallel()
	// Grain has no second likeness: an honest continuation is made of pieces of it, not of a mean of many.
	src := texture(300, 220, 22)
	type colour [3]uint8
	known := map[[3]colour]bool{}
	triple := func(img *image.NRGBA, x, y int) (c [3]colour) {
		for k := range c {
			p := img.NRGBAAt(x+k, y)
			c[k] = colour{p.R / 8, p.G / 8, p.B / 8}
		}
		return c
	}
	for y := range 220 {
		for x := range 298 {
			known[triple(src, x, y)] = true
		}
	}
	got, err := Expand(t.Context(), src, 420, 220, 120, 0, Options{Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	same, all := 0, 0
	for y := 140; y < 220; y++ {
		for x := range 110 {
			all++
			if known[triple(got, x, y)] {
				same++
			}
		}
	}
	if 10*same < 9*all {
		t.Errorf("%d of %d triples of new pixels occur in the picture", same, all)
	}
}

func TestWhatIsFarFromThePictureIsOutOfFocus(t *testing.T) {
	t.Parallel()
	src := texture(120, 120, 8)
	got, err := Expand(t.Context(), src, 360, 120, 0, 0, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	// grain is how much neighbours differ over 30 columns from x.
	grain := func(x int) (sum float64) {
		for n := range 30 {
			sum += step(got, x+n, 0, 120) / 30
		}
		return sum
	}
	inside, far := grain(60), grain(300)
	for _, x := range []int{135, 178} {
		if beside := grain(x); beside < 0.6*inside {
			t.Errorf("%d pixels beside the picture grain falls from %.1f to %.1f", x-120, inside, beside)
		}
	}
	if far > 0.3*inside {
		t.Errorf("far from the picture grain falls from %.1f to %.1f only", inside, far)
	}
}

func TestSlowGroundDoesNotClimbBesideWhatIsNowhereElse(t *testing.T) {
	t.Parallel()
	// Warm grey houses, no two places alike, above a cool grey road.
	const w, h, road = 200, 240, 140
	src := texture(w, h, 31)
	r := rng(31)
	fillRect := func(x0, y0, x1, y1 int, c color.NRGBA) {
		for y := max(0, y0); y < min(road, y1); y++ {
			for x := max(0, x0); x < min(w, x1); x++ {
				src.SetNRGBA(x, y, c)
			}
		}
	}
	fillRect(0, 0, w, road, color.NRGBA{128, 124, 112, 255})
	for range 260 {
		x, y, v := r.between(-8, w), r.between(-8, road), r.between(80, 170)
		fillRect(x, y, x+r.between(5, 18), y+r.between(5, 18), color.NRGBA{uint8(v + 4), uint8(v), uint8(v - 12), 255})
	}
	for y := road; y < h; y++ {
		for x := range w {
			v := r.between(105, 125)
			src.SetNRGBA(x, y, color.NRGBA{uint8(v - 6), uint8(v), uint8(v + 10), 255})
		}
	}
	for seed := range int64(2) {
		got, err := Expand(t.Context(), src, 680, h, 240, 0, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		climbed := 0
		for y := range road - 12 {
			for x := range 680 {
				if c := got.NRGBAAt(x, y); (x < 240 || x >= 440) && c.B > c.R+6 {
					climbed++
				}
			}
		}
		if share := float64(climbed) / float64(480*(road-12)); share > 0.01 {
			t.Errorf("seed %d: %.1f %% of what is beside the houses is road", seed, 100*share)
		}
	}
}
