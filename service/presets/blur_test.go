package presets

import (
	"math"
	"testing"
)

func TestBlurKeepsLightAndSpreadsIt(t *testing.T) {
	const w, h = 61, 47
	for _, n := range []int{1, 3} {
		pix := make([]float32, w*h*n)
		for k := range n {
			pix[((h/2)*w+w/2)*n+k] = 1
		}
		blurPlane(pix, w, h, n, 4)
		for k := range n {
			sum, spread := 0.0, 0.0
			for y := range h {
				for x := range w {
					v := float64(pix[(y*w+x)*n+k])
					sum += v
					spread += v * float64((x-w/2)*(x-w/2))
				}
			}
			if math.Abs(sum-1) > 1e-3 {
				t.Errorf("%d channels: channel %d holds %v of its light", n, k, sum)
			}
			if sigma := math.Sqrt(spread); math.Abs(sigma-4) > 0.6 {
				t.Errorf("%d channels: channel %d is spread by %v, want 4", n, k, sigma)
			}
		}
	}
}

func TestBlurLeavesAnEvenPlaneAlone(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 9}, {5, 2}, {40, 30}} {
		pix := make([]float32, size[0]*size[1])
		for i := range pix {
			pix[i] = 0.5
		}
		blurPlane(pix, size[0], size[1], 1, 7)
		for i, v := range pix {
			if math.Abs(float64(v)-0.5) > 1e-4 {
				t.Fatalf("%v: pixel %d is %v", size, i, v)
			}
		}
	}
}

func TestOverlappingOutlinesJoin(t *testing.T) {
	c := newCanvas(t.Context(), 100, 100, 1)
	m := c.mask(append(closeCut(0.2, 0.3, 0.8, point{0.1, 0.6}, point{-0.1, 0.6}), locks(0.3, [2]point{{0, 0.3}, {0, 0.9}})...), 0)
	for _, y := range []int{35, 50, 75} {
		if got := m.at(50, y); got < 0.99 {
			t.Errorf("the hair has a hole of %v at y = %d", 1-got, y)
		}
	}
}

func TestColoursSurviveTheRoundTrip(t *testing.T) {
	for v := range uint32(256) {
		if got := quantise(encode(decode(v)), 0); uint32(got) != v {
			t.Errorf("%d comes back as %d", v, got)
		}
	}
}
