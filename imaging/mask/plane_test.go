package mask

import (
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// draw reads a plane from text: '#' is painted.
func draw(rows ...string) Plane {
	p := New(len(rows[0]), len(rows))
	for y, row := range rows {
		for x, c := range row {
			if c == '#' {
				p.Set(x, y, 255)
			}
		}
	}
	return p
}

// show is the opposite of draw.
func show(p Plane) []string {
	var rows []string
	for y := range p.H {
		line := ""
		for x := range p.W {
			if p.Kept(x, y) {
				line += "#"
			} else {
				line += "."
			}
		}
		rows = append(rows, line)
	}
	return rows
}

// anyPlane draws a small plane of runs, hard or soft.
func anyPlane(t *rapid.T, w, h int) Plane {
	p := New(w, h)
	for at := 0; at < len(p.Pix); {
		n := min(rapid.IntRange(1, 90).Draw(t, "run"), len(p.Pix)-at)
		v := rapid.SampledFrom([]uint8{0, 255, 255, 0, 127, 128, 31}).Draw(t, "value")
		for range n {
			p.Pix[at] = v
			at++
		}
	}
	return p
}

func TestInvertTwiceIsTheSameMask(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlane(t, rapid.IntRange(1, 40).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h"))
		q := p.Clone()
		q.Invert()
		for i, v := range p.Pix {
			if (v >= Level) == (q.Pix[i] >= Level) {
				t.Fatalf("pixel %d: %d became %d, on the same side", i, v, q.Pix[i])
			}
		}
		q.Invert()
		if !q.Equal(p) {
			t.Fatal("inverted twice, the mask differs")
		}
	})
}

func TestBoundsFrameWhatIsPainted(t *testing.T) {
	tests := []struct {
		name string
		p    Plane
		want image.Rectangle
	}{
		{"nothing", New(5, 4), image.Rectangle{}},
		{"no pixels", Plane{}, image.Rectangle{}},
		{"one pixel", draw(".....", "..#..", "....."), image.Rect(2, 1, 3, 2)},
		{"opposite corners", draw("#....", ".....", "....#"), image.Rect(0, 0, 5, 3)},
		{"left then right", draw(".....", "#....", "...#.", "....."), image.Rect(0, 1, 4, 3)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.p.Bounds(); got != test.want {
				t.Errorf("Bounds() = %v, want %v", got, test.want)
			}
		})
	}
}

func TestMaskIsRefusedInASentence(t *testing.T) {
	half := New(4, 4)
	half.FillRect(image.Rect(0, 0, 4, 2), 255)
	full := New(4, 4)
	full.Fill(Level)
	faint := New(4, 4)
	faint.Fill(Level - 1)
	tests := []struct {
		name string
		p    Plane
		want string
	}{
		{"half kept", half, ""},
		{"nothing kept", New(4, 4), CodeEmpty},
		{"only faint paint", faint, CodeEmpty},
		{"everything kept", full, CodeFull},
		{"wrong size", New(4, 5), CodeSize},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.p.Validate(4, 4)
			var problem *Error
			switch {
			case test.want == "" && err != nil:
				t.Errorf("Validate = %v, want no problem", err)
			case test.want != "" && (!errors.As(err, &problem) || problem.Code != test.want || problem.Message == ""):
				t.Errorf("Validate = %v, want a sentence with code %s", err, test.want)
			}
		})
	}
}

func TestSelectionsCombine(t *testing.T) {
	a, b := draw("##..", "##.."), draw(".##.", "....")
	tests := []struct {
		name string
		op   Op
		want []string
	}{
		{"replace", Replace, []string{".##.", "...."}},
		{"add", Add, []string{"###.", "##.."}},
		{"subtract", Subtract, []string{"#...", "##.."}},
		{"intersect", Intersect, []string{".#..", "...."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := a.Clone()
			if err := p.Combine(b, test.op); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, show(p)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if err := a.Combine(New(3, 3), Add); err == nil {
		t.Error("planes of different sizes were joined")
	}
}

// nearest is the distance to the nearest pixel that is (or is not) kept, the slow way.
func nearest(p Plane, x, y int, kept bool) float64 {
	best := math.Inf(1)
	for v := range p.H {
		for u := range p.W {
			if p.Kept(u, v) == kept {
				best = min(best, math.Hypot(float64(u-x), float64(v-y)))
			}
		}
	}
	return best
}

func TestGrowAndShrinkMeasureTrueDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlane(t, rapid.IntRange(1, 24).Draw(t, "w"), rapid.IntRange(1, 16).Draw(t, "h"))
		r := rapid.Float64Range(0, 9).Draw(t, "r")
		grown, shrunk := p.Grow(r), p.Shrink(r)
		for y := range p.H {
			for x := range p.W {
				if want := nearest(p, x, y, true) <= r; grown.Kept(x, y) != want {
					t.Fatalf("grown by %v at %d,%d: kept %v, want %v", r, x, y, !want, want)
				}
				if want := nearest(p, x, y, false) > r; shrunk.Kept(x, y) != want {
					t.Fatalf("shrunk by %v at %d,%d: kept %v, want %v", r, x, y, !want, want)
				}
			}
		}
	})
}

