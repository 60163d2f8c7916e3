package presets

import "math"

// drawForest is a path through a summer wood, everything beyond the path far out of focus.
func drawForest(c *canvas) {
	const horizon = 0.47
	canopy := ramp{{0, hex(0x2f4a22)}, {0.22, hex(0x5f8238)}, {0.42, hex(0xc3cf86)}, {0.52, hex(0xe9e6b4)}}
	c.distant(4, 0.004, func(f *canvas) {
		d := &dice{seed: c.seed}
		f.fill(func(x, y float64) rgb {
			opening := bump(math.Hypot(x*1.25, y-0.42), 0.36)
			leaves := fbm(x*5, y*5, 4, c.seed)
			return hex(0x26391d).mix(canopy.look(0.50-0.5*math.Hypot(x*0.75, (y-0.46)*0.85)), clamp(0.25+opening+leaves*0.35))
		})
		for range 170 {
			x, y := d.roll(-1, 1), d.roll(-0.05, 0.52)
			bright := bump(math.Hypot(x*1.1, y-0.40), 0.40)
			light := d.pick(hex(0xa9c653), hex(0x7fae3c), hex(0xe3dd8a), hex(0x5c8f3a)).scale(d.roll(0.05, 0.26) * (0.35 + 1.3*bright))
			f.disc(x, y, d.roll(0.010, 0.042), light)
		}
		// Trunks, the far ones pale with haze.
		for layer := range 3 {
			k := float64(layer) / 2
			bark := hex(0x2b2119).mix(hex(0x9aa36c), mix(0.78, 0.0, k))
			var trunks path
			for range 13 - layer*3 {
				x := d.roll(-1.2, 1.2)
				if math.Abs(x) < 0.10+0.13*k {
					x += math.Copysign(0.16+0.12*k, x)
				}
				w := d.roll(0.012, 0.020) * mix(1, 3.4, k)
				lean := d.roll(-0.03, 0.03)
				trunks = append(trunks, stroke(w*0.75, w*1.15, point{x + lean, -0.1}, point{x + lean*0.4, 0.25}, point{x, horizon + mix(0.03, 0.16, k)})...)
			}
			f.blend(f.mask(trunks, mix(0.006, 0.004, k)), func(x, y float64, was rgb) rgb {
				rim := clamp(0.5 - x*1.1)
				return was.scale(0.08).add(bark.scale(0.65 + 0.5*rim + 0.3*fbm(x*30, y*7, 2, c.seed+7)))
			})
			f.blend(f.mask(ellipse(0, 0.44, 0.34, 0.26), 0.1), func(_, _ float64, was rgb) rgb {
				return was.add(rgb{0.16, 0.16, 0.06}.scale(1 - 0.6*k))
			})
		}
		f.understorey(d, horizon)
	})
	sunlit := rgb{1.5, 1.32, 0.85}
	height := func(x, z float64) float64 {
		bank := smooth(0.55, 2.2, math.Abs(x-track(z)))
		return 0.38*bank + 0.16*fbm(x*0.7, z*0.7, 3, c.seed+20)*bank + 0.018*noise(x*3, z*3, c.seed+21)
	}
	earth, litter, moss := hex(0x8a6d4d), hex(0xa5713c), hex(0x5d7a33)
	c.land(terrain{
		cam: camera{horizon: horizon, zoom: 1.25}, eye: 1.55, near: 1.2, far: 26, height: height,
		colour: func(p vec, pixel float64, n vec) rgb {
			detail := smooth(0.02, 0.004, pixel)
			side := math.Abs(p.x - track(p.z))
			verge := smooth(0.45, 1.0, side+0.35*fbm(p.x*1.7, p.z*1.7, 3, c.seed+22))
			ground := earth.scale(1 + 0.22*fbm(p.x*5, p.z*5, 4, c.seed+23) + 0.20*detail*noise(p.x*38, p.z*38, c.seed+24))
			leaf := smooth(0.28, 0.5, noise(p.x*16, p.z*13, c.seed+25)) * (0.35 + 0.5*verge) * detail
			ground = ground.mix(litter.scale(0.8+0.6*chance(int(math.Floor(p.x*16)), int(math.Floor(p.z*13)), c.seed)), leaf)
			grass := moss.scale(0.75 + 0.35*fbm(p.x*4, p.z*4, 3, c.seed+26) + 0.5*detail*noise(p.x*60, p.z*14, c.seed+27))
			ground = ground.mix(grass, verge*0.92)
			// Sun falls through the leaves in patches.
			patch := smooth(0.02, 0.42, fbm(p.x*1.1+2, p.z*0.55, 3, c.seed+28)+0.16-0.10*side)
			col := ground.mul(rgb{0.40, 0.46, 0.36}.add(sunlit.scale(patch * clamp(n.y*0.9))))
			return col.mix(hex(0xb4c079), 0.72*smooth(5, 24, p.z))
		},
	})
	// Bushes stand where the land ends, and its edge melts into the wood behind it.
	d := &dice{seed: c.seed + 77}
	for range 260 {
		x := d.roll(-1.2, 1.2)
		open := bump(x-0.02, 0.09)
		r := d.roll(0.012, 0.034) * (1 - 0.6*open)
		col := d.pick(hex(0x5f7d36), hex(0x78964a), hex(0x4a672c)).mix(hex(0xd2d894), 0.22+0.5*bump(x, 0.22))
		c.dot(x, horizon+0.052-r*0.7*d.roll(0.2, 1.2), r*1.5, r*0.9, col, 0.30)
	}
	c.blend(c.mask(rectangle(-3, horizon-0.005, 3, horizon+0.070), 0.020), func(x, _ float64, was rgb) rgb {
		return was.mix(canopy.look(0.44-0.34*math.Abs(x)), 0.35)
	})
	for range 26 {
		c.disc(d.roll(-0.8, 0.8), d.roll(0, 0.42), d.roll(0.012, 0.03), d.pick(hex(0xf4efb0), hex(0xcfdc82)).scale(d.roll(0.03, 0.14)))
	}
	c.soften()
	c.lens = lens{vignette: 0.30, grain: 2.6, glow: 0.16}
}

