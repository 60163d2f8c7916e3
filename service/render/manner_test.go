package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
)

func TestSlowABusinessPortraitIsHeadAndShouldersBeforeAPlainWall(t *testing.T) {
	t.Parallel()
	img, _ := sitter(t)
	src := pattern(320, 400, 0, 0)
	compose.Over(src, imaging.Fit(img, 240, 280), image.Pt(60, 120))
	out := made(t, "ai-headshot-generator", "", 0, src, Segmentation{})
	face, _, ok, err := faceOf(out)
	if err != nil || !ok {
		t.Fatalf("no face: %v", err)
	}
	w, h := out.Rect.Dx(), out.Rect.Dy()
	if 5*w != 4*h {
		t.Errorf("the portrait is %d × %d", w, h)
	}
	if high, middle := float64(face.Dy())/float64(h), float64(face.Min.X+face.Max.X)/2/float64(w); high < 0.25 || high > 0.5 || math.Abs(middle-0.5) > 0.08 {
		t.Errorf("the face takes %.2f of the height, its middle is at %.2f of the width", high, middle)
	}
	corner := imaging.Crop(out, image.Rect(2, 2, w/6, h/5))
	if now, was := compose.Measure(corner, nil).Std[0], compose.Measure(pattern(100, 150, 0, 0), nil).Std[0]; now > 0.4*was {
		t.Errorf("the wall differs by %.1f, the ground of the photo did by %.1f", now, was)
	}
}

func TestAHandPaintedFilmHasFreshGreensAndASkyOfClouds(t *testing.T) {
	t.Parallel()
	src := image.NewNRGBA(image.Rect(0, 0, 400, 300))
	random := rand.New(rand.NewPCG(1, 2))
	for y := range 300 {
		for x := range 400 {
			c := color.NRGBA{130, 168, 214, 255}
			if n := uint8(random.IntN(50)); y > 130 {
				c = color.NRGBA{70 + n, 84 + n, 56 + n, 255}
			}
			src.SetNRGBA(x, y, c)
		}
	}
	out := made(t, "ghibli-art-create", "", 0, src, Segmentation{})
	sky, ground := image.Rect(0, 0, 400, 110), image.Rect(20, 170, 380, 290)
	if white := shareOf(out, sky, func(r, g, b int) bool { return min(r, g, b) > 205 }); white < 0.05 || white > 0.9 {
		t.Errorf("%.2f of the sky is cloud", white)
	}
	if blue := shareOf(out, sky, func(r, _, b int) bool { return b > r+50 }); blue < 0.1 {
		t.Errorf("%.2f of the sky is blue", blue)
	}
	green := func(img *image.NRGBA) float64 {
		return shareOf(img, ground, func(r, g, b int) bool { return g > r+20 && g > b+20 })
	}
	if now, was := green(out), green(src); now < 0.6 || was > 0.1 {
		t.Errorf("%.2f of the ground is fresh green, of the photo's %.2f", now, was)
	}
	if now, was := roughness(out, ground), roughness(src, ground); now > 0.6*was {
		t.Errorf("the ground differs from pixel to pixel by %.1f, the photo's by %.1f", now, was)
	}
}

func TestAnAnimalStandsInThePhotoInItsColour(t *testing.T) {
	t.Parallel()
	photo := plain(400, 400, color.NRGBA{120, 140, 120, 255})
	for _, tt := range []struct {
		agent, text string
		body        func(r, g, b int) bool
	}{
		{"ai-dog", "a white dog", func(r, g, b int) bool { return min(r, g, b) > 165 }},
		{"ai-dog", "a black dog", func(r, g, b int) bool { return max(r, g, b) < 90 }},
		{"random-animal-generator", "a red fox", func(r, _, b int) bool { return r > b+45 }},
		{"random-animal-generator", "a white rabbit", func(r, g, b int) bool { return min(r, g, b) > 165 }},
	} {
		out := drawIt(t, Request{Agent: tt.agent, Values: map[string]any{"textDescription": tt.text}, Files: map[string][]*image.NRGBA{"images": {photo}}, Seed: 3, Count: 1})
		var body image.Rectangle
		n := 0
		for y := range 400 {
			for x := range 400 {
				if p := out.Pix[out.PixOffset(x, y):]; tt.body(int(p[0]), int(p[1]), int(p[2])) {
					body = body.Union(image.Rect(x, y, x+1, y+1))
					n++
				}
			}
		}
		if high := float64(body.Dy()) / 400; high < 0.25 || high > 0.5 || body.Max.Y < 330 || n < 2500 {
			t.Errorf("%s: %d pixels of its colour in %v", tt.text, n, body)
		}
		if d := unlike(out, photo, image.Rect(300, 0, 400, 150)); d > 3 {
			t.Errorf("%s: far from it the photo changes by %.1f levels", tt.text, d)
		}
	}
}
