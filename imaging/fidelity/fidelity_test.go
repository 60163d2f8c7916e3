package fidelity

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/imaging/segment"
	"atelier/imaging/testpics"
)

// redraw gives the picture with everything outside the mask replaced.
func redraw(img *image.NRGBA, keep mask.Plane) *image.NRGBA {
	out := imaging.Clone(img)
	for y := range keep.H {
		for x := range keep.W {
			if !keep.Kept(x, y) {
				out.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(y), 200, 255})
			}
		}
	}
	return out
}

func shifted(img *image.NRGBA, dx, dy int) *image.NRGBA {
	out := imaging.Clone(img)
	draw.Draw(out, out.Rect.Add(image.Pt(dx, dy)), img, image.Point{}, draw.Src)
	return out
}

// patch paints over a share of the mask's bounds from the left.
func patch(img *image.NRGBA, keep mask.Plane, share float64, c color.NRGBA) *image.NRGBA {
	out := imaging.Clone(img)
	b := keep.Bounds()
	b.Max.X = b.Min.X + int(share*float64(b.Dx()))
	draw.Draw(out, b, image.NewUniform(c), image.Point{}, draw.Src)
	return out
}

func jpeg(t *testing.T, img *image.NRGBA) *image.NRGBA {
	t.Helper()
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.JPEG, Quality: 85}); err != nil {
		t.Fatal(err)
	}
	out, _, err := imaging.Decode(t.Context(), b.Bytes(), imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheScoreIsTheShareOfTheKeptPartThatLooksTheSame(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(900, 1200, 3)
	good := redraw(img, keep)
	tests := []struct {
		name      string
		result    *image.NRGBA
		low, high float64
	}{
		{"nothing changed", img, 1, 1},
		{"only the rest was redrawn", good, .999, 1},
		{"saved as JPEG", jpeg(t, good), .97, 1},
		{"twice as large", imaging.Resize(good, 1800, 2400), .97, 1},
		{"half as large", imaging.Resize(good, 450, 600), .95, 1},
		{"moved by a few pixels", shifted(good, 4, -3), .95, 1},
		{"moved far", shifted(good, 60, 0), 0, .9},
		{"half of it another colour", patch(good, keep, .5, color.NRGBA{20, 200, 60, 255}), .3, .7},
		{"all of it another colour", patch(good, keep, 1, color.NRGBA{20, 200, 60, 255}), 0, .05},
		{"all of it cut away", patch(good, keep, 1, color.NRGBA{}), 0, .02},
	}
	r, err := FromMask(img, keep)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		score, err := r.Score(tt.result)
		if err != nil || score < tt.low || score > tt.high {
			t.Errorf("%s: %.3f, %v, want %.2f to %.2f", tt.name, score, err, tt.low, tt.high)
		}
	}
}

func TestWhatCannotBeComparedGetsNoScore(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(600, 800, 4)
	r, err := FromMask(img, keep)
	if err != nil {
		t.Fatal(err)
	}
	if score, err := r.Score(testpics.Photo(800, 600, 1)); !errors.Is(err, ErrNotComparable) {
		t.Errorf("another shape: %v, %v", score, err)
	}
	speck := mask.New(600, 800)
	speck.Set(5, 5, 255)
	if _, err := FromMask(img, speck); !errors.Is(err, ErrNotComparable) {
		t.Errorf("a speck: %v", err)
	}
	if _, err := FromMask(img, mask.New(60, 80)); !errors.Is(err, ErrNotComparable) {
		t.Errorf("a mask of another size: %v", err)
	}
}

func TestTheRegionOfAnAutomaticMaskIsFound(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(700, 900, 5)
	r, err := Find(t.Context(), img, segment.WholeSubject)
	if errors.Is(err, ErrNotComparable) {
		t.Fatalf("a garment on a plain ground is not clear: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	kept, err := r.Score(redraw(img, keep))
	if err != nil || kept < .9 {
		t.Errorf("kept: %.3f, %v", kept, err)
	}
	changed, err := r.Score(patch(img, keep, 1, color.NRGBA{20, 200, 60, 255}))
	if err != nil || changed > .2 {
		t.Errorf("changed: %.3f, %v", changed, err)
	}
}

func BenchmarkScore(b *testing.B) {
	img, keep := testpics.Garment(1500, 2000, 3)
	r, err := FromMask(img, keep)
	if err != nil {
		b.Fatal(err)
	}
	result := redraw(img, keep)
	for b.Loop() {
		if _, err := r.Score(result); err != nil {
			b.Fatal(err)
		}
	}
}
