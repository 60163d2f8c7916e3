package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/mask"
)

// red says whether a pixel shows the busker, whom nothing else in the picture is like.
func red(c color.NRGBA) bool { return int(c.R) > int(c.G)+60 }

// expanded is the busker with a face at the given place, on a canvas with 60 px more below and 90 on both sides.
func expanded(t *testing.T, face image.Rectangle) *image.NRGBA {
	t.Helper()
	src, m := busker()
	for y := 130; y < 200; y++ {
		for x := 150; x < 175; x++ {
			m.Set(x, y, 255)
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 420.0, "targetHeight": 260.0, "fillTop": 0.0}}
	out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9, Faces: []image.Rectangle{face}})
	if err != nil {
		t.Fatal(err)
	}
	for y := range 200 {
		for x := range 240 {
			if out.NRGBAAt(x+90, y) != src.NRGBAAt(x, y) {
				t.Fatalf("the picture has changed at (%d,%d)", x, y)
			}
		}
	}
	return out
}

func TestAPersonCutByTheLowerFrameGoesOnBelowItAndNowhereElse(t *testing.T) {
	t.Parallel()
	out := expanded(t, image.Rect(95, 62, 135, 102))
	for y := 200; y < 260; y++ {
		for x := range 420 {
			in, near := x >= 90+90 && x < 90+165, x >= 90+60 && x < 90+195
			if is := red(out.NRGBAAt(x, y)); in && !is {
				t.Fatalf("the person ends at (%d,%d)", x, y)
			} else if is && !near {
				t.Fatalf("the person shows at (%d,%d)", x, y)
			}
		}
	}
}

func TestFeetAtTheLowerFrameEndThere(t *testing.T) {
	t.Parallel()
	out := expanded(t, image.Rect(105, 62, 120, 77))
	for y := 203; y < 260; y++ {
		for x := range 420 {
			if red(out.NRGBAAt(x, y)) {
				t.Fatalf("the person shows at (%d,%d)", x, y)
			}
		}
	}
}

func TestAPersonCutAtTheSideAndAboveIsRoundedOff(t *testing.T) {
	t.Parallel()
	src := wall()
	m := mask.New(240, 200)
	for y := range 100 {
		for x := range 120 {
			src.SetNRGBA(x, y, color.NRGBA{190, 40, 40, 255})
			m.Set(x, y, 255)
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 340.0, "targetHeight": 300.0}}
	out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9, Faces: []image.Rectangle{image.Rect(30, 30, 80, 80)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []image.Point{{45, 100}, {110, 45}} {
		if !red(out.NRGBAAt(p.X, p.Y)) {
			t.Errorf("the person ends at the old frame, at %v", p)
		}
	}
	for _, p := range []image.Point{{4, 100}, {110, 2}, {4, 150}, {240, 20}} {
		if red(out.NRGBAAt(p.X, p.Y)) {
			t.Errorf("the person shows at %v", p)
		}
	}
}
