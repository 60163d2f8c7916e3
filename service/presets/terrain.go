package presets

import "math"

// terrain is land seen over its surface, drawn column by column from near to far. Heights are in metres, the eye at eye above
// zero.
type terrain struct {
	cam    camera
	eye    float64
	near   float64 // first distance drawn
	far    float64 // last
	height func(x, z float64) float64
	// colour is what is seen at a position: its height, the size of a pixel there and the surface's normal.
	colour func(p vec, pixel float64, normal vec) rgb
}

// land draws a terrain over the canvas; the sky above it stays.
func (c *canvas) land(t terrain) {
	unit := float64(c.h)
	const strip = 8
	strips := (c.w + strip - 1) / strip
	c.rows(0, strips, func(s int) {
		for px := s * strip; px < min((s+1)*strip, c.w); px++ {
			c.column(t, px, unit)
		}
	})
}

// column draws one column of a terrain, each pixel from the position where its ray meets the land.
func (c *canvas) column(t terrain, px int, unit float64) {
	x := c.x(px) / t.cam.zoom
	top := c.h
	z, step := t.near, 0.0
	was, wasZ := math.Inf(1), z
	for top > 0 && z < t.far {
		h := t.height(x*z, z)
		y := (t.cam.horizon - (h-t.eye)/z*t.cam.zoom) * unit
		for ; top > 0 && float64(top)-0.5 > y; top-- {
			// Between two steps the land is taken as straight.
			at := z
			if !math.IsInf(was, 1) && was != y {
				at = mix(wasZ, z, clamp((was-(float64(top)-0.5))/(was-y)))
			}
			p := vec{x * at, 0, at}
			p.y = t.height(p.x, p.z)
			pixel := at / t.cam.zoom / unit
			e := max(pixel*1.5, 0.01)
			normal := vec{p.y - t.height(p.x+e, at), e, p.y - t.height(p.x, at+e)}.unit()
			c.set(((top-1)*c.w+px)*3, t.colour(p, pixel, normal))
		}
		was, wasZ = y, z
		step = max(z*0.006, 0.02)
		z += step
	}
}
