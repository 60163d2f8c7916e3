package presets

import "math"

// drawBoutique is a small shop: a fluted wall with a lit arch, a brass rail of clothes and a mirror, a terrazzo floor.
func drawBoutique(c *canvas) {
	const floor = 0.70
	cam := camera{horizon: 0.47, zoom: 1.2}
	wall, plaster1, brass := hex(0xb98f74), hex(0xe2cdb9), hex(0xb48a4a)
	arch := point{-0.145, 0.24}
	const archHalf = 0.145
	c.distant(2, 0.0022, func(f *canvas) {
		f.fill(func(x, y float64) rgb {
			// Fluted plaster on the left, smooth lime wash on the right.
			flute := 0.5 + 0.5*math.Cos(x*2*math.Pi/0.027)
			lamp := 0.50 + 0.62*bump(math.Hypot(x-arch.x, (y-0.30)*0.75), 0.34) + 0.55*bump(math.Hypot(x-0.24, (y-0.12)*0.8), 0.26)
			col := wall.scale(0.62 + 0.42*math.Sqrt(flute))
			if x > 0.045 {
				col = plaster1.scale(0.86 + 0.10*plaster(x*4, y*4, f.seed))
			}
			col = col.scale(1 - 0.35*bump(x-0.045, 0.010))
			return col.scale(lamp * (1 - 0.35*bump(y-floor, 0.05))).mul(rgb{1.06, 0.96, 0.84})
		})
		// The arch, lit from its edge.
		outline := append(rectangle(arch.x-archHalf, arch.y, arch.x+archHalf, floor-0.045), ellipse(arch.x, arch.y, archHalf, archHalf)...)
		f.lighten(f.mask(outline, 0.030), rgb{0.42, 0.26, 0.12})
		f.blend(f.mask(outline, 0.0012), func(x, y float64, _ rgb) rgb {
			d := archHalf - math.Abs(x-arch.x)
			if y < arch.y {
				d = archHalf - math.Hypot(x-arch.x, y-arch.y)
			}
			return plaster1.mul(rgb{1.0, 0.86, 0.70}.scale(0.52 + 0.95*math.Exp(-max(d, 0)/0.030))).scale(1 - 0.3*smooth(0.5, floor, y))
		})
		f.shelf(arch.x, 0.335, archHalf)
		f.shelf(arch.x, 0.485, archHalf)
		f.vase(point{arch.x - 0.055, 0.335}, 0.075, hex(0xd8cfc4))
		f.vase(point{arch.x + 0.050, 0.335}, 0.050, hex(0x8a5a44))
		f.handbag(point{arch.x + 0.015, 0.485}, 0.085, hex(0x5a3626))
		f.handbag(point{arch.x - 0.010, 0.652}, 0.095, hex(0xc4a98c))
		f.rail(brass, floor)
		f.mirrorRound(point{0.255, 0.20}, 0.085, brass)
	})
	ground := c.mask(rectangle(-3, floor, 3, 1.2), 0.0012)
	c.blend(ground, func(x, y float64, _ rgb) rgb {
		d := cam.ray(x, y)
		z := 1.25 / -d.y * d.z
		u, v := d.x/d.z*z, z
		pixel := z / cam.zoom / float64(c.h)
		col := hex(0xd9c9b8).scale(1 + 0.05*fbm(u*2, v*2, 3, c.seed))
		for k, tint := range [...]rgb{hex(0x9c6f57), hex(0x6f6660), hex(0xf3ebe1), hex(0xb78c5e)} {
			s := mix(30, 13, float64(k)/3)
			chip := noise(u*s, v*s, c.seed+uint32(k)*7) + 0.35*noise(u*s*2.3, v*s*2.3, c.seed+uint32(k)*7+1)
			col = col.mix(tint, 0.75*smooth(0.62, 0.68, chip)*smooth(0.03, 0.004, pixel))
		}
		light := 0.46 + 0.50*bump(x-arch.x, 0.30)*smooth(floor+0.30, floor, y) + 0.25*bump(x-0.2, 0.3) + 0.10*y
		return col.scale(light * (1 - 0.35*bump(y-floor, 0.02))).mul(rgb{1.05, 0.96, 0.86})
	})
	// The floor is polished: what stands above it shines in it.
	c.reflect(floor, 0.20, 0.010)
	c.lens = lens{vignette: 0.24, grain: 2.8, glow: 0.18}
}

