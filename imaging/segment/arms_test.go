package segment

import (
	"image"
	"testing"
)

// TestRaisedArmsBelongToPeople draws somebody of whom the cut has all but the arms, which are held up. The forest says of all that is not cut
// that it hardly belongs to them; a rail of the skin's colour goes on behind.
func TestRaisedArmsBelongToPeople(t *testing.T) {
	t.Parallel()
	const w, h = 260, 300
	who := person{130, 110, 32}
	left, right, rail := image.Rect(72, 40, 84, 140), image.Rect(176, 40, 188, 140), image.Rect(0, 190, 92, 196)
	shoulders := image.Rect(72, 140, 188, 152)
	for _, tt := range []struct {
		name        string
		paint       func(at image.Point) bool // in the skin's colour
		least, most float64
		of          image.Rectangle
	}{
		{"arms", func(at image.Point) bool { return at.In(left) || at.In(right) }, 0.9, 1, left},
		{"a rail", func(at image.Point) bool { return at.In(rail) }, 0, 0.05, rail},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			back := paper(w, h, blue, 3)
			for y := range h {
				for x := range w {
					if at := image.Pt(x, y); tt.paint(at) || at.In(shoulders) {
						back.SetNRGBA(x, y, skinTone)
					}
				}
			}
			pic := who.draw(back, skinTone, hairTone, topTone, legTone, shoeTone)
			s := &scene{img: pic.img, opt: Options{}.WithDefaults(), zoom: 1, cut: newCutter(reduce(pic.img, h))}
			f := finding{labels: make([]uint8, w*h), prior: make([]float32, w*h)}
			for c := range f.opinion {
				f.opinion[c] = make([]float32, w*h)
			}
			for i, a := range pic.alpha {
				if at := image.Pt(i%w, i/w); a == 1 || at.In(shoulders) {
					f.labels[i] = 1
				} else {
					f.opinion[background][i] = 3
				}
			}
			if err := s.addArms(t.Context(), &f, []face{{x: who.x, y: who.y, size: who.size, quality: 100}}); err != nil {
				t.Fatal(err)
			}
			if got := shareOf(f, w, tt.of); got < tt.least || got > tt.most {
				t.Errorf("%.2f of it is kept, want %.1f to %.2f", got, tt.least, tt.most)
			}
		})
	}
}
