package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging"
	"atelier/imaging/lettering"
	"atelier/imaging/testpics"
)

// inked writes words on a copy of a ground, in a hand of a size, with a dark rim of some pixels.
func inked(t *testing.T, ground *image.NRGBA, words string, size float64, bold bool, ink color.NRGBA, rim int) *image.NRGBA {
	t.Helper()
	out := imaging.Clone(ground)
	h, err := newHand(size, bold)
	if err != nil {
		t.Fatal(err)
	}
	x, y := (out.Rect.Dx()-h.width(words))/2, out.Rect.Dy()*37/100
	for dy := -rim; dy <= rim; dy++ {
		for dx := -rim; dx <= rim; dx++ {
			h.write(out, words, x+dx, y+dy, color.NRGBA{14, 14, 18, 255})
		}
	}
	h.write(out, words, x, y, ink)
	return out
}

// apartBy is the largest difference between two pixels.
func apartBy(a, b []uint8) (most int) {
	for k := range 3 {
		most = max(most, int(a[k])-int(b[k]), int(b[k])-int(a[k]))
	}
	return most
}

func TestSlowLetteringIsRemovedAtEverySize(t *testing.T) {
	t.Parallel()
	white, red, yellow, dark := color.NRGBA{250, 250, 250, 255}, color.NRGBA{214, 30, 44, 255}, color.NRGBA{250, 214, 40, 255}, color.NRGBA{20, 20, 30, 255}
	tests := []struct {
		name, words string
		size        float64
		bold        bool
		ink         color.NRGBA
		rim         int
		seed        uint64
	}{
		{"a title of a fifth of the height", "Summer", 70, true, white, 3, 1},
		{"a title in one bold word of four", "SALE", 76, true, white, 3, 2},
		{"a coloured title without a rim", "Summer", 58, true, red, 0, 3},
		{"a coloured line with a rim", "Linen days", 40, false, yellow, 2, 4},
		{"a dark line", "From Monday", 34, true, dark, 0, 5},
		{"a caption", "From Monday in the shop", 19, true, white, 1, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ground := testpics.Photo(360, 270, tt.seed)
			img := inked(t, ground, tt.words, tt.size, tt.bold, tt.ink, tt.rim)
			got := imaging.Clone(img)
			found := lettering.Find(img, lettering.Side)
			if err := wiped(t.Context(), got, found, found.Lines, 1); err != nil {
				t.Fatal(err)
			}
			letters, gone, away, kept := 0, 0, 0, 0
			for i := 0; i < len(img.Pix); i += 4 {
				was, is, truth := img.Pix[i:i+3], got.Pix[i:i+3], ground.Pix[i:i+3]
				if apartBy(was, truth) > 30 {
					letters++
					if apartBy(is, truth) < 40 {
						gone++
					}
				}
			}
			for i := 0; i < len(img.Pix); i += 4 {
				if x, y := i/4%360, i/4/360; apartBy(img.Pix[i:i+3], ground.Pix[i:i+3]) == 0 && !nearInk(img, ground, x, y, 2+int(tt.size/5)) {
					away++
					if apartBy(got.Pix[i:i+3], img.Pix[i:i+3]) == 0 {
						kept++
					}
				}
			}
			t.Logf("%d of %d pixels of letters are gone, %d of %d beside are kept", gone, letters, kept, away)
			if 100*gone < 95*letters {
				t.Errorf("%d of %d pixels of letters are gone, want 95 %%", gone, letters)
			}
			if 100*kept < 99*away {
				t.Errorf("%d of %d pixels beside are kept, want 99 %%", kept, away)
			}
		})
	}
}

// nearInk says whether letters stand within r pixels of a place.
func nearInk(img, ground *image.NRGBA, x, y, r int) bool {
	for j := max(0, y-r); j <= min(img.Rect.Dy()-1, y+r); j++ {
		for i := max(0, x-r); i <= min(img.Rect.Dx()-1, x+r); i++ {
			if k := img.PixOffset(i, j); apartBy(img.Pix[k:k+3], ground.Pix[k:k+3]) > 0 {
				return true
			}
		}
	}
	return false
}
