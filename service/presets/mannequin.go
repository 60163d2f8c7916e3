package presets

import "math"

// drawMannequinSample is a tailor's mannequin with a head, wearing a belted coat, in a bright studio.
func drawMannequinSample(c *canvas) {
	sweep(0xe6e4e1, 0xb7b5b3)(c)
	const foot = 0.905
	c.darken(c.mask(ellipse(0.05, foot, 0.19, 0.020), 0.016), rgb{0.66, 0.65, 0.66})
	c.darken(c.mask(ellipse(0.0, foot, 0.075, 0.012), 0.006), rgb{0.60, 0.59, 0.60})
	pole := append(rectangle(-0.0085, 0.74, 0.0085, foot-0.004), ellipse(0, foot-0.002, 0.072, 0.012)...)
	c.blend(c.mask(pole, 0.0005), func(x, y float64, _ rgb) rgb {
		if y > foot-0.016 {
			return hex(0x9a9894).scale(0.75 - 2.4*x + 0.6*bump(y-foot+0.008, 0.004))
		}
		return hex(0xa9a7a3).scale(0.35 + 1.0*bump(x+0.003, 0.004) + 0.3*bump(x-0.007, 0.002))
	})
	c.figure()
	c.coat()
	c.lens = lens{vignette: 0.15, grain: 2.2, glow: 0.04}
}

// figure is the mannequin's head, neck and hands: smooth, off-white, without features but the turn of brow, nose and chin.
func (c *canvas) figure() {
	shell := hex(0xe9ddcf)
	lit := func(shape path, swellBy, strength float64, turn func(x, y float64) vec) {
		m, swell := c.mask(shape, 0.0006), c.mask(shape, swellBy)
		c.blend(m, func(x, y float64, _ rgb) rgb {
			px, py := int((x+c.reach())*float64(c.h)), int(y*float64(c.h))
			n := cushion(swell, px, py, strength*float64(c.h))
			t := turn(x, y)
			n = vec{n.x + t.x, n.y + t.y, n.z}.unit()
			return flesh(shell, n).mix(textile(shell, n), 0.65)
		})
	}
	still := func(_, _ float64) vec { return vec{} }
	lit(mirrored(point{0, 0.190}, point{0.026, 0.192}, point{0.027, 0.225}, point{0.034, 0.246}, point{0.070, 0.262}, point{0.06, 0.31}, point{0, 0.36}), 0.010, 0.012, still)
	head := mirrored(point{0, 0.072}, point{0.034, 0.079}, point{0.054, 0.104}, point{0.058, 0.136}, point{0.053, 0.166}, point{0.040, 0.194}, point{0.020, 0.211}, point{0, 0.215})
	c.darken(c.mask(head.moved(0.92, 0.006, 0.036), 0.008).within(c.mask(rectangle(-0.06, 0.2, 0.06, 0.29), 0.004)), rgb{0.62, 0.57, 0.54})
	lit(head, 0.016, 0.021, func(x, y float64) vec {
		nose := bump(x, 0.010) * box(0.126, 0.166, 0.012, y)
		side := vec{0.7 * x / 0.010 * nose, -0.25*bump(y-0.120, 0.008)*bump(math.Abs(x)-0.020, 0.018) + 0.30*bump(y-0.133, 0.007)*bump(math.Abs(x)-0.021, 0.014), 0}
		side.y += 0.45*bump(y-0.169, 0.006)*bump(x, 0.012) - 0.22*bump(y-0.186, 0.005)*bump(x, 0.017) + 0.25*bump(y-0.193, 0.005)*bump(x, 0.015)
		return side
	})
	for _, s := range [...]float64{-1, 1} {
		hand := smoothThrough(point{0.146, 0.566}, point{0.164, 0.564}, point{0.170, 0.592}, point{0.168, 0.624}, point{0.160, 0.648}, point{0.151, 0.650}, point{0.146, 0.618}, point{0.143, 0.588})
		if s < 0 {
			hand = hand.flipped()
		}
		lit(hand, 0.006, 0.008, still)
		for i := range 3 {
			x := s * (0.1515 + 0.0055*float64(i))
			c.darken(c.mask(stroke(0.0010, 0.0006, point{x, 0.612}, point{x + s*0.0005, 0.630}, point{x, 0.646}), 0.0006), rgb{0.74, 0.68, 0.65})
		}
	}
}