// track is where the middle of the forest path runs at a distance.
func track(z float64) float64 { return 0.9 * math.Sin(z*0.16-0.25) * smooth(2, 14, z) }

// understorey is the bushes along the foot of the wood, the far ones pale with light.
func (c *canvas) understorey(d *dice, horizon float64) {
	const bushes = 420
	for i := range bushes {
		k := float64(i) / bushes
		x := d.roll(-1.2, 1.2)
		open := bump(x, mix(0.16, 0.10, k))
		y := horizon + mix(-0.035, 0.050, k) - d.roll(0, 0.045)*(1-open)
		col := d.pick(hex(0x46652a), hex(0x5f8234), hex(0x344f20), hex(0x7a9a45)).mix(hex(0xd2d894), mix(0.62, 0.12, k)+0.25*open)
		r := d.roll(0.010, 0.030) * (1 - 0.5*open)
		c.dot(x, y, r*1.3, r, col, 0.7)
	}
}

// drawFlowers is a meadow in bloom against a low sun.
func drawFlowers(c *canvas) {
	const horizon = 0.42
	sky := ramp{{0, hex(0x9fc0d8)}, {0.2, hex(0xd5d9d0)}, {0.36, hex(0xf8dfb4)}, {horizon + 0.03, hex(0xffd9a0)}}
	sunAt := point{0.20, 0.33}
	c.distant(4, 0.006, func(f *canvas) {
		f.fill(func(x, y float64) rgb {
			col := sky.look(y).add(rgb{1.3, 0.9, 0.42}.scale(bump(math.Hypot(x-sunAt.x, y-sunAt.y), 0.13)))
			for i := range 3 {
				k := float64(i)
				edge := horizon - 0.055 + 0.024*k - 0.05*fbm(x*(2.2+k*2)+k*5, k*2, 4, f.seed+3)
				tree := hex(0x5c6a3a).mix(hex(0xffdca6), 0.72-0.24*k)
				col = col.mix(tree, smooth(edge-0.004, edge+0.006, y))
			}
			return col
		})
	})
	grassNear, grassFar := hex(0x4d6b26), hex(0xc7b765)
	meadow := c.mask(rectangle(-3, horizon, 3, 1.2), 0.003)
	c.blend(meadow, func(x, y float64, _ rgb) rgb {
		t := (y - horizon) / (1 - horizon)
		z := 0.2 / (y - horizon + 0.012)
		tone := 0.30*fbm(x*z*3, z*3, 4, c.seed+5) + 0.28*fbm(x*z*26, z*5, 3, c.seed+6)*smooth(0.02, 0.3, t)
		return grassFar.mix(grassNear, smooth(0, 0.55, t)).scale(0.92 + tone).add(rgb{0.30, 0.18, 0.04}.scale(bump(x-sunAt.x, 0.30) * smooth(0.6, 0, t)))
	})
	d := &dice{seed: c.seed}
	poppy, daisy, corn, butter := hex(0xd9402c), hex(0xfdf6ea), hex(0x5f74c8), hex(0xf2c23a)
	// From far to near: specks, then flowers, then blurs before the lens.
	const rowsOfFlowers = 46
	for row := range rowsOfFlowers {
		t := math.Pow(float64(row)/rowsOfFlowers, 1.9)
		y := horizon + 0.012 + (0.86-horizon)*t
		size := mix(0.0022, 0.021, t)
		blurred := smooth(0.30, 0.05, t)*0.5 + 0.1
		n := int(mix(95, 16, math.Pow(t, 0.4)))
		c.blades(d, y, t, mix(26, 34, t))
		for i := range n {
			x := (float64(i)+d.roll(0, 1))/float64(n)*2.6 - 1.3
			tint := d.pick(poppy, poppy, poppy, daisy, butter, corn)
			haze := 0.55 * smooth(0.35, 0, t)
			tint = tint.mix(hex(0xffd9a0), haze)
			c.flower(point{x, y + d.roll(-0.6, 0.6)*size}, size*d.roll(0.7, 1.15), tint, blurred, tint == daisy, d)
		}
	}
	for range 22 {
		x, y := d.roll(-0.9, 0.9), d.roll(0.90, 1.04)
		c.bloomBlur(point{x, y}, d.roll(0.035, 0.08), d.pick(poppy, poppy, butter, daisy), d)
	}
	c.lighten(c.mask(ellipse(sunAt.x, sunAt.y, 0.34, 0.30), 0.12), rgb{0.14, 0.09, 0.03})
	c.lens = lens{vignette: 0.14, grain: 2.6, glow: 0.22}
}

