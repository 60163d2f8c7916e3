package mask

import (
	"image"
	"math"
	"testing"
)

func TestGrowingIsExactWhereItsNumbersChangeWidth(t *testing.T) {
	const w, h = 700, 620
	p := New(w, h)
	p.Set(300, 310, 255)
	p.Set(420, 250, 255)
	for _, r := range []float64{252.5, 253, 254, 255, 256, 290} {
		got := p.Grow(r)
		for y := range h {
			for x := range w {
				near := min(math.Hypot(float64(x-300), float64(y-310)), math.Hypot(float64(x-420), float64(y-250)))
				if want := near <= r; got.Kept(x, y) != want {
					t.Fatalf("r %v: pixel %d,%d at %.3f: kept %v", r, x, y, near, !want)
				}
			}
		}
		full := New(w, h)
		full.Fill(255)
		full.Set(300, 310, 0)
		full.Set(420, 250, 0)
		inverse := full.Shrink(r)
		inverse.Invert()
		if !inverse.Equal(got) {
			t.Fatalf("r %v: shrinking the inverse differs from growing", r)
		}
	}
}

func TestSmoothRoundsCornersAndLeavesStraightEdges(t *testing.T) {
	p := New(200, 200)
	p.FillRect(image.Rect(40, 40, 160, 160), 255)
	p.FillRect(image.Rect(100, 20, 102, 40), 255) // a spike
	got := p.Smooth(12)
	for _, v := range got.Pix {
		if v != 0 && v != 255 {
			t.Fatalf("value %d in a smoothed mask", v)
		}
	}
	if got.Kept(40, 40) || !got.Kept(60, 60) {
		t.Error("the corner is not rounded, or too much")
	}
	if got.Kept(100, 24) {
		t.Error("the spike is still there")
	}
	for y := 80; y < 120; y++ {
		if got.Kept(39, y) || !got.Kept(40, y) {
			t.Fatalf("the straight edge moved at row %d", y)
		}
	}
}
