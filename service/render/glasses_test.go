package render

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

const glassesRemover = "glasses-remover-from-photo"

// framePixels is where bespectacled draws its frame, without its soft edge.
func framePixels(plain, worn *image.NRGBA) mask.Plane {
	out := mask.New(worn.Rect.Dx(), worn.Rect.Dy())
	for i := range out.Pix {
		p, q := plain.Pix[4*i:], worn.Pix[4*i:]
		if lightOf(p)-lightOf(q) > 25 {
			out.Pix[i] = 255
		}
	}
	return out
}

func TestGlassesAreRemovedFromFace(t *testing.T) {
	t.Parallel()
	plain, _ := sitter(t)
	worn, seg, f := bespectacled(t, color.NRGBA{})
	frame := framePixels(plain, worn)
	skin := skinTone(plain, seg.Faces[0])
	for item := range 3 {
		out := made(t, glassesRemover, "", item, worn, Segmentation{})
		n, left := 0, 0
		for i, v := range frame.Pix {
			at := f.below(spot{float64(i%frame.W) + 0.5, float64(i/frame.W) + 0.5})
			if v == 0 || at.y < -0.18 { // brows begin above
				continue
			}
			n++
			if p := out.Pix[4*i:]; labApart(compose.Lab(p[0], p[1], p[2]), skin) > 22 {
				left++
			}
		}
		if n < 100 || 25*left > n {
			t.Errorf("item %d: %d of %d pixels of the frame are not like skin", item, left, n)
		}
		if (likeness{out, seg.Faces[0], f}).wearsGlasses() {
			t.Errorf("item %d still wears glasses", item)
		}
		near := frame.Grow(0.14 * f.span())
		for i, v := range near.Pix {
			if v == 0 && [4]uint8(out.Pix[4*i:4*i+4]) != [4]uint8(worn.Pix[4*i:4*i+4]) {
				t.Fatalf("item %d: pixel (%d,%d) beside the frame changed", item, i%near.W, i/near.W)
			}
		}
		for _, eye := range []spot{f.left, f.right} {
			if d := unlike(out, worn, around2(eye, 0.18*f.span(), 0.06*f.span())); d != 0 {
				t.Errorf("item %d: an eye changed by %.1f levels", item, d)
			}
		}
	}
}

func TestWireGlassesAreRemoved(t *testing.T) {
	t.Parallel()
	plain, seg := sitter(t)
	f := featuresOf(plain, seg.Faces[0])
	s := f.span()
	worn := imaging.Clone(plain)
	for _, e := range []spot{f.left, f.right} {
		ring := oval(e.x, e.y+0.06*s, 0.36*s, 0.34*s, 0)[0]
		for i := range ring {
			line(0.035*s, 0.035*s, ring[i], ring[(i+1)%len(ring)]).fill(worn, color.NRGBA{52, 44, 40, 230})
		}
	}
	for _, side := range []float64{-1, 1} { // temples
		line(0.035*s, 0.035*s, f.at(side*0.85, -0.02), f.at(side*1.02, -0.02)).fill(worn, color.NRGBA{52, 44, 40, 230})
	}
	frame := framePixels(plain, worn)
	out := made(t, glassesRemover, "", 0, worn, Segmentation{})
	sum, n := 0.0, 0.0
	for i, v := range frame.Pix {
		if at := f.below(spot{float64(i % frame.W), float64(i / frame.W)}); v == 0 || at.y < -0.18 {
			continue
		}
		p, q := out.Pix[4*i:], plain.Pix[4*i:]
		sum += labApart(compose.Lab(p[0], p[1], p[2]), compose.Lab(q[0], q[1], q[2]))
		n++
	}
	if mean := sum / math.Max(1, n); n < 50 || mean > 5 {
		t.Errorf("the %.0f pixels of the wire are %.1f from the face below", n, mean)
	}
}

func TestGlassesAreRemovedFromEveryFace(t *testing.T) {
	t.Parallel()
	worn, _, _ := bespectacled(t, color.NRGBA{})
	plain, _ := sitter(t)
	both := image.NewNRGBA(image.Rect(0, 0, 1200, 500))
	for i, img := range []*image.NRGBA{worn, plain, worn} {
		draw.Draw(both, img.Rect.Add(image.Pt(400*i, 0)), img, image.Point{}, draw.Src)
	}
	out := made(t, glassesRemover, "", 0, both, Segmentation{})
	for i, changed := range []bool{true, false, true} {
		part := image.Rect(400*i, 0, 400*(i+1), 500)
		if d := unlike(out, both, part); (d > 0) != changed {
			t.Errorf("person %d changed by %.2f levels", i+1, d)
		}
	}
}

func TestGlassesThatCannotBeRemoved(t *testing.T) {
	t.Parallel()
	plain, _ := sitter(t)
	dark, _, _ := bespectacled(t, color.NRGBA{20, 20, 24, 250})
	for want, img := range map[string]*image.NRGBA{
		"No glasses with clear lenses were found in the photo.": plain,
		"No glasses with clear lenses were found":               dark,
		"No face was found in the photo.":                       still(200, 240),
	} {
		req := Request{Agent: glassesRemover, Original: img, Values: map[string]any{}, Count: 1}
		_, err := Render(t.Context(), req, Segmentation{})
		var u *UnseenError
		if !errors.As(err, &u) || !strings.HasPrefix(u.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
