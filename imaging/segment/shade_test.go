package segment

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// onFloor is a red block on a grey floor. Below it lies its shadow, blurred as shadows are, or a foot of the same grey.
func onFloor(foot bool) (img *image.NRGBA, block, under image.Rectangle) {
	const w, h = 300, 300
	block, under = image.Rect(100, 60, 190, 220), image.Rect(90, 222, 220, 240)
	img = image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		at := image.Pt(i%w, i/w)
		lit := 190 - float64(at.Y)/15 + math.Sin(float64(at.X))*math.Cos(1.3*float64(at.Y))
		switch {
		case at.In(block):
			lit = 0
		case foot && at.In(under):
			lit *= 0.6
		case !foot:
			away := math.Hypot(float64(at.X-150)/85, float64(at.Y-222)/26)
			lit *= 1 - 0.55*math.Exp(-2*away*away*away)
		}
		c := color.NRGBA{level(lit), level(lit), level(lit), 255}
		if at.In(block) {
			c = color.NRGBA{170, uint8(30 + (at.X/9+at.Y/7)%5*8), 40, 255}
		}
		img.SetNRGBA(at.X, at.Y, c)
	}
	return img, block, under
}

func TestTheShadowUnderAThingStaysOnTheFloor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		foot bool
	}{{"a shadow", false}, {"a foot as grey as a shadow", true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			img, block, under := onFloor(tt.foot)
			r, err := Subject(t.Context(), img, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := keptIn(r.Mask, block); got < 0.97 {
				t.Errorf("of the block %.2f is kept", got)
			}
			if got := keptIn(r.Mask, under); tt.foot && got < 0.9 || !tt.foot && got > 0.1 {
				t.Errorf("of what lies under it %.2f is kept", got)
			}
		})
	}
}
