package presets

import "math"

// drawConcrete is a cast wall in hard sun with the shadow of palm leaves across it.
func drawConcrete(c *canvas) {
	const floor = 0.82
	wall, ground := hex(0xb9b3a9), hex(0xa9a196)
	shadow := c.fronds()
	sun, sky := rgb{1.28, 1.12, 0.90}, rgb{0.30, 0.35, 0.42}
	c.fill(func(x, y float64) rgb {
		px, py := int((x+c.reach())*float64(c.h)), int(y*float64(c.h))
		lit := 1 - float64(shadow.at(px, py))
		if y > floor {
			z := 0.22 / (y - floor + 0.16)
			u, v := x*z*3, z*6
			tone := fbm(u*2, v*2, 4, c.seed+20)*0.10 + noise(u*60, v*60, c.seed+21)*0.05*smooth(0.02, 0.1, y-floor)
			near := smooth(0, 0.03, y-floor)
			return ground.scale(1 + tone).mul(sky.scale(0.9 + 0.3*near).add(sun.scale(lit * 0.72 * near)))
		}
		tone, dark := formwork(x, y, c.seed)
		foot := 1 - 0.35*bump(y-floor, 0.03)
		return wall.scale(1 + tone).mul(sky.add(sun.scale(lit)).scale(foot)).scale(1 - dark)
	})
	c.lens = lens{vignette: 0.15, grain: 2.6, glow: 0.06}
}

// formwork is concrete as it leaves its boards: panels, seams, the round holes of the ties, stains and pores.
func formwork(x, y float64, seed uint32) (tone, dark float64) {
	const w, h = 0.46, 0.31
	iu, iv := math.Floor(x/w+0.31), math.Floor(y/h+0.12)
	fu, fv := x/w+0.31-iu, y/h+0.12-iv
	tone = (chance(int(iu), int(iv), seed) - 0.5) * 0.10
	tone += fbm(x*3, y*2.2, 4, seed+1)*0.20 + fbm(x*24, y*18, 3, seed+2)*0.09 + noise(x*150, y*150, seed+3)*0.035
	streak := fbm(x*26, y*1.3, 3, seed+4)
	tone -= 0.10 * smooth(0.1, 0.6, streak)
	edge := min(min(fu, 1-fu)*w, min(fv, 1-fv)*h)
	dark = 0.30*smooth(0.0022, 0.0008, edge) + 0.06*bump(edge, 0.008)
	for _, cu := range [...]float64{0.2, 0.8} {
		for _, cv := range [...]float64{0.25, 0.75} {
			d := math.Hypot((fu-cu)*w, (fv-cv)*h)
			rim := (fv - cv) * h / 0.009
			dark += 0.5 * smooth(0.0095, 0.0080, d) * clamp(0.75-0.35*rim)
			tone += 0.08 * bump(d-0.0105, 0.0015)
		}
	}
	pore := noise(x*70, y*70, seed+6)
	dark += 0.35 * smooth(0.72, 0.85, pore)
	return tone, clamp(dark)
}

// fronds is the shadow of palm leaves, sharper for leaves near the wall.
func (c *canvas) fronds() *plane {
	sum := &plane{rect: c.mask(rectangle(-3, 0, 3, 1), 0).rect}
	sum.pix = make([]float32, sum.rect.Dx()*sum.rect.Dy())
	leaves := []struct {
		root  point
		angle float64
		size  float64
		blur  float64
	}{
		{point{-0.50, 0.06}, 0.55, 0.74, 0.004},
		{point{-0.56, 0.30}, 0.12, 0.66, 0.009},
		{point{-0.34, -0.16}, 1.12, 0.62, 0.006},
		{point{0.60, 0.02}, 2.60, 0.52, 0.012},
		{point{-0.60, 0.62}, -0.28, 0.52, 0.014},
		// These show in wide pictures only.
		{point{-1.30, 0.02}, 0.42, 0.58, 0.008},
		{point{-1.16, 0.48}, 0.05, 0.44, 0.012},
		{point{1.25, 0.20}, 2.75, 0.50, 0.009},
		{point{1.10, 0.62}, 3.20, 0.40, 0.014},
	}
	for _, l := range leaves {
		m := c.mask(frond(l.root, l.angle, l.size), l.blur)
		sum = sum.combine(m, func(a, b float32) float32 { return 1 - (1-a)*(1-0.93*b) })
	}
	return sum
}