// coat is a belted wool coat with wide lapels.
func (c *canvas) coat() {
	camel := hex(0xb08760)
	wool := func(shape path, swellBy, strength float64, turn func(x, y float64) vec) {
		c.darken(c.mask(shape.moved(1, 0.003, 0.004), 0.005), rgb{0.70, 0.67, 0.66})
		m, swell := c.mask(shape, 0.0007), c.mask(shape, swellBy)
		c.blend(m, func(x, y float64, _ rgb) rgb {
			px, py := int((x+c.reach())*float64(c.h)), int(y*float64(c.h))
			n := cushion(swell, px, py, strength*float64(c.h))
			t := turn(x, y)
			n = vec{n.x + t.x, n.y + t.y, n.z}.unit()
			nap := 1 + 0.035*noise(x*240, y*300, c.seed+2) + 0.03*fbm(x*40, y*26, 3, c.seed+3)
			return textile(camel, n).scale(1.08 * nap)
		})
	}
	// Below the coat a dark roll neck shows at the throat.
	throat := mirrored(point{0, 0.236}, point{0.024, 0.232}, point{0.034, 0.226}, point{0.040, 0.262}, point{0.046, 0.36}, point{0, 0.44})
	c.blend(c.mask(throat, 0.0007), func(x, _ float64, _ rgb) rgb {
		n := vec{x / 0.044, -0.1, 0.75}.unit()
		return textile(hex(0x2f2c2b), n).scale(1 + 0.22*math.Sin(x*1500))
	})
	for _, s := range [...]float64{-1, 1} {
		sleeve := smoothThrough(point{0.104, 0.266}, point{0.140, 0.284}, point{0.160, 0.330}, point{0.170, 0.420}, point{0.178, 0.510}, point{0.180, 0.576}, point{0.158, 0.584}, point{0.136, 0.578}, point{0.126, 0.500}, point{0.112, 0.400}, point{0.096, 0.320})
		if s < 0 {
			sleeve = sleeve.flipped()
		}
		wool(sleeve, 0.012, 0.016, func(x, y float64) vec {
			return vec{0.10 * noise(y*20, x*20, c.seed+4), 0.34 * noise(x*9, y*26+s*3, c.seed+5) * bump(y-0.43, 0.07), 0}
		})
		c.darken(c.mask(stroke(0.0016, 0.0016, point{s * 0.137, 0.553}, point{s * 0.158, 0.558}, point{s * 0.179, 0.552}), 0.0010), grey(0.66))
	}
	skirtFolds := func(x, y float64) vec {
		low := smooth(0.48, 0.60, y)
		phase := x * 46 / (0.6 + 1.3*(y-0.45))
		return vec{low*(0.34*noise(phase, y*2, c.seed+6)+0.14*noise(phase*2.2, y*3, c.seed+7)) + (1-low)*0.20*noise(x*24, y*9, c.seed+8), 0.14 * noise(x*12, y*20, c.seed+9) * bump(y-0.455, 0.05), 0}
	}
	left := smoothThrough(point{0.012, 0.300}, point{-0.036, 0.248}, point{-0.062, 0.248}, point{-0.112, 0.268}, point{-0.128, 0.310}, point{-0.118, 0.380}, point{-0.099, 0.462}, point{-0.118, 0.560}, point{-0.140, 0.680}, point{-0.154, 0.792}, point{-0.060, 0.806}, point{0.046, 0.804}, point{0.048, 0.60}, point{0.044, 0.44})
	right := smoothThrough(point{-0.014, 0.440}, point{0.012, 0.350}, point{0.036, 0.248}, point{0.062, 0.248}, point{0.112, 0.268}, point{0.128, 0.310}, point{0.118, 0.380}, point{0.099, 0.462}, point{0.118, 0.560}, point{0.140, 0.680}, point{0.154, 0.792}, point{0.070, 0.808}, point{-0.030, 0.806}, point{-0.030, 0.62})
	wool(left, 0.016, 0.020, skirtFolds)
	wool(right, 0.016, 0.020, skirtFolds)
	for _, s := range [...]float64{-1, 1} {
		lapel := polygon(point{0.032, 0.240}, point{0.054, 0.238}, point{0.092, 0.322}, point{0.068, 0.332}, point{0.098, 0.346}, point{0.004, 0.452}, point{0.018, 0.350})
		if s < 0 {
			lapel = polygon(point{-0.032, 0.240}, point{-0.018, 0.350}, point{0.002, 0.436}, point{-0.098, 0.346}, point{-0.068, 0.332}, point{-0.092, 0.322}, point{-0.054, 0.238})
		}
		wool(lapel, 0.005, 0.004, func(_, _ float64) vec { return vec{s * 0.16, -0.20, 0} })
		flap := polygon(point{0.062, 0.560}, point{0.112, 0.552}, point{0.116, 0.578}, point{0.065, 0.587})
		if s < 0 {
			flap = flap.flipped()
		}
		wool(flap, 0.003, 0.002, func(_, _ float64) vec { return vec{0, -0.22, 0} })
	}
	belt := smoothThrough(point{-0.101, 0.450}, point{-0.04, 0.457}, point{0.04, 0.457}, point{0.101, 0.450}, point{0.103, 0.474}, point{0.04, 0.482}, point{-0.04, 0.482}, point{-0.103, 0.474})
	wool(belt, 0.006, 0.008, func(x, _ float64) vec { return vec{0.10 * noise(x*30, 1, c.seed+11), 0, 0} })
	tail := func(x, lean, long float64) path {
		return smoothThrough(point{x - 0.012, 0.474}, point{x + 0.010, 0.474}, point{x + 0.010 + lean*0.5, 0.474 + long*0.5}, point{x + 0.011 + lean, 0.474 + long}, point{x - 0.013 + lean, 0.472 + long}, point{x - 0.012 + lean*0.4, 0.474 + long*0.5})
	}
	wool(tail(0.030, 0.014, 0.150), 0.004, 0.005, func(_, _ float64) vec { return vec{} })
	wool(tail(0.012, -0.010, 0.118), 0.004, 0.005, func(_, _ float64) vec { return vec{} })
	wool(smoothThrough(point{0.004, 0.450}, point{0.022, 0.446}, point{0.040, 0.452}, point{0.042, 0.478}, point{0.024, 0.488}, point{0.004, 0.482}), 0.005, 0.007, func(x, y float64) vec {
		return vec{0, 0.4 * noise(x*60, y*60, c.seed+12), 0}
	})
}
