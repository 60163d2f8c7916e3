package presets

import "math"

// disc adds a light out of focus: a round of even brightness with a slightly brighter rim. radius is in units of the height.
func (c *canvas) disc(x, y, radius float64, light rgb) {
	unit := float64(c.h)
	cx, cy, r := x*unit+float64(c.w)/2, y*unit, max(radius*unit, 0.8)
	soft := max(r*0.07, 0.8)
	for py := max(int(cy-r-2), 0); py < min(int(cy+r+3), c.h); py++ {
		for px := max(int(cx-r-2), 0); px < min(int(cx+r+3), c.w); px++ {
			d := math.Hypot(float64(px)+0.5-cx, float64(py)+0.5-cy)
			a := smooth(r+soft/2, r-soft, d)
			if a == 0 {
				continue
			}
			q := d / r
			i := (py*c.w + px) * 3
			c.set(i, c.at(i).add(light.scale(a*(0.72+0.38*q*q*q*q))))
		}
	}
}

// dot paints a soft round spot of a colour over what is there.
func (c *canvas) dot(x, y, rx, ry float64, colour rgb, opacity float64) {
	unit := float64(c.h)
	cx, cy := x*unit+float64(c.w)/2, y*unit
	rx, ry = max(rx*unit, 0.7), max(ry*unit, 0.7)
	for py := max(int(cy-ry-1), 0); py < min(int(cy+ry+2), c.h); py++ {
		for px := max(int(cx-rx-1), 0); px < min(int(cx+rx+2), c.w); px++ {
			d := math.Hypot((float64(px)+0.5-cx)/rx, (float64(py)+0.5-cy)/ry)
			if a := smooth(1, 0.55, d) * opacity; a > 0 {
				i := (py*c.w + px) * 3
				c.set(i, c.at(i).mix(colour, a))
			}
		}
	}
}

// dice is a sequence of numbers that belongs to a picture.
type dice struct {
	seed uint32
	n    int
}

// roll is the next number of a to b.
func (d *dice) roll(a, b float64) float64 {
	d.n++
	return mix(a, b, chance(d.n, d.n>>8, d.seed*31+7))
}

// pick is one of the colours.
func (d *dice) pick(colours ...rgb) rgb {
	return colours[min(int(d.roll(0, float64(len(colours)))), len(colours)-1)]
}
