package segment

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"
)

func TestTheGapBetweenLegsIsOpenedAndNothingElseIs(t *testing.T) {
	t.Parallel()
	const w, h = 200, 300
	who := []face{{x: 100, y: 40, size: 26}}
	body, gap, found := image.Rect(65, 20, 135, 290), image.Rect(94, 190, 106, 260), image.Rect(94, 260, 106, 290)
	hand, pattern := image.Rect(60, 160, 75, 180), image.Rect(76, 200, 88, 220)
	street := func(y int) color.NRGBA { return color.NRGBA{uint8(150 + y/8), uint8(146 + y/8), 140, 255} }
	tests := []struct {
		name  string
		cloth color.NRGBA
		found image.Rectangle // what of the gap the cut knows already
		says  float32         // of the forest, that it belongs to them, a logit; 0 for one that is not asked
		want  image.Rectangle
	}{
		{"dark trousers", color.NRGBA{30, 32, 40, 255}, found, 0, gap},
		{"trousers like the street", color.NRGBA{178, 174, 142, 255}, found, 0, image.Rectangle{}},
		{"a panel in a long skirt", color.NRGBA{30, 32, 40, 255}, image.Rectangle{}, 0, image.Rectangle{}},
		{"legs with the feet together", color.NRGBA{30, 32, 40, 255}, image.Rectangle{}, 1, gap},
		{"a panel that is clothes to the forest", color.NRGBA{30, 32, 40, 255}, image.Rectangle{}, 4, image.Rectangle{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			img := image.NewNRGBA(image.Rect(0, 0, w, h))
			labels := make([]uint8, w*h)
			for i := range labels {
				at := image.Pt(i%w, i/w)
				c := street(at.Y)
				// A hand at the side and a pattern within the cloth have the colours of the street too.
				if at.In(body) && !at.In(gap) && !at.In(tt.found) && !at.In(hand) && !at.In(pattern) {
					c = tt.cloth
				}
				img.SetNRGBA(at.X, at.Y, c)
				if at.In(body) && !at.In(tt.found) || at.In(hand) {
					labels[i] = 1
				}
			}
			s := &scene{img: img, cut: newCutter(reduce(img, 400))}
			f := finding{labels: labels, prior: make([]float32, w*h), chance: make([]float32, w*h)}
			if tt.says != 0 {
				for c := range f.opinion {
					f.opinion[c] = make([]float32, w*h)
				}
				for i := range labels {
					f.opinion[background][i] = float32(math.Log(float64(classes-1))) - tt.says
				}
			}
			before := slices.Clone(labels)
			s.openGaps(&f, who)
			opened := 0
			for i, l := range f.labels {
				at := image.Pt(i%w, i/w)
				if l == before[i] {
					continue
				}
				opened++
				if !at.In(tt.want) {
					t.Fatalf("%v was opened", at)
				}
			}
			if all := tt.want.Dx() * tt.want.Dy(); opened < all*9/10 {
				t.Errorf("%d pixels were opened, want %d", opened, all)
			}
		})
	}
}
