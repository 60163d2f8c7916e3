package segment

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

func TestBarsAreNoPartOfAPicture(t *testing.T) {
	t.Parallel()
	black := color.NRGBA{R: 4, G: 4, B: 4, A: 255}
	film := over(paper(400, 300, green, 3), paper(400, 300, brick, 4), disc(200, 150, 60))
	framed := func(inner image.Rectangle) *image.NRGBA {
		img := image.NewNRGBA(image.Rect(0, 0, 400, 300))
		draw.Draw(img, img.Rect, image.NewUniform(black), image.Point{}, draw.Src)
		draw.Draw(img, inner, film.img, inner.Min, draw.Src)
		return img
	}
	for name, test := range map[string]struct{ inner, want image.Rectangle }{
		"above and below":   {image.Rect(0, 50, 400, 250), image.Rect(0, 50, 400, 250)},
		"at the sides":      {image.Rect(40, 0, 360, 300), image.Rect(40, 0, 360, 300)},
		"none":              {image.Rect(0, 0, 400, 300), image.Rect(0, 0, 400, 300)},
		"above only":        {image.Rect(0, 50, 400, 300), image.Rect(0, 0, 400, 300)},
		"something wide":    {image.Rect(60, 50, 400, 250), image.Rect(0, 0, 400, 300)},
		"a card on a table": {image.Rect(10, 20, 390, 280), image.Rect(0, 0, 400, 300)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := reduce(framed(test.inner), coarseSize).unbarred(); got != test.want {
				t.Errorf("what was photographed is taken to be %v, want %v", got, test.want)
			}
		})
	}
	r, err := Subject(t.Context(), framed(image.Rect(0, 50, 400, 250)), Options{Hard: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := overlapOf(r.Mask, film.alpha); got < 0.95 {
		t.Errorf("overlap with the thing between bars is %.3f, want at least 0.95", got)
	}
}
