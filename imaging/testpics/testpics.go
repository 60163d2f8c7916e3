// Package testpics draws the pictures tests work on, so that no photograph has
// to be shipped: scenes with the texture of a photo, a garment and a person
// whose outlines are known, files of an exact size, turned files, and files
// made to hurt a decoder. Everything is the same on every run.
package testpics

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"atelier/imaging/mask"
)

// Photo draws a scene of w × h pixels with the traits of a photograph: broad
// gradients, soft shapes, hard edges and grain. Different seeds give different
// scenes.
func Photo(w, h int, seed uint64) *image.NRGBA {
	rng := rand.New(rand.NewPCG(seed, 0x5ce7e))
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	sky := anyColour(rng, 120, 230)
	ground := anyColour(rng, 40, 140)
	type blob struct {
		x, y, r float64
		shift   [3]float64
	}
	var blobs [5]blob
	for i := range blobs {
		blobs[i].x, blobs[i].y = rng.Float64()*float64(w), rng.Float64()*float64(h)
		blobs[i].r = (0.08 + 0.2*rng.Float64()) * float64(min(w, h))
		for c := range 3 {
			blobs[i].shift[c] = 120*rng.Float64() - 60
		}
	}
	horizon := (0.4 + 0.3*rng.Float64()) * float64(h)
	grain := newGrain(seed)
	for y := range h {
		for x := range w {
			base := sky
			if float64(y) > horizon {
				base = ground
			}
			light := 0.75 + 0.25*float64(x)/float64(w) + 0.2*float64(y)/float64(h)
			v := [3]float64{float64(base.R) * light, float64(base.G) * light, float64(base.B) * light}
			for i := range blobs {
				b := &blobs[i]
				dx, dy := float64(x)-b.x, float64(y)-b.y
				if d2, r2 := dx*dx+dy*dy, b.r*b.r; d2 < r2 {
					fall := 1 - d2/r2
					for c := range 3 {
						v[c] += b.shift[c] * fall
					}
				}
			}
			setPixel(img, x, y, v, grain.next(7))
		}
	}
	return img
}

// Flat draws one colour.
func Flat(w, h int, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for at := 0; at < len(img.Pix); at += 4 {
		img.Pix[at], img.Pix[at+1], img.Pix[at+2], img.Pix[at+3] = c.R, c.G, c.B, c.A
	}
	return img
}

// Swatch draws a piece of cloth with grain on a plain background: the subject that is found in the least time, for tests that
// are about something else. Different seeds give different colours and grain.
func Swatch(w, h int, seed uint64) *image.NRGBA {
	rng := rand.New(rand.NewPCG(seed, 0x5a7c))
	cloth, grain := anyColour(rng, 30, 150), newGrain(seed)
	img := Flat(w, h, color.NRGBA{R: 240, G: 238, B: 235, A: 255})
	for y := h / 5; y < h-h/8; y++ {
		for x := w / 4; x < w-w/4; x++ {
			setPixel(img, x, y, scale(cloth, 1), grain.next(4))
		}
	}
	return img
}

// Garment draws a striped shirt with folds on a plain studio background and
// returns its true outline: kept is the garment.
func Garment(w, h int, seed uint64) (*image.NRGBA, mask.Plane) {
	rng := rand.New(rand.NewPCG(seed, 0x6a7))
	truth := outline(w, h, 0.08, [][2]float64{
		{0.40, 0.14},
		{0.46, 0.18},
		{0.54, 0.18},
		{0.60, 0.14},
		{0.78, 0.22},
		{0.90, 0.48},
		{0.79, 0.54},
		{0.71, 0.39},
		{0.72, 0.88},
		{0.28, 0.88},
		{0.29, 0.39},
		{0.21, 0.54},
		{0.10, 0.48},
		{0.22, 0.22},
	})
	cloth, stripe := anyColour(rng, 20, 130), anyColour(rng, 60, 200)
	backdrop := color.NRGBA{225, 226, 230, 255}
	img := paint(w, h, seed, truth, func(x, y float64) [3]float64 {
		shade := 1 - 0.08*y - 0.05*math.Abs(x-0.5)
		return scale(backdrop, shade)
	}, func(x, y float64) [3]float64 {
		c := cloth
		if math.Mod(y*22+0.4*math.Sin(7*x), 1) < 0.35 {
			c = stripe
		}
		return scale(c, 0.85+0.15*math.Sin(19*x+3*y))
	})
	return img, truth
}