func TestFeatherSoftensTheEdgeAndLeavesItInPlace(t *testing.T) {
	for _, r := range []float64{2, 5, 12, 40} {
		p := New(200, 120)
		p.FillRect(image.Rect(0, 0, 100, 120), 255)
		soft := p.Feather(r)
		for y := range p.H {
			row := soft.Row(y)
			for x := 1; x < p.W; x++ {
				if row[x] > row[x-1] {
					t.Fatalf("r %v: value rises from %d to %d at %d,%d", r, row[x-1], row[x], x, y)
				}
			}
			if row[99] < Level || row[100] >= Level {
				t.Fatalf("r %v: the edge moved: %d | %d", r, row[99], row[100])
			}
			if row[99] == 255 || row[100] == 0 {
				t.Fatalf("r %v: the edge is still hard", r)
			}
		}
	}
	flat := New(9, 7)
	flat.Fill(255)
	if got := flat.Feather(30); !got.Equal(flat) {
		t.Error("feathering a flat mask changed it")
	}
}

func TestNothingPaintedStaysNothing(t *testing.T) {
	for _, p := range []Plane{New(30, 20), New(1, 1), {}} {
		for name, got := range map[string]Plane{"grown": p.Grow(5), "shrunk": p.Shrink(5), "feathered": p.Feather(5)} {
			if !got.Equal(p) {
				t.Errorf("%d × %d %s: changed", p.W, p.H, name)
			}
		}
		if p.Empty() != true || p.Full() {
			t.Errorf("%d × %d: empty %v, full %v", p.W, p.H, p.Empty(), p.Full())
		}
	}
}

func TestFeatherDependsOnNothingFarAway(t *testing.T) {
	p := blots(120, 90, 4)
	wide := New(420, 390)
	wide.paste(p, image.Pt(150, 150))
	// The same paint framed by nothing, far from and near to the picture's edge.
	framed := New(220, 190)
	framed.paste(p, image.Pt(50, 50))
	for _, r := range []float64{3, 10, 25} {
		a, b := wide.Feather(r).crop(image.Rect(110, 110, 310, 280)), framed.Feather(r).crop(image.Rect(10, 10, 210, 180))
		if !a.Equal(b) {
			t.Errorf("r %v: differs in %v", r, difference(a, b))
		}
	}
}

func TestStatsCountSpecksAndHolesAndCleanRemovesThem(t *testing.T) {
	p := draw(
		"#.........",
		"...#####..",
		"...#.###..",
		"...##.##..",
		"...#####.#",
		"........#.",
		".#........")
	s := p.Stats(4)
	if s.Specks != 2 || s.Holes != 2 {
		t.Errorf("Stats: %d specks and %d holes, want 2 and 2", s.Specks, s.Holes)
	}
	if s.Kept != 22 || math.Abs(s.Share-22.0/70) > 1e-9 || s.Bounds != image.Rect(0, 0, 10, 7) {
		t.Errorf("Stats = %+v", s)
	}
	p.Clean(4)
	want := []string{
		"..........",
		"...#####..",
		"...#####..",
		"...#####..",
		"...#####.#",
		"........#.",
		"..........",
	}
	// The two pixels at the lower right touch each other and the garment only
	// across a corner, which is enough to belong to it.
	if diff := cmp.Diff(want, show(p)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestIslandsAreThoseAFloodFillFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		p := New(1+rng.IntN(14), 1+rng.IntN(14))
		for i := range p.Pix {
			p.Pix[i] = uint8(rng.IntN(2) * 255)
		}
		for _, kept := range []bool{true, false} {
			got := 0
			p.small(New(p.W, p.H), &pace{}, kept, 1<<30, func([]span) { got++ })
			if want := countSlowly(p, kept); got != want {
				t.Fatalf("%d islands (kept %v), want %d in\n%s", got, kept, want, cmp.Diff(nil, show(p)))
			}
		}
	}
}

// countSlowly counts connected regions the slow way.
func countSlowly(p Plane, kept bool) (n int) {
	seen := make([]bool, len(p.Pix))
	for start := range p.Pix {
		if seen[start] || (p.Pix[start] >= Level) != kept {
			continue
		}
		n++
		stack := []int{start}
		seen[start] = true
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					x, y := at%p.W+dx, at/p.W+dy
					if x < 0 || y < 0 || x >= p.W || y >= p.H || !kept && dx != 0 && dy != 0 {
						continue
					}
					if k := y*p.W + x; !seen[k] && p.Kept(x, y) == kept {
						seen[k] = true
						stack = append(stack, k)
					}
				}
			}
		}
	}
	return n
}

func BenchmarkOps4096(b *testing.B) {
	p := New(4096, 4096)
	rng := rand.New(rand.NewPCG(3, 3))
	for range 60 {
		newCapsule(rng.Float64()*4096, rng.Float64()*4096, rng.Float64()*4096, rng.Float64()*4096, 40+rng.Float64()*100, 1).stamp(p, p.Rect(), false)
	}
	ops := []struct {
		name string
		run  func()
	}{
		{"grow40", func() { p.Grow(40) }},
		{"feather20", func() { p.Feather(20) }},
		{"stats", func() { p.Stats(100) }},
		{"invert", func() { p.Invert() }},
	}
	for _, op := range ops {
		b.Run(op.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op.run()
			}
		})
	}
}

// crop is a copy of the part of the plane within r, which must lie on it.
func (p Plane) crop(r image.Rectangle) Plane {
	out := New(r.Dx(), r.Dy())
	for y := range out.H {
		copy(out.Row(y), p.Row(r.Min.Y + y)[r.Min.X:r.Max.X])
	}
	return out
}
