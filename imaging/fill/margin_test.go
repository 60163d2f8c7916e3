package fill

import (
	"image"
	"image/color"
	"testing"
)

// framed paints a plain frame of so many pixels on each side of a picture.
func framed(img *image.NRGBA, left, top, right, bottom int, c color.NRGBA) {
	inner := image.Rect(left, top, img.Rect.Max.X-right, img.Rect.Max.Y-bottom)
	for y := range img.Rect.Max.Y {
		for x := range img.Rect.Max.X {
			if !image.Pt(x, y).In(inner) {
				img.SetNRGBA(x, y, c)
			}
		}
	}
}

func TestAPlainBackgroundGoesOnAsItIs(t *testing.T) {
	t.Parallel()
	white := color.NRGBA{254, 254, 253, 255}
	src := texture(160, 140, 11)
	framed(src, 20, 12, 30, 16, white)
	got, err := Expand(t.Context(), src, 420, 300, 90, 70, Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	placed := src.Rect.Add(image.Pt(90, 70))
	for y := range 300 {
		for x := range 420 {
			if !image.Pt(x, y).In(placed) && got.NRGBAAt(x, y) != white {
				t.Fatalf("(%d,%d) is %v, want the background's %v", x, y, got.NRGBAAt(x, y), white)
			}
		}
	}
}

func TestTheBarsOfAFilmGoOnAndAreNotCopiedIntoTheScene(t *testing.T) {
	t.Parallel()
	black := color.NRGBA{0, 0, 0, 255}
	src := texture(240, 180, 12)
	framed(src, 0, 30, 0, 24, black)
	for x := 3; x < 240; x += 9 { // as compression leaves it
		src.SetNRGBA(x, 12+x%18, color.NRGBA{7, 5, 6, 255})
	}
	got, err := Expand(t.Context(), src, 400, 260, 80, 40, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for y := range 260 {
		for _, x := range []int{5, 40, 70, 330, 395} {
			c, bar := got.NRGBAAt(x, y), y < 40+30 || y >= 40+180-24
			if bar && int(c.R)+int(c.G)+int(c.B) > 20 {
				t.Fatalf("(%d,%d) beside a bar is %v", x, y, c)
			}
			if !bar && int(c.R)+int(c.G)+int(c.B) < 60 {
				t.Fatalf("(%d,%d) beside the scene is %v, nearly black", x, y, c)
			}
		}
	}
}

func TestASideIsPlainOnlyWhenAllOfItIs(t *testing.T) {
	t.Parallel()
	white := color.NRGBA{250, 250, 250, 255}
	tests := []struct {
		name                     string
		left, top, right, bottom int
		spot                     image.Point
		want                     [4]int
	}{
		{"all around", 9, 8, 7, 6, image.Pt(50, 40), [4]int{9, 8, 7, 6}},
		{"no frame", 0, 0, 0, 0, image.Pt(50, 40), [4]int{}},
		{"two sides", 0, 8, 0, 6, image.Pt(50, 40), [4]int{0, 8, 0, 6}},
		{"thinner than a hint of one", 2, 2, 2, 2, image.Pt(50, 40), [4]int{}},
		{"a clear spot on the right edge", 9, 8, 7, 6, image.Pt(119, 40), [4]int{9, 8, 0, 6}},
		{"something reaches the left edge", 9, 8, 7, 6, image.Pt(0, 40), [4]int{0, 8, 7, 6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := texture(120, 90, 13)
			framed(src, tt.left, tt.top, tt.right, tt.bottom, white)
			mark := red
			if tt.spot.X == 119 {
				mark = color.NRGBA{250, 250, 250, 0}
			}
			src.SetNRGBA(tt.spot.X, tt.spot.Y, mark)
			m := marginsOf(pictureOf(src))
			if got := [4]int{m.left.deep, m.top.deep, m.right.deep, m.bottom.deep}; got != tt.want {
				t.Errorf("margins %v, want %v", got, tt.want)
			}
		})
	}
	if m := marginsOf(pictureOf(func() *image.NRGBA {
		img := image.NewNRGBA(image.Rect(0, 0, 30, 30))
		framed(img, 30, 0, 0, 0, white)
		return img
	}())); m != (margins{}) {
		t.Errorf("a picture of one colour has margins %+v", m)
	}
}
