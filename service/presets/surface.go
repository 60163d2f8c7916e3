package presets

import "math"

// drawWhite is pure white: nothing but paper.
func drawWhite(c *canvas) {
	c.fill(func(_, _ float64) rgb { return grey(4) })
	c.lens = lens{}
}

// drawSoftGrey is a grey wall lit in its middle.
func drawSoftGrey(c *canvas) {
	inner, outer := hex(0xe6e7e8), hex(0x9b9da1)
	c.fill(func(x, y float64) rgb {
		d := math.Hypot(x*0.95, (y-0.44)*0.85)
		return outer.mix(inner, bump(d, 0.52)).scale(1 + 0.010*fbm(x*3, y*3, 3, c.seed))
	})
	c.lens = lens{vignette: 0.05, grain: 1.6}
}

// drawPaper is heavy warm paper, its fibres raised by light from the side.
func drawPaper(c *canvas) {
	paper := hex(0xe6d8c3)
	rise := func(x, y float64) float64 {
		return 0.55*fbm(x*85, y*85, 3, c.seed) + 0.30*fbm(x*26, y*26, 2, c.seed+1)
	}
	c.fill(func(x, y float64) rgb {
		const e = 0.0011
		slope := rise(x+e, y+e) - rise(x-e, y-e)
		fibre := crease(fbm(x*60+4*noise(x*7, y*7, c.seed+3), y*60, 2, c.seed+2), 0.05) * smooth(0.15, 0.5, noise(x*14, y*14, c.seed+4))
		light := mix(1.05, 0.84, clamp(0.5+x*0.55+(y-0.5)*0.45))
		tone := 1 + 0.16*slope + 0.035*fbm(x*2.2, y*2.2, 3, c.seed+5) - 0.05*fibre
		return paper.scale(light * tone)
	})
	c.lens = lens{vignette: 0.10, grain: 1.8}
}

// drawPastel is a backdrop of two pastels flowing into each other, with a floor.
func drawPastel(c *canvas) {
	rose, lilac, cream := hex(0xf6cfd0), hex(0xcfcdf0), hex(0xfdeadb)
	c.fill(func(x, y float64) rgb {
		t := clamp(0.5 + x*0.9 + (y-0.40)*0.55 + 0.05*fbm(x*1.4, y*1.4, 2, c.seed))
		col := rose.mix(lilac, t*t*(3-2*t)).mix(cream, 0.85*bump(math.Hypot(x+0.16, y-0.26), 0.36))
		floor := smooth(0.70, 0.90, y)
		return col.mix(cream.mix(rose, 0.45), floor*0.55).scale(1 - 0.09*bump(y-0.72, 0.06) + 0.03*floor)
	})
	c.lens = lens{vignette: 0.06, grain: 1.6}
}

// drawMarbleSlab is one polished slab of white marble.
func drawMarbleSlab(c *canvas) {
	ground, vein := hex(0xf6f4f1), hex(0x77767a)
	c.fill(func(x, y float64) rgb {
		m := marble(x*1.45+3, y*1.45, c.seed)
		warm := smooth(0.1, 0.6, fbm(x*2+9, y*2, 3, c.seed+30)) * (1 - m)
		shine := bump((x+0.25)*0.8+(y-0.2)*0.9, 0.30)
		col := vein.mix(ground, m).mix(hex(0xcdb596), warm*0.45)
		return col.scale(0.90 + 0.12*shine + 0.006*noise(x*160, y*160, c.seed+31))
	})
	c.lens = lens{vignette: 0.08, grain: 1.6}
}

