package mask

import (
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// laid is a shape alone on a plane.
func laid(w, h int, s Shape) Plane {
	e := NewEditor(w, h)
	e.Select(s, Add)
	return e.Plane().Clone()
}

func anyShape(t *rapid.T) Shape {
	at := func() Point {
		return Point{rapid.Float64Range(-40, 340).Draw(t, "x"), rapid.Float64Range(-40, 340).Draw(t, "y")}
	}
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		return Rectangle(at(), at())
	case 1:
		return Ellipse(at(), at())
	default:
		points := make([]Point, rapid.IntRange(3, 9).Draw(t, "corners"))
		for i := range points {
			points[i] = at()
		}
		return Polygon(points)
	}
}

func TestSelectionsCombineAsSetsDo(t *testing.T) {
	const w, h = 300, 270
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyShape(t), anyShape(t)
		if a.bounds().Empty() || b.bounds().Empty() {
			t.Skip("no area")
		}
		one, two := laid(w, h, a), laid(w, h, b)
		for _, op := range []Op{Add, Subtract, Intersect, Replace} {
			e := NewEditor(w, h)
			e.Select(a, Add)
			before := e.Plane().Clone()
			dirty := e.Select(b, op)
			want := one.Clone()
			if err := want.Combine(two, op); err != nil {
				t.Fatal(err)
			}
			if !e.Plane().Equal(want) {
				t.Fatalf("op %v differs from the planes' in %v", op, difference(e.Plane(), want))
			}
			if changed := difference(before, e.Plane()); !changed.In(dirty) {
				t.Fatalf("op %v changed %v, reported %v", op, changed, dirty)
			}
			if got, want := e.Kept(), e.Plane().Stats(0).Kept; got != want {
				t.Fatalf("op %v: Kept() = %d, the plane holds %d", op, got, want)
			}
		}
		// |A| + |B| = |A ∪ B| + |A ∩ B|, and A without B and A ∩ B make A.
		union, common, rest := one.Clone(), one.Clone(), one.Clone()
		for p, op := range map[*Plane]Op{&union: Add, &common: Intersect, &rest: Subtract} {
			if err := p.Combine(two, op); err != nil {
				t.Fatal(err)
			}
		}
		if one.count()+two.count() != union.count()+common.count() || rest.count()+common.count() != one.count() {
			t.Fatalf("areas: A %d, B %d, either %d, both %d, A alone %d", one.count(), two.count(), union.count(), common.count(), rest.count())
		}
	})
}

func TestShapesHaveTheAreaAndTheEdgesTheyAreDrawnWith(t *testing.T) {
	tests := []struct {
		name   string
		shape  Shape
		area   float64
		within float64
		box    image.Rectangle
	}{
		{"rectangle", Rectangle(Point{10, 20}, Point{60, 50}), 1500, 0, image.Rect(10, 20, 60, 50)},
		{"rectangle from its other corner", Rectangle(Point{60, 50}, Point{10, 20}), 1500, 0, image.Rect(10, 20, 60, 50)},
		{"rectangle between pixels", Rectangle(Point{10.4, 20.6}, Point{60.4, 50.6}), 1500, 0, image.Rect(10, 21, 60, 51)},
		{"circle", Ellipse(Point{10, 10}, Point{90, 90}), math.Pi * 1600, 30, image.Rect(10, 10, 90, 90)},
		{"ellipse", Ellipse(Point{5, 40}, Point{95, 60}), math.Pi * 450, 20, image.Rect(5, 40, 95, 60)},
		{"triangle", Polygon([]Point{{10, 10}, {90, 10}, {10, 90}}), 3200, 41, image.Rect(10, 10, 90, 90)},
		{"bow tie", Polygon([]Point{{10, 10}, {90, 90}, {90, 10}, {10, 90}}), 3200, 81, image.Rect(10, 10, 90, 90)},
		{"no area", Rectangle(Point{10, 10}, Point{10, 90}), 0, 0, image.Rectangle{}},
		{"not a number", Ellipse(Point{math.NaN(), 0}, Point{9, 9}), 0, 0, image.Rectangle{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := laid(100, 100, test.shape)
			if got := float64(p.count()); math.Abs(got-test.area) > test.within {
				t.Errorf("area %v, want %v ± %v", got, test.area, test.within)
			}
			b := p.Bounds()
			if b.Empty() != test.box.Empty() || !b.In(test.box) || !test.box.Inset(1).In(b) {
				t.Errorf("edges at %v, want %v", b, test.box)
			}
		})
	}
}

func TestShapeWithoutAreaErasesNothing(t *testing.T) {
	e := NewEditor(50, 50)
	e.FillAll()
	e.Select(Rectangle(Point{5, 5}, Point{5, 5}), Intersect)
	if !e.Full() {
		t.Error("a click with the rectangle erased something")
	}
}
