package mask

import (
	"bytes"
	"crypto/sha256"
	"image"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"
)

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

// The desk at the largest picture: its mask, how it is shown on a large screen, a full history, and the largest of the jobs with its
// preview, beside the picture itself.
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
	shown, buffer := NewScreen(e.Plane()), make([]byte, 4*2880*1800)
	shown.Update(e.Plane().Rect())
	shown.Draw(buffer, 2880, image.Rect(0, 0, 2880, 1800), Place{Scale: .4}, Look{Side: 16, Line: 2})
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
	runtime.KeepAlive(shown)
	runtime.KeepAlive(buffer)
	if used := most - before; used > limit {
		t.Errorf("the desk takes %d MiB beside the picture, limit %d", used>>20, limit>>20)
	} else {
		t.Logf("the desk takes %d MiB beside the picture", used>>20)
	}
}

func TestPackedPlaneUnpacksAsItWas(t *testing.T) {
	t.Parallel()
	soft := New(300, 200)
	for i := range soft.Pix {
		soft.Pix[i] = uint8(i * i)
	}
	shape := New(300, 200)
	shape.FillRect(image.Rect(40, 50, 260, 190), 255)
	for name, p := range map[string]Plane{"nothing": {}, "clear": New(3, 2), "a shape": shape, "all values": soft} {
		packed := p.Pack()
		got := packed.Plane()
		if got.W != p.W || got.H != p.H || !bytes.Equal(got.Pix, p.Pix) {
			t.Errorf("%s differs", name)
		}
		if name == "a shape" && packed.Size() > len(p.Pix)/20 {
			t.Errorf("a shape takes %d bytes of %d", packed.Size(), len(p.Pix))
		}
	}
}
