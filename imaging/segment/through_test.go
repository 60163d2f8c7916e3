package segment

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// chair is a frame of wood with bars before a wall that is lit from one side, with a panel in it of another colour than the wall and, when the
// wall is white, of the same. It gives what lies between the bars, and the panel.
func chair(wall float64) (img *image.NRGBA, frame, panel image.Rectangle, between []image.Rectangle) {
	const w, h = 300, 300
	frame, panel = image.Rect(80, 50, 220, 270), image.Rect(90, 200, 210, 260)
	for n := range 3 {
		between = append(between, image.Rect(88+n*43, 60, 125+n*43, 190))
	}
	img = image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		at := image.Pt(i%w, i/w)
		lit := min(wall-float64(at.X)/12+math.Sin(float64(at.X))*math.Cos(1.3*float64(at.Y)), 255)
		c := color.NRGBA{level(lit), level(lit * 0.99), level(lit * 0.98), 255}
		if wall > 255 {
			c = color.NRGBA{255, 255, 255, 255}
		}
		open := false
		for _, r := range between {
			open = open || at.In(r)
		}
		switch {
		case at.In(panel) && wall > 255:
			c = color.NRGBA{255, 255, 255, 255}
		case at.In(panel):
			c = color.NRGBA{250, 246, 240, 255}
		case at.In(frame) && !open:
			c = color.NRGBA{120, 74, 40, 255}
		}
		img.SetNRGBA(at.X, at.Y, c)
	}
	return img, frame, panel, between
}

func TestWhatShowsThroughAThingIsTheBackdrop(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		wall  float64
		opens bool
	}{{"a grey wall", 226, true}, {"pure white, as the panel is", 256, false}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			img, frame, panel, between := chair(tt.wall)
			r, err := Subject(t.Context(), img, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := keptIn(r.Mask, panel); got < 0.98 {
				t.Errorf("the panel is kept by %.2f", got)
			}
			if got := keptIn(r.Mask, frame.Inset(2)); got < 0.45 {
				t.Errorf("the frame and what is in it are kept by %.2f", got)
			}
			for n, at := range between {
				if got := keptIn(r.Mask, at.Inset(2)); tt.opens && got > 0.05 {
					t.Errorf("between bars %d and %d the wall is kept by %.2f", n, n+1, got)
				}
				bar := image.Rect(at.Max.X+1, 70, at.Max.X+5, 180)
				if got := keptIn(r.Mask, bar); got < 0.9 {
					t.Errorf("bar %d is kept by %.2f", n+1, got)
				}
			}
		})
	}
}
