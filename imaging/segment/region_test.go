package segment

import (
	"image/color"
	"math"
	"testing"
)

func TestBodyIsDividedFromItsFace(t *testing.T) {
	t.Parallel()
	back := paper(360, 520, sand, 3)
	who := person{x: 180, y: 80, size: 46}
	tests := []struct {
		kind Kind
		want []color.NRGBA
		min  float64
	}{
		{InverseHuman, []color.NRGBA{hairTone, skinTone}, 0},
		{Apparel, []color.NRGBA{topTone, legTone, shoeTone}, 0.9},
		{UpperApparel, []color.NRGBA{topTone}, 0.9},
		{LowerApparel, []color.NRGBA{legTone}, 0.9},
	}
	s := sceneOf(t, who.draw(back, hairTone), who)
	for _, test := range tests {
		t.Run(string(test.kind), func(t *testing.T) {
			p := who.draw(back, test.want...)
			r, err := s.region(t.Context(), test.kind)
			if err != nil {
				t.Fatal(err)
			}
			if test.kind == InverseHuman {
				for i := range p.alpha {
					if float64(i/360) > who.y+0.75*who.size {
						p.alpha[i] = 0 // arms are skin but not head
					}
				}
				test.min = 0.85
			}
			if got := overlapOf(r.Mask, p.alpha); got < test.min {
				t.Errorf("overlap with the drawing is %.3f, want at least %.2f", got, test.min)
			}
		})
	}
}

// A face that is far larger than the body that stands below it, as children have, says nothing about where hips and feet are.
func TestSlowPeopleWithLargeHeadsAreMeasuredByTheirBodies(t *testing.T) {
	t.Parallel()
	who := person{x: 180, y: 80, size: 46}
	back := paper(360, 520, sand, 3)
	s := sceneOf(t, who.draw(back), who)
	large := s.people[0]
	body := figure{x: large.x, y: large.y + 4*large.size, height: 9.6 * large.size, score: 2 * sureFigure}
	large.size *= 1.7
	s.people = join([]face{large}, []figure{body})
	for kind, tone := range map[Kind]color.NRGBA{UpperApparel: topTone, LowerApparel: legTone} {
		r, err := s.region(t.Context(), kind)
		if err != nil {
			t.Fatal(err)
		}
		if got := overlapOf(r.Mask, who.draw(back, tone).alpha); got < 0.9 {
			t.Errorf("%s: the overlap with the drawing is %.3f, want at least 0.9", kind, got)
		}
	}
}

// sceneOf is the scene of a drawn person, whose face is given: it has no features that the detector could know.
func sceneOf(t *testing.T, p picture, who person) *scene {
	t.Helper()
	s, err := newScene(t.Context(), p.img, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.people = []face{face{x: who.x, y: who.y, size: who.size, quality: 200}.scaled(1 / s.zoom)}
	return s
}

func TestLongHairBelongsToTheHead(t *testing.T) {
	t.Parallel()
	const w = 360
	who := person{x: 180, y: 80, size: 46}
	p := who.draw(paper(w, 520, sand, 3), hairTone, skinTone)
	for i := range p.alpha {
		u, v := math.Abs(float64(i%w)+0.5-who.x)/who.size, (float64(i/w)+0.5-who.y)/who.size
		switch {
		case u > 0.3 && u < 0.62 && v > 0 && v < 2.1:
			grain := float64((i*7919)%9) - 4
			p.img.SetNRGBA(i%w, i/w, color.NRGBA{R: level(float64(hairTone.R) + grain), G: level(float64(hairTone.G) + grain), B: level(float64(hairTone.B) + grain), A: 255})
			p.alpha[i] = 1
		case v > 0.75:
			p.alpha[i] = 0 // arms are skin but not head
		}
	}
	s := sceneOf(t, p, who)
	s.divided = true // as Region does
	r, err := s.region(t.Context(), InverseHuman)
	if err != nil {
		t.Fatal(err)
	}
	if got := overlapOf(r.Mask, p.alpha); got < 0.85 {
		t.Errorf("overlap with head and hair is %.3f, want at least 0.85", got)
	}
}

func TestHeadAndHumanAreOpposites(t *testing.T) {
	t.Parallel()
	p := person{x: 180, y: 80, size: 46}.draw(paper(360, 520, sand, 3), topTone)
	head, err := Region(t.Context(), p.img, InverseHuman, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rest, err := Region(t.Context(), p.img, Human, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range head.Mask.Pix {
		if head.Mask.Pix[i] == rest.Mask.Pix[i] {
			t.Fatalf("pixel (%d,%d) is %d in both", i%360, i/360, head.Mask.Pix[i])
		}
	}
}

func TestUnknownMaskTypeIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Region(t.Context(), paper(40, 40, sand, 1), "custom", Options{}); err == nil {
		t.Error("the type custom was taken; its mask comes from the caller")
	}
}
