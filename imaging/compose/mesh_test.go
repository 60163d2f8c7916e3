package compose

import (
	"image"
	"image/color"
	"math"
	"testing"
)

func TestBendingByNothingChangesNothing(t *testing.T) {
	t.Parallel()
	cut := figure(50, 40, image.Rect(8, 6, 41, 33), color.NRGBA{200, 90, 30, 255})
	got, at := Bend(cut, 7, func(x, y float64) (float64, float64, float64) { return x, y, 0 })
	for y := range 40 {
		for x := range 50 {
			want := cut.NRGBAAt(x, y)
			p := image.Pt(x, y).Sub(at)
			if want.A != 0 && got.NRGBAAt(p.X, p.Y) != want {
				t.Fatalf("pixel (%d,%d) is %v, want %v", x, y, got.NRGBAAt(p.X, p.Y), want)
			}
		}
	}
}

func TestWhatIsBentDoesNotTear(t *testing.T) {
	t.Parallel()
	cut := figure(120, 160, image.Rect(20, 10, 100, 150), color.NRGBA{20, 120, 200, 255})
	// The lower part swings aside by more than a square.
	got, _ := Bend(cut, 6, func(x, y float64) (float64, float64, float64) {
		t := math.Max(0, math.Min(1, (y-60)/30))
		return x + 40*t*t*(3-2*t), y, 0
	})
	matte := Matte(got)
	for y := range matte.H {
		// Every row stays one run without holes.
		runs := 0
		was := false
		for _, v := range matte.Row(y) {
			is := v > 200
			if is && !was {
				runs++
			}
			was = is
		}
		if runs > 1 {
			t.Fatalf("row %d fell into %d pieces", y, runs)
		}
	}
}

func TestWhatLiesInFrontCoversTheRest(t *testing.T) {
	t.Parallel()
	cut := image.NewNRGBA(image.Rect(0, 0, 60, 20))
	for y := range 20 {
		for x := range 20 {
			cut.SetNRGBA(x, y, color.NRGBA{255, 0, 0, 255})
			cut.SetNRGBA(40+x, y, color.NRGBA{0, 0, 255, 255})
		}
	}
	for _, front := range []float64{1, -1} {
		got, at := Bend(cut, 20, func(x, y float64) (float64, float64, float64) {
			if x >= 40 {
				return x - 40, y, front // the blue one comes over the red one
			}
			return x, y, 0
		})
		c := got.NRGBAAt(10-at.X, 10-at.Y)
		if blue := c.B > c.R; blue != (front > 0) {
			t.Errorf("with the blue square at depth %.0f the middle is %v", front, c)
		}
	}
}