// Figure is the truth about a drawn person, region by region.
type Figure struct {
	Person mask.Plane // everything below
	Head   mask.Plane // face, hair and neck above the collar
	Face   mask.Plane // the skin of the face
	Upper  mask.Plane // upper garment
	Lower  mask.Plane // lower garment
}

// Person draws a standing person in two garments before an uneven wall. The
// face is drawn, but not so well that every face detector believes it.
func Person(w, h int, seed uint64) (*image.NRGBA, Figure) {
	rng := rand.New(rand.NewPCG(seed, 0x9e6))
	unit := float64(min(w, h))
	dot := func(e *mask.Editor, x, y, r float64) {
		e.Stroke(x*float64(w), y*float64(h), x*float64(w), y*float64(h), r*unit, 1, false)
	}
	line := func(e *mask.Editor, x0, y0, x1, y1, r float64) {
		e.Stroke(x0*float64(w), y0*float64(h), x1*float64(w), y1*float64(h), r*unit, 1, false)
	}
	face := mask.NewEditor(w, h)
	line(face, 0.5, 0.155, 0.5, 0.185, 0.058)
	head := mask.NewEditor(w, h)
	dot(head, 0.5, 0.145, 0.075)
	line(head, 0.5, 0.18, 0.5, 0.25, 0.035)
	arms := mask.NewEditor(w, h)
	line(arms, 0.36, 0.30, 0.30, 0.52, 0.035)
	line(arms, 0.64, 0.30, 0.70, 0.52, 0.035)
	upper := outline(w, h, 0.02, [][2]float64{{0.43, 0.245}, {0.57, 0.245}, {0.67, 0.28}, {0.69, 0.40}, {0.63, 0.41}, {0.62, 0.55}, {0.38, 0.55}, {0.37, 0.41}, {0.31, 0.40}, {0.33, 0.28}})
	lower := outline(w, h, 0.02, [][2]float64{{0.38, 0.55}, {0.62, 0.55}, {0.61, 0.95}, {0.53, 0.95}, {0.50, 0.66}, {0.47, 0.95}, {0.39, 0.95}})

	f := Figure{Head: hard(head.Plane()), Face: hard(face.Plane()), Upper: upper, Lower: lower}
	f.Person = join(join(hard(arms.Plane()), f.Head, mask.Add), f.Face, mask.Add)
	f.Person = join(join(f.Person, upper, mask.Add), lower, mask.Add)
	f.Head = join(join(f.Head, f.Face, mask.Add), upper, mask.Subtract)

	skin, hair := color.NRGBA{214, 168, 140, 255}, color.NRGBA{48, 34, 26, 255}
	shirt, trousers := anyColour(rng, 90, 200), anyColour(rng, 20, 90)
	wall := anyColour(rng, 150, 210)
	img := paint(w, h, seed, f.Person, func(x, y float64) [3]float64 {
		return scale(wall, 0.85+0.1*math.Sin(5*x+2)*math.Cos(4*y)+0.1*y)
	}, func(x, y float64) [3]float64 {
		px, py := int(x*float64(w)), int(y*float64(h))
		switch {
		case f.Upper.Kept(px, py):
			return scale(shirt, 0.9+0.1*math.Sin(40*x))
		case f.Lower.Kept(px, py):
			return scale(trousers, 0.9+0.1*math.Sin(60*y))
		case f.Face.Kept(px, py) && facial(x, y):
			return scale(hair, 1)
		case f.Head.Kept(px, py) && !f.Face.Kept(px, py) && y < 0.2:
			return scale(hair, 1)
		}
		return scale(skin, 1.05-0.3*math.Abs(x-0.5))
	})
	return img, f
}