// drawOakTable is an oak table top before a wall out of focus.
func drawOakTable(c *canvas) {
	const edge = 0.58
	c.distant(4, 0.012, func(f *canvas) {
		f.fill(func(x, y float64) rgb {
			window := box(-0.46, -0.13, 0.10, x) * box(-0.2, 0.42, 0.12, y)
			leaf := smooth(0.15, 0.5, noise(x*7, y*7, f.seed+1)) * bump(math.Hypot(x-0.34, y-0.28), 0.20)
			return hex(0xcfc3b4).scale(0.62+0.15*(1-y)).add(rgb{0.34, 0.32, 0.27}.scale(window)).mix(hex(0x6d7d58), leaf*0.7).scale(1 - 0.25*smooth(0.3, edge, y))
		})
	})
	light, dark := hex(0xd0a473), hex(0x7d5230)
	c.blend(c.mask(rectangle(-3, edge, 3, 1.2), 0.0016), func(x, y float64, _ rgb) rgb {
		z := 0.30 / (y - 0.40)
		u, v := z*1.75, x*z*1.35
		board := math.Floor(u / 0.29)
		fu := u/0.29 - board
		k := chance(int(board), 5, c.seed)
		tone := oak(u*1.6+k*9, v*1.0+k*21, c.seed+2)
		gap := smooth(0.012, 0.004, min(fu, 1-fu))
		far := smooth(0.95, edge, y)
		col := dark.mix(light, clamp(0.64+0.34*tone*(1-0.3*far)+(k-0.5)*0.16))
		sheen := rgb{0.36, 0.34, 0.30}.scale(0.42 * far * (0.35 + bump(x+0.28, 0.20)) * (1 + 0.2*tone))
		return col.scale((1 - 0.55*gap) * (0.70 + 0.32*bump(x+0.15, 0.6))).add(sheen)
	})
	c.lens = lens{vignette: 0.16, grain: 2.2, glow: 0.06}
}

// drawLinen is undyed linen lying in a few soft folds.
func drawLinen(c *canvas) {
	cloth := hex(0xd9cdb9)
	rise := func(x, y float64) float64 {
		wx := 0.30 * fbm(x*1.3, y*1.3, 2, c.seed+1)
		s := x*0.80 + y*0.62 + wx
		return 0.055*noise(s*4.2, (y-x)*0.7, c.seed+2) + 0.020*noise(s*9, (y-x)*1.4, c.seed+3)
	}
	c.fill(func(x, y float64) rgb {
		const e = 0.006
		dx, dy := (rise(x+e, y)-rise(x-e, y))/(2*e), (rise(x, y+e)-rise(x, y-e))/(2*e)
		light := 1 - 0.85*(dx*0.75+dy*0.55)
		threads := min(170, float64(c.h)/4)
		thread := weave((x+0.012*dx)*threads, (y+0.012*dy)*threads, c.seed)
		slub := 0.05 * smooth(0.3, 0.8, noise(x*9, y*190, c.seed+5))
		return cloth.scale(clamp(light*0.5+0.42) * (1 + 0.20*thread + slub))
	})
	c.lens = lens{vignette: 0.12, grain: 1.8}
}

// drawSpotlight is a dark wall with one pool of light on it and on the floor.
func drawSpotlight(c *canvas) {
	const floor = 0.76
	c.fill(func(x, y float64) rgb {
		base := grey(0.010).mul(rgb{0.95, 1, 1.12})
		wash := bump(math.Hypot(x*1.05, (y-0.42)*0.95), 0.30)
		mottle := 1 + 0.20*fbm(x*4, y*4, 4, c.seed)
		if y < floor {
			return base.add(rgb{0.150, 0.148, 0.156}.scale(wash * mottle)).scale(1 - 0.45*bump(y-floor, 0.035))
		}
		pool := smooth(1.12, 0.35, math.Hypot(x/0.42, (y-0.87)/0.10))
		grainy := 1 + 0.14*fbm(x*9, y*30, 3, c.seed+1)
		return base.add(rgb{0.175, 0.165, 0.155}.scale(pool * grainy)).add(rgb{0.02, 0.02, 0.022}.scale(smooth(1, floor, y)))
	})
	c.lens = lens{vignette: 0.30, grain: 3, glow: 0.05}
}
