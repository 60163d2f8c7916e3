package segment

// light is what the red, green and blue of a picture are multiplied by so that it looks as if taken in ordinary light; the zero value
// leaves it as it is. Skin, hair and streets are known by their colours in ordinary light.
type light [3]float32

// lightOf is the light to see a picture in: what is nearly grey in photographs taken in ordinary light has red and blue within some
// bounds of its green, and what is beyond them is the colour of the light.
func lightOf(c *canvas) light {
	const (
		dark, glaring = 30, 250 // levels
		grey          = 0.35    // of the strongest channel, between that and the weakest
		enough        = 0.4     // of the picture
	)
	usual := [3][2]float64{{0.96, 1.08}, {1, 1}, {0.92, 1.05}} // against green
	var sum [3]float64
	n := 0
	for i := range c.w * c.h {
		p := c.pix[3*i : 3*i+3]
		most, least := max(p[0], p[1], p[2]), min(p[0], p[1], p[2])
		if most < dark || most > glaring || most-least > grey*most {
			continue
		}
		n++
		for k, v := range p {
			sum[k] += float64(v)
		}
	}
	if float64(n) < enough*float64(c.w*c.h) {
		return light{}
	}
	out := light{1, 1, 1}
	for k, u := range usual {
		at := sum[k] / sum[1]
		out[k] = float32(min(max(at, u[0]), u[1]) / at)
	}
	if out == (light{1, 1, 1}) {
		return light{}
	}
	return out
}

// in is the canvas as it looks in a light.
func (c *canvas) in(l light) *canvas {
	if l == (light{}) {
		return c
	}
	out := &canvas{w: c.w, h: c.h, pix: make([]float32, len(c.pix))}
	for i, v := range c.pix {
		out.pix[i] = min(v*l[i%3], 255)
	}
	return out
}