// frond is a palm leaf growing from a root at an angle, in radians below the horizontal.
func frond(root point, angle, size float64) path {
	var spine []point
	var p path
	const n = 26
	for i := range n + 1 {
		t := float64(i) / n
		bend := angle + 0.55*t*t
		if i == 0 {
			spine = append(spine, root)
			continue
		}
		last := spine[i-1]
		spine = append(spine, point{last.x + math.Cos(bend)*size/n, last.y + math.Sin(bend)*size/n})
		if t < 0.14 {
			continue
		}
		long := size * 0.42 * math.Sin(math.Pi*math.Pow(t, 0.75)*0.93+0.12)
		for _, side := range [...]float64{-1, 1} {
			a := bend + side*mix(1.15, 0.35, t)
			tip := point{spine[i].x + math.Cos(a)*long, spine[i].y + math.Sin(a)*long + long*0.12}
			p = append(p, leaf(spine[i], tip, 0.045*side)...)
		}
	}
	// The stem goes on towards the trunk, which stands outside the picture.
	trunk := point{root.x - math.Cos(angle-0.25)*0.9, root.y - math.Sin(angle-0.25)*0.9 - 0.1}
	return append(p, stroke(0.013, 0.002, append([]point{trunk}, spine...)...)...)
}

// drawTerrace is a paved terrace above a bay after sunset, lanterns lit.
func drawTerrace(c *canvas) {
	const floor = 0.66
	sky := ramp{{0, hex(0x3f4a78)}, {0.22, hex(0x7a6a96)}, {0.38, hex(0xc98a8f)}, {0.48, hex(0xf0ae7c)}, {0.545, hex(0xffd79a)}}
	sunset := point{0.22, 0.535}
	c.distant(2, 0.004, func(f *canvas) {
		f.fill(func(x, y float64) rgb {
			col := sky.look(y)
			glow := bump(math.Hypot((x-sunset.x)*0.6, (y-sunset.y)*1.2), 0.2)
			cloud := smooth(0.05, 0.55, fbm(x*1.6+3, y*9, 5, f.seed)) * box(0.08, 0.5, 0.2, y)
			col = col.mix(sky.look(y+0.12).scale(1.05), cloud*0.6).add(rgb{1.0, 0.52, 0.2}.scale(glow * 0.5))
			for i := range 3 {
				k := float64(i)
				ridge := 0.548 - 0.022*(2-k) - 0.035*fbm(x*(1.4+k)+k*7+2, k*3, 4, f.seed+11)*(2.4-k)
				haze := mix(0.62, 0.25, k/2)
				col = col.mix(hex(0x4b4263).mix(sky.look(0.52), haze), smooth(ridge-0.002, ridge+0.002, y))
			}
			if y > 0.56 {
				wave := fbm(x*5/(y-0.50), 3/(y-0.535), 3, f.seed+31)
				sea := hex(0x3d3b60).mix(hex(0xa97c86), clamp(0.35+0.6*wave))
				glitter := bump((x-sunset.x)/(0.4+4*(y-0.55)), 0.16) * smooth(-0.1, 0.5, wave)
				col = sea.add(rgb{1, 0.55, 0.25}.scale(glitter))
			}
			return col
		})
	})
	stone := hex(0xa6958c)
	ambient, warm := rgb{0.50, 0.44, 0.52}, rgb{1.0, 0.58, 0.26}
	lanterns := []point{{-0.30, 0.745}, {0.335, 0.70}}
	light := func(x, y float64) rgb {
		l := ambient
		for _, p := range lanterns {
			d := math.Hypot(x-p.x, (y-p.y-0.02)*2.1)
			l = l.add(warm.scale(0.95 / (1 + 90*d*d)))
		}
		return l.add(warm.scale(0.20 * bump(x-sunset.x, 0.5)))
	}
	paving := c.mask(rectangle(-3, floor, 3, 1.2), 0)
	c.blend(paving, func(x, y float64, _ rgb) rgb {
		z := 1 / (y - 0.52)
		u, v := x*z, z
		const tile = 0.62
		row := math.Floor(v / tile)
		u += 0.31 * math.Mod(row, 2)
		iu := math.Floor(u / tile)
		fu, fv := u/tile-iu, v/tile-row
		pixel := z * z / float64(c.h) * 0.6
		k := chance(int(iu), int(row), c.seed)
		joint := smooth(0.012+pixel, 0.004, min(min(fu, 1-fu), min(fv, 1-fv))*tile)
		tone := (k-0.5)*0.22 + fbm(u*6, v*6, 4, c.seed+5)*0.22 + noise(u*50, v*50, c.seed+6)*0.06*smooth(0.01, 0.002, pixel)
		sheen := sky.look(0.5).scale(0.16 * smooth(0.84, floor, y))
		return stone.scale((1 + tone) * (1 - 0.5*joint)).mul(light(x, y)).add(sheen)
	})
	c.balustrade(floor, light)
	c.soften()
	for _, p := range lanterns {
		c.lantern(p, warm)
	}
	c.festoon()
	c.lens = lens{vignette: 0.25, grain: 3, glow: 0.35}
}

