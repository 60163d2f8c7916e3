package segment

import (
	"image"
	"math"
	"slices"
	"testing"
)

func TestPeopleWhoShowNoFaceAreFoundWhereTheyStand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		who  person
	}{
		{"aside", person{x: 470, y: 150, size: 30}},
		{"in the middle", person{x: 320, y: 90, size: 36}},
		{"large", person{x: 200, y: 70, size: 44}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := test.who.draw(paper(640, 480, sand, 3), hairTone, skinTone, topTone, legTone, shoeTone)
			c := reduce(p.img, coarseSize)
			all := findFigures(c, 0, foreground)
			if len(all) == 0 {
				t.Fatal("nobody was found")
			}
			got := all[0].face().scaled(640 / float64(c.w))
			if off := math.Hypot(got.x-test.who.x, got.y-test.who.y); off > test.who.size {
				t.Errorf("the head is looked for %.0f pixels away, want at most %.0f", off, test.who.size)
			}
			if got.size < 0.75*test.who.size || got.size > 1.3*test.who.size {
				t.Errorf("the head is taken to be %.0f pixels large, it is %.0f", got.size, test.who.size)
			}
		})
	}
}

func TestWhoWalksFarBehindIsPlacedWithAllThatShows(t *testing.T) {
	t.Parallel()
	far := person{x: 500, y: 210, size: 9}
	p := far.draw(paper(640, 480, sand, 3), hairTone, skinTone, topTone, legTone, shoeTone)
	places, err := Standing(t.Context(), p.img)
	if err != nil {
		t.Fatal(err)
	}
	if len(places) != 1 {
		t.Fatalf("places of people are %v, want one", places)
	}
	for i, v := range p.alpha {
		if at := image.Pt(i%640, i/640); v > 0.5 && !at.In(places[0].Inset(-6)) {
			t.Fatalf("somebody shows at %v, outside of %v", at, places[0])
		}
	}
	if b := places[0]; b.Dy() > 200 {
		t.Errorf("somebody 90 pixels tall is placed in %v", b)
	}
	if places, err := Standing(t.Context(), paper(640, 480, sand, 3)); err != nil || len(places) > 0 {
		t.Errorf("on empty paper people are placed at %v, %v", places, err)
	}
}

func TestWhoTheSideOfAPictureCutsIsPlacedToo(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{622, 20} {
		p := person{x: x, y: 130, size: 20}.draw(paper(640, 480, sand, 3), hairTone, skinTone, topTone, legTone, shoeTone)
		places, err := Standing(t.Context(), p.img)
		if err != nil {
			t.Fatal(err)
		}
		if len(places) != 1 {
			t.Fatalf("of somebody at %.0f the places are %v, want one", x, places)
		}
		for i, v := range p.alpha {
			if at := image.Pt(i%640, i/640); v > 0.5 && !at.In(places[0].Inset(-6)) {
				t.Fatalf("somebody shows at %v, outside of %v", at, places[0])
			}
		}
	}
}

// Windows lie two thirds of a head apart: where somebody stands between them is told by the windows on both sides.
func TestFiguresAreFoundBetweenWindows(t *testing.T) {
	t.Parallel()
	const steps, step = 8, 3.0
	var off []float64
	for n := range steps {
		who := person{x: 320 + step*float64(n), y: 90 + step*float64(n), size: 36}
		c := reduce(who.draw(paper(640, 480, sand, 3), hairTone, skinTone, topTone, legTone, shoeTone).img, coarseSize)
		all := findFigures(c, -2, foreground)
		if len(all) == 0 {
			t.Fatal("nobody was found")
		}
		got := all[0].face().scaled(640 / float64(c.w))
		off = append(off, (got.x-who.x)/who.size)
	}
	if spread := slices.Max(off) - slices.Min(off); spread > 0.12 {
		t.Errorf("heads are looked for %.2f of their size apart from each other, want at most 0.12: %.2f", spread, off)
	}
}

func TestNobodyStandsOnEmptyPaper(t *testing.T) {
	t.Parallel()
	if got := findFigures(reduce(paper(640, 480, sand, 3), coarseSize), leastFigure, foreground); len(got) > 0 {
		t.Errorf("%d people were found on empty paper", len(got))
	}
}

func TestFacesAtNobodysHeadMustBeSure(t *testing.T) {
	t.Parallel()
	standing := []figure{{x: 200, y: 170, height: 200, score: sureFigure + 1}}
	at := func(x, y, quality float64) face { return face{x: x, y: y, size: 20, quality: quality} }
	head, sign, passer := at(203, 88, 20), at(290, 60, 80), at(290, 60, 200)
	for name, test := range map[string]struct {
		standing []figure
		want     []face
	}{
		"beside somebody who surely stands": {standing, []face{head, passer}},
		"nobody stands":                     {nil, []face{head, sign, passer}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := atHeads([]face{head, sign, passer}, test.standing, 1); !slices.Equal(got, test.want) {
				t.Errorf("kept %v, want %v", got, test.want)
			}
		})
	}
}

