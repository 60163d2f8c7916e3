package render

import (
	"image"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
)

func TestSlowDarkHairBesideTheEyesIsNotTakenForThem(t *testing.T) {
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

func TestSlowAFaceHeldAtASlantHasItsMouthFoundAsExactly(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	img, face := imaging.Clone(img), seg.Faces[0]
	compose.Grade(img, 0, 0, 0) // no colour tells where the lips are
	f := featuresOf(img, face)
	x, y := float64(face.Min.X+face.Max.X)/2, float64(face.Min.Y+face.Max.Y)/2
	for _, degrees := range []float64{-22, -16, 16, 22} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		slanted := affine{cos, -sin, x - cos*x + sin*y, sin, cos, y - sin*x - cos*y}
		turned := imaging.Clone(img)
		back := affine{cos, sin, x - cos*x - sin*y, -sin, cos, y + sin*x - cos*y}
		eachPixel(turned, func(x, y int, p []uint8) {
			q := back.at(spot{float64(x), float64(y)})
			if c, ok := sampled(img, q.x, q.y); ok {
				p[0], p[1], p[2] = byte255(c[0]), byte255(c[1]), byte255(c[2])
			}
		})
		got, want := featuresOf(turned, face).mouth, slanted.at(f.mouth)
		if d := math.Hypot(got.x-want.x, got.y-want.y) / f.span(); d > 0.025 {
			t.Errorf("at %.0f degrees the mouth is %.3f of the distance of the eyes away from where it is", degrees, d)
		}
	}
}

// A large face is looked at on a smaller copy: its eyes and mouth are where those of the small one are.
func TestLandmarksOfLargeFace(t *testing.T) {
	t.Parallel()
	const larger = 5
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	large := image.NewNRGBA(image.Rect(0, 0, larger*img.Rect.Dx(), larger*img.Rect.Dy()))
	eachPixel(large, func(x, y int, p []uint8) { copy(p, img.Pix[img.PixOffset(x/larger, y/larger):][:4]) })
	face := image.Rectangle{Min: seg.Faces[0].Min.Mul(larger), Max: seg.Faces[0].Max.Mul(larger)}
	g := featuresOf(large, face)
	for i, p := range [][2]spot{{f.left, g.left}, {f.right, g.right}, {f.mouth, g.mouth}} {
		if d := math.Hypot(larger*p[0].x-p[1].x, larger*p[0].y-p[1].y) / g.span(); d > 0.03 {
			t.Errorf("place %d is %.3f of the distance of the eyes away from where it is on the small picture", i, d)
		}
	}
}
