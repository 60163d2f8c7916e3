package fill

import (
	"image"
	"image/color"
	"testing"
)

// pattern is a picture of w × h pixels with a little grain whose grey at each place is given; at (0, 0) its place is from.
func pattern(w, h int, from image.Point, grey func(x, y int) int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rng(5)
	for y := range h {
		for x := range w {
			v := uint8(grey(x+from.X, y+from.Y) + r.between(-4, 4))
			img.SetNRGBA(x, y, color.NRGBA{v, v, uint8(int(v) * 9 / 10), 255})
		}
	}
	return img
}

// mod is the remainder that is never negative.
func mod(a, n int) int { return (a%n + n) % n }

// facade is a wall of windows with frames, and a cornice every other storey.
func facade(x, y int) int {
	const column, storey = 42, 54
	u, v := mod(x, column), mod(y, storey)
	switch {
	case mod(y, 2*storey) < 6:
		return 235
	case u < 12 || v < 18:
		return 150
	case u < 15 || v < 21 || u == 41 || v == 53:
		return 225
	}
	return 60
}

func TestSlowWhatRepeatsGoesOnInStep(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		grey  func(x, y int) int
		least float64 // share of new pixels that show what would be there
	}{
		{"a wall of windows", facade, 0.79},
		{"boards", func(x, _ int) int { return []int{70, 160, 165, 170, 160}[mod(x, 35)/7] }, 0.94},
		{"stairs seen from the side", func(x, y int) int { return []int{80, 140, 200}[mod(2*y+x, 90)/30] }, 0.95},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const w, h = 360, 320
			place := image.Pt(130, 60)
			src := pattern(w, h, image.Point{}, tt.grey)
			got, err := Expand(t.Context(), src, 620, 440, place.X, place.Y, Options{Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			right, all := 0, 0
			for y := range 440 {
				for x := range 620 {
					at := image.Pt(x, y).Sub(place)
					if at.In(src.Rect) {
						continue
					}
					all++
					if abs(int(got.NRGBAAt(x, y).G)-tt.grey(at.X, at.Y)) < 30 {
						right++
					}
				}
			}
			if share := float64(right) / float64(all); share < tt.least {
				t.Errorf("%.2f of the new pixels show what would be there, want %.2f", share, tt.least)
			}
		})
	}
}
