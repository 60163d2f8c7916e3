package segment

import (
	"image"
	"testing"
)

// bagged is somebody with a bag at one leg a rail behind the other and something else between them, none of which was found; what the forest
// sees in all is that they may be carried. The bag may be of the ground's colour.
func bagged(likeGround bool) (s *scene, f finding, people []face, bag, rail, gap image.Rectangle) {
	s, f, people, _, _, _, _ = legs()
	w := s.cut.w
	bag, rail, gap = image.Rect(68, 110, 92, 135), image.Rect(128, 100, 218, 120), image.Rect(106, 100, 114, 150)
	for c := range f.opinion {
		f.opinion[c] = make([]float32, len(f.labels))
		for i, l := range f.labels {
			at := image.Pt(i%w, i/w)
			switch seen := class(c); {
			case seen == background && l == 1, seen != background && l == 0:
				f.opinion[c][i] = -8
			}
			if class(c) == heldClass && (at.In(bag) || at.In(gap) || at.In(rail) && at.X < 150) {
				f.opinion[c][i] = -1
			}
		}
	}
	for y := range s.cut.h {
		for x := range w {
			colour := [3]float32{120, 60, 20}
			switch at := image.Pt(x, y); {
			case at.In(bag) && !likeGround, at.In(gap):
			case at.In(rail):
				colour = [3]float32{20, 110, 60}
			default:
				continue
			}
			copy(s.cut.pix[3*(y*w+x):], colour[:])
		}
	}
	s.cut = newCutter(s.cut.canvas)
	return s, f, people, bag, rail, gap
}

func TestWhatPeopleCarryIsTheirs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		likeGround  bool
		least, most float64
	}{{"a bag", false, 0.9, 1}, {"ground that looks like a bag", true, 0, 0.1}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, f, people, bag, rail, gap := bagged(tt.likeGround)
			if err := s.addCarried(t.Context(), &f, people); err != nil {
				t.Fatal(err)
			}
			if got := shareOf(f, s.cut.w, bag); got < tt.least || got > tt.most {
				t.Errorf("of it %.2f is kept, want %.1f to %.1f", got, tt.least, tt.most)
			}
			if got := shareOf(f, s.cut.w, rail); got > 0.05 {
				t.Errorf("of a rail that goes on behind %.2f is kept", got)
			}
			if got := shareOf(f, s.cut.w, gap); got > 0.05 {
				t.Errorf("of what shows between the legs %.2f is kept", got)
			}
			if got := shareOf(f, s.cut.w, image.Rect(66, 140, 90, 180)); got > 0.05 {
				t.Errorf("of the ground below %.2f is kept", got)
			}
		})
	}
}
