package segment

import (
	"math"
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
			all := findFigures(c, 0)
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

func TestNobodyStandsOnEmptyPaper(t *testing.T) {
	t.Parallel()
	if got := findFigures(reduce(paper(640, 480, sand, 3), coarseSize), leastFigure); len(got) > 0 {
		t.Errorf("%d people were found on empty paper", len(got))
	}
}
