package smartselect

import (
	"image"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// Places in the photograph of the astronaut.
var (
	onSuit    = []mask.Point{{X: 90, Y: 330}, {X: 110, Y: 380}}
	onFace    = []mask.Point{{X: 210, Y: 120}, {X: 235, Y: 130}}
	onPerson  = []image.Point{{X: 222, Y: 55}, {X: 222, Y: 125}, {X: 215, Y: 215}, {X: 60, Y: 440}, {X: 330, Y: 300}}
	notPerson = []image.Point{{X: 40, Y: 60}, {X: 110, Y: 40}, {X: 420, Y: 160}, {X: 400, Y: 320}, {X: 330, Y: 60}}
)

func astronaut(tb testing.TB) *Session {
	tb.Helper()
	return begin(tb, photo{pix: testpics.Astronaut()})
}

func (s *Session) mustStroke(tb testing.TB, keep bool, points []mask.Point) {
	tb.Helper()
	if _, err := s.Stroke(Stroke{Keep: keep, Points: points, Radius: 6}); err != nil {
		tb.Fatal(err)
	}
}

func wantPlaces(t *testing.T, got mask.Plane, kept bool, at ...image.Point) {
	t.Helper()
	for _, p := range at {
		if got.Kept(p.X, p.Y) != kept {
			t.Errorf("pixel %v is kept: %t", p, !kept)
		}
	}
}

func TestOneStrokeSelectsPerson(t *testing.T) {
	s := astronaut(t)
	if err := s.Start(mask.New(512, 512)); err != nil {
		t.Fatal(err)
	}
	s.mustStroke(t, true, onSuit)
	wantPlaces(t, s.Mask(), true, onPerson...)
	wantPlaces(t, s.Mask(), false, notPerson...)
	near := len(s.sight.near)
	s.mustStroke(t, true, onFace)
	if err := s.Start(mask.New(512, 512)); err != nil {
		t.Fatal(err)
	}
	s.mustStroke(t, true, onSuit)
	if got := len(s.sight.near); got != near {
		t.Errorf("the network looked %d times from near, %d times for the first stroke", got, near)
	}
}

func TestBoxSelectsPerson(t *testing.T) {
	s := astronaut(t)
	if err := s.Box(image.Rect(5, 5, 480, 512)); err != nil {
		t.Fatal(err)
	}
	wantPlaces(t, s.Mask(), true, onPerson...)
	wantPlaces(t, s.Mask(), false, notPerson...)
}

func TestDropStrokeWinsOverPerson(t *testing.T) {
	s := astronaut(t)
	s.mustStroke(t, true, onSuit)
	s.mustStroke(t, false, onFace)
	wantPlaces(t, s.Mask(), true, image.Pt(100, 355), image.Pt(60, 440), image.Pt(330, 300))
	wantPlaces(t, s.Mask(), false, image.Pt(222, 125), image.Pt(222, 85), image.Pt(190, 130))
	wantPlaces(t, s.Mask(), false, notPerson...)
}

func TestPartOfPersonStaysPart(t *testing.T) {
	s := astronaut(t)
	if err := s.Box(image.Rect(150, 10, 305, 190)); err != nil {
		t.Fatal(err)
	}
	if s.prior != nil {
		t.Error("a box around the head picks the person")
	}
	s.mustStroke(t, true, onFace) // corrects what is kept
	if s.prior != nil {
		t.Error("a stroke on a part that is kept picks the person")
	}
}

func TestNobodyLeavesColours(t *testing.T) {
	s := astronaut(t)
	if err := s.Box(image.Rect(350, 0, 470, 290)); err != nil { // the rocket
		t.Fatal(err)
	}
	s.mustStroke(t, true, []mask.Point{{X: 415, Y: 80}, {X: 415, Y: 180}})
	s.mustStroke(t, false, []mask.Point{{X: 222, Y: 125}})
	if s.prior != nil {
		t.Error("the rocket picks the person")
	}
}
