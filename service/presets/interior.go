package presets

import "math"

// drawLoft is a bare room with white brick, an oak floor and the sun through a steel window on the left.
func drawLoft(c *canvas) {
	cam := camera{horizon: 0.5, zoom: 1.15}
	r := room{left: 1.75, right: 3.2, floor: 1.25, ceiling: 2.1, back: 6.2}
	sun := vec{0.80, -0.46, 0.36}.unit()
	wall, oakLight, oakDark := hex(0xe9e2d8), hex(0xc69c6d), hex(0x8a5f3a)
	sunlight, skylight := rgb{3.3, 2.65, 1.9}, rgb{0.50, 0.54, 0.60}
	// The window's wall is the left one: v is along z, u upwards.
	const from, to, sill, lintel = 2.2, 5.4, -0.45, 1.75
	c.fill(func(x, y float64) rgb {
		d := cam.ray(x, y)
		s, p := r.hit(vec{}, d)
		pixel := p.z / cam.zoom / float64(c.h)
		if s == surfaceLeft {
			u, v := (p.z-from)/(to-from), (p.y-sill)/(lintel-sill)
			glass := panes(u, v, 4, 3, 0.014, 0.004)
			frame := box(-0.02, 1.02, 0.004, u) * box(-0.025, 1.025, 0.004, v)
			outside := rgb{1.15, 1.18, 1.2}.mix(rgb{0.75, 0.85, 0.8}, smooth(0.5, -0.2, p.y+0.25*fbm(p.z*2, 1, 3, c.seed)))
			plain := wall.scale((0.30 + 0.03*plaster(p.z, p.y, c.seed)) * r.corner(s, p))
			return plain.mix(hex(0x23211f), frame).mix(outside, glass)
		}
		open := r.corner(s, p)
		// Sky light falls off with the distance from the window.
		toWindow := vec{-r.left - p.x, 0.65 - p.y, 3.8 - p.z}
		fall := 1 / (1 + 0.16*toWindow.dot(toWindow))
		light := skylight.scale(1.5 * fall * open).add(rgb{0.25, 0.22, 0.19}.scale(0.85 * open))
		// Back along the sun's ray to the window: its pattern, softer the farther it has come.
		t := (p.x + r.left) / sun.x
		q := p.along(sun, -t)
		beam := panes((q.z-from)/(to-from), (q.y-sill)/(lintel-sill), 4, 3, 0.02, 0.012*t)
		switch s {
		case surfaceFloor:
			tone, gap := planks(p.x, p.z, 0.15, 1.9, pixel*max(1, p.z/2), c.seed)
			board := oakDark.mix(oakLight, clamp(0.62+0.3*tone)).scale(1 - 0.65*gap)
			lit := board.mul(light.add(sunlight.scale(beam * -sun.y * 1.5)))
			// Varnish mirrors the bright wall ahead at a flat angle.
			gloss := 0.10 * math.Pow(clamp(p.z/r.back), 2) * (1 + 0.4*tone)
			return lit.add(wall.scale(gloss * fall))
		case surfaceCeiling:
			beamEdge := box(0.42, 0.58, 0.03, p.z/1.3-math.Floor(p.z/1.3))
			return hex(0xd9d2c8).scale(1 - 0.55*beamEdge).mul(light.scale(0.8))
		case surfaceBack, surfaceRight:
			u, v := p.x, p.y
			if s == surfaceRight {
				u = p.z
			}
			bump, joint := bricks(u, v, 0.26, 0.085, c.seed)
			paintwork := wall.scale(1 + 0.10*bump - 0.16*joint)
			skirting := box(-r.floor-0.1, -r.floor+0.16, 0.01, v)
			paintwork = paintwork.mix(hex(0xdfd8cd).scale(0.95), skirting)
			facing := sun.z
			if s == surfaceRight {
				facing = sun.x
			}
			return paintwork.mul(light.add(sunlight.scale(beam * facing * (1 + 0.35*bump - 0.3*joint) * (1 - 0.5*skirting))))
		}
		return wall
	})
	c.lens = lens{vignette: 0.22, grain: 2.6, glow: 0.22}
}

// bricks is a painted brick wall: the tone of a brick, about -1 to 1, and how much of the position is joint.
func bricks(u, v, width, height float64, seed uint32) (tone, joint float64) {
	u += noise(u*6, v*6, seed+9) * 0.004
	v += noise(u*5, v*8, seed+8) * 0.004
	row := math.Floor(v / height)
	shift := 0.5 * math.Mod(math.Abs(row), 2) * width
	column := math.Floor((u + shift) / width)
	fu, fv := (u+shift)/width-column, v/height-row
	d := min(min(fu, 1-fu)*width, min(fv, 1-fv)*height)
	k := chance(int(column), int(row), seed)
	tone = (k-0.5)*1.1 + fbm(u*16, v*20, 3, seed+4)*0.9
	return tone, smooth(0.011, 0.003, d)
}

