package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging/mask"
)

// Somebody leans against the person whose hair goes, with a face that was not found: skin that hair frames is another head, and keeps
// that hair. A hand or a shoulder beside the neck is none.
func TestTheHairOfWhoeverLeansAgainstAHeadStays(t *testing.T) {
	t.Parallel()
	sat, seg := sitter(t)
	img := image.NewNRGBA(image.Rect(0, 0, 700, 500))
	for y := range 500 {
		copy(img.Pix[img.PixOffset(0, y):], sat.Pix[sat.PixOffset(0, y):sat.PixOffset(0, y)+4*400])
	}
	face := seg.Faces[0]
	tone := skinTone(img, face)
	f := featuresOf(img, face)
	subject, hair := mask.New(700, 500), mask.New(700, 500)
	subject.Fill(255)
	const cx, cy = 500.0, 330.0
	r := 1.2 * f.span()
	skin := img.NRGBAAt(int(f.at(0.5, 0.7).x), int(f.at(0.5, 0.7).y))
	for y := range 500 {
		for x := 400; x < 700; x++ {
			switch d := math.Hypot(float64(x)-cx, float64(y)-cy); {
			case d < r:
				img.SetNRGBA(x, y, skin)
			case d < 1.5*r && float64(y) < cy+0.4*r:
				img.SetNRGBA(x, y, color.NRGBA{70, 46, 34, 255})
				hair.Set(x, y, 255)
			default:
				img.SetNRGBA(x, y, color.NRGBA{120, 150, 190, 255})
			}
		}
	}
	k := skullOf(head{face: face, hair: hair, ok: true}, f, haircut{})
	heads := k.headsBeside(img, subject, tone)
	if len(heads) != 1 || !image.Rect(int(cx-1.3*r), int(cy-1.3*r), int(cx+1.3*r), int(cy)).In(heads[0]) {
		t.Fatalf("heads beside: %v, want one about (%.0f, %.0f)", heads, cx, cy)
	}
	k.not = heads
	if hidden, far := k.cover(); !hidden.Empty() || !far.Empty() {
		t.Errorf("its hair is taken: %v and %v", hidden.Bounds(), far.Bounds())
	}
	bare := k
	bare.hair = mask.New(700, 500)
	if heads := bare.headsBeside(img, subject, tone); len(heads) != 0 {
		t.Errorf("skin without hair is a head: %v", heads)
	}
}
