package mask

import (
	"crypto/sha256"
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

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

// colours is a source of single colours, one rune a pixel: a few greys by digit, the rest by letter.
func colours(rows ...string) Source {
	s := Source{W: len(rows[0]), H: len(rows)}
	for _, row := range rows {
		for _, c := range row {
			v := uint8(c-'0') * 10
			s.Pix = append(s.Pix, v, v, v, 255)
		}
	}
	return s
}

func TestWandSelectsWhatIsSimilar(t *testing.T) {
	src := colours(
		"1122311",
		"1122311",
		"3333311",
		"1111111")
	tests := []struct {
		name string
		wand Wand
		want []string
	}{
		{"the colour alone", Wand{At: image.Pt(0, 0), Contiguous: true}, []string{"##.....", "##.....", ".......", "......."}},
		{"just below the next colour", Wand{At: image.Pt(0, 0), Contiguous: true, Tolerance: 9}, []string{"##.....", "##.....", ".......", "......."}},
		{"at the next colour", Wand{At: image.Pt(0, 0), Contiguous: true, Tolerance: 10}, []string{"####...", "####...", ".......", "......."}},
		{"above both", Wand{At: image.Pt(0, 0), Contiguous: true, Tolerance: 21}, []string{"#######", "#######", "#######", "#######"}},
		{"everywhere", Wand{At: image.Pt(0, 0)}, []string{"##...##", "##...##", ".....##", "#######"}},
		{"beside the picture", Wand{At: image.Pt(7, 0)}, []string{".......", ".......", ".......", "......."}},
		{"the mean around", Wand{At: image.Pt(2, 0), Around: 1, Tolerance: 4}, []string{"..##...", "..##...", ".......", "......."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dirty := New(7, 4)
			dirty.Fill(77)
			test.wand.Into = dirty
			got := src.Wand(test.wand).Run()
			want := draw(test.want...)
			if !got.Equal(want) {
				t.Errorf("selected\n%v", show(got))
			}
		})
	}
}

func TestWandTellsOpacityApart(t *testing.T) {
	s := Source{2, 1, []byte{9, 9, 9, 255, 9, 9, 9, 0}}
	if got := s.Wand(Wand{Tolerance: 200}).Run(); got.count() != 1 {
		t.Errorf("%d pixels selected, want the opaque one", got.count())
	}
}

func TestWandIsTheSameHoweverItIsSliced(t *testing.T) {
	src := grainy(300, 200)
	for _, contiguous := range []bool{true, false} {
		wand := Wand{At: image.Pt(40, 50), Tolerance: 40, Contiguous: contiguous}
		want := src.Wand(wand).Run()
		if n := want.count(); n == 0 || n == len(want.Pix) {
			t.Fatalf("contiguous %v selects %d pixels: nothing is tested", contiguous, n)
		}
		sliced := src.Wand(wand)
		var seen image.Rectangle
		steps, last := 0, 0.0
		for !sliced.Step(time.Nanosecond) {
			steps++
			seen = seen.Union(sliced.Changed())
			if p := sliced.Progress(); p < last || p > 1 {
				t.Fatalf("progress went from %v to %v", last, p)
			} else {
				last = p
			}
		}
		seen = seen.Union(sliced.Changed())
		if !sliced.Plane().Equal(want) {
			t.Errorf("contiguous %v: sliced, the selection differs", contiguous)
		}
		if steps == 0 || !want.Bounds().In(seen) {
			t.Errorf("contiguous %v: %d pauses, %v seen of %v", contiguous, steps, seen, want.Bounds())
		}
	}
}

func TestBucketFillsWhatStrokesEnclose(t *testing.T) {
	p := draw(
		".......",
		".####..",
		".#..#..",
		".#..##.",
		".##..#.",
		"..####.",
		".......")
	inside := p.Bucket(image.Pt(2, 2), false).Run()
	if got, want := inside.count(), 6; got != want {
		t.Errorf("inside: %d pixels, want %d\n%v", got, want, show(inside))
	}
	if outside := p.Bucket(image.Pt(0, 0), false).Run(); outside.count() != 49-6-p.count() {
		t.Errorf("outside: %d pixels\n%v", outside.count(), show(outside))
	}
	if onPaint := p.Bucket(image.Pt(1, 1), false).Run(); !onPaint.Empty() {
		t.Error("poured on paint it filled something")
	}
	if paint := p.Bucket(image.Pt(1, 1), true).Run(); !paint.Equal(p) {
		t.Errorf("erasing takes\n%v", show(paint))
	}
	if beside := p.Bucket(image.Pt(-1, 3), false).Run(); !beside.Empty() {
		t.Error("poured beside the picture it filled something")
	}
}

func TestGrowingIsExactWhereItsNumbersChangeWidth(t *testing.T) {
	const w, h = 700, 620
	p := New(w, h)
	p.Set(300, 310, 255)
	p.Set(420, 250, 255)
	for _, r := range []float64{252.5, 253, 254, 255, 256, 290} {
		got := p.Grow(r)
		for y := range h {
			for x := range w {
				near := min(math.Hypot(float64(x-300), float64(y-310)), math.Hypot(float64(x-420), float64(y-250)))
				if want := near <= r; got.Kept(x, y) != want {
					t.Fatalf("r %v: pixel %d,%d at %.3f: kept %v", r, x, y, near, !want)
				}
			}
		}
		full := New(w, h)
		full.Fill(255)
		full.Set(300, 310, 0)
		full.Set(420, 250, 0)
		inverse := full.Shrink(r)
		inverse.Invert()
		if !inverse.Equal(got) {
			t.Fatalf("r %v: shrinking the inverse differs from growing", r)
		}
	}
}

func TestSmoothRoundsCornersAndLeavesStraightEdges(t *testing.T) {
	p := New(200, 200)
	p.FillRect(image.Rect(40, 40, 160, 160), 255)
	p.FillRect(image.Rect(100, 20, 102, 40), 255) // a spike
	got := p.Smooth(12)
	for _, v := range got.Pix {
		if v != 0 && v != 255 {
			t.Fatalf("value %d in a smoothed mask", v)
		}
	}
	if got.Kept(40, 40) || !got.Kept(60, 60) {
		t.Error("the corner is not rounded, or too much")
	}
	if got.Kept(100, 24) {
		t.Error("the spike is still there")
	}
	for y := 80; y < 120; y++ {
		if got.Kept(39, y) || !got.Kept(40, y) {
			t.Fatalf("the straight edge moved at row %d", y)
		}
	}
}

func TestSpecksAndHolesGoUpToTheAskedSize(t *testing.T) {
	p := draw(
		"##......#.",
		"##..##....",
		"....##.###",
		"........#.")
	p.Set(0, 3, 255)
	for area, want := range map[int]int{0: 14, 1: 12, 3: 12, 4: 0} {
		if got := p.DroppingSpecks(area).Run().count(); got != want {
			t.Errorf("up to %d pixels: %d are left, want %d", area, got, want)
		}
	}
	inverse := p.Clone()
	inverse.Invert()
	if got := inverse.FillingHoles(1).Run(); got.Kept(0, 3) != true {
		t.Error("a hole of one pixel is still there")
	}
}

func TestRegionsAreToldLargestFirstWithTheirPlace(t *testing.T) {
	p := New(300, 300)
	p.FillRect(image.Rect(10, 10, 60, 60), 255)
	p.FillRect(image.Rect(200, 220, 300, 300), 255)
	p.FillRect(image.Rect(240, 250, 250, 260), 0) // a hole
	l := p.Listing(10)
	l.Step(0)
	regions := l.Regions()
	if len(regions) != 4 || l.Total() != 4 {
		t.Fatalf("%d regions of %d", len(regions), l.Total())
	}
	want := []Region{
		{Kept: false, Area: 90000 - 2500 - 8000, Box: image.Rect(0, 0, 300, 300), Across: MiddleThird, Down: MiddleThird, Edge: true},
		{Kept: true, Area: 7900, Box: image.Rect(200, 220, 300, 300), Across: LastThird, Down: LastThird, Edge: true},
		{Kept: true, Area: 2500, Box: image.Rect(10, 10, 60, 60), Across: FirstThird, Down: FirstThird},
		{Kept: false, Area: 100, Box: image.Rect(240, 250, 250, 260), Across: LastThird, Down: LastThird},
	}
	for i, w := range want {
		g := regions[i]
		if part := p.RegionAt(g.At).Run(); part.count() != g.Area || part.Bounds() != g.Box {
			t.Errorf("region %d: at %v lie %d pixels in %v, listed %+v", i, g.At, part.count(), part.Bounds(), g)
		}
		if math.Abs(g.Share-float64(g.Area)/90000) > 1e-9 {
			t.Errorf("region %d: share %v", i, g.Share)
		}
		g.At, g.Share = image.Point{}, 0
		if g != w {
			t.Errorf("region %d is %+v, want %+v", i, g, w)
		}
	}
	few := p.Listing(2)
	few.Step(0)
	if len(few.Regions()) != 2 || few.Total() != 4 || few.Regions()[1] != regions[1] {
		t.Errorf("limited to 2: %+v of %d", few.Regions(), few.Total())
	}
}

func TestAnErasedRegionIsGoneAlone(t *testing.T) {
	e := NewEditor(100, 100)
	e.Rectangle(image.Rect(0, 0, 20, 20), false)
	e.Rectangle(image.Rect(50, 50, 90, 90), false)
	e.Apply(e.Plane().RegionAt(image.Pt(5, 5)), Subtract).Step(0)
	if e.Kept() != 1600 || e.Plane().Kept(5, 5) {
		t.Errorf("%d pixels are kept, want the other region's 1600", e.Kept())
	}
}

func TestApplyIsOneStepAndItsCancelLeavesNoTrace(t *testing.T) {
	for steps := range 40 {
		e := NewEditor(600, 500)
		e.Rectangle(image.Rect(100, 100, 500, 400), false)
		before := e.Plane().Clone()
		j := e.Apply(e.Plane().Growing(20), Replace)
		for range steps {
			j.Step(time.Nanosecond)
		}
		if steps > 0 && !j.over && e.Stroke(5, 5, 5, 5, 3, 1, false) != (image.Rectangle{}) {
			t.Fatal("a stroke was taken while the job was working")
		}
		finished := j.over
		j.Cancel()
		list, done := e.History()
		if finished {
			if done != 2 || e.Plane().Equal(before) {
				t.Fatalf("finished: %d steps done", done)
			}
			e.Undo()
		} else if done != 1 || len(list) != 1 {
			t.Fatalf("cancelled after %d slices: %d of %d steps", steps, done, len(list))
		}
		if !e.Plane().Equal(before) || e.Kept() != before.count() {
			t.Fatalf("after %d slices the plane differs in %v", steps, difference(e.Plane(), before))
		}
		if e.Stroke(5, 5, 5, 5, 3, 1, false).Empty() {
			t.Fatal("no stroke is taken after the job")
		}
	}
}

func TestAbortedStrokeLeavesNoTrace(t *testing.T) {
	e := NewEditor(600, 500)
	e.Rectangle(image.Rect(100, 100, 500, 400), false)
	before := e.Plane().Clone()
	e.Begin()
	e.Stroke(50, 50, 550, 450, 30, 0.5, true)
	dirty := e.Abort()
	if !e.Plane().Equal(before) || dirty.Empty() {
		t.Errorf("the plane differs in %v, reported %v", difference(e.Plane(), before), dirty)
	}
	if list, _ := e.History(); len(list) != 1 {
		t.Errorf("%d steps in the history, want the rectangle's", len(list))
	}
}

func TestTenThousandOperationsAreUndoneToTheByte(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	e := NewEditor(400, 300)
	e.LimitUndo(1 << 30)
	sum := func() [32]byte { return sha256.Sum256(e.Plane().Pix) }
	states := [][32]byte{sum()} // by the number of steps done
	random := func() Point { return Point{rng.Float64()*480 - 40, rng.Float64()*380 - 40} }
	edits := []func(){
		func() {
			e.Begin()
			for range 1 + rng.IntN(4) {
				a, b := random(), random()
				e.Stroke(a.X, a.Y, b.X, b.Y, 1+rng.Float64()*30, rng.Float64(), rng.IntN(2) == 0)
			}
			e.End()
		},
		func() { e.Select(Rectangle(random(), random()), Op(rng.IntN(4))) },
		func() { e.Select(Ellipse(random(), random()), Op(rng.IntN(4))) },
		func() { e.Polygon([]Point{random(), random(), random(), random()}, rng.IntN(2) == 0) },
		func() { e.Invert() },
		func() { e.Apply(e.Plane().Growing(rng.Float64()*9), Replace).Step(0) },
		func() { e.Apply(e.Plane().Shrinking(rng.Float64()*9), Replace).Step(0) },
		func() { e.Apply(e.Plane().Feathering(rng.Float64()*9), Replace).Step(0) },
		func() { e.Apply(e.Plane().DroppingSpecks(rng.IntN(300)), Replace).Step(0) },
		func() { e.Apply(e.Plane().FillingHoles(rng.IntN(300)), Replace).Step(0) },
		func() { e.Apply(e.Plane().Bucket(image.Pt(rng.IntN(400), rng.IntN(300)), false), Add).Step(0) },
		func() { e.Clear() },
		func() { e.FillAll() },
		func() { e.Inverting().Step(0) },
	}
	for n := range 10_000 {
		_, done := e.History()
		switch k := rng.IntN(10); {
		case k < 6:
			edits[rng.IntN(len(edits))]()
			if now := sum(); now != states[done] {
				states = append(states[:done+1], now)
			}
		case k < 8:
			e.Undo()
		case k < 9:
			e.Redo()
		default:
			e.Jump(rng.IntN(len(states) + 1)).Step(0)
		}
		list, done := e.History()
		if len(list) != len(states)-1 {
			t.Fatalf("operation %d: %d steps listed, %d were made", n, len(list), len(states)-1)
		}
		if sum() != states[done] {
			t.Fatalf("operation %d: the plane is not as it was after step %d of %d", n, done, len(list))
		}
		if n%500 == 0 && e.Kept() != e.Plane().count() {
			t.Fatalf("operation %d: Kept() = %d, the plane holds %d", n, e.Kept(), e.Plane().count())
		}
	}
	e.Jump(0).Step(0)
	if sum() != states[0] {
		t.Error("undone to the start, the plane is not empty")
	}
}

func TestHistoryNamesItsSteps(t *testing.T) {
	e := NewEditor(50, 50)
	e.Name("Rectangle")
	e.Rectangle(image.Rect(5, 5, 9, 9), false)
	e.Begin()
	e.Stroke(20, 20, 20, 20, 4, 1, false)
	e.Name("Brush")
	e.End()
	e.Name("lost")
	e.Clear()
	e.Undo()
	list, done := e.History()
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	if len(names) != 3 || names[0] != "Rectangle" || names[1] != "Brush" || names[2] != "lost" || done != 2 {
		t.Errorf("history %q, %d done", names, done)
	}
}

func TestDamageIsDrawnOnceAndWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d Damage
		want := New(900, 700)
		for range rapid.IntRange(1, 6).Draw(t, "rectangles") {
			x, y := rapid.IntRange(-30, 899).Draw(t, "x"), rapid.IntRange(-30, 699).Draw(t, "y")
			r := image.Rect(x, y, x+rapid.IntRange(0, 400).Draw(t, "w"), y+rapid.IntRange(0, 400).Draw(t, "h")).Intersect(want.Rect())
			d.Add(r)
			want.FillRect(r, 255)
		}
		got := New(900, 700)
		for !d.Empty() {
			parts := d.Take(50_000, image.Rect(0, 0, 300, 300))
			if len(parts) == 0 {
				t.Fatal("nothing taken of what is damaged")
			}
			for _, r := range parts {
				got.FillRect(r, 255)
			}
		}
		if left := want.Clone(); left.Combine(got, Subtract) != nil || !left.Empty() {
			t.Fatalf("%v was damaged and not drawn", left.Bounds())
		}
	})
}