// blades draws the grass of one row of the meadow.
func (c *canvas) blades(d *dice, y, t, count float64) {
	if t < 0.04 {
		return
	}
	dark, light := hex(0x3a5420), hex(0x9db04a)
	n := int(count)
	var low, high path
	long := mix(0.02, 0.13, t)
	for i := range n {
		x := (float64(i)+d.roll(0, 1))/float64(n)*2.6 - 1.3
		tip := point{x + d.roll(-0.35, 0.35)*long, y - long*d.roll(0.35, 0.9)}
		blade := leaf(point{x, y + long*0.4}, tip, 0.03)
		if i%2 == 0 {
			low = append(low, blade...)
		} else {
			high = append(high, blade...)
		}
	}
	c.paint(c.mask(low, 0.0006), dark, 0.75)
	c.paint(c.mask(high, 0.0006), light, 0.6)
}

// flower is one bloom: petals lit from behind, a heart, sharper the nearer to the middle ground.
func (c *canvas) flower(p point, r float64, tint rgb, blurred float64, rays bool, d *dice) {
	if r*float64(c.h) < 4 {
		c.dot(p.x, p.y, r, r*0.7, tint, 0.9)
		return
	}
	turn := d.roll(0, 1)
	var petals path
	count := 5
	if rays {
		count = 13
	}
	for i := range count {
		a := (float64(i) + turn) / float64(count) * 2 * math.Pi
		tip := point{p.x + math.Cos(a)*r, p.y + math.Sin(a)*r*0.62}
		belly := 0.42
		if rays {
			belly = 0.16
		}
		petals = append(petals, leaf(p, tip, belly)...)
	}
	c.blend(c.mask(petals, blurred*0.003), func(x, y float64, _ rgb) rgb {
		q := math.Hypot(x-p.x, (y-p.y)/0.62) / r
		streak := noise(math.Atan2(y-p.y, x-p.x)*9, q*2, c.seed+30)
		return tint.scale(0.62 + 0.5*q + 0.14*streak + 0.25*smooth(p.y, p.y-r*0.6, y))
	})
	heart := hex(0x2a1a1c)
	if rays {
		heart = hex(0xe0a520)
	}
	c.dot(p.x, p.y, r*0.24, r*0.17, heart, 0.9)
}

// bloomBlur is a flower so near the lens that only its colour remains.
func (c *canvas) bloomBlur(p point, r float64, tint rgb, d *dice) {
	shape := smoothThrough(point{p.x - r, p.y}, point{p.x - r*0.4, p.y - r*d.roll(0.5, 0.8)}, point{p.x + r*0.5, p.y - r*d.roll(0.5, 0.8)},
		point{p.x + r, p.y + r*0.1}, point{p.x + r*0.3, p.y + r*0.6}, point{p.x - r*0.5, p.y + r*0.55})
	c.paint(c.mask(shape, r*0.28), tint, 0.72)
}
