package segment

import (
	"image"
	"image/draw"
	"testing"
)

func TestGroundThatReachesTheEdgeIsNotAloof(t *testing.T) {
	t.Parallel()
	// Pale ground runs through the middle of dark ground to both sides; on it lies a thing.
	back := paper(400, 300, brick, 2)
	draw.Draw(back, image.Rect(0, 90, 400, 230), paper(400, 300, sand, 3), image.Pt(0, 90), draw.Src)
	p := over(back, paper(400, 300, blue, 4), disc(200, 160, 45))
	c := reduce(p.img, coarseSize)
	var thing, ground, n, m float64
	for i, v := range aloof(c) {
		x, y := i%400, i/400
		switch {
		case p.alpha[i] > 0.5:
			thing, n = thing+float64(v), n+1
		case x > 60 && x < 340 && y > 100 && y < 220:
			ground, m = ground+float64(v), m+1
		}
	}
	if thing /= n; thing < 1 {
		t.Errorf("the thing scores %.2f, want at least 1", thing)
	}
	if ground /= m; ground > -1 {
		t.Errorf("the ground around it scores %.2f, want at most -1", ground)
	}
}
