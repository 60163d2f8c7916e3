package mask

import (
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// difference is the rectangle around the pixels in which two planes differ.
func difference(a, b Plane) image.Rectangle {
	var r image.Rectangle
	for y := range a.H {
		for x := range a.W {
			if a.At(x, y) != b.At(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// random makes one random edit and returns its dirty rectangle.
func (e *Editor) random(t *rapid.T) image.Rectangle {
	coordinate := rapid.Float64Range(-50, 700)
	erase := rapid.Bool().Draw(t, "erase")
	switch rapid.IntRange(0, 7).Draw(t, "edit") {
	case 0:
		return e.Clear()
	case 1:
		return e.FillAll()
	case 2:
		return e.Invert()
	case 3:
		x, y := rapid.IntRange(-9, 600).Draw(t, "x"), rapid.IntRange(-9, 400).Draw(t, "y")
		return e.Rectangle(image.Rect(x, y, x+rapid.IntRange(0, 300).Draw(t, "w"), y+70), erase)
	case 4:
		points := make([]Point, rapid.IntRange(0, 6).Draw(t, "corners"))
		for i := range points {
			points[i] = Point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}
		}
		return e.Polygon(points, erase)
	case 5:
		r, err := e.Combine(e.Plane().Grow(3), rapid.SampledFrom([]Op{Replace, Add, Subtract, Intersect}).Draw(t, "op"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	default:
		return e.Stroke(coordinate.Draw(t, "x0"), coordinate.Draw(t, "y0"), coordinate.Draw(t, "x1"), coordinate.Draw(t, "y1"),
			rapid.Float64Range(0, 90).Draw(t, "radius"), rapid.Float64Range(0, 1).Draw(t, "hardness"), erase)
	}
}

func TestUndoAndRedoBringBackEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := NewEditor(601, 300)
		states := []Plane{e.Plane().Clone()}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			before := e.Plane().Clone()
			e.Begin()
			var dirty image.Rectangle
			for range rapid.IntRange(1, 3).Draw(t, "strokes") {
				dirty = dirty.Union(e.random(t))
			}
			e.End()
			if changed := difference(before, e.Plane()); !changed.In(dirty) {
				t.Fatalf("changed %v, reported %v", changed, dirty)
			}
			if !e.Plane().Equal(before) {
				states = append(states, e.Plane().Clone())
			}
		}
		for i := len(states) - 2; i >= 0; i-- {
			before := e.Plane().Clone()
			dirty := e.Undo()
			if !e.Plane().Equal(states[i]) {
				t.Fatalf("undo to step %d: differs in %v", i, difference(e.Plane(), states[i]))
			}
			if changed := difference(before, e.Plane()); !changed.In(dirty) {
				t.Fatalf("undo changed %v, reported %v", changed, dirty)
			}
		}
		if e.CanUndo() || !e.Undo().Empty() {
			t.Fatal("there is more to undo than was done")
		}
		for i := 1; i < len(states); i++ {
			e.Redo()
			if !e.Plane().Equal(states[i]) {
				t.Fatalf("redo to step %d: differs in %v", i, difference(e.Plane(), states[i]))
			}
		}
		if e.CanRedo() || !e.Redo().Empty() {
			t.Fatal("there is more to redo than was undone")
		}
	})
}

func TestNewStepAfterUndoForgetsWhatWasUndone(t *testing.T) {
	e := NewEditor(100, 100)
	e.FillAll()
	e.Undo()
	e.Stroke(50, 50, 50, 50, 10, 1, false)
	if e.CanRedo() {
		t.Error("the undone fill can still be redone")
	}
}

func TestStepThatChangesNothingIsNotUndone(t *testing.T) {
	e := NewEditor(100, 100)
	e.Clear()
	e.Stroke(-500, -500, -400, -500, 10, 1, false)
	e.Stroke(math.NaN(), 0, 1, 1, 10, 1, false)
	e.Begin()
	e.FillAll()
	e.Clear()
	e.End()
	if e.CanUndo() {
		t.Error("there is something to undo, though the mask never changed")
	}
}

func TestUndoMemoryIsBounded(t *testing.T) {
	const limit = 200 << 10
	e := NewEditor(1024, 1024)
	e.LimitUndo(limit)
	noise := blots(1024, 1024, 9)
	steps := 0
	for i := range 60 {
		e.Begin()
		noise.Invert()
		if _, err := e.Combine(noise, Replace); err != nil {
			t.Fatal(err)
		}
		e.Rectangle(image.Rect(i, 0, i+9, 1024), false)
		e.End()
		if e.bytes > limit {
			t.Fatalf("after step %d the history holds %d bytes, limit %d", i, e.bytes, limit)
		}
	}
	sum := 0
	for e.CanUndo() {
		e.Undo()
		steps++
		if e.bytes > limit {
			t.Fatalf("undo grew the history to %d bytes, limit %d", e.bytes, limit)
		}
	}
	for _, s := range e.redo {
		sum += s.bytes
	}
	if sum != e.bytes {
		t.Errorf("history counts %d bytes, holds %d", e.bytes, sum)
	}
	if steps == 60 {
		t.Error("nothing was forgotten, so the limit was not tested")
	}
}

func TestFirmStrokePaintsExactlyItsRadius(t *testing.T) {
	tests := []struct {
		name           string
		x0, y0, x1, y1 float64
		radius         float64
	}{
		{"dot", 60, 50, 60, 50, 20},
		{"level", 30, 50, 90, 50, 12.5},
		{"upright", 60.25, 20, 60.25, 80, 8},
		{"slanted", 25, 20, 95, 75, 10},
		{"beyond the frame", -40, 50, 160, 20, 30},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := NewEditor(120, 100)
			e.Stroke(test.x0, test.y0, test.x1, test.y1, test.radius, 1, false)
			dx, dy := test.x1-test.x0, test.y1-test.y0
			for y := range 100 {
				for x := range 120 {
					cx, cy := float64(x)+0.5, float64(y)+0.5
					along := 0.0
					if l := dx*dx + dy*dy; l > 0 {
						along = min(max(((cx-test.x0)*dx+(cy-test.y0)*dy)/l, 0), 1)
					}
					d := math.Hypot(cx-test.x0-along*dx, cy-test.y0-along*dy)
					if math.Abs(d-test.radius) < 0.01 {
						continue // too close to call
					}
					if got, want := e.Plane().Kept(x, y), d < test.radius; got != want {
						t.Fatalf("pixel %d,%d at distance %.2f: kept %v, want %v", x, y, d, got, want)
					}
					if v := e.Plane().At(x, y); d > test.radius+0.5 && v != 0 {
						t.Fatalf("pixel %d,%d at distance %.2f has value %d", x, y, d, v)
					}
				}
			}
			e.Stroke(test.x0, test.y0, test.x1, test.y1, test.radius, 1, true)
			if !e.Plane().Empty() {
				t.Error("erasing along the same line left something kept")
			}
		})
	}
}