// drawMarbleHall is a pale hall with arched niches and a polished floor.
func drawMarbleHall(c *canvas) {
	cam := camera{horizon: 0.5, zoom: 1.25}
	r := room{left: 3.1, right: 3.1, floor: 1.3, ceiling: 3.2, back: 7.2}
	stone, veins := hex(0xf2efeb), hex(0x8e8a88)
	wallPaint := hex(0xece6dd)
	walls := func(s surface, p vec) rgb {
		open := r.corner(s, p)
		light := 0.62 + 0.30*smooth(-3, 4, p.x)*smooth(-1.5, 3, p.y+1)
		switch s {
		case surfaceBack:
			return hallEnd(p, wallPaint, c.seed).scale(light * open * 1.12)
		case surfaceLeft, surfaceRight:
			// Pilasters of marble every two metres.
			k := p.z/2 - math.Floor(p.z/2)
			pilaster := box(0.36, 0.64, 0.012, k)
			edge := bump(k-0.36, 0.02)*0.16 + bump(k-0.64, 0.02)*0.10
			face := wallPaint.mix(stone.scale(marble(p.z*0.8, p.y*0.8, c.seed+40)), pilaster)
			bright := 0.95
			if s == surfaceRight {
				bright = 0.78
			}
			return face.scale((1 - edge) * light * open * bright)
		case surfaceCeiling:
			return hex(0xf0ece6).scale(0.9 * open)
		}
		return wallPaint
	}
	c.fill(func(x, y float64) rgb {
		d := cam.ray(x, y)
		s, p := r.hit(vec{}, d)
		if s != surfaceFloor {
			return walls(s, p)
		}
		pixel := p.z / cam.zoom / float64(c.h)
		const tile = 1.1
		iu, iv := math.Floor(p.x/tile), math.Floor(p.z/tile)
		fu, fv := p.x/tile-iu, p.z/tile-iv
		k := chance(int(iu), int(iv), c.seed)
		// Each slab is cut from another part of the block, some turned.
		u, v := fu+k*40, fv+k*17
		if k > 0.5 {
			u, v = fv+k*23, fu+k*31
		}
		slab := veins.mix(stone, clamp(marble(u*1.5, v*1.5, c.seed+3)*1.06))
		joint := smooth(0.006+pixel, 0.002, min(min(fu, 1-fu), min(fv, 1-fv))*tile)
		slab = slab.scale(1 - 0.3*joint)
		light := (0.62 + 0.25*smooth(-3, 3, p.x)) * r.corner(s, p)
		// Polish mirrors the room, more at a flat angle.
		up := vec{d.x, -d.y, d.z}
		rs, rp := r.hit(p, up)
		flat := 1 - clamp(-d.unit().y)
		gloss := 0.06 + 0.5*math.Pow(flat, 5)
		return slab.scale(light * (1 - gloss)).add(walls(rs, rp).scale(gloss))
	})
	c.soften()
	// Light of a high window crosses the back wall and the floor.
	ray := polygon(cam.see(vec{-0.2, 2.6, 7.19}), cam.see(vec{1.5, 2.9, 7.19}), cam.see(vec{0.6, -1.29, 7.19}), cam.see(vec{-1.1, -1.29, 7.19}))
	c.blend(c.mask(ray, 0.02), func(_, _ float64, was rgb) rgb { return was.mul(rgb{1.22, 1.18, 1.10}) })
	pool := polygon(cam.see(vec{-1.1, -1.3, 7.1}), cam.see(vec{0.6, -1.3, 7.1}), cam.see(vec{0.35, -1.3, 5.2}), cam.see(vec{-1.35, -1.3, 5.2}))
	c.blend(c.mask(pool, 0.012), func(_, _ float64, was rgb) rgb { return was.mul(rgb{1.25, 1.2, 1.1}) })
	c.lens = lens{vignette: 0.16, grain: 2, glow: 0.1}
}

// hallEnd is the far wall of the hall: three arched niches.
func hallEnd(p vec, paint rgb, seed uint32) rgb {
	const half, spring, foot = 0.62, 1.15, -1.12
	col := paint.scale(1 + 0.02*plaster(p.x, p.y, seed))
	for _, cx := range [...]float64{-2.05, 0, 2.05} {
		dx := p.x - cx
		inside := box(-half, half, 0.015, dx) * smooth(foot-0.01, foot+0.01, p.y)
		if p.y > spring {
			inside = smooth(half+0.008, half-0.008, math.Hypot(dx, p.y-spring))
		}
		if inside == 0 {
			continue
		}
		// A niche is a half cylinder: its left side lies in shade, its right side takes the light.
		n := dx / half
		depth := 0.52 + 0.34*smooth(-0.9, 0.8, n) - 0.20*smooth(0.82, 1, n)
		depth *= 1 - 0.22*smooth(spring-0.4, spring+half, p.y)
		depth *= 1 - 0.18*smooth(foot+0.3, foot, p.y)
		col = col.mix(paint.mul(rgb{1, 0.975, 0.94}).scale(depth), inside)
	}
	// A moulding runs at the height where the arches spring.
	for _, y := range [...]float64{2.15, -1.02} {
		col = col.scale(1 - 0.10*bump(p.y-y, 0.02) + 0.05*bump(p.y-y-0.05, 0.02))
	}
	return col
}