// balustrade is a low stone railing standing on the line y = foot.
func (c *canvas) balustrade(foot float64, light func(x, y float64) rgb) {
	top := foot - 0.125
	stone := hex(0xc9b8ab)
	var posts path
	for i := -16; i <= 16; i++ {
		x := float64(i)*0.072 + 0.036
		posts = append(posts, smoothThrough(
			point{x - 0.012, top + 0.024}, point{x + 0.012, top + 0.024}, point{x + 0.009, top + 0.040}, point{x + 0.021, top + 0.072},
			point{x + 0.011, top + 0.100}, point{x + 0.015, foot - 0.012}, point{x - 0.015, foot - 0.012}, point{x - 0.011, top + 0.100},
			point{x - 0.021, top + 0.072}, point{x - 0.009, top + 0.040})...)
	}
	c.blend(c.mask(posts, 0.0006), func(x, y float64, _ rgb) rgb {
		k := x/0.072 - math.Floor(x/0.072) - 0.5
		round := 0.62 + 1.5*k
		return stone.scale(clamp(round) * 0.9).mul(light(x, y))
	})
	for _, bar := range [...][3]float64{{top, top + 0.026, 1}, {foot - 0.016, foot + 0.004, 0.75}} {
		c.blend(c.mask(rectangle(-3, bar[0], 3, bar[1]), 0.0005), func(x, y float64, _ rgb) rgb {
			v := (y - bar[0]) / (bar[1] - bar[0])
			tone := 1 + 0.12*fbm(x*20, y*60, 3, c.seed+50)
			return stone.scale(tone * bar[2] * mix(1.25, 0.6, smooth(0.1, 0.9, v))).mul(light(x, y))
		})
	}
	c.darken(c.mask(rectangle(-3, foot, 3, foot+0.012), 0.006), rgb{0.6, 0.6, 0.65})
}

// lantern is a glass lantern on the floor with a candle in it.
func (c *canvas) lantern(p point, glow rgb) {
	metal := hex(0x1d1a1c)
	const w, h = 0.034, 0.095
	c.darken(c.mask(ellipse(p.x, p.y+0.003, w*1.5, 0.012), 0.006), rgb{0.35, 0.33, 0.38})
	glass := polygon(point{p.x - w, p.y}, point{p.x + w, p.y}, point{p.x + w*0.88, p.y - h}, point{p.x - w*0.88, p.y - h})
	c.blend(c.mask(glass, 0.0006), func(x, y float64, was rgb) rgb {
		d := math.Hypot((x-p.x)*1.4, y-(p.y-0.036))
		return was.scale(0.35).add(glow.scale(0.30 + 2.4*bump(d, 0.030)))
	})
	c.blend(c.mask(ellipse(p.x, p.y-0.045, 0.005, 0.013), 0.0012), func(_, _ float64, _ rgb) rgb { return rgb{4, 2.9, 1.5} })
	frame := append(rectangle(p.x-w*1.12, p.y-0.007, p.x+w*1.12, p.y), rectangle(p.x-w, p.y-h-0.006, p.x+w, p.y-h)...)
	for _, s := range [...]float64{-1, 1} {
		frame = append(frame, stroke(0.0045, 0.0045, point{p.x + s*w, p.y}, point{p.x + s*w*0.94, p.y - h/2}, point{p.x + s*w*0.88, p.y - h})...)
	}
	frame = append(frame, polygon(point{p.x - w, p.y - h - 0.004}, point{p.x + w, p.y - h - 0.004}, point{p.x + w*0.3, p.y - h - 0.030}, point{p.x - w*0.3, p.y - h - 0.030})...)
	c.paint(c.mask(frame, 0.0006), metal, 1)
}

// festoon is a string of bulbs across the sky.
func (c *canvas) festoon() {
	reach := max(c.reach(), 0.4) + 0.1
	for s := range 2 {
		k := float64(s)
		line := func(t float64) point {
			x := mix(-reach, reach, t)
			return point{x, 0.07 + 0.10*k + (0.10+0.03*k)*4*t*(1-t) + x*(0.10-0.16*k)}
		}
		var cord []point
		for i := range 25 {
			cord = append(cord, line(float64(i)/24))
		}
		c.paint(c.mask(stroke(0.0022, 0.0022, cord...), 0.0006), hex(0x2a2433), 0.8)
		n := int(reach * 2 / 0.105)
		for i := range n {
			p := line((float64(i) + 0.5 + 0.3*k) / float64(n))
			c.blend(c.mask(ellipse(p.x, p.y+0.012, 0.0075, 0.0095), 0.001), func(_, _ float64, _ rgb) rgb { return rgb{2.6, 1.85, 1.0} })
			c.lighten(c.mask(ellipse(p.x, p.y+0.012, 0.012, 0.012), 0.012), rgb{0.55, 0.32, 0.14})
		}
	}
}

