package segment

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"
)

func TestBeforeAPlainBackdropWhatHangsTogetherIsTheSubjects(t *testing.T) {
	t.Parallel()
	const w, h = 200, 300
	who := []face{{x: 100, y: 45, size: 26}}
	var (
		body   = image.Rect(80, 60, 120, 280)
		hair   = image.Rect(84, 24, 116, 60)
		handle = image.Rect(120, 150, 132, 156)
		bat    = image.Rect(132, 146, 146, 250)
		shirt  = image.Rect(92, 80, 108, 130)
		gap    = image.Rect(95, 190, 106, 262)
		shadow = image.Rect(60, 70, 80, 270)
		taken  = image.Rect(72, 70, 80, 270) // of the shadow
		apart  = image.Rect(14, 240, 34, 270)
	)
	wall := func(at image.Point) color.NRGBA {
		lit := 232 - float64(at.X)/10 - float64(at.Y)/20
		if at.In(shadow) {
			from := math.Sin(math.Pi / 2 * float64(at.X-shadow.Min.X) / float64(shadow.Dx()))
			ends := min(float64(at.Y-shadow.Min.Y), float64(shadow.Max.Y-at.Y), 30) / 30
			lit *= 1 - 0.25*from*ends
		}
		return color.NRGBA{level(lit), level(lit * 0.99), level(lit * 0.97), 255}
	}
	draw := func(grain float64) *image.NRGBA {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range w * h {
			at := image.Pt(i%w, i/w)
			c := wall(at)
			switch {
			case at.In(shirt), at.In(gap):
			case at.In(body):
				c = color.NRGBA{40, 60, 120, 255}
			case at.In(hair):
				c = color.NRGBA{60, 40, 30, 255}
			case at.In(handle), at.In(bat):
				c = color.NRGBA{175, 120, 70, 255}
			case at.In(apart):
				c = color.NRGBA{180, 30, 30, 255}
			default:
				n := grain * math.Sin(float64(at.X)) * math.Cos(1.3*float64(at.Y))
				c.R, c.G, c.B = level(float64(c.R)+n), level(float64(c.G)+n), level(float64(c.B)+n)
			}
			img.SetNRGBA(at.X, at.Y, c)
		}
		return img
	}
	// What the cut had: no hair, no bat, and a part of the shadow, all against what the expectation says.
	cut := func(s *scene) finding {
		f := finding{labels: make([]uint8, w*h), prior: make([]float32, w*h), chance: make([]float32, w*h)}
		for i := range f.labels {
			f.prior[i] = -6
			switch at := image.Pt(i%w, i/w); {
			case at.In(body), at.In(handle):
				f.labels[i], f.prior[i], f.chance[i] = 1, 6, 1
			case at.In(taken):
				f.labels[i], f.prior[i], f.chance[i] = 1, 2, 0.5
			}
		}
		f.models = s.cut.learn(func(i int) float64 { return float64(f.labels[i]) }, func(i int) float64 { return float64(1 - f.labels[i]) })
		return f
	}

	img := draw(0)
	s := &scene{img: img, cut: newCutter(reduce(img, 400))}
	f := cut(s)
	if plain, err := s.beforeBackdrop(t.Context(), &f, who); err != nil || !plain {
		t.Fatalf("the backdrop was found to be plain: %v, %v", plain, err)
	}
	for _, tt := range []struct {
		name string
		at   image.Rectangle
		want int
	}{
		{"hair", hair, 1},
		{"bat", bat, 1},
		{"a shirt as light as the wall", shirt, 1},
		{"trousers", image.Rect(82, 190, 94, 262), 1},
		{"gap between the legs", gap, 0},
		{"shadow", taken, 0},
		{"something that stands apart", apart, 0},
	} {
		got := shareOf(f, w, tt.at)
		if got < 0.9 && tt.want == 1 || got > 0.1 && tt.want == 0 {
			t.Errorf("%s: %.2f of it is the subject's, want %d", tt.name, got, tt.want)
		}
	}

	img = draw(40)
	s = &scene{img: img, cut: newCutter(reduce(img, 400))}
	f = cut(s)
	before := slices.Clone(f.labels)
	if plain, err := s.beforeBackdrop(t.Context(), &f, who); err != nil || plain || !slices.Equal(before, f.labels) {
		t.Errorf("a wall with a pattern was taken for plain: %v, %v", plain, err)
	}
}
