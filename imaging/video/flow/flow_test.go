package flow

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// texture is a smooth pattern without repetition, seen through a similarity.
func texture(w, h int, m Motion) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	sin, cos := math.Sincos(-m.Turn)
	for y := range h {
		for x := range w {
			// The picture after the motion shows at p what was at the motion's inverse of p.
			px, py := float64(x)-float64(w-1)/2-m.X*float64(w), float64(y)-float64(h-1)/2-m.Y*float64(w)
			u, v := (cos*px-sin*py)/m.Zoom, (sin*px+cos*py)/m.Zoom
			l := 128 + 50*math.Sin(u/5+math.Sin(v/9)) + 40*math.Cos(v/6+1.7*math.Sin(u/13)) + 20*math.Sin((u+v)/3.1)
			img.SetNRGBA(x, y, color.NRGBA{uint8(l), uint8(l), uint8(l), 255})
		}
	}
	return img
}

func TestTheMotionOfAWholePictureIsFound(t *testing.T) {
	t.Parallel()
	still := GrayOf(texture(160, 120, Motion{Zoom: 1}), 160)
	tests := []struct {
		name string
		want Motion
	}{
		{"none", Motion{Zoom: 1}},
		{"to the right", Motion{X: 0.03, Zoom: 1}},
		{"up and to the left, far", Motion{X: -0.1, Y: -0.06, Zoom: 1}},
		{"nearer", Motion{Zoom: 1.06}},
		{"turned", Motion{Zoom: 1, Turn: 0.05}},
		{"all at once", Motion{X: 0.02, Y: 0.01, Zoom: 0.97, Turn: -0.03}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := Between(still, GrayOf(texture(160, 120, tt.want), 160), nil).Global(nil)
			if !ok || math.Abs(got.X-tt.want.X) > 0.002 || math.Abs(got.Y-tt.want.Y) > 0.002 || math.Abs(got.Zoom-tt.want.Zoom) > 0.004 || math.Abs(got.Turn-tt.want.Turn) > 0.004 {
				t.Errorf("found %+v (%v), want %+v", got, ok, tt.want)
			}
		})
	}
}

func TestAPartThatMovesByItselfHasItsOwnVectors(t *testing.T) {
	t.Parallel()
	before, after := texture(160, 120, Motion{Zoom: 1}), texture(160, 120, Motion{Zoom: 1})
	patch := texture(60, 50, Motion{X: 0.3, Zoom: 0.8})
	for y := range 50 {
		for x := range 60 {
			before.SetNRGBA(50+x, 35+y, patch.NRGBAAt(x, y))
			after.SetNRGBA(55+x, 33+y, patch.NRGBAAt(x, y))
		}
	}
	f := Between(GrayOf(before, 160), GrayOf(after, 160), nil)
	for _, p := range []struct {
		x, y       float32
		u, v, slop float64
	}{{80, 60, 5, -2, 0.8}, {12, 12, 0, 0, 0.5}, {148, 108, 0, 0, 0.5}} {
		u, v := f.At(p.x, p.y)
		if math.Hypot(float64(u)-p.u, float64(v)-p.v) > p.slop {
			t.Errorf("at (%v,%v) the vector is (%.2f,%.2f), want (%v,%v)", p.x, p.y, u, v, p.u, p.v)
		}
	}
	whole, ok := f.Global(nil)
	if !ok || math.Abs(whole.X) > 0.003 || math.Abs(whole.Y) > 0.003 {
		t.Errorf("the picture as a whole stands still and is found to move by %+v", whole)
	}
}

func TestNothingToHoldOnToIsSaid(t *testing.T) {
	t.Parallel()
	plain := NewGray(80, 60)
	if m, ok := Between(plain, NewGray(80, 60), nil).Global(nil); ok {
		t.Errorf("two black pictures are found to move by %+v", m)
	}
}

func BenchmarkBetween192(b *testing.B) {
	x, y := GrayOf(texture(192, 108, Motion{Zoom: 1}), 192), GrayOf(texture(192, 108, Motion{X: 0.02, Zoom: 1.01}), 192)
	for b.Loop() {
		Between(x, y, nil)
	}
}
