package segment

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"atelier/imaging/mask"
)

var (
	skinDark = color.NRGBA{R: 150, G: 112, B: 98, A: 255}
	stone    = color.NRGBA{R: 118, G: 104, B: 96, A: 255}
	coal     = color.NRGBA{R: 52, G: 47, B: 42, A: 255}
	night    = color.NRGBA{R: 50, G: 50, B: 50, A: 255}
)

// mottled is a paper with soft spots of every size, brighter and darker by depth levels.
func mottled(w, h int, base color.NRGBA, depth float64, seed uint64) *image.NRGBA {
	img := paper(w, h, base, seed)
	spots(img, depth, seed)
	return img
}

// blurred is the same without grain, like what is out of focus.
func blurred(w, h int, base color.NRGBA, depth float64, seed uint64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Bounds(), image.NewUniform(base), image.Point{}, draw.Src)
	spots(img, depth, seed)
	return img
}

func spots(img *image.NRGBA, depth float64, seed uint64) {
	s := float64(seed)
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			u, v := float64(x), float64(y)
			n := math.Sin(u/31+s)*math.Cos(v/23-s) + math.Sin(u/11-v/17+s)*0.8 + math.Sin(u/6+v/8)*0.5
			c := img.NRGBAAt(x, y)
			add := func(p uint8) uint8 { return level(float64(p) + depth*n) }
			img.SetNRGBA(x, y, color.NRGBA{R: add(c.R), G: add(c.G), B: add(c.B), A: 255})
		}
	}
}

// sharp is the drawn alpha as a hard mask.
func (p picture) sharp() mask.Plane {
	b := p.img.Bounds()
	m := mask.New(b.Dx(), b.Dy())
	for i, a := range p.alpha {
		if a >= 0.5 {
			m.Pix[i] = 255
		}
	}
	return m
}

// soft is the matte of a hard mask of the picture.
func (p picture) soft(ctx context.Context, hard mask.Plane) (mask.Plane, error) {
	c := reduce(p.img, fineSize)
	labels := make([]uint8, c.w*c.h)
	for i, v := range hard.Pix {
		labels[i] = v / 255
	}
	alpha, err := soften(ctx, c, labels, nil, nil, false)
	return enlarge(p.img, c, alpha), err
}

// depth is the distance of each pixel to the drawn edge, at most 40 pixels, negative outside.
func (p picture) depth() []float32 {
	b := p.img.Bounds()
	labels := make([]uint8, len(p.alpha))
	for i, a := range p.alpha {
		labels[i] = uint8(a + 0.5)
	}
	out := gaps(labels, b.Dx(), b.Dy(), 40)
	for i, l := range labels {
		if l == 0 {
			out[i] = -out[i]
		}
	}
	return out
}

func TestThinLimbsStaySolid(t *testing.T) {
	t.Parallel()
	const w, h, limb = 640, 1024, 14
	// White trousers, and beside them a bare limb of much the tone of the wall behind.
	shape := func(x, y float64) float64 {
		trousers := max(math.Abs(x-260)-90, math.Abs(y-560)-380)
		arm := max(math.Abs(x-(390+0.05*(y-500)))-limb/2, math.Abs(y-500)-260)
		shoulder := max(math.Abs(x-320)-80, math.Abs(y-230)-30)
		return inside(min(trousers, arm, shoulder))
	}
	front := mottled(w, h, white, 4, 3)
	skin := mottled(w, h, skinDark, 10, 5)
	for y := range h {
		for x := 355; x < w; x++ {
			front.SetNRGBA(x, y, skin.NRGBAAt(x, y))
		}
	}
	p := over(mottled(w, h, stone, 10, 7), front, shape)
	soft, err := p.soft(t.Context(), p.sharp())
	if err != nil {
		t.Fatal(err)
	}
	depth := p.depth()
	weak, all := 0, 0
	for y := 300; y < 740; y++ {
		for x := 360; x < 420; x++ {
			if i := y*w + x; depth[i] >= 4 {
				all++
				if soft.Pix[i] < 230 {
					weak++
				}
			}
		}
	}
	if all == 0 || weak > 0 {
		t.Errorf("%d of %d pixels in the core of the limb are see-through, want 0", weak, all)
	}
}

func TestSmoothEdgesLeaveNoSmoke(t *testing.T) {
	t.Parallel()
	const w, h = 640, 1024
	sleeve := func(x, y float64) float64 {
		bend := 20 * math.Sin(y/140)
		return inside(max(math.Abs(x-320-bend)-130, math.Abs(y-512)-420))
	}
	p := over(blurred(w, h, night, 25, 2), blurred(w, h, coal, 18, 9), sleeve)
	soft, err := p.soft(t.Context(), p.sharp())
	if err != nil {
		t.Fatal(err)
	}
	depth := p.depth()
	smoke, holes := 0, 0
	for i, v := range soft.Pix {
		if depth[i] < -6 && v > 51 {
			smoke++
		}
		if depth[i] > 6 && v < 204 {
			holes++
		}
	}
	if smoke > 0 || holes > 0 {
		t.Errorf("%d pixels outside the sleeve's edge are smoky and %d inside are see-through, want 0", smoke, holes)
	}
}

func TestSmoothEdgesAreNotJagged(t *testing.T) {
	t.Parallel()
	p := over(paper(400, 400, blue, 5), paper(400, 400, sand, 6), disc(200, 200, 120))
	soft, err := p.soft(t.Context(), p.sharp())
	if err != nil {
		t.Fatal(err)
	}
	if got := difference(soft, p.alpha); got > 0.6*difference(p.sharp(), p.alpha) {
		t.Errorf("the matte is off by %.0f, the hard mask by %.0f; want at most 60 %% of it", got, difference(p.sharp(), p.alpha))
	}
}

func TestNothingShowsThroughAFace(t *testing.T) {
	t.Parallel()
	// A pale face before a white wall: colours say little of what is in front.
	who := face{x: 150, y: 150, size: 120}
	c := reduce(over(paper(300, 300, white, 3), paper(300, 300, color.NRGBA{R: 246, G: 240, B: 236, A: 255}, 3), disc(150, 150, 60)).img, 300)
	labels := make([]uint8, 300*300)
	for i := range labels {
		if math.Hypot(float64(i%300)-150, float64(i/300)-150) < 56 {
			labels[i] = 1
		}
	}
	alpha, err := soften(t.Context(), c, labels, []face{who}, []face{who}, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range alpha {
		if who.inside(float64(i%300)+0.5, float64(i/300)+0.5) && a < 1 {
			t.Fatalf("the face lets %.2f through at (%d,%d)", 1-a, i%300, i/300)
		}
	}
}