// drawNightStreet is a street after rain, the lights far out of focus and mirrored in the asphalt.
func drawNightStreet(c *canvas) {
	const floor = 0.62
	d := &dice{seed: c.seed}
	amber, white, red, teal := rgb{1.0, 0.52, 0.16}, rgb{1.0, 0.86, 0.66}, rgb{1.0, 0.12, 0.07}, rgb{0.16, 0.55, 0.66}
	type lamp struct {
		x, y, r float64
		light   rgb
	}
	var lamps []lamp
	for range 46 {
		deep := d.roll(0, 1)
		x := d.roll(-1, 1)
		x = math.Copysign(mix(0.05, 0.95, math.Abs(x)), x) * mix(1, 0.45, deep)
		lamps = append(lamps, lamp{
			x, floor - 0.02 - d.roll(0, 0.5)*mix(1, 0.35, deep) - math.Abs(x)*0.10, mix(0.046, 0.013, deep) * d.roll(0.8, 1.2),
			d.pick(amber, amber, white, white, teal, amber).scale(d.roll(0.18, 0.85)),
		})
	}
	for range 12 {
		x := d.roll(-0.22, 0.24)
		col := red
		if x < 0 {
			col = white
		}
		lamps = append(lamps, lamp{x, floor - d.roll(0.004, 0.05), d.roll(0.010, 0.022), col.scale(d.roll(0.6, 1.3))})
	}
	c.distant(2, 0.0035, func(f *canvas) {
		f.fill(func(x, y float64) rgb {
			sky := hex(0x0c1424).mix(hex(0x263552), smooth(0, floor, y)).add(rgb{0.10, 0.055, 0.02}.scale(bump(y-floor, 0.16) * bump(x, 0.4)))
			// House fronts close in towards the vanishing point.
			side := math.Abs(x)
			edge := 0.07 + 0.04*math.Floor((floor-y)*9)/9
			front := smooth(edge, edge+0.10, side)
			depth := 1 / (side + 0.05)
			windows := smooth(0.15, 0.45, noise(depth*3+math.Copysign(9, x), (floor-y)*depth*4.5, f.seed+3))
			house := hex(0x0a0d15).add(rgb{0.30, 0.17, 0.07}.scale(windows * 0.5)).add(rgb{0.05, 0.035, 0.02})
			return sky.mix(house, front*0.92)
		})
		f.blur(0.016)
		for _, l := range lamps {
			f.disc(l.x, l.y, l.r, l.light)
		}
		// Wet asphalt: the scene upside down, smeared upwards, broken by ripples.
		above := append([]float32(nil), f.pix...)
		mirror := &canvas{ctx: f.ctx, w: f.w, h: f.h, seed: f.seed, pix: above}
		mirror.blur(0.006)
		f.rows(int(floor*float64(f.h)), f.h, func(py int) {
			y := (float64(py) + 0.5) / float64(f.h)
			for px := range f.w {
				x := f.x(px)
				z := 0.2 / (y - floor + 0.03)
				wet := mix(0.5, smooth(-0.45, 0.35, fbm(x*z*1.3, z*1.6, 4, f.seed+8)), smooth(floor, floor+0.10, y))
				ripple := fbm(x*z*5, z*11, 2, f.seed+9)
				var sum rgb
				const taps = 7
				for i := range taps {
					k := (float64(i)/(taps-1) - 0.35) * 0.16
					up := floor - (y-floor)*1.1 + k + ripple*0.010*smooth(floor, floor+0.12, y)
					sum = sum.add(mirror.sample(float64(px)+ripple*0.008*float64(f.h), max(up, 0)*float64(f.h)))
				}
				asphalt := hex(0x15171c).scale(0.7 + 0.5*fbm(x*z*9, z*9, 3, f.seed+10))
				f.set((py*f.w+px)*3, asphalt.add(sum.scale(mix(0.30, 0.85, wet)/taps)))
			}
		})
	})
	for range 9 {
		c.disc(d.roll(-0.5, 0.5), d.roll(0.05, 0.5), d.roll(0.05, 0.085), d.pick(amber, white, teal).scale(d.roll(0.03, 0.09)))
	}
	c.lens = lens{vignette: 0.35, grain: 3.6, glow: 0.3}
}
