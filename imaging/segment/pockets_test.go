package segment

import (
	"image"
	"image/color"
	"testing"
)

func TestPocketsOfAPlainBackgroundAreOpened(t *testing.T) {
	t.Parallel()
	const w, h = 200, 240
	body, pocket := image.Rect(60, 60, 150, 240), image.Rect(90, 110, 104, 124)
	wall := func(x, y int) color.NRGBA { return color.NRGBA{uint8(70 + x/10), uint8(170 - y/10), 150, 255} }
	tests := []struct {
		name string
		at   func(x, y int) color.NRGBA // within the body
		want int
	}{
		{"between hand and face", func(x, y int) color.NRGBA {
			if image.Pt(x, y).In(pocket) {
				return wall(x, y)
			}
			return color.NRGBA{200, 140, 110, 255}
		}, pocket.Dx() * pocket.Dy()},
		{"a print like the skin", func(x, y int) color.NRGBA {
			if image.Pt(x, y).In(pocket) {
				return color.NRGBA{30, 30, 120, 255}
			}
			return color.NRGBA{200, 140, 110, 255}
		}, 0},
		{"a shirt like the wall", func(x, y int) color.NRGBA {
			if y > 150 {
				return wall(x, y)
			}
			return color.NRGBA{200, 140, 110, 255}
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			img := image.NewNRGBA(image.Rect(0, 0, w, h))
			for y := range h {
				for x := range w {
					if image.Pt(x, y).In(body) {
						img.SetNRGBA(x, y, tt.at(x, y))
					} else {
						img.SetNRGBA(x, y, wall(x, y))
					}
				}
			}
			s := &scene{img: img, cut: newCutter(reduce(img, 400))}
			f := finding{labels: make([]uint8, w*h), prior: make([]float32, w*h), chance: make([]float32, w*h)}
			for i := range f.labels {
				if image.Pt(i%w, i/w).In(body) {
					f.labels[i] = 1
				}
			}
			s.openPockets(&f)
			opened := body.Dx() * body.Dy()
			for i, l := range f.labels {
				opened -= int(l)
				if in := image.Pt(i%w, i/w); l == 0 && in.In(body) && !in.In(pocket) {
					t.Fatalf("%v was opened", in)
				}
			}
			if opened < tt.want*9/10 || opened > tt.want {
				t.Errorf("%d pixels were opened, want %d", opened, tt.want)
			}
		})
	}
}