// reflect mirrors what is above a line in what is below it, blurred, fading towards the viewer.
func (c *canvas) reflect(line, strength, blur float64) {
	above := &canvas{ctx: c.ctx, w: max(c.w/4, 2), h: max(c.h/4, 2), seed: c.seed}
	above.pix = make([]float32, above.w*above.h*3)
	above.fill(func(x, y float64) rgb {
		return c.sample((x+c.reach())*float64(c.h), y*float64(c.h))
	})
	above.blur(blur)
	c.rows(int(line*float64(c.h)), c.h, func(py int) {
		y := (float64(py) + 0.5) / float64(c.h)
		k := strength * smooth(line+0.34, line, y)
		for px := range c.w {
			i := (py*c.w + px) * 3
			c.set(i, c.at(i).add(above.sample(float64(px)/4, max(2*line-y, 0)*float64(above.h)).scale(k)))
		}
	})
}

// shelf is a thin board across the arch.
func (c *canvas) shelf(x, y, half float64) {
	c.darken(c.mask(rectangle(x-half, y+0.006, x+half, y+0.030), 0.010), rgb{0.70, 0.66, 0.62})
	c.blend(c.mask(rectangle(x-half, y, x+half, y+0.008), 0.0004), func(_, py float64, _ rgb) rgb {
		return hex(0xe9d6bf).scale(mix(1.15, 0.5, smooth(y, y+0.008, py)))
	})
}

// rounded shades a standing vessel of half width r about x as if it were turned on a lathe.
func rounded(tint rgb, x, cx, r float64) rgb {
	n := clamp((x-cx)/r*0.5 + 0.5)
	return tint.scale(0.55 + 0.75*bump(n-0.38, 0.30)).add(grey(0.22 * bump(n-0.30, 0.06)))
}

// vase is a jar standing on a foot.
func (c *canvas) vase(foot point, tall float64, tint rgb) {
	r := tall * 0.34
	outline := smoothThrough(point{foot.x - r*0.45, foot.y - tall}, point{foot.x + r*0.45, foot.y - tall}, point{foot.x + r*0.38, foot.y - tall*0.82},
		point{foot.x + r, foot.y - tall*0.45}, point{foot.x + r*0.6, foot.y - 0.001}, point{foot.x - r*0.6, foot.y - 0.001},
		point{foot.x - r, foot.y - tall*0.45}, point{foot.x - r*0.38, foot.y - tall*0.82})
	c.blend(c.mask(outline, 0.0006), func(x, _ float64, _ rgb) rgb { return rounded(tint, x, foot.x, r) })
}

// handbag is a bag with one handle standing on a foot.
func (c *canvas) handbag(foot point, wide float64, tint rgb) {
	h := wide * 0.62
	handle := stroke(wide*0.05, wide*0.05, point{foot.x - wide*0.26, foot.y - h}, point{foot.x - wide*0.2, foot.y - h*1.5}, point{foot.x, foot.y - h*1.68},
		point{foot.x + wide*0.2, foot.y - h*1.5}, point{foot.x + wide*0.26, foot.y - h})
	c.paint(c.mask(handle, 0.0006), tint.scale(0.7), 1)
	body := smoothThrough(point{foot.x - wide*0.42, foot.y - h}, point{foot.x + wide*0.42, foot.y - h}, point{foot.x + wide*0.5, foot.y - h*0.4},
		point{foot.x + wide*0.48, foot.y}, point{foot.x - wide*0.48, foot.y}, point{foot.x - wide*0.5, foot.y - h*0.4})
	c.blend(c.mask(body, 0.0006), func(x, y float64, _ rgb) rgb {
		flap := smooth(foot.y-h*0.52, foot.y-h*0.55, y+0.25*math.Abs(x-foot.x))
		return rounded(tint, x, foot.x, wide*0.5).scale(mix(0.85, 1.15, flap) * (1 - 0.35*bump(y-(foot.y-h*0.52-0.25*math.Abs(x-foot.x)), 0.004)))
	})
	c.paint(c.mask(ellipse(foot.x, foot.y-h*0.54, wide*0.045, wide*0.045), 0.0005), hex(0xe2bf78), 1)
}

