package presets

import "math"

// sweep is a paper backdrop that curves into the floor without a seam, lit from the upper left.
func sweep(light, shade uint32) func(*canvas) {
	lit, dim := hex(light), hex(shade)
	return func(c *canvas) {
		c.fill(func(x, y float64) rgb {
			// A large soft source: brightest on the wall a little left of the middle, and again on the floor towards the camera.
			wall := bump(math.Hypot((x+0.12)*0.8, y-0.34), 0.62)
			floor := smooth(0.74, 1.05, y) * (0.75 - 0.25*x)
			bend := bump(y-0.735, 0.07) * 0.18
			paper := fbm(x*3, y*3, 3, c.seed)*0.012 + fbm(x*240, y*240, 2, c.seed+7)*0.008
			return dim.mix(lit, clamp(0.12+0.85*max(wall, floor)-bend)).scale(1 + paper)
		})
		c.lens.vignette = 0.16
	}
}
