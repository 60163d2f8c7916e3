package render

import (
	"image"
	"math"
	"testing"

	"atelier/imaging/mask"
)

// bareSitter is the drawn portrait without its hair, and what a search would find of it.
func bareSitter(t *testing.T) (*image.NRGBA, Segmentation) {
	t.Helper()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	k := skullOf(head{face: seg.Faces[0], hair: mask.New(img.Rect.Dx(), img.Rect.Dy())}, f, haircut{})
	bare := made(t, "bald-filter", "", 0, img, seg)
	seg.Matte, seg.Mask, seg.Subject = seg.Matte.Clone(), seg.Mask.Clone(), seg.Subject.Clone()
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			p, i := k.at(x, y), y*img.Rect.Dx()+x
			if k.reach(p) > 1.02 {
				seg.Matte.Pix[i], seg.Mask.Pix[i] = 0, 0
				if p.y < 1.2+0.75*math.Abs(p.x) && math.Abs(p.x) > 0.6 || p.y < 0 {
					seg.Subject.Pix[i] = 0
				}
			}
		}
	}
	return bare, seg
}

// How hair differs from a hood: its tips end in locks, light lies on it in bands, and the forehead shows below a parting.
func TestSlowLongHairIsDrawnInLocksWithLightOnThem(t *testing.T) {
	t.Parallel()
	img, seg := bareSitter(t)
	f := featuresOf(img, seg.Faces[0])
	out := made(t, "gender-swap", "as a woman", 0, img, seg)
	for _, side := range []float64{-1, 1} {
		most := 0
		for y := 2.0; y < 3.2; y += 0.05 {
			runs, in := 0, false
			for x := 0.3; x < 1.9; x += 0.01 {
				p := f.at(side*x, y)
				at := image.Pt(int(p.x), int(p.y))
				if !at.In(img.Rect) {
					break
				}
				is := unlike(out, img, image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))}) > 24
				if is && !in {
					runs++
				}
				in = is
			}
			most = max(most, runs)
		}
		if most < 2 {
			t.Errorf("side %v: the tips end in %d locks", side, most)
		}
		light, dark := 0.0, 255.0
		for y := -1.2; y < 1.6; y += 0.1 {
			p := f.at(side*1.2, y)
			if r := around2(p, 3, 2); unlike(out, img, r) > 12 {
				l := toneIn(out, p, 3)[0]
				light, dark = math.Max(light, l), math.Min(dark, l)
			}
		}
		if light-dark < 9 {
			t.Errorf("side %v: the light along the hair is even, Lab %.0f to %.0f", side, dark, light)
		}
	}
	if d := unlike(out, img, around2(f.at(0, -0.6), 0.3*f.span(), 0.1*f.span())); d > 14 {
		t.Errorf("the forehead changed by %.1f levels", d)
	}
}

func TestSlowHairThatHangsAlreadyIsKept(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	h := headIn(img, seg)
	out := made(t, "gender-swap", "as a woman", 0, img, seg)
	sum, n := 0.0, 0.0
	for y := range h.hair.H {
		for x := range h.hair.W {
			if p := f.below(spot{float64(x), float64(y)}); h.hair.At(x, y) > 250 && h.skin.At(x, y) == 0 && math.Abs(p.x) > 1.1 {
				sum, n = sum+unlike(out, img, image.Rect(x, y, x+1, y+1)), n+1
			}
		}
	}
	if n == 0 || sum/n > 8 {
		t.Errorf("%.0f pixels of hair changed by %.1f levels", n, sum/n)
	}
}
