package render

import (
	"math"
	"testing"

	"atelier/imaging"
)

func TestDarkHairBesideTheEyesIsNotTakenForThem(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	s := f.span()
	long := imaging.Clone(img)
	for _, side := range []float64{-1, 1} {
		line(0.36*s, 0.36*s, f.at(side*1.0, -1), f.at(side*1.0, 1.6)).fill(long, dot([3]float64{16, 12, 10}, 255))
	}
	g := featuresOf(long, seg.Faces[0])
	for i, p := range [][2]spot{{f.left, g.left}, {f.right, g.right}, {f.mouth, g.mouth}} {
		if d := math.Hypot(p[0].x-p[1].x, p[0].y-p[1].y) / s; d > 0.12 {
			t.Errorf("place %d moved by %.2f of the distance of the eyes", i, d)
		}
	}
	if b := byColour(long, seg.Faces[0]); math.Abs(b.left.x-f.left.x)+math.Abs(b.right.x-f.right.x) < 0.1*s {
		t.Error("hair beside the eyes does not mislead colours: the test shows nothing")
	}
}
