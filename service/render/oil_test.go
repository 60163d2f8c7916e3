package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"atelier/imaging/compose"
)

// acrossAxes is the share of the strong edges of a picture that run along its rows or columns, within ten degrees.
func acrossAxes(img *image.NRGBA) float64 {
	along, all := 0.0, 0.0
	for y := 2; y < img.Rect.Dy()-2; y++ {
		for x := 2; x < img.Rect.Dx()-2; x++ {
			at := func(dx, dy int) float64 { return lightOf(img.Pix[img.PixOffset(x+dx, y+dy):]) }
			dx, dy := at(1, 0)-at(-1, 0)+0.5*(at(1, 1)-at(-1, 1)+at(1, -1)-at(-1, -1)), at(0, 1)-at(0, -1)+0.5*(at(1, 1)-at(1, -1)+at(-1, 1)-at(-1, -1))
			if math.Hypot(dx, dy) < 24 {
				continue
			}
			all++
			if turn := math.Mod(math.Abs(math.Atan2(dy, dx))*180/math.Pi, 90); turn < 10 || turn > 80 {
				along++
			}
		}
	}
	return along / math.Max(1, all)
}

func TestAPaintingIsMadeOfStrokesThatFollowWhatTheyShow(t *testing.T) {
	t.Parallel()
	src := plain(240, 240, color.NRGBA{196, 188, 172, 255})
	for i, c := range []color.NRGBA{{170, 60, 48, 255}, {226, 150, 80, 255}, {60, 84, 120, 255}} {
		r := 100 - 32*float64(i)
		oval(120, 120, r, r, 0).fill(src, c)
	}
	out := oiled(src, rand.New(rand.NewPCG(1, 2)), nil)
	// From afar it is the picture that was painted.
	if d := unlike(compose.Blur(out, 7), compose.Blur(src, 7), src.Rect); d > 9 {
		t.Errorf("from afar the painting is %.1f levels from what it shows", d)
	}
	// Near by what was even shows the brush.
	if got := roughness(out, image.Rect(4, 4, 44, 44)); got < 1 {
		t.Errorf("even parts are as rough as %.2f levels", got)
	}
	// A round thing stays round: its edges run in all directions alike, 0.22 of them along the axes.
	if got := acrossAxes(out); got > 0.34 {
		t.Errorf("%.2f of the edges run along the axes", got)
	}
	again := oiled(src, rand.New(rand.NewPCG(1, 2)), nil)
	if unlike(out, again, out.Rect) != 0 {
		t.Error("the same chances paint another picture")
	}
}
