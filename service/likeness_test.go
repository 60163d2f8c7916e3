package service

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/service/presets"
)

func TestTheFrontFaceIsJudgedBest(t *testing.T) {
	t.Parallel()
	front, err := presets.FashionModels()[0].Draw(t.Context(), 512, 640)
	if err != nil {
		t.Fatal(err)
	}
	far := image.NewNRGBA(front.Rect)
	for i := 3; i < len(far.Pix); i += 4 {
		far.Pix[i-3], far.Pix[i-2], far.Pix[i-1], far.Pix[i] = 190, 186, 180, 255
	}
	compose.Over(far, imaging.Resize(front, 256, 320), image.Pt(128, 160))
	leaning := imaging.Flatten(compose.Turn(front, 14), 190, 186, 180)
	empty := image.NewNRGBA(front.Rect)
	for y := range 640 {
		for x := range 512 {
			empty.SetNRGBA(x, y, color.NRGBA{uint8(90 + y/8), 140, 160, 255})
		}
	}
	score := func(img *image.NRGBA) float64 {
		s, err := frontality(img)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	best := score(front)
	for name, img := range map[string]*image.NRGBA{"a small face": far, "a leaning face": leaning, "no face": empty} {
		if s := score(img); s >= best {
			t.Errorf("%s is judged %.2f, the front face %.2f", name, s, best)
		}
	}
	if s := score(empty); s != 0 {
		t.Errorf("a photo without a face is judged %.2f", s)
	}
}

func TestTheCostCountsTheSizeThatIsMade(t *testing.T) {
	t.Parallel()
	if small, large := pixelCost(1000, map[string]any{"imageSize": "1K"}), pixelCost(1000, map[string]any{"imageSize": "4K"}); large != 16*small {
		t.Errorf("4K costs %d bytes, 1K %d", large, small)
	}
	const side = 1500
	if usual, stronger := pixelCost(side*side, map[string]any{"generateVersion": "lite"}), pixelCost(side*side, map[string]any{"generateVersion": "pro"}); stronger != 3*usual {
		t.Errorf("the stronger engine costs %d bytes, the usual one %d", stronger, usual)
	}
	if largest := pixelCost(maxPixels, map[string]any{"generateVersion": "pro"}); largest != pixelCost(maxPixels, nil) {
		t.Errorf("the stronger engine costs %d bytes for the largest picture", largest)
	}
}
