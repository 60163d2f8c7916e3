package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// bespectacled is the drawn portrait with glasses on: lenses of a colour with an alpha, in black frames.
func bespectacled(t *testing.T, lens color.NRGBA) (*image.NRGBA, Segmentation, features) {
	t.Helper()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	img = imaging.Clone(img)
	s := f.span()
	for _, e := range []spot{f.left, f.right} {
		ring := oval(e.x, e.y, 0.42*s, 0.32*s, 0)
		ring.fill(img, lens)
		n := len(ring[0])
		for i := range n {
			line(0.07*s, 0.07*s, ring[0][i], ring[0][(i+1)%n]).fill(img, color.NRGBA{12, 12, 14, 255})
		}
	}
	line(0.06*s, 0.06*s, f.at(-0.1, 0), f.at(0.1, 0)).fill(img, color.NRGBA{12, 12, 14, 255})
	return img, seg, f
}

func TestSlowGlassesStayOnZombie(t *testing.T) {
	t.Parallel()
	img, seg, f := bespectacled(t, color.NRGBA{20, 20, 24, 250})
	s := f.span()
	out := made(t, "ai-zombie", "", 0, img, seg)
	for name, e := range map[string]spot{"left": f.left, "right": f.right} {
		if light := toneIn(out, e, int(0.05*s))[0]; light > 25 {
			t.Errorf("on the dark %s lens it is as light as Lab %.0f", name, light)
		}
	}
	// Through clear lenses the eyes show, inside their frames.
	img, seg, f = bespectacled(t, color.NRGBA{})
	out = made(t, "ai-zombie", "", 0, img, seg)
	for name, e := range map[string]spot{"left": f.left, "right": f.right} {
		if light := toneIn(out, spot{e.x + 0.05*s, e.y}, 1)[0]; light < 50 {
			t.Errorf("the %s eye is as dark as Lab %.0f", name, light)
		}
		if light := toneIn(out, spot{e.x, e.y + 0.32*s}, 1)[0]; light > 25 {
			t.Errorf("the frame below the %s eye is as light as Lab %.0f", name, light)
		}
	}
}

func TestSlowRetouchedSkinKeepsItsHueAndTheGlassesOnIt(t *testing.T) {
	t.Parallel()
	img, seg, f := bespectacled(t, color.NRGBA{})
	s := f.span()
	h := headIn(img, seg)
	for _, agent := range []string{"ai-blemish-remover", "photo-wrinkle-remover"} {
		out := made(t, agent, "", 0, img, seg)
		for _, e := range []spot{f.left, f.right} {
			if light := toneIn(out, spot{e.x, e.y + 0.32*s}, 1)[0]; light > 22 {
				t.Errorf("%s: the frame is as light as Lab %.0f", agent, light)
			}
		}
		was, now := compose.Measure(img, &h.skin).Mean, compose.Measure(out, &h.skin).Mean
		if d := math.Hypot(was[1]-now[1], was[2]-now[2]); d > 2.5 {
			t.Errorf("%s: the skin's hue moved by %.1f", agent, d)
		}
	}
}

func TestSlowAFringeStandsOutBesideNoHead(t *testing.T) {
	t.Parallel()
	img, seg := bareSitter(t)
	f := featuresOf(img, seg.Faces[0])
	around := seg.Matte.Clone()
	around.Threshold(mask.Level)
	around = around.Grow(f.span() / 5)
	for item := range 3 {
		out, beside := made(t, "bangs-filter", "", item, img, seg), 0
		plain := made(t, "photo-wrinkle-remover", "", item, img, seg) // changes the head alone, in the tones of the same item
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				if p := f.below(spot{float64(x), float64(y)}); p.y < 0 && around.At(x, y) == 0 && unlike(out, plain, image.Rect(x, y, x+1, y+1)) > 6 {
					beside++
				}
			}
		}
		if beside > 4 {
			t.Errorf("item %d: %d pixels beside the head are hair", item, beside)
		}
	}
}

func TestSlowGlassesOfThinWireAreTold(t *testing.T) {
	t.Parallel()
	plain, seg := sitter(t)
	f := featuresOf(plain, seg.Faces[0])
	s := f.span()
	if (likeness{plain, seg.Faces[0], f}).wearsGlasses() {
		t.Error("glasses are told where there are none")
	}
	shade, wire := imaging.Clone(plain), imaging.Clone(plain)
	for _, e := range []spot{f.left, f.right} {
		oval(e.x, e.y+0.3*s, 0.34*s, 0.14*s, 0).fill(shade, color.NRGBA{60, 40, 40, 110})
		ring := oval(e.x, e.y, 0.42*s, 0.32*s, 0)
		n := len(ring[0])
		for i := range n {
			line(0.035*s, 0.035*s, ring[0][i], ring[0][(i+1)%n]).fill(wire, color.NRGBA{52, 44, 40, 230})
		}
	}
	if !(likeness{wire, seg.Faces[0], f}).wearsGlasses() {
		t.Error("wire before the eyes is not told")
	}
	if (likeness{shade, seg.Faces[0], f}).wearsGlasses() {
		t.Error("shade below the eyes is taken for glasses")
	}
}
