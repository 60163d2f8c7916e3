package fidelity

import (
	"image"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/testpics"
)

func TestFindMeasuresHowFarTheRegionMoved(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(400, 500, 3)
	region, err := FromMask(img, keep)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		result *image.NRGBA
		found  bool
		moved  float64 // of the shorter side
	}{
		{"still", redraw(img, keep), true, 0},
		{"by 4 px", shifted(img, 4, 0), true, 4.0 / 400},
		{"by 40 px", shifted(img, 40, 0), true, 40.0 / 400},
		{"gone", testpics.Photo(400, 500, 9), false, 0},
	} {
		p, found := region.Find(tt.result)
		if moved := region.Moved(p); found != tt.found || math.Abs(moved-tt.moved) > .004 {
			t.Errorf("%s: found %v, moved by %.3f, want %v and %.3f", tt.name, found, moved, tt.found, tt.moved)
		}
	}
}

func TestCastMeasuresTintAlone(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(400, 500, 3)
	region, err := FromMask(img, keep)
	if err != nil {
		t.Fatal(err)
	}
	tinted := imaging.Clone(img)
	compose.Grade(tinted, -2, 3, 1) // shifts a by 1.2 and b by 3
	shift, ok := region.Cast(tinted, 12, 6)
	if !ok || math.Abs(shift[0]-2) > .5 || math.Abs(shift[1]+1.2) > .5 || math.Abs(shift[2]+3) > .7 {
		t.Errorf("the tint is answered by %.1f, %v", shift, ok)
	}
	compose.Grade(tinted, -30, 0, 1)
	if shift, ok := region.Cast(tinted, 12, 6); !ok || shift[0] > 12 || shift[0] < 2 {
		t.Errorf("a strong tint is answered by %.1f, %v; the limit are 6 steps", shift, ok)
	}
	if shift, ok := region.Cast(testpics.Photo(400, 500, 9), 12, 6); ok {
		t.Errorf("another picture is answered by %.1f", shift)
	}
}
