package model

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < .01 }

func TestTheDeskFitsEveryPicture(t *testing.T) {
	d := Desk{X: .5, Y: .5}
	cell := Size{300, 400}
	for _, p := range []Size{{600, 800}, {1200, 1600}, {800, 200}, {100, 900}} {
		v := d.Place(p, cell, Size{600, 800})
		if p.W*v.Scale > cell.W+.01 || p.H*v.Scale > cell.H+.01 || v.X < -.01 || v.Y < -.01 {
			t.Errorf("%v lies at %+v", p, v)
		}
	}
	if v := d.Place(Size{}, cell, Size{600, 800}); v.Scale != 1 {
		t.Errorf("a picture of unknown size: %+v", v)
	}
}

// Every picture shows the same part, also when one is twice as large.
func TestZoomAndPanAreLocked(t *testing.T) {
	cell := Size{300, 400}
	reference, source := Size{600, 800}, Size{1200, 1600}
	d := Desk{X: .5, Y: .5}.Toggle(1)
	if d.Percent(reference, cell, 1) != 100 {
		t.Fatalf("at %d %%", d.Percent(reference, cell, 1))
	}
	for _, d := range []Desk{d, d.Pan(40, -25, reference), d.Pan(1e6, 1e6, reference), d.Pan(-1e6, -1e6, reference), d.ZoomAt(3, 20, 30, reference, cell)} {
		a, b := d.Place(reference, cell, reference), d.Place(source, cell, reference)
		if !near(a.X, b.X) || !near(a.Y, b.Y) || !near(a.Scale*reference.W, b.Scale*source.W) {
			t.Errorf("%+v: %+v and %+v show different parts", d, a, b)
		}
		if a.X > 0 || a.Y > 0 || a.X+a.Scale*reference.W < cell.W-.01 {
			t.Errorf("%+v: the picture leaves a gap: %+v", d, a)
		}
	}
	if dense := (Desk{X: .5, Y: .5}).Toggle(2); dense.Zoom != .5 || dense.Percent(reference, cell, 2) != 100 {
		t.Errorf("on a dense screen %+v, %d %%", dense, dense.Percent(reference, cell, 2))
	}
	if back := d.Toggle(1); back.Zoom != 0 {
		t.Errorf("the second press leads to %+v", back)
	}
}

func TestTheDeskZoomsAroundThePointer(t *testing.T) {
	cell, reference := Size{300, 400}, Size{1200, 1600}
	d := Desk{Zoom: 1, X: .5, Y: .5}
	before := d.Place(reference, cell, reference)
	after := d.ZoomAt(2, 100, 250, reference, cell).Place(reference, cell, reference)
	ax, ay := before.ToPicture(100, 250)
	bx, by := after.ToPicture(100, 250)
	if !near(ax, bx) || !near(ay, by) {
		t.Errorf("%v, %v became %v, %v", ax, ay, bx, by)
	}
	if out := d.ZoomAt(.001, 10, 10, reference, cell); out.Zoom != 0 {
		t.Errorf("all the way out is %+v, not the whole picture", out)
	}
	if in := d.ZoomAt(1000, 10, 10, reference, cell); in.Zoom != maxDeskZoom {
		t.Errorf("all the way in is %v", in.Zoom)
	}
}

func TestPicturesAreAsLargeAsTheyCanBe(t *testing.T) {
	for _, tt := range []struct {
		n             int
		area          Size
		columns, rows int
	}{
		{1, Size{1440, 800}, 1, 1},
		{4, Size{1440, 800}, 4, 1},
		{16, Size{1440, 800}, 8, 2},
		{17, Size{1440, 800}, 6, 3},
		{2, Size{390, 700}, 1, 2},
		{0, Size{100, 100}, 1, 1},
	} {
		if c, r := Arrange(tt.n, tt.area, .75, 28); c != tt.columns || r != tt.rows {
			t.Errorf("%d on %v: %d × %d, want %d × %d", tt.n, tt.area, c, r, tt.columns, tt.rows)
		}
	}
}
