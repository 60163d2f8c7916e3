package presets

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging/parallel"
)

// maxSide is the longest side, in pixels, a preset is drawn at.
const maxSide = 2048

// canvas is a picture in the making: linear light, three float32 per pixel.
//
// Positions are in units of the height: y runs from 0 at the top to 1 at the bottom, x from 0 in the middle to ±reach at the
// sides, so a scene keeps its proportions at any shape of picture. A canvas lives inside one call of Draw and keeps that call's
// context: once it is cancelled every step does nothing, and finish returns the reason.
type canvas struct {
	ctx  context.Context
	w, h int
	seed uint32
	pix  []float32
	lens lens
}

// lens is what the camera adds to a finished scene.
type lens struct {
	vignette float64 // how much darker the corners are, 0 to 1
	grain    float64 // amplitude of film grain in 8-bit steps
	glow     float64 // how much of the bright parts bleeds into their surroundings
}

// render draws one picture from beginning to end.
func render(ctx context.Context, w, h int, seed uint32, draw func(*canvas)) (*image.NRGBA, error) {
	if w < 1 || h < 1 || w > maxSide || h > maxSide {
		return nil, fmt.Errorf("draw a preset of %d × %d pixels: sides must be from 1 to %d", w, h, maxSide)
	}
	c := newCanvas(ctx, w, h, seed)
	draw(c)
	return c.finish()
}

func newCanvas(ctx context.Context, w, h int, seed uint32) *canvas {
	return &canvas{ctx: ctx, w: w, h: h, seed: seed, pix: make([]float32, w*h*3), lens: lens{vignette: 0.12, grain: 2.2}}
}

// reach is the x of the right edge.
func (c *canvas) reach() float64 { return float64(c.w) / float64(c.h) / 2 }

// fill paints every pixel.
func (c *canvas) fill(at func(x, y float64) rgb) {
	c.rows(0, c.h, func(py int) {
		y := (float64(py) + 0.5) / float64(c.h)
		row := c.pix[py*c.w*3 : (py+1)*c.w*3]
		for px := range c.w {
			p := at(c.x(px), y)
			row[px*3], row[px*3+1], row[px*3+2] = float32(p.r), float32(p.g), float32(p.b)
		}
	})
}

func (c *canvas) x(px int) float64 {
	return (float64(px) + 0.5 - float64(c.w)/2) / float64(c.h)
}

func (c *canvas) at(i int) rgb {
	return rgb{float64(c.pix[i]), float64(c.pix[i+1]), float64(c.pix[i+2])}
}

func (c *canvas) set(i int, p rgb) {
	c.pix[i], c.pix[i+1], c.pix[i+2] = float32(p.r), float32(p.g), float32(p.b)
}

// rows calls row for each y of [from, to), on as many processors as there are. Each row is painted from its own position
// alone, so the picture does not depend on the order.
func (c *canvas) rows(from, to int, row func(y int)) {
	const band = 16
	// What ends it early is told by finish.
	_ = parallel.Each(c.ctx, (to-from+band-1)/band, func(i int) {
		start := from + i*band
		for y := start; y < min(start+band, to); y++ {
			row(y)
		}
	})
}

// distant draws a scene on a canvas smaller by shrink, blurs it by radius (in units of the height) and lays it over this one:
// what a lens makes of things far out of focus, at a fraction of the work.
func (c *canvas) distant(shrink int, radius float64, draw func(*canvas)) {
	far := newCanvas(c.ctx, max(c.w/shrink, 2), max(c.h/shrink, 2), c.seed)
	draw(far)
	far.blur(radius)
	sx, sy := float64(far.w)/float64(c.w), float64(far.h)/float64(c.h)
	c.rows(0, c.h, func(py int) {
		for px := range c.w {
			c.set((py*c.w+px)*3, far.sample((float64(px)+0.5)*sx-0.5, (float64(py)+0.5)*sy-0.5))
		}
	})
}

// sample reads between pixels.
func (c *canvas) sample(x, y float64) rgb {
	x = min(max(x, 0), float64(c.w-1))
	y = min(max(y, 0), float64(c.h-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, c.w-1), min(y0+1, c.h-1)
	fx, fy := x-float64(x0), y-float64(y0)
	top := c.at((y0*c.w+x0)*3).mix(c.at((y0*c.w+x1)*3), fx)
	low := c.at((y1*c.w+x0)*3).mix(c.at((y1*c.w+x1)*3), fx)
	return top.mix(low, fy)
}

// finish applies the lens and turns linear light into an opaque 8-bit picture.
func (c *canvas) finish() (*image.NRGBA, error) {
	c.bleed()
	out := image.NewNRGBA(image.Rect(0, 0, c.w, c.h))
	reach := max(c.reach(), 0.5)
	c.rows(0, c.h, func(py int) {
		y := (float64(py)+0.5)/float64(c.h) - 0.5
		for px := range c.w {
			x := c.x(px) / reach / 2
			p := c.at((py*c.w + px) * 3).scale(1 - c.lens.vignette*smooth(0.15, 0.62, math.Sqrt(x*x+y*y))).shoulder()
			grain := c.grain(px, py) * c.lens.grain
			// Grain shows most in the middle tones and hardly in white and black.
			l := encode(p.luma())
			grain *= 0.35 + 2.6*l*(1-l)
			o := py*out.Stride + px*4
			out.Pix[o] = quantise(encode(p.r), grain)
			out.Pix[o+1] = quantise(encode(p.g), grain)
			out.Pix[o+2] = quantise(encode(p.b), grain)
			out.Pix[o+3] = 255
		}
	})
	if err := c.ctx.Err(); err != nil {
		return nil, fmt.Errorf("draw a preset: %w", err)
	}
	return out, nil
}

// bleed adds the glow of bright parts.
func (c *canvas) bleed() {
	if c.lens.glow == 0 {
		return
	}
	halo := newCanvas(c.ctx, max(c.w/4, 1), max(c.h/4, 1), c.seed)
	halo.rows(0, halo.h, func(py int) {
		for px := range halo.w {
			p := c.at((min(py*4+1, c.h-1)*c.w + min(px*4+1, c.w-1)) * 3)
			halo.set((py*halo.w+px)*3, p.scale(smooth(0.45, 1.2, p.luma())))
		}
	})
	halo.blur(0.03)
	c.rows(0, c.h, func(py int) {
		for px := range c.w {
			i := (py*c.w + px) * 3
			c.set(i, c.at(i).add(halo.sample(float64(px)/4-0.4, float64(py)/4-0.4).scale(c.lens.glow)))
		}
	})
}

// grain is noise of mean 0, the sum of two uniform values so that extremes are rare.
func (c *canvas) grain(px, py int) float64 {
	n := scramble(int32(px), int32(py), c.seed^0x9e3779b9)
	return (float64(n&0xffff)+float64(n>>16))/65535 - 1
}

func quantise(v, grain float64) uint8 {
	return uint8(min(max(v*255+grain+0.5, 0), 255))
}
