package presets

import (
	"image"
	"math"

	"golang.org/x/image/vector"
)

// plane is how much of each pixel of a rectangle belongs to a shape, 0 to 1.
type plane struct {
	rect image.Rectangle
	pix  []float32
}

// mask draws a shape, its edge softened by blur (in units of the height).
func (c *canvas) mask(p path, blur float64) *plane {
	unit := float64(c.h)
	radius := blur * unit
	margin := int(math.Ceil(radius*2)) + 2
	frame := image.Rect(0, 0, c.w, c.h).Inset(-margin)
	m := &plane{rect: p.bounds(unit, float64(c.w)/2).Inset(-margin).Intersect(frame)}
	if m.rect.Empty() || c.ctx.Err() != nil {
		m.rect = image.Rectangle{}
		return m
	}
	size := m.rect.Size()
	r := vector.NewRasterizer(size.X, size.Y)
	p.trace(r, unit, float64(c.w)/2-float64(m.rect.Min.X), -float64(m.rect.Min.Y))
	alpha := image.NewAlpha(image.Rect(0, 0, size.X, size.Y))
	r.Draw(alpha, alpha.Bounds(), image.Opaque, image.Point{})
	m.pix = make([]float32, size.X*size.Y)
	for i, a := range alpha.Pix {
		m.pix[i] = float32(a) / 255
	}
	if radius > 0.3 {
		blurPlane(m.pix, size.X, size.Y, 1, radius)
	}
	return m
}

// at is the plane's value at a pixel, 0 outside.
func (m *plane) at(px, py int) float32 {
	if !(image.Point{X: px, Y: py}).In(m.rect) {
		return 0
	}
	return m.pix[(py-m.rect.Min.Y)*m.rect.Dx()+px-m.rect.Min.X]
}

// within keeps only what also lies in another shape.
func (m *plane) within(other *plane) *plane {
	return m.combine(other, func(a, b float32) float32 { return a * b })
}

// without keeps only what lies outside another shape.
func (m *plane) without(other *plane) *plane {
	return m.combine(other, func(a, b float32) float32 { return a * (1 - b) })
}

func (m *plane) combine(other *plane, op func(a, b float32) float32) *plane {
	out := &plane{rect: m.rect, pix: make([]float32, len(m.pix))}
	i := 0
	for y := m.rect.Min.Y; y < m.rect.Max.Y; y++ {
		for x := m.rect.Min.X; x < m.rect.Max.X; x++ {
			out.pix[i] = op(m.pix[i], other.at(x, y))
			i++
		}
	}
	return out
}

// blend repaints the pixels of a shape from what they were, as far as they belong to it.
func (c *canvas) blend(m *plane, at func(x, y float64, was rgb) rgb) {
	area := m.rect.Intersect(image.Rect(0, 0, c.w, c.h))
	c.rows(area.Min.Y, area.Max.Y, func(py int) {
		y := (float64(py) + 0.5) / float64(c.h)
		for px := area.Min.X; px < area.Max.X; px++ {
			a := float64(m.pix[(py-m.rect.Min.Y)*m.rect.Dx()+px-m.rect.Min.X])
			if a < 1.0/2048 {
				continue
			}
			i := (py*c.w + px) * 3
			was := c.at(i)
			c.set(i, was.mix(at(c.x(px), y, was), a))
		}
	})
}

// paint covers a shape with a colour of some opacity.
func (c *canvas) paint(m *plane, colour rgb, opacity float64) {
	c.blend(m, func(_, _ float64, was rgb) rgb { return was.mix(colour, opacity) })
}

// darken multiplies a shape by a colour: a shadow, or a glaze.
func (c *canvas) darken(m *plane, by rgb) {
	c.blend(m, func(_, _ float64, was rgb) rgb { return was.mul(by) })
}

// lighten adds light to a shape.
func (c *canvas) lighten(m *plane, light rgb) {
	c.blend(m, func(_, _ float64, was rgb) rgb { return was.add(light) })
}
