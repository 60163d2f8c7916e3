package presets

import "math"

// drawDressSample is a summer dress on a wooden hanger before a plain wall.
func drawDressSample(c *canvas) {
	wall := hex(0xe9e4dc)
	c.fill(func(x, y float64) rgb {
		light := 0.90 - 0.08*x - 0.05*(y-0.5)
		return wall.scale(light * (1 + 0.018*plaster(x*3, y*3, c.seed)))
	})
	p := point{0, 0.150}
	body := dressOutline()
	c.darken(c.mask(body.moved(1, 0.014, 0.010), 0.014), rgb{0.86, 0.85, 0.85})
	c.darken(c.mask(body.moved(1, 0.005, 0.003), 0.004), rgb{0.82, 0.81, 0.81})
	c.hanger(p)
	c.paint(c.mask(smoothThrough(point{-0.062, 0.212}, point{-0.03, 0.240}, point{0, 0.250}, point{0.03, 0.240}, point{0.062, 0.212}, point{0.04, 0.226}, point{0, 0.232}, point{-0.04, 0.226}), 0.0006), hex(0x53695f), 1)
	cloth := hex(0x6a8c7c)
	m, swell := c.mask(body, 0.0007), c.mask(body, 0.020)
	c.blend(m, func(x, y float64, _ rgb) rgb {
		px, py := int((x+c.reach())*float64(c.h)), int(y*float64(c.h))
		n := cushion(swell, px, py, 0.018*float64(c.h))
		// Gathers open out from the waist towards the hem; the bodice is drawn into its seams.
		skirt := smooth(0.462, 0.53, y)
		spread := 0.085 + 0.42*math.Max(y-0.465, 0)
		phase := x / spread * 9
		n.x += skirt * (0.55*noise(phase, y*1.2, c.seed+1) + 0.24*noise(phase*2.3, y*2.5, c.seed+2)) * smooth(0.465, 0.62, y+0.06)
		n.x += (1 - skirt) * 0.34 * noise(x*26, y*7, c.seed+3) * smooth(0.24, 0.46, y)
		n.y += (1 - skirt) * 0.16 * noise(x*13, y*17, c.seed+4)
		tint := c.sprigs(cloth, x+0.006*n.x, y)
		seam := 1 - 0.34*bump(y-0.466, 0.004) + 0.08*bump(y-0.474, 0.004)
		weave := 1 + 0.035*noise(x*310, y*310, c.seed+6) + 0.02*math.Sin(y*2600)
		return textile(tint, n.unit()).scale(1.16 * seam * weave)
	})
	for i := range 6 {
		y := 0.268 + 0.032*float64(i)
		c.darken(c.mask(ellipse(0.0016, y+0.0016, 0.0056, 0.0056), 0.0016), grey(0.62))
		c.blend(c.mask(ellipse(0, y, 0.0054, 0.0054), 0.0005), func(x, py float64, _ rgb) rgb {
			return hex(0xf3ede2).scale(0.95-14*(x+py-y)).mix(hex(0x6d675f), bump(math.Hypot(math.Abs(x)-0.0014, py-y), 0.0008))
		})
	}
	c.lens = lens{grain: 1.8}
}

// dressOutline is a dress with short sleeves, a fitted waist and a full skirt.
func dressOutline() path {
	return smoothThrough(
		point{0, 0.250}, point{0.036, 0.240}, point{0.066, 0.208}, point{0.090, 0.206}, point{0.122, 0.226}, point{0.158, 0.292}, point{0.172, 0.338}, point{0.150, 0.356}, point{0.122, 0.358}, point{0.109, 0.330},
		point{0.106, 0.350}, point{0.104, 0.400}, point{0.088, 0.448}, point{0.087, 0.474}, point{0.128, 0.580}, point{0.178, 0.720}, point{0.224, 0.862}, point{0.205, 0.876}, point{0.120, 0.888}, point{0.050, 0.886}, point{0, 0.892},
		point{-0.055, 0.886}, point{-0.120, 0.889}, point{-0.205, 0.875}, point{-0.226, 0.860}, point{-0.180, 0.720}, point{-0.130, 0.580}, point{-0.087, 0.474}, point{-0.088, 0.448}, point{-0.104, 0.400}, point{-0.106, 0.350}, point{-0.109, 0.330},
		point{-0.122, 0.358}, point{-0.150, 0.356}, point{-0.172, 0.338}, point{-0.158, 0.292}, point{-0.122, 0.226}, point{-0.090, 0.206}, point{-0.066, 0.208}, point{-0.036, 0.240})
}

// sprigs prints small leaves on cloth.
func (c *canvas) sprigs(cloth rgb, x, y float64) rgb {
	u, v := x*40, y*40
	row := math.Floor(v)
	u += 0.5 * math.Mod(math.Abs(row), 2)
	column := math.Floor(u)
	fu, fv := u-column-0.5, v-row-0.5
	a := chance(int(column), int(row), c.seed+20) * math.Pi
	sin, cos := math.Sincos(a)
	s, t := fu*cos+fv*sin, fv*cos-fu*sin
	body := smooth(1, 0.55, math.Hypot(s/0.30, t/(0.085+0.05*bump(s, 0.2))))
	return cloth.mix(hex(0xd5dcb4), 0.75*body)
}

// hanger is a wooden hanger hooked at a point.
func (c *canvas) hanger(p point) {
	hook := stroke(0.0045, 0.0045, point{p.x, p.y + 0.058}, point{p.x, p.y + 0.018}, point{p.x + 0.013, p.y + 0.002}, point{p.x + 0.010, p.y - 0.016}, point{p.x - 0.004, p.y - 0.021}, point{p.x - 0.013, p.y - 0.012})
	c.darken(c.mask(hook.moved(1, 0.012, 0.008), 0.005), grey(0.8))
	c.blend(c.mask(hook, 0.0004), func(x, _ float64, _ rgb) rgb { return hex(0xb9b7b2).scale(0.8 + 40*math.Abs(x-p.x)) })
	arms := smoothThrough(point{p.x, p.y + 0.045}, point{p.x + 0.030, p.y + 0.052}, point{p.x + 0.110, p.y + 0.080}, point{p.x + 0.122, p.y + 0.092}, point{p.x + 0.110, p.y + 0.098}, point{p.x, p.y + 0.068},
		point{p.x - 0.110, p.y + 0.098}, point{p.x - 0.122, p.y + 0.092}, point{p.x - 0.110, p.y + 0.080}, point{p.x - 0.030, p.y + 0.052})
	c.blend(c.mask(arms, 0.0005), func(x, y float64, _ rgb) rgb {
		return hex(0xc08f5c).scale(0.82 + 0.25*fbm(x*14, y*160, 3, c.seed+30) + 0.3*bump(y-p.y-0.050-0.30*math.Abs(x), 0.010))
	})
}
