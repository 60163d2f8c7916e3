package smartselect

import (
	"image"
	"math"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// drawn is a person in front of a background, with the outline.
func drawn(tb testing.TB, w, h int) photo {
	tb.Helper()
	img, figure := testpics.Person(w, h, 3)
	return photo{img, figure.Person}
}

func begin(tb testing.TB, p photo) *Session {
	tb.Helper()
	s, err := New(p.pix.Pix, p.pix.Rect.Dx(), p.pix.Rect.Dy())
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func TestBoxCutsOutWhatItHolds(t *testing.T) {
	p := drawn(t, 600, 800)
	s := begin(t, p)
	if err := s.Box(p.truth.Bounds().Inset(-20)); err != nil {
		t.Fatal(err)
	}
	if got := overlap(s.Mask(), p.truth); got < 0.9 {
		t.Errorf("the cut and the person overlap by %.3f, want at least 0.9", got)
	}
	if b := s.Mask().Bounds(); !b.In(p.truth.Bounds().Inset(-22)) {
		t.Errorf("the cut reaches to %v, beyond the box", b)
	}
}

func TestStrokesMendTheCutAroundThemselves(t *testing.T) {
	p := drawn(t, 600, 800)
	s := begin(t, p)
	if err := s.Box(p.truth.Bounds().Inset(-20)); err != nil {
		t.Fatal(err)
	}
	before := s.Mask()
	// The wall beside the person is asked for; then it is not.
	at := mask.Point{X: 40, Y: 60}
	if before.Kept(40, 60) {
		t.Fatal("the wall was cut out with the person")
	}
	area, err := s.Stroke(Stroke{Keep: true, Points: []mask.Point{at, {X: 60, Y: 60}}, Radius: 8})
	if err != nil {
		t.Fatal(err)
	}
	with := s.Mask()
	if !with.Kept(40, 60) || !with.Kept(60, 60) {
		t.Error("what a stroke asked for is not kept")
	}
	for y := range with.H {
		for x := range with.W {
			if with.At(x, y) != before.At(x, y) && !image.Pt(x, y).In(area) {
				t.Fatalf("pixel %d,%d changed outside of %v", x, y, area)
			}
		}
	}
	if _, err := s.Stroke(Stroke{Points: []mask.Point{at, {X: 60, Y: 60}}, Radius: 12}); err != nil {
		t.Fatal(err)
	}
	if s.Mask().Kept(40, 60) {
		t.Error("what a stroke took away is still kept")
	}
	if got := overlap(s.Mask(), p.truth); got < 0.85 {
		t.Errorf("after both strokes the cut and the person overlap by %.3f", got)
	}
}

func TestStrokesAloneCutAnObjectOut(t *testing.T) {
	// A red disc on grey, strokes across both.
	img := image.NewNRGBA(image.Rect(0, 0, 700, 500))
	truth := mask.New(700, 500)
	for y := range 500 {
		for x := range 700 {
			c := [4]uint8{140, 145, 150, 255}
			if math.Hypot(float64(x)-350, float64(y)-250) < 120 {
				c = [4]uint8{190, 40, 50, 255}
				truth.Set(x, y, 255)
			}
			for k := range 3 {
				c[k] += uint8((x*7 + y*13 + x*y) % 11)
			}
			copy(img.Pix[img.PixOffset(x, y):], c[:])
		}
	}
	s := begin(t, photo{img, truth})
	if _, err := s.Stroke(Stroke{Keep: true, Points: []mask.Point{{X: 300, Y: 250}, {X: 400, Y: 260}}, Radius: 10}); err != nil {
		t.Fatal(err)
	}
	if got := overlap(s.Mask(), truth); got < 0.97 {
		t.Errorf("overlap %.3f, want at least 0.97", got)
	}
}

func TestAStartedMaskIsChangedByStrokesOnly(t *testing.T) {
	p := drawn(t, 600, 800)
	s := begin(t, p)
	if err := s.Start(p.truth); err != nil {
		t.Fatal(err)
	}
	if !s.Mask().Equal(p.truth) {
		t.Error("the mask it was started with comes back changed")
	}
	b := p.truth.Bounds()
	area, err := s.Stroke(Stroke{Keep: true, Points: []mask.Point{{X: float64(b.Min.X), Y: float64(b.Max.Y - 3)}}, Radius: 4})
	if err != nil {
		t.Fatal(err)
	}
	if area.Dx() == 600 && area.Dy() == 800 {
		t.Error("a small stroke changes all of the picture")
	}
}

func TestPartsAreThoseOfTheFullMask(t *testing.T) {
	p := drawn(t, 300, 400)
	s := begin(t, p)
	if err := s.Start(p.truth); err != nil {
		t.Fatal(err)
	}
	whole := s.Part(900, 1200, image.Rect(0, 0, 900, 1200))
	if got, want := whole.Stats(0).Share, p.truth.Stats(0).Share; math.Abs(got-want) > 0.002 {
		t.Errorf("at full size %.4f of the picture is kept, at working size %.4f", got, want)
	}
	r := image.Rect(200, 333, 640, 900)
	part := s.Part(900, 1200, r)
	for y := range part.H {
		for x := range part.W {
			if part.At(x, y) != whole.At(x+r.Min.X, y+r.Min.Y) {
				t.Fatalf("pixel %d,%d of the part differs", x, y)
			}
		}
	}
}

func TestWhatCannotBeCutIsRefused(t *testing.T) {
	for name, size := range map[string][3]int{"no pixels": {0, 0, 0}, "too few": {10, 10, 399}, "too many": {10, 10, 401}, "too large": {WorkingSide + 1, 1, 4 * (WorkingSide + 1)}} {
		if _, err := New(make([]byte, size[2]), size[0], size[1]); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := New(make([]byte, 4*WorkingSide), WorkingSide, 1); err != nil {
		t.Errorf("at the largest side: %v", err)
	}
	s, err := New(make([]byte, 400), 10, 10)
	if err != nil {
		t.Fatal(err)
	}
	if s.Box(image.Rect(10, 0, 20, 10)) == nil {
		t.Error("a box beside the picture is taken")
	}
	for name, stroke := range map[string]Stroke{
		"without points": {Keep: true}, "not a number": {Points: []mask.Point{{X: math.NaN()}}}, "beyond reckoning": {Points: []mask.Point{{X: 1e9}}},
		"of endless width": {Points: []mask.Point{{}}, Radius: math.Inf(1)},
	} {
		if _, err := s.Stroke(stroke); err == nil {
			t.Errorf("a stroke %s is taken", name)
		}
	}
	if err := s.Start(mask.New(9, 10)); err == nil {
		t.Error("a mask of another size is taken")
	}
	if err := s.Box(image.Rect(-5, -5, 15, 15)); err != nil {
		t.Errorf("a box around everything: %v", err)
	}
}

// BenchmarkSelect measures the first answer and a stroke at the working size.
func BenchmarkSelect(b *testing.B) {
	p := drawn(b, 1536, WorkingSide)
	var s *Session
	b.Run("first answer", func(b *testing.B) {
		for b.Loop() {
			s = begin(b, p)
			if err := s.Box(p.truth.Bounds().Inset(-40)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(overlap(s.Mask(), p.truth), "IoU")
	})
	b.Run("stroke", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Stroke(Stroke{Keep: true, Points: []mask.Point{{X: 700, Y: 900}, {X: 760, Y: 1000}, {X: 800, Y: 1200}}, Radius: 12}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