func TestImportReadsWhatAPictureSays(t *testing.T) {
	grey := func(values ...uint8) (rgba []byte) {
		for _, v := range values {
			rgba = append(rgba, v, v, v, 255)
		}
		return rgba
	}
	read := func(rgba []byte, w, h int) (Reading, error) {
		i := NewImport(w, h)
		i.Rows(rgba)
		return i.Read()
	}
	r, err := read(grey(0, 255, 10, 240), 2, 2)
	if err != nil || !r.Asks || r.Doubt != "" {
		t.Fatalf("black and white: %+v, %v", r, err)
	}
	if got := show(r.Mask(false)); got[0] != ".#" || got[1] != ".#" {
		t.Errorf("white kept: %v", got)
	}
	if got := show(r.Mask(true)); got[0] != "#." || got[1] != "#." {
		t.Errorf("black kept: %v", got)
	}
	r, err = read([]byte{255, 255, 255, 255, 0, 0, 0, 255, 9, 9, 9, 0, 9, 9, 9, 127}, 2, 2)
	if err != nil || r.Asks {
		t.Fatalf("with opacity: %+v, %v", r, err)
	}
	if got := show(r.Mask(true)); got[0] != "##" || got[1] != ".." {
		t.Errorf("opaque kept: %v", got)
	}
	if r, err = read(grainy(700, 100).Pix, 700, 100); err != nil || r.Doubt == "" {
		t.Errorf("a photograph is taken for a mask: %+v, %v", r, err)
	}
	for name, test := range map[string]struct {
		rgba []byte
		w, h int
	}{
		"all white":       {grey(255, 255, 255, 255), 2, 2},
		"all black":       {grey(0, 0, 0, 0), 2, 2},
		"all transparent": {make([]byte, 16), 2, 2},
		"half a picture":  {grey(0, 255), 2, 2},
		"no pixels":       {nil, 0, 0},
	} {
		var problem *Error
		if _, err := read(test.rgba, test.w, test.h); !errors.As(err, &problem) || problem.Code != CodeImport || problem.Message == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzImport feeds any bytes in any portions: nothing may panic, and what is read has to be the picture's size.
func FuzzImport(f *testing.F) {
	f.Add([]byte{0, 0, 0, 255, 255, 255, 255, 255}, 2, 1, 4)
	f.Add([]byte{1, 2, 3}, 1, 1, 1)
	f.Add(make([]byte, 64), 4, 4, 17)
	f.Fuzz(func(t *testing.T, rgba []byte, w, h, portion int) {
		if w > 200 || h > 200 {
			return
		}
		i := NewImport(w, h)
		for rest := rgba; len(rest) > 0; {
			n := min(max(portion, 4*max(w, 1)), len(rest))
			i.Rows(rest[:n])
			rest = rest[n:]
		}
		r, err := i.Read()
		if err != nil {
			return
		}
		for _, keepBlack := range []bool{false, true} {
			p := r.Mask(keepBlack)
			if p.W != w || p.H != h || len(p.Pix) != w*h {
				t.Fatalf("read %d × %d, made %d × %d", w, h, p.W, p.H)
			}
			// A picture of both makes a mask of both, whichever is kept.
			if p.Empty() || p.Full() {
				t.Fatalf("the mask is empty or full (black kept %v)", keepBlack)
			}
		}
	})
}

func TestPreflightFindsWhatItsRepairsMend(t *testing.T) {
	const w, h = 600, 500
	half := New(w, h)
	half.FillRect(image.Rect(0, 0, w/2, h), 255)
	with := func(change func(p Plane)) Plane {
		p := half.Clone()
		change(p)
		return p
	}
	full := New(w, h)
	full.Fill(255)
	small := New(300, 250)
	small.FillRect(image.Rect(0, 0, 150, 250), 255)
	tests := []struct {
		name   string
		p      Plane
		want   string
		blocks bool
	}{
		{"nothing wrong", half, "", false},
		{"nothing painted", New(w, h), CodeEmpty, true},
		{"everything painted", full, CodeFull, true},
		{"another size", small, CodeSize, true},
		{"a speck", with(func(p Plane) { p.FillRect(image.Rect(500, 100, 502, 102), 255) }), CodeSpecks, false},
		{"a hole", with(func(p Plane) { p.FillRect(image.Rect(50, 100, 52, 102), 0) }), CodeHoles, false},
		{"soft edges", half.Feather(90), CodeSoft, false},
	}
	look := func(p Plane) []Finding {
		f := p.Preflight(w, h, true)
		f.Step(0)
		return f.Findings()
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := look(test.p)
			if test.want == "" {
				if len(found) != 0 {
					t.Errorf("found %+v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Code != test.want || found[0].Blocks != test.blocks || found[0].Message == "" || found[0].Fix == "" {
				t.Fatalf("found %+v, want %s", found, test.want)
			}
			mended := found[0].Repair(test.p).Run()
			if left := look(mended); len(left) != 0 {
				t.Errorf("repaired, there still is %+v", left)
			}
			if err := mended.Validate(w, h); err != nil {
				t.Errorf("repaired: %v", err)
			}
		})
	}
}

func TestSpeckAreaIsToldFromALargerIsland(t *testing.T) {
	const w, h = 600, 500 // a thirty-thousandth is 10 pixels
	for n, want := range map[int]int{9: 1, 10: 1, 11: 0} {
		p := New(w, h)
		p.FillRect(image.Rect(0, 0, w/2, h), 255)
		p.FillRect(image.Rect(400, 100, 400+n, 101), 255)
		f := p.Preflight(w, h, true)
		f.Step(0)
		if got := len(f.Findings()); got != want {
			t.Errorf("an island of %d pixels: %d findings, want %d", n, got, want)
		}
	}
}

// scene draws blocks of colour as they lie after an alignment.
func scene(w, h int, a Alignment) Source {
	rng := rand.New(rand.NewPCG(4, 4))
	s := Source{w, h, make([]byte, 4*w*h)}
	type block struct {
		x, y, w, h float64
		c          uint8
	}
	var blocks []block
	for range 40 {
		blocks = append(blocks, block{rng.Float64()*1.6 - 0.3, rng.Float64()*1.6 - 0.3, 0.03 + rng.Float64()*0.2, 0.03 + rng.Float64()*0.2, uint8(rng.IntN(256))})
	}
	side := float64(max(w, h))
	for y := range h {
		for x := range w {
			// Back from the second picture to the first one.
			u := ((float64(x) + 0.5 - float64(w)/2 - a.DX) / a.Scale) + float64(w)/2
			v := ((float64(y) + 0.5 - float64(h)/2 - a.DY) / a.Scale) + float64(h)/2
			c := uint8(90)
			for _, b := range blocks {
				if u >= b.x*side && u < (b.x+b.w)*side && v >= b.y*side && v < (b.y+b.h)*side {
					c = b.c
				}
			}
			p := s.Pix[4*(y*w+x):]
			p[0], p[1], p[2], p[3] = c, c, c/2, 255
		}
	}
	return s
}

func TestAlignmentFindsShiftAndScale(t *testing.T) {
	const w, h = 256, 192
	from := NewSketch(10*w, 10*h, scene(w, h, Alignment{Scale: 1}))
	tests := []struct {
		name string
		a    Alignment // in pixels of the sketch
	}{
		{"the same place", Alignment{Scale: 1}},
		{"shifted", Alignment{DX: 17, DY: -9, Scale: 1}},
		{"closer", Alignment{Scale: 1.12}},
		{"shifted and further away", Alignment{DX: -12, DY: 6, Scale: 0.9}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := Align(from, NewSketch(10*w, 10*h, scene(w, h, test.a)))
			for !j.Step(time.Millisecond) {
			}
			got := j.Alignment()
			if math.Abs(got.DX-10*test.a.DX) > 12 || math.Abs(got.DY-10*test.a.DY) > 12 || math.Abs(got.Scale-test.a.Scale) > 0.01 || got.Confidence < 0.5 {
				t.Errorf("found %+v, want %+v in tens of pixels", got, test.a)
			}
		})
	}
	t.Run("another picture", func(t *testing.T) {
		j := Align(from, NewSketch(10*w, 10*h, grainy(w, h)))
		j.Step(0)
		if got := j.Alignment(); got.Confidence >= 0.5 {
			t.Errorf("found %+v in a picture of something else", got)
		}
	})
	t.Run("another size", func(t *testing.T) {
		j := Align(from, NewSketch(10*h, 10*w, scene(h, w, Alignment{Scale: 1})))
		j.Step(0)
		if got := j.Alignment(); got != (Alignment{Scale: 1}) {
			t.Errorf("found %+v", got)
		}
	})
}

func TestMovedMaskLiesWhereTheAlignmentSays(t *testing.T) {
	p := New(400, 300)
	p.FillRect(image.Rect(180, 130, 220, 170), 255) // around the middle
	got := p.Moved(Alignment{DX: 50, DY: -40, Scale: 1.5}).Run()
	got.Threshold(Level)
	if want := image.Rect(220, 80, 280, 140); got.Bounds() != want || got.count() != want.Dx()*want.Dy() {
		t.Errorf("moved to %v, %d pixels, want %v", got.Bounds(), got.count(), want)
	}
	if !p.Moved(Alignment{Scale: 1}).Run().Equal(p) {
		t.Error("moved by nothing, the mask differs")
	}
	if !p.Moved(Alignment{}).Run().Empty() {
		t.Error("scaled to nothing, something is left")
	}
}

func TestFittedPartsAreThoseOfTheWhole(t *testing.T) {
	p := blots(83, 61, 5)
	whole := p.Fitted(300, 200).Run()
	for _, r := range []image.Rectangle{whole.Rect(), image.Rect(17, 40, 133, 200), image.Rect(299, 0, 300, 1)} {
		if got, want := p.FittedPart(300, 200, r).Run(), whole.crop(r); !got.Equal(want) {
			t.Errorf("part %v differs in %v", r, difference(got, want))
		}
	}
	if !p.Fitted(83, 61).Run().Equal(p) {
		t.Error("fitted to its own size, the plane differs")
	}
}

func TestRunsAreThoseOfTheExport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlane(t, rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h"))
		got := make([]uint8, 0, len(p.Pix))
		value := uint8(0)
		p.Runs(func(length int) {
			if length == 0 && len(got) > 0 {
				t.Fatal("a run of nothing within the plane")
			}
			for range length {
				got = append(got, value)
			}
			value = ^value
		})
		want := p.Clone()
		want.Threshold(Level)
		if !want.Equal(Plane{W: p.W, H: p.H, Pix: got}) {
			t.Fatalf("runs of %v make %v", p.Pix, got)
		}
	})
}