func TestSureFacesStayEvenOnABody(t *testing.T) {
	t.Parallel()
	standing := []figure{{x: 200, y: 170, height: 200, score: sureFigure + 1}}
	for _, test := range []struct {
		quality float64
		stays   bool
	}{{199, false}, {200, true}, {201, true}} {
		got := atHeads([]face{{x: 205, y: 180, size: 20, quality: test.quality}}, standing, 1)
		if (len(got) == 1) != test.stays {
			t.Errorf("quality %.0f: kept %v, want %v", test.quality, len(got) == 1, test.stays)
		}
	}
}

func TestPassersByGiveWayToWhoStandsMuchNearer(t *testing.T) {
	t.Parallel()
	first := figure{x: 130, y: 200, height: 294, score: 1.5} // a head of 30
	own := first.face()
	for name, test := range map[string]struct {
		who   figure
		face  face
		stays bool
	}{
		"a passer-by":       {first, face{x: 230, y: 90, size: 23}, false},
		"just small enough": {first, face{x: 230, y: 90, size: 23.07}, false},
		"about as near":     {first, face{x: 230, y: 90, size: 23.08}, true},
		"the figure's own":  {first, face{x: own.x, y: own.y, size: 20}, true},
		"hardly a figure":   {figure{x: 130, y: 200, height: 294, score: 1.49}, face{x: 230, y: 90, size: 20}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := foremost([]face{test.face}, []figure{test.who})
			if (len(got) == 1) != test.stays {
				t.Errorf("the face stays: %v, want %v", len(got) == 1, test.stays)
			}
		})
	}
	if got := foremost([]face{own}, nil); len(got) != 1 {
		t.Error("a face was dropped where nobody stands")
	}
}

func TestOnlyPortraitsAreLookedAtWithWiderBodies(t *testing.T) {
	t.Parallel()
	s := scene{cut: newCutter(reduce(paper(80, 100, sand, 3), coarseSize))}
	for _, test := range []struct {
		face face
		wide bool
	}{
		{face{x: 40, y: 40, size: 24.9}, false},
		{face{x: 40, y: 40, size: 25}, true},
		{face{x: 40, y: 40, size: 25.1}, true},
		{face{x: 40, y: 40, size: 50, guessed: true}, false},
	} {
		people := []face{test.face, {x: 60, y: 40, size: 10}}
		wide := s.widened(people)
		if (wide != nil) != test.wide {
			t.Errorf("a face of %.1f in 100, guessed %v: looked at again %v, want %v", test.face.size, test.face.guessed, wide != nil, test.wide)
		}
		shoulder := func(f face) float64 { return f.body(1.5, 1.5, true) }
		for i := range wide {
			if shoulder(wide[i]) <= shoulder(people[i]) {
				t.Errorf("person %d is not wider", i)
			}
		}
		if people[0].wide != 0 {
			t.Error("the people themselves were changed")
		}
	}
}

func TestOpinionsAreAveraged(t *testing.T) {
	t.Parallel()
	var a, b opinion
	for c := range a {
		a[c], b[c] = []float32{float32(c), 2}, []float32{4, -2}
	}
	a.average(b)
	for c := range a {
		if want := (float32(c) + 4) / 2; a[c][0] != want || a[c][1] != 0 {
			t.Errorf("class %d: %v, want [%v 0]", c, a[c], want)
		}
	}
}

func TestPeopleAreLookedForOnCopiesOfModestSize(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h, least int }{{300, 1, 0}, {400, 20, 0}, {400, 40, 6}, {400, 200, 14}, {267, 400, 14}} {
		all := tiers(make([]float32, size.w*size.h), size.w, size.h, foreground)
		if len(all) < size.least {
			t.Errorf("%d×%d: %d copies, want at least %d", size.w, size.h, len(all), size.least)
		}
		for _, l := range all {
			if l.scale > 4.1 {
				t.Errorf("%d×%d: a copy is %.1f times as large", size.w, size.h, l.scale)
			}
		}
	}
}

func TestACutterCutsAgainAsAFreshOne(t *testing.T) {
	t.Parallel()
	p := over(paper(120, 90, green, 5), paper(120, 90, brick, 6), disc(60, 45, 25))
	score := func(x, y, r float64) []float32 {
		out := make([]float32, 120*90)
		for i := range out {
			out[i] = float32(8*disc(x, y, r)(float64(i%120), float64(i/120)) - 4)
		}
		return out
	}
	used, fresh := newCutter(reduce(p.img, 120)), newCutter(reduce(p.img, 120))
	if _, err := used.cut(t.Context(), score(20, 20, 15), nil); err != nil {
		t.Fatal(err)
	}
	again, err := used.cut(t.Context(), score(60, 45, 22), nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := fresh.cut(t.Context(), score(60, 45, 22), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again, want) {
		t.Error("the second cut of a cutter differs from the first of another")
	}
}
