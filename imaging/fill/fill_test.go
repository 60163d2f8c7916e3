package fill

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging/mask"
)

// texture draws a bright sky over dark ground, both with grain; no two seeds have the same grain.
func texture(w, h int, seed uint64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rng(seed)
	for y := range h {
		for x := range w {
			n := r.between(-9, 9)
			c := color.NRGBA{uint8(120 + n), uint8(170 + n), uint8(225 + n), 255}
			if y > h*6/10 {
				n = r.between(-20, 20) + int(12*math.Sin(float64(x)/3))
				c = color.NRGBA{uint8(90 + n), uint8(110 + n), uint8(60 + n), 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// paintDisc draws a disc of one colour and marks it in m when m is given.
func paintDisc(img *image.NRGBA, m *mask.Plane, cx, cy, r int, c color.NRGBA) {
	for y := cy - r; y <= cy+r; y++ {
		for x := cx - r; x <= cx+r; x++ {
			if (x-cx)*(x-cx)+(y-cy)*(y-cy) > r*r {
				continue
			}
			if img != nil {
				img.SetNRGBA(x, y, c)
			}
			if m != nil {
				m.Set(x, y, 255)
			}
		}
	}
}

func disc(w, h, cx, cy, r int) mask.Plane {
	m := mask.New(w, h)
	paintDisc(nil, &m, cx, cy, r, color.NRGBA{})
	return m
}

func TestKnownPixelsStayExactWhenAHoleIsFilled(t *testing.T) {
	t.Parallel()
	img := texture(200, 160, 1)
	hole := disc(200, 160, 90, 80, 40)
	got, err := Complete(t.Context(), img, hole, Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for i, v := range hole.Pix {
		same := [4]uint8(got.Pix[4*i:]) == [4]uint8(img.Pix[4*i:])
		if v == 0 && !same {
			t.Fatalf("known pixel %d changed from %v to %v", i, img.Pix[4*i:4*i+4], got.Pix[4*i:4*i+4])
		}
		if v != 0 && !same {
			changed++
		}
	}
	if changed < 1000 {
		t.Errorf("only %d of the hole's pixels were redrawn", changed)
	}
}

func TestExpandKeepsTheOriginalExactAtAnyOffset(t *testing.T) {
	t.Parallel()
	src := texture(120, 100, 2)
	tests := []struct {
		name                     string
		width, height, left, top int
	}{
		{"centred", 220, 180, 50, 40},
		{"top left corner", 200, 150, 0, 0},
		{"half outside to the left and above", 150, 130, -60, -30},
		{"eight columns left of it", 160, 120, -112, 10},
		{"eight rows left of it at the bottom", 120, 140, 0, 132},
		{"cropped on all sides", 60, 50, -20, -20},
		{"one pixel wider", 121, 100, 0, 0},
		{"narrow strip", 120, 9, 0, -50},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Expand(t.Context(), src, tt.width, tt.height, tt.left, tt.top, Options{Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			if got.Rect != image.Rect(0, 0, tt.width, tt.height) {
				t.Fatalf("canvas is %v", got.Rect)
			}
			for y := range tt.height {
				for x := range tt.width {
					c := got.NRGBAAt(x, y)
					p := image.Pt(x-tt.left, y-tt.top)
					if p.In(src.Rect) && c != src.NRGBAAt(p.X, p.Y) {
						t.Fatalf("original pixel %v became %v", p, c)
					}
					if c.A != 255 {
						t.Fatalf("pixel (%d,%d) is not opaque", x, y)
					}
				}
			}
		})
	}
}

func TestExpandEndsPromptlyWhenCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	opt := Options{Progress: func(float64) { cancel() }}
	_, err := Expand(ctx, texture(400, 300, 1), 900, 900, 100, 100, opt)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Expand = %v, want cancelled", err)
	}
}