func TestHardTintsShowWhatIsExported(t *testing.T) {
	p := New(256, 1)
	for x := range 256 {
		p.Pix[x] = uint8(x)
	}
	tints := Tints{Keep: color.NRGBA{1, 2, 3, 200}, Redraw: color.NRGBA{9, 8, 7, 100}, Hard: true}
	dst := make([]byte, 4*256)
	p.Overlay(dst, p.Rect(), tints)
	for x := range 256 {
		want := tints.Redraw
		if x >= Level {
			want = tints.Keep
		}
		if got := (color.NRGBA{dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3]}); got != want {
			t.Fatalf("value %d is shown as %v, want %v", x, got, want)
		}
	}
}

// The desk at the largest picture: its mask, a full history, and the largest of the jobs with its preview, beside the picture itself.
func TestTheDeskFitsItsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const limit = 256 << 20
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	src := grainy(deskSide, deskSide)
	before := heap()
	e := NewEditor(deskSide, deskSide)
	rng := rand.New(rand.NewPCG(8, 8))
	noise := make([]uint8, deskSide)
	for x := range noise {
		noise[x] = uint8(rng.Uint32())
	}
	for full := 0; full < DefaultUndoBytes-4<<20; full = e.UndoBytes() {
		e.Begin()
		e.edit(e.plane.Rect(), func(r image.Rectangle) {
			for y := 0; y < deskSide; y += 2 {
				copy(e.plane.Row(y), noise[y%97:])
			}
			noise[rng.IntN(deskSide)]++
		})
		for range 10 {
			e.Stroke(rng.Float64()*deskSide, rng.Float64()*deskSide, rng.Float64()*deskSide, rng.Float64()*deskSide, 60, 0, rng.IntN(2) == 0)
		}
		e.End()
	}
	most := heap()
	selection := src.Wand(Wand{At: image.Pt(9, 9), Tolerance: 200}).Run()
	for _, j := range []*Job{
		e.Apply(e.Plane().Growing(300), Replace), // the one that counts in two bytes
		e.Apply(e.Plane().Smoothing(9), Replace), e.Apply(selection.FillingHoles(99), Add), e.Plane().Listing(99).Job,
	} {
		for n := 0; !j.Step(60 * time.Millisecond); n++ {
			if n%8 == 3 {
				most = max(most, heap())
			}
		}
	}
	most = max(most, heap())
	runtime.KeepAlive(src)
	runtime.KeepAlive(selection)
	if used := most - before; used > limit {
		t.Errorf("the desk takes %d MiB beside the picture, limit %d", used>>20, limit>>20)
	} else {
		t.Logf("the desk takes %d MiB beside the picture", used>>20)
	}
}
