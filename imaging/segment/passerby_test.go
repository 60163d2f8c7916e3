package segment

import (
	"slices"
	"testing"

	"atelier/imaging/mask"
)

// car is a thing that fills the middle of a picture and somebody small who stands beside it.
func car() (p picture, who person) {
	thing := over(paper(640, 480, green, 3), paper(640, 480, brick, 4), disc(270, 260, 130))
	who = person{x: 520, y: 170, size: 15}
	with := who.draw(thing.img, topTone)
	return picture{img: with.img, alpha: thing.alpha}, who
}

func TestSlowAPasserByIsNotWhatAPictureIsAbout(t *testing.T) {
	t.Parallel()
	p, who := car()
	for name, test := range map[string]struct {
		met     face
		divided bool
		thing   bool
	}{
		"perhaps somebody":            {face{quality: 0.8, guessed: true}, false, true},
		"something like a face":       {face{quality: 30}, false, true},
		"whose clothes are asked for": {face{quality: 200}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sceneOf(t, p, who)
			met := s.people[0]
			met.quality, met.guessed = test.met.quality, test.met.guessed
			s.people, s.divided, s.faces = []face{met}, test.divided, nil
			if !met.guessed {
				s.faces = []face{met}
			}
			found, err := s.subject(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.finish(t.Context(), found)
			if err != nil {
				t.Fatal(err)
			}
			if overlap := overlapOf(r.Mask, p.alpha); overlap > 0.9 != test.thing {
				t.Errorf("overlap with the thing is %.3f, which is to be found: %v", overlap, test.thing)
			}
			if !test.thing {
				return
			}
			for _, f := range r.Faces {
				if at := (f.Min.Y+f.Max.Y)/2*640 + (f.Min.X+f.Max.X)/2; r.Mask.Pix[at] < mask.Level {
					t.Errorf("a face is named at %v, outside the subject", f)
				}
			}
			if at := int(who.y+2*who.size)*640 + int(who.x); len(r.Others.Pix) == 0 || r.Others.Pix[at] < mask.Level {
				t.Error("nobody is said to stand beside the thing")
			}
		})
	}
}

func TestAProductIsSoughtBesideThoseWhoAreClearlySeen(t *testing.T) {
	t.Parallel()
	cutOf := func(pixels int, confidence float64) finding {
		f := finding{labels: make([]uint8, 1000), confidence: confidence}
		for i := range pixels {
			f.labels[i] = 1
		}
		return f
	}
	seen := []face{{quality: 200}}
	for name, test := range map[string]struct {
		thing, people finding
		product, want bool
	}{
		"a large thing":                  {cutOf(300, 0.2), cutOf(80, 0.9), true, true},
		"where people are asked for too": {cutOf(300, 0.2), cutOf(80, 0.9), false, false},
		"a thing that is hardly there":   {cutOf(300, 0.01), cutOf(80, 0.9), true, false},
		"a thing no larger than they":    {cutOf(120, 0.2), cutOf(80, 0.9), true, false},
		"people who fill the picture":    {cutOf(500, 0.2), cutOf(200, 0.9), true, false},
	} {
		s := &scene{people: seen, opt: Options{Thing: test.product}}
		if got := s.rather(test.thing, test.people); got != test.want {
			t.Errorf("%s: the picture is about the thing: %v, want %v", name, got, test.want)
		}
	}
	if s := (&scene{opt: Options{Thing: true}}); !cutOf(80, 0.9).small(s.passing()) || cutOf(80, 0.9).small((&scene{}).passing()) {
		t.Error("people of 8 % of a picture are to be looked past for a product, and for nothing else")
	}
}

func TestNobodyIsShownInPart(t *testing.T) {
	t.Parallel()
	const w, h = 100, 60
	box := func(x0, y0, x1, y1 int) []uint8 {
		out := make([]uint8, w*h)
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				out[y*w+x] = 1
			}
		}
		return out
	}
	who, thing := box(80, 10, 90, 50), box(10, 10, 60, 50)
	for name, test := range map[string]struct{ part, want []uint8 }{
		"a shirt is left out":      {box(80, 20, 90, 32), thing},
		"legs are added":           {box(80, 10, 90, 35), union(thing, who)},
		"whoever is not in it too": {box(0, 0, 0, 0), thing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := finding{labels: union(thing, test.part), prior: make([]float32, w*h)}
			f.wholly(who, w, h)
			if !slices.Equal(f.labels, test.want) {
				t.Error("the cut is another")
			}
		})
	}
}
