package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
)

// Somebody leans against the person whose hair goes, with a face that was not found: skin that hair frames is another head, and keeps
// that hair. A hand or a shoulder beside the neck is none.
func TestSlowTheHairOfWhoeverLeansAgainstAHeadStays(t *testing.T) {
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

// Strands on the forehead, which lie among skin, and single hairs that stand out beyond what was found go with the rest.
func TestSlowBaldHeadHasNoStrands(t *testing.T) {
	t.Parallel()
	drawn, seg := sitter(t)
	img := imaging.Clone(drawn)
	f := featuresOf(img, seg.Faces[0])
	s := f.span()
	dark := color.NRGBA{40, 28, 24, 255}
	for _, x := range []float64{-0.05, 0.12, 0.5} {
		line(0.05*s, 0.03*s, f.at(x, -1), f.at(x+0.03, -0.5)).fill(img, dark)
	}
	h := headIn(img, seg)
	var single []image.Point // just outside the hair, above the head
	for x := int(f.at(-0.8, 0).x); x < int(f.at(0.8, 0).x); x += 5 {
		for y := range h.hair.H {
			if h.hair.At(x, y) > 60 {
				single = append(single, image.Pt(x, y-int(s/8)))
				break
			}
		}
	}
	for _, at := range single {
		oval(float64(at.X), float64(at.Y), 1.5, 1.5, 0).fill(img, dark)
	}
	out := made(t, "bald-filter", "", 0, img, seg)
	cheek := toneIn(out, f.at(0.45, 0.75), 4)
	for _, x := range []float64{-0.03, 0.14, 0.52} {
		if now := toneIn(out, f.at(x, -0.65), 1); now[0] < cheek[0]-16 {
			t.Errorf("the forehead at %.2f has lightness %.0f, the cheek %.0f", x, now[0], cheek[0])
		}
	}
	left := 0
	for _, at := range single {
		if toneIn(out, spot{float64(at.X), float64(at.Y)}, 1)[0] < 40 {
			left++
		}
	}
	if len(single) < 5 || left > 0 {
		t.Errorf("%d of %d single hairs are left", left, len(single))
	}
}

// A chest that hair frames hangs together with its own neck: it is nobody else's face.
func TestSlowAChestBesideHairIsNoOtherHead(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	img = imaging.Clone(img)
	face := seg.Faces[0]
	tone := skinTone(img, face)
	f := featuresOf(img, face)
	s := f.span()
	subject, hair := mask.New(img.Rect.Dx(), img.Rect.Dy()), mask.New(img.Rect.Dx(), img.Rect.Dy())
	subject.Fill(255)
	skin := rgbOf(tone)
	chest := image.Rect(int(f.at(-0.8, 0).x), int(f.at(0, 1.9).y), int(f.at(2.1, 0).x), int(f.at(0, 3.4).y))
	eachPixel(img, func(x, y int, p []uint8) {
		switch at := image.Pt(x, y); {
		case at.In(chest):
			blend(p, skin, 1)
		case at.In(chest.Inset(-int(0.5 * s))):
			copy(p, []uint8{70, 46, 34, 255})
			hair.Set(x, y, 255)
		}
	})
	k := skullOf(head{face: face, hair: hair, ok: true}, f, haircut{})
	if heads := k.headsBeside(img, subject, tone); len(heads) != 0 {
		t.Errorf("a chest is a head: %v", heads)
	}
}
