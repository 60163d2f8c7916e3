package presets

import "math"

// drawLake is the stony shore of a lake among mountains, in the light of the forenoon.
func drawLake(c *canvas) {
	const horizon, shore = 0.47, 0.62
	pebble, wet := hex(0xa9a49a), hex(0x5f625f)
	shallow, deep := hex(0x7fb0ab), hex(0x2d6478)
	c.distant(2, 0.0012, func(f *canvas) {
		f.fill(func(x, y float64) rgb {
			if y < horizon {
				return c.alps(x, y, horizon)
			}
			// The water shows what stands above it upside down, in waves that are longer the nearer they are.
			near := (y - horizon) / (shore - horizon)
			z := 0.05 / (y - horizon + 0.004)
			wave := fbm(x*z*5, z*16, 3, c.seed+1)
			seen := c.alps(x+0.05*near*wave, horizon-(y-horizon)*(0.9+0.5*near)-0.03*near*wave-0.002, horizon)
			water := deep.mix(shallow, smooth(0.45, 1, near))
			water = seen.scale(0.88).mix(water, 0.22+0.5*near)
			breath := smooth(0.05, 0.4, fbm(x*1.3, z*2.2, 3, c.seed+2)) // where a breath of wind lies on it
			return water.mix(hex(0xcfdfe8), 0.25*breath*(1-near))
		})
	})
	ground := c.mask(rectangle(-3, shore-0.04, 3, 1.1), 0)
	c.blend(ground, func(x, y float64, was rgb) rgb {
		line := shore + 0.012*math.Sin(x*3.1+0.6) + 0.012*fbm(x*4, 2, 3, c.seed+3)
		if y < line-0.004 {
			return was.mix(pebble.mix(shallow, 0.6), 0.55*smooth(line-0.035, line, y)*(0.7+0.6*noise(x*60, y*240, c.seed+4)))
		}
		z := 0.22 / (y - horizon)
		u, v := x*z+0.05*fbm(x*z*9, z*9, 2, c.seed+11), z+0.05*fbm(z*9, x*z*9, 2, c.seed+12)
		stone := 0.55*pebbles(u*120, v*120, c.seed+5) + 0.45*pebbles(u*250, v*250, c.seed+6)
		// A few larger ones lie among them. Far off all are smaller than a pixel, and of one shade.
		stone = mix(stone, pebbles(u*44, v*44, c.seed+13), 0.8*smooth(0.12, 0.3, fbm(u*20, v*20, 2, c.seed+14)))
		stone = mix(stone, 0.95, smooth(0.7, 1.4, z))
		tint := 0.08 * noise(x*z*9, z*9, c.seed+7)
		col := pebble.mix(hex(0xb8a78c), 0.5+0.5*noise(x*z*3, z*3, c.seed+8)).scale(stone * (1 + tint))
		damp := smooth(line+0.022, line+0.002, y+0.008*fbm(x*9, 5, 3, c.seed+9))
		col = col.mix(wet.scale(stone).mix(shallow, 0.15), 0.75*damp)
		return col.mix(hex(0xf4f6f4), 0.5*bump(y-line, 0.0014)*smooth(-0.1, 0.4, fbm(x*26, 1, 3, c.seed+10)))
	})
	c.lens = lens{vignette: 0.10, grain: 2.4, glow: 0.08}
}

// alps is what is seen above the water of a mountain lake: sky, two ranges and a wooded bank.
func (c *canvas) alps(x, y, horizon float64) rgb {
	sky := ramp{{0, hex(0x5f95c8)}, {0.25, hex(0x97bedd)}, {horizon, hex(0xe0e8ea)}}
	y = max(y, 0)
	col := sky.look(y)
	cloud := smooth(0.02, 0.45, fbm(x*1.6+4, y*6, 5, c.seed+20)) * smooth(0, 0.12, y) * smooth(0.34, 0.2, y)
	col = col.mix(hex(0xfdfcf9), 0.8*cloud)
	for i, ridge := range [...]struct {
		at, tall, wide [3]float64
		haze           float64
	}{
		{[3]float64{-0.62, 0.02, 0.58}, [3]float64{0.22, 0.31, 0.20}, [3]float64{0.50, 0.46, 0.52}, 0.46},
		{[3]float64{-0.95, -0.36, 0.92}, [3]float64{0.30, 0.13, 0.26}, [3]float64{0.55, 0.42, 0.60}, 0.16},
	} {
		seed := c.seed + 30 + uint32(i)*7
		height := func(x float64) float64 {
			h := 0.0
			for k := range ridge.at {
				h = max(h, ridge.tall[k]*(1-math.Abs(x-ridge.at[k])/ridge.wide[k]))
			}
			return h + (0.05*fbm(x*5, 3, 4, seed)+0.016*noise(x*41, 1, seed+1))*smooth(0, 0.06, h)
		}
		up := horizon - y // above the water
		h := height(x)
		if h <= up {
			continue
		}
		// Gullies run down from the crest; each face is lit by where it looks.
		gully := func(x float64) float64 { return ridged(x*6+2.2*up, up*7-x*2, 4, seed+2) + 1.4*height(x) }
		face := (gully(x+0.006) - gully(x-0.006)) / 0.012
		lit := smooth(-3.2, 3.2, face+1.1*fbm(x*30, up*30, 3, seed+3))
		rock := hex(0x4b5666).mix(hex(0xb3ada4), lit)
		snow := hex(0x93abc9).mix(hex(0xfdfbf6), smooth(0.15, 0.75, lit))
		white := smooth(-0.03, 0.05, up-0.115-0.02*float64(i)+0.07*fbm(x*9, up*16, 4, seed+4)+0.05*(lit-0.5))
		wood := hex(0x2c4436).mix(hex(0x54704a), lit)
		rock = wood.mix(rock, smooth(0.045, 0.10, up+0.03*fbm(x*11, up*9, 3, seed+5)))
		col = rock.mix(snow, white).mix(sky.look(horizon-0.06), ridge.haze+0.25*smooth(0.10, 0, up))
	}
	// The far bank, with spruces against the light.
	tree := 0.016 + 0.010*fbm(x*3, 8, 3, c.seed+50)
	for i := range 2 {
		s := x*float64(95+60*i) + 0.4*float64(i)
		n := math.Floor(s)
		tip := 1 - math.Abs(s-n-0.5)*2
		tree = max(tree, (0.024+0.016*fbm(x*4, 9, 2, c.seed+51))*tip*(0.5+0.5*chance(int(n), i, c.seed+52)))
	}
	if up := horizon - y; up < tree {
		col = hex(0x20382f).mix(hex(0x476049), smooth(-0.4, 0.5, noise(x*90, up*200, c.seed+53))).mix(sky.look(horizon), 0.18)
	}
	return col
}

// pebbles is how light stones are at a place: dark in the gaps between them, each with a shade of its own and a lit upper left.
func pebbles(x, y float64, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	best, next, shade, slant := 9.0, 9.0, 0.0, 0.0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			ix, iy := int(fx)+dx, int(fy)+dy
			px := float64(ix) + 0.05 + 0.9*chance(ix, iy, seed)
			py := float64(iy) + 0.05 + 0.9*chance(ix, iy, seed+1)
			d := math.Hypot(x-px, y-py)
			if d < best {
				best, next, shade, slant = d, best, chance(ix, iy, seed+2), (y-py)-(x-px)
			} else if d < next {
				next = d
			}
		}
	}
	return (0.80 + 0.34*shade + 0.20*slant) * mix(0.76, 1, smooth(0, 0.25, next-best))
}
