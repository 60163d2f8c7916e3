package mask

import (
	"image"
	"math"
	"testing"
)

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
