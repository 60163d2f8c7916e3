package render

import (
	"errors"
	"image"
	"image/color"
	"testing"

	"atelier/imaging/mask"
)

func TestAPictureThatEndsAboveTheBellyIsRefused(t *testing.T) {
	t.Parallel()
	req := Request{Agent: "pregnant_ai", Files: map[string][]*image.NRGBA{"images": {portrait(t, "Maren", 360, 450)}}, Count: 1}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	var unseen *UnseenError
	if _, err := Render(t.Context(), req, seg); !errors.As(err, &unseen) {
		t.Errorf("a portrait gives %v, want a sentence that the belly does not show", err)
	}
}

func TestARoundBellyIsLitFromAboveAndShadesNothingBesideTheBody(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	flood(img, color.NRGBA{150, 120, 100, 255})
	body := mask.New(200, 200)
	body.FillRect(image.Rect(40, 0, 160, 200), 255)
	dome(img, body, image.Pt(100, 100), 80, 80, 1)
	above, below := img.NRGBAAt(100, 60), img.NRGBAAt(100, 165)
	if above.G < 125 || below.G > 100 {
		t.Errorf("the belly is %v above and %v below", above, below)
	}
	for _, p := range []image.Point{{30, 100}, {170, 100}, {100, 0}} {
		if got := img.NRGBAAt(p.X, p.Y); got != (color.NRGBA{150, 120, 100, 255}) {
			t.Errorf("at %v, not of the belly, it is %v", p, got)
		}
	}
}
