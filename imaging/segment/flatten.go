package segment

import "math"

// surfaceTerms is the number of terms of a surface of second order.
const surfaceTerms = 6

// flattened is the canvas as if its background were lit evenly: a smooth surface is laid through the colours near the frame, then
// through all that it explains, and taken out. A wall that is brighter in the middle is one colour afterwards.
func flattened(c *canvas) *canvas {
	const step, rounds = 3, 4
	ring := max(2, min(c.w, c.h)/12)
	var at []int
	var known []bool
	for y := 0; y < c.h; y += step {
		for x := 0; x < c.w; x += step {
			at = append(at, y*c.w+x)
			known = append(known, x < ring || y < ring || x >= c.w-ring)
		}
	}
	out := &canvas{w: c.w, h: c.h, pix: make([]float32, len(c.pix))}
	for round := range rounds {
		var surface [3][surfaceTerms]float64
		for k := range 3 {
			surface[k] = c.surface(at, known, k)
		}
		c.level(out, surface)
		if round == rounds-1 {
			break
		}
		c.explain(out, at, known)
	}
	return out
}

// terms are what a surface is made of at a pixel.
func (c *canvas) terms(i int) [surfaceTerms]float64 {
	x, y := 2*(float64(i%c.w)+0.5)/float64(c.w)-1, 2*(float64(i/c.w)+0.5)/float64(c.h)-1
	return [surfaceTerms]float64{1, x, y, x * x, x * y, y * y}
}

// surface is the least-squares fit to one channel of the known pixels.
func (c *canvas) surface(at []int, known []bool, channel int) [surfaceTerms]float64 {
	var m [surfaceTerms][surfaceTerms + 1]float64
	for n, i := range at {
		if !known[n] {
			continue
		}
		t := c.terms(i)
		for a := range t {
			for b := range t {
				m[a][b] += t[a] * t[b]
			}
			m[a][surfaceTerms] += t[a] * float64(c.pix[3*i+channel])
		}
	}
	for a := range m {
		m[a][a] += 1e-6 + 1e-6*m[0][0]
	}
	for a := range m {
		for b := a + 1; b < surfaceTerms; b++ {
			k := m[b][a] / m[a][a]
			for n := a; n <= surfaceTerms; n++ {
				m[b][n] -= k * m[a][n]
			}
		}
	}
	var out [surfaceTerms]float64
	for a := surfaceTerms - 1; a >= 0; a-- {
		out[a] = m[a][surfaceTerms]
		for b := a + 1; b < surfaceTerms; b++ {
			out[a] -= m[a][b] * out[b]
		}
		out[a] /= m[a][a]
	}
	return out
}

// level writes the canvas without the surfaces, around a middle grey.
func (c *canvas) level(out *canvas, surface [3][surfaceTerms]float64) {
	const grey = 128
	spread(c.h, func(lo, hi int) {
		for i := lo * c.w; i < hi*c.w; i++ {
			t := c.terms(i)
			for k := range 3 {
				v := float64(c.pix[3*i+k]) + grey
				for n := range t {
					v -= surface[k][n] * t[n]
				}
				out.pix[3*i+k] = float32(min(max(v, 0), 255))
			}
		}
	})
}

// explain marks as known what the surface explains about as well as it explains most of what was known.
func (c *canvas) explain(out *canvas, at []int, known []bool) {
	off := func(i int) float32 {
		d := float32(0)
		for k := range 3 {
			v := out.pix[3*i+k] - 128
			d += v * v
		}
		return d
	}
	var usual []float32
	for n, i := range at {
		if known[n] {
			usual = append(usual, off(i))
		}
	}
	limit := float64(4*quantile(usual, 0.6)) + 16
	for n, i := range at {
		known[n] = float64(off(i)) < math.Min(limit, 60*60)
	}
}