// rail is a brass clothes rail with garments on hangers.
func (c *canvas) rail(brass rgb, floor float64) {
	const left, right, top = 0.105, 0.60, 0.335
	cloths := []uint32{0xe9dfd0, 0x4f5b52, 0xa4553c, 0xd8c2a4, 0x2f3440, 0xc9b3b0, 0x7b6a58, 0xeee8de, 0x8d3f3a, 0x5a6472, 0xd6c7b0, 0x3d352f, 0xb7a58e}
	d := &dice{seed: 41}
	c.darken(c.mask(rectangle(left, top+0.05, right, floor-0.05), 0.030), rgb{0.66, 0.62, 0.58})
	for i, tint := range cloths {
		x := left + 0.022 + float64(i)*0.0345
		half, long := d.roll(0.019, 0.026), d.roll(0.19, 0.29)
		base := hex(tint)
		outline := smoothThrough(point{x - 0.004, top + 0.024}, point{x + 0.004, top + 0.024}, point{x + half, top + 0.045}, point{x + half*1.05, top + 0.10},
			point{x + half*1.15, top + long}, point{x, top + long + 0.004}, point{x - half*1.15, top + long}, point{x - half*1.05, top + 0.10}, point{x - half, top + 0.045})
		c.darken(c.mask(outline.moved(1, 0.008, 0.003), 0.006), rgb{0.55, 0.52, 0.50})
		c.blend(c.mask(outline, 0.0006), func(px, py float64, _ rgb) rgb {
			fold := math.Sin((px-x)*2*math.Pi/0.019 + 2*noise(py*9, float64(i), 5) + float64(i))
			return rounded(base, px, x, half*1.6).scale(0.92 + 0.22*fold*smooth(top+0.03, top+0.12, py))
		})
		c.paint(c.mask(stroke(0.0022, 0.0022, point{x, top - 0.002}, point{x + 0.002, top + 0.012}, point{x, top + 0.026}), 0.0004), brass.scale(0.8), 1)
	}
	bars := append(rectangle(left-0.01, top-0.004, right, top+0.003), rectangle(left-0.012, top-0.004, left-0.004, floor-0.006)...)
	bars = append(bars, rectangle(left-0.050, floor-0.010, left+0.034, floor-0.003)...)
	c.blend(c.mask(bars, 0.0004), func(x, y float64, _ rgb) rgb {
		return brass.scale(0.85 + 0.6*bump(y-top+0.001, 0.002) + 0.5*bump(x-left+0.009, 0.002))
	})
}

// mirrorRound is a round mirror in a thin frame.
func (c *canvas) mirrorRound(p point, r float64, brass rgb) {
	c.darken(c.mask(ellipse(p.x+0.008, p.y+0.012, r*1.03, r*1.03), 0.012), rgb{0.55, 0.5, 0.46})
	c.blend(c.mask(ellipse(p.x, p.y, r*1.05, r*1.05), 0.0005), func(x, y float64, _ rgb) rgb {
		return brass.scale(0.9 + 0.5*clamp((p.x-x+p.y-y)/r))
	})
	c.blend(c.mask(ellipse(p.x, p.y, r, r), 0.0005), func(x, y float64, _ rgb) rgb {
		t := (y - p.y + r) / (2 * r)
		streak := box(0.30, 0.46, 0.10, (x-p.x)/(2*r)+0.5+0.5*(t-0.5)*0.6)
		return hex(0xefe2d2).mix(hex(0x9f8874), smooth(0, 1, t)).scale(1 + 0.22*streak)
	})
}
