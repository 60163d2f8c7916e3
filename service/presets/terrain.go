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
	was, wasZ := math.Inf(1), t.near
	rise := func(z float64) float64 {
		return (t.cam.horizon - (t.height(x*z, z)-t.eye)/z*t.cam.zoom) * unit
	}
	// reach paints what a position at distance z, seen at y, covers of the column that was still free.
	reach := func(z, y float64) {
		for ; top > 0 && float64(top)-0.5 > y; top-- {
			// Between two steps the land is taken as straight.
			at := z
			if !math.IsInf(was, 1) && was > y {
				at = mix(wasZ, z, clamp((was-(float64(top)-0.5))/(was-y)))
			}
			c.set(((top-1)*c.w+px)*3, t.look(vec{x * at, 0, at}, at/t.cam.zoom/unit))
		}
	}
	for z := t.near; top > 0 && z < t.far; {
		y := rise(z)
		if y > was && was < float64(top)+1 {
			// The land has turned away behind a crest: find the crest, or its outline would have steps.
			const parts = 10
			back := max(wasZ-(z-wasZ), t.near)
			for i := 1; i < parts; i++ {
				q := mix(back, z, float64(i)/parts)
				if at := rise(q); at < was {
					reach(q, at)
				}
			}
		}
		reach(z, y)
		was, wasZ = y, z
		z += max(z*0.008, 0.02)
	}
}

// look is the colour of a position whose height is not known yet.
func (t terrain) look(p vec, pixel float64) rgb {
	p.y = t.height(p.x, p.z)
	e := max(pixel*1.5, 0.01)
	return t.colour(p, pixel, vec{p.y - t.height(p.x+e, p.z), e, p.y - t.height(p.x, p.z+e)}.unit())
}

// shadowMap is how much of a low sun reaches land, on a grid that is finer near the camera, as the view is.
type shadowMap struct {
	near, far, spread float64
	lit               []float32
}

const shadowColumns, shadowRows = 160, 224

// castShadows looks from each point of the grid towards the sun. spread is the x of the view's edge at z = 1.
func castShadows(height func(x, z float64) float64, sun vec, near, far, spread float64) *shadowMap {
	m := &shadowMap{near: near, far: far, spread: spread, lit: make([]float32, shadowColumns*shadowRows)}
	for row := range shadowRows {
		z := near * math.Pow(far/near, float64(row)/(shadowRows-1))
		for column := range shadowColumns {
			x := (float64(column)/(shadowColumns-1)*2 - 1) * spread * z
			p := vec{x, height(x, z), z}
			lit := 1.0
			for i := 1; i <= 9 && lit > 0; i++ {
				t := 0.16 * float64(i*i)
				q := p.along(sun, t)
				lit = min(lit, smooth(0.04+0.02*t, -0.04, height(q.x, q.z)-q.y))
			}
			m.lit[row*shadowColumns+column] = float32(lit)
		}
	}
	return m
}

// at is the light at a position, 0 to 1.
func (m *shadowMap) at(x, z float64) float64 {
	u := clamp(x/z/m.spread/2+0.5) * (shadowColumns - 1)
	v := clamp(math.Log(z/m.near)/math.Log(m.far/m.near)) * (shadowRows - 1)
	iu, iv := min(int(u), shadowColumns-2), min(int(v), shadowRows-2)
	fu, fv := u-float64(iu), v-float64(iv)
	i := iv*shadowColumns + iu
	top := mix(float64(m.lit[i]), float64(m.lit[i+1]), fu)
	low := mix(float64(m.lit[i+shadowColumns]), float64(m.lit[i+shadowColumns+1]), fu)
	return mix(top, low, fv)
}