// facial is where the eyes, brows and mouth are.
func facial(x, y float64) bool {
	near := func(cx, cy, rx, ry float64) bool {
		dx, dy := (x-cx)/rx, (y-cy)/ry
		return dx*dx+dy*dy < 1
	}
	return near(0.475, 0.160, 0.011, 0.006) || near(0.525, 0.160, 0.011, 0.006) ||
		near(0.475, 0.145, 0.016, 0.003) || near(0.525, 0.145, 0.016, 0.003) || near(0.5, 0.198, 0.02, 0.005)
}

// outline is a filled polygon given in parts of the picture.
func outline(w, h int, margin float64, corners [][2]float64) mask.Plane {
	points := make([]mask.Point, len(corners))
	for i, c := range corners {
		x, y := margin/2+c[0]*(1-margin), margin/2+c[1]*(1-margin)
		points[i] = mask.Point{X: x * float64(w), Y: y * float64(h)}
	}
	e := mask.NewEditor(w, h)
	e.Polygon(points, false)
	return hard(e.Plane())
}

// paint draws front where truth keeps and back elsewhere, with an edge blended
// over about a pixel as a lens would, and grain over all of it. The colours are
// functions of the place in parts of the picture.
func paint(w, h int, seed uint64, truth mask.Plane, back, front func(x, y float64) [3]float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	soft := truth.Feather(1.5)
	grain := newGrain(seed)
	for y := range h {
		for x := range w {
			u, v := (float64(x)+0.5)/float64(w), (float64(y)+0.5)/float64(h)
			a := float64(soft.At(x, y)) / 255
			var c [3]float64
			switch a {
			case 0:
				c = back(u, v)
			case 1:
				c = front(u, v)
			default:
				b, f := back(u, v), front(u, v)
				for i := range c {
					c[i] = b[i] + a*(f[i]-b[i])
				}
			}
			setPixel(img, x, y, c, grain.next(4))
		}
	}
	return img
}

// grain is the noise of a sensor: fast, and the same each time.
type grain struct{ state uint64 }

func newGrain(seed uint64) *grain { return &grain{seed*2862933555777941757 + 3037000493} }

// next is a value within ±strength, small ones more often.
func (g *grain) next(strength float64) float64 {
	g.state ^= g.state << 13
	g.state ^= g.state >> 7
	g.state ^= g.state << 17
	a, b := float64(g.state&0xffff), float64(g.state>>16&0xffff)
	return (a + b - 0xffff) / 0xffff * strength
}

func setPixel(img *image.NRGBA, x, y int, v [3]float64, noise float64) {
	at := y*img.Stride + 4*x
	for c := range 3 {
		img.Pix[at+c] = uint8(min(max(v[c]+noise, 0), 255))
	}
	img.Pix[at+3] = 255
}

func scale(c color.NRGBA, by float64) [3]float64 {
	return [3]float64{float64(c.R) * by, float64(c.G) * by, float64(c.B) * by}
}

func anyColour(rng *rand.Rand, low, high int) color.NRGBA {
	pick := func() uint8 { return uint8(low + rng.IntN(high-low)) }
	return color.NRGBA{pick(), pick(), pick(), 255}
}

func hard(p mask.Plane) mask.Plane {
	p.Threshold(mask.Level)
	return p
}

// join is a joined with b in a plane of its own. Both have the same size.
func join(a, b mask.Plane, op mask.Op) mask.Plane {
	out := a.Clone()
	if err := out.Combine(b, op); err != nil {
		panic(err)
	}
	return out
}