func TestSoftStrokeFadesOutwardsAndDoesNotBuildUp(t *testing.T) {
	e := NewEditor(101, 101)
	e.Stroke(50.5, 50.5, 50.5, 50.5, 40, 0.25, false)
	once := e.Plane().Clone()
	for x := 51; x < 101; x++ {
		if once.At(x, 50) > once.At(x-1, 50) {
			t.Fatalf("the brush grows stronger outwards at %d", x)
		}
	}
	if v := once.At(75, 50); v == 0 || v == 255 {
		t.Errorf("half way out the brush is %d, want something between", v)
	}
	e.Stroke(50.5, 50.5, 50.5, 50.5, 40, 0.25, false)
	if !e.Plane().Equal(once) {
		t.Error("the second dot on the same place changed the mask")
	}
}

func TestPolygonFillsItsInside(t *testing.T) {
	e := NewEditor(12, 8)
	e.Polygon([]Point{{2, 1}, {10, 1}, {10, 7}, {2, 7}}, false)
	want := New(12, 8)
	want.FillRect(image.Rect(2, 1, 10, 7), 255)
	if !e.Plane().Equal(want) {
		t.Errorf("painted\n%v", show(e.Plane()))
	}
	e.Polygon([]Point{{4, 3}, {8, 3}, {8, 5}, {4, 5}}, true)
	want.FillRect(image.Rect(4, 3, 8, 5), 0)
	if !e.Plane().Equal(want) {
		t.Errorf("after erasing\n%v", show(e.Plane()))
	}
}

func BenchmarkStroke(b *testing.B) {
	b.Run("one segment r40", func(b *testing.B) {
		e := NewEditor(4096, 4096)
		e.Begin()
		for b.Loop() {
			e.Stroke(1000, 1000, 1030, 1020, 40, 1, false)
		}
	})
	b.Run("stroke over the whole picture with undo", func(b *testing.B) {
		for b.Loop() {
			e := NewEditor(4096, 4096)
			e.Begin()
			for i := range 200 {
				x, y := float64(i%20)*200, float64(i/20)*400
				e.Stroke(x, y, x+200, y+30, 40, 0.8, false)
			}
			e.End()
			e.Undo()
		}
	})
}
