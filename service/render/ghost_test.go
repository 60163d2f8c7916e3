package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

func TestClothIsCompletedBelowHairAndSkinIsNot(t *testing.T) {
	t.Parallel()
	const w, h = 240, 300
	cloth, subject, hair := mask.New(w, h), mask.New(w, h), mask.New(w, h)
	cloth.FillRect(image.Rect(40, 130, 200, h), 255)
	cloth.FillRect(image.Rect(105, 130, 135, 200), 0) // a neckline, bare
	subject.FillRect(image.Rect(40, 130, 200, h), 255)
	subject.FillRect(image.Rect(95, 20, 145, 200), 255)
	for _, strand := range []image.Rectangle{{image.Pt(60, 90), image.Pt(80, 220)}, {image.Pt(112, 90), image.Pt(128, 190)}} {
		hair.FillRect(strand, 255)
		subject.FillRect(strand, 255)
		cloth.FillRect(strand, 0)
	}
	bare := subject.Clone()
	for i, v := range hair.Pix {
		bare.Pix[i] &^= v
	}
	hole := overCloth(90, hair, cloth, bare)
	for at, want := range map[image.Point]bool{{X: 70, Y: 180}: true, {X: 70, Y: 212}: true, {X: 120, Y: 160}: false} {
		if got := hole.Kept(at.X, at.Y); got != want {
			t.Errorf("cloth lies below the hair at %v: %v, want %v", at, got, want)
		}
	}
}

func TestSlowAGhostMannequinWearsNoHair(t *testing.T) {
	t.Parallel()
	img := portrait(t, "Maren", 400, 500)
	req := Request{Agent: "ai-ghost-mannequin-generator", Original: img, Values: map[string]any{"aspectRatio": "auto"}, Seed: 2, Count: 1}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	f := featuresOf(img, seg.Faces[0])
	strand := toneIn(img, f.at(-1.15, 0.9), 4)
	like := func(img *image.NRGBA) float64 {
		n := 0.0
		for i := 0; i < len(img.Pix); i += 4 {
			if labApart(compose.Lab(img.Pix[i], img.Pix[i+1], img.Pix[i+2]), strand) < 7 {
				n++
			}
		}
		return n / float64(len(img.Pix)/4)
	}
	out, err := Render(t.Context(), req, seg)
	if err != nil {
		t.Fatal(err)
	}
	if was, now := like(img), like(out); now > 0.08*was {
		t.Errorf("%.4f of the result has the colour of the hair, %.4f of the photo", now, was)
	}
}

func TestAnInvisibleNeckLeavesAHollowInTheCollar(t *testing.T) {
	t.Parallel()
	cloth := color.NRGBA{150, 90, 80, 255}
	cut := image.NewNRGBA(image.Rect(0, 0, 200, 260))
	fillRect(cut, image.Rect(40, 120, 160, 260), cloth)
	for y := 120; y < 170; y++ { // a neckline
		for x := 75 + (y-120)/2; x < 125-(y-120)/2; x++ {
			cut.SetNRGBA(x, y, color.NRGBA{})
		}
	}
	out := hollowed(cut, Segmentation{Faces: []image.Rectangle{image.Rect(75, 40, 125, 105)}})
	inside := out.NRGBAAt(100, 150)
	if light := lightOf([]uint8{inside.R, inside.G, inside.B}); inside.A != 255 || light > 0.7*lightOf([]uint8{cloth.R, cloth.G, cloth.B}) || light < 15 {
		t.Errorf("in the neckline the inside of the cloth is %v, the cloth %v", inside, cloth)
	}
	if above, below := out.NRGBAAt(100, 95), out.NRGBAAt(100, 220); above.A != 0 || below != cloth {
		t.Errorf("above the collar is %v, and the cloth has become %v", above, below)
	}
	if out.NRGBAAt(100, 117).A == 0 {
		t.Error("the collar has no rim at the back")
	}
}
