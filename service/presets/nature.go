package presets

import "math"

// drawBeach is a wide beach in the morning, the sea running out over wet sand.
func drawBeach(c *canvas) {
	const horizon, shore, dry = 0.44, 0.60, 0.69
	sky := ramp{{0, hex(0x7fb2d8)}, {0.25, hex(0xa9cfe4)}, {0.40, hex(0xdbe8ea)}, {horizon, hex(0xf3ebdd)}}
	deep, shallow, sand, wetSand := hex(0x3f8ca6), hex(0x8fd0cd), hex(0xe8d3b0), hex(0xb89c78)
	foam := hex(0xfbfaf6)
	c.fill(func(x, y float64) rgb {
		if y < horizon {
			cloud := smooth(0.02, 0.5, fbm(x*1.8+1, y*5.5, 5, c.seed)) * smooth(0.02, 0.2, y) * smooth(horizon, 0.3, y)
			return sky.look(y).mix(hex(0xfffdf8), cloud*0.75)
		}
		// The sea's edge wanders; its last wave lies on the sand as a thin sheet.
		z := 0.16 / (y - horizon + 0.002)
		line := shore + 0.018*math.Sin(x*4+1) + 0.016*fbm(x*3, 1, 3, c.seed+2)
		edge := line + 0.030 + 0.022*fbm(x*5, 7, 4, c.seed+3)
		tone := fbm(x*22, y*22/(0.2+z*0.3), 4, c.seed+4)*0.10 + noise(x*260, y*300, c.seed+5)*0.045*smooth(0.55, 0.8, y)
		ripple := fbm(x*9+y*4, y*46, 3, c.seed+6) * 0.11 * smooth(dry, 0.78, y)
		foot := fbm(x*40, y*70, 2, c.seed+16) * 0.06 * smooth(dry+0.02, 0.82, y)
		ground := sand.scale(1 + tone + ripple + foot)
		wet := wetSand.scale(1+tone*0.5).mix(sky.look(2*horizon-y+0.1), 0.42)
		ground = ground.mix(wet, smooth(dry+0.03, edge, y+0.02*fbm(x*4, 3, 3, c.seed+7)))
		if y > edge+0.004 {
			return ground.scale(1 - 0.10*bump(y-edge-0.006, 0.006))
		}
		swell := fbm(x*z*1.2, z*2.2, 4, c.seed+8)
		crest := fbm(x*z*0.5, z*3.2, 3, c.seed+18)
		water := deep.mix(shallow, smooth(horizon+0.03, line, y)).scale(1 + 0.30*swell)
		water = water.mix(sky.look(0.36), 0.22*smooth(-0.2, 0.5, crest)+0.5*smooth(horizon+0.03, horizon, y))
		// Two breakers stand before the shore, a third has become the sheet.
		for i, at := range [...]float64{0.500, 0.545} {
			k := float64(i)
			front := at + 0.006*fbm(x*4+k*9, k, 3, c.seed+9) + 0.004*math.Sin(x*9+k*2)
			broken := smooth(-0.15, 0.25, noise(x*2.2+k*5, k*3, c.seed+10))
			d := y - front
			water = water.scale(1 - 0.28*bump(d+0.010, 0.009)*broken)
			lace := smooth(-0.35, 0.25, fbm(x*40, y*120, 3, c.seed+11))
			water = water.mix(foam, clamp(broken*(bump(d, 0.0055+0.002*k)*1.3+lace*0.75*box(0, 0.022+0.008*k, 0.012, d))))
		}
		lace := crease(fbm(x*26, y*60, 3, c.seed+12), 0.12)
		sheet := smooth(line-0.01, line+0.01, y)
		thin := wet.mix(shallow, 0.30)
		water = water.mix(thin, sheet*0.8).mix(foam, clamp(sheet*lace*0.6+bump(y-edge, 0.0045)*0.95+0.75*bump(y-line, 0.008)*smooth(-0.3, 0.2, fbm(x*30, y*80, 3, c.seed+13))))
		return water
	})
	c.lighten(c.mask(ellipse(0.42, 0.12, 0.22, 0.22), 0.16), rgb{0.22, 0.17, 0.10})
	c.lens = lens{vignette: 0.10, grain: 2.4, glow: 0.10}
}

// drawDunes is sand in a low sun.
func drawDunes(c *canvas) {
	sun := vec{0.80, 0.40, -0.22}.unit()
	sand, shade := hex(0xe9b377), hex(0x8d5a4a)
	sky := ramp{{0, hex(0x6f9cc4)}, {0.28, hex(0xb9cdd6)}, {0.44, hex(0xf0dcc0)}, {0.52, hex(0xf7d3a4)}}
	c.fill(func(_, y float64) rgb { return sky.look(y) })
	height := func(x, z float64) float64 {
		// Three great dunes, each with a crest that winds away from the camera: the wind side long, the lee side steep.
		h := 0.35*noise(x*0.07, z*0.07, c.seed+4) + 0.15*noise(x*0.21, z*0.16, c.seed+14)
		for _, d := range [...]struct{ x, z, tall, turn, wide float64 }{{1.5, 15, 2.9, 0.10, 4.6}, {-9, 27, 6.2, -0.16, 9}, {13, 48, 11, 0.12, 15}, {-30, 80, 17, -0.1, 26}} {
			if math.Abs(z-d.z) > 2.6*d.wide {
				continue
			}
			bend := d.wide * (0.42*math.Sin((z-d.z)*0.9/d.wide) + 0.10*noise(z*0.11, d.z, c.seed+1))
			across := (x - d.x - bend - (z-d.z)*d.turn*3) / d.wide
			// The crest is rounded by a hand's breadth, or its light would flicker from pixel to pixel.
			slope := 1 - 0.425*across - 1.275*(math.Sqrt(across*across+0.0035)-0.059)
			along := max(bump((z-d.z)/d.wide, 1.25)-0.014, 0)
			rise := max(slope, 0)
			h = max(h, h+d.tall*along*rise*(0.35+0.65*min(rise, 1)))
		}
		return h * smooth(1.5, 9, z)
	}
	shadows := castShadows(height, sun, 2, 175, c.reach()/1.3+0.05)
	c.land(terrain{
		cam: camera{horizon: 0.50, zoom: 1.3}, eye: 2.1, near: 2.2, far: 170, height: height,
		colour: func(p vec, pixel float64, n vec) rgb {
			detail := smooth(0.06, 0.008, pixel)
			// Wind ripples bend the light, not the land.
			phase := p.x*7 + p.z*11 + 3.2*noise(p.x*0.9, p.z*0.9, c.seed+5) + 9*noise(p.x*0.12, p.z*0.12, c.seed+15)
			n.x += 0.10 * math.Cos(phase) * detail
			lit := clamp((n.unit().dot(sun) - 0.12) * 1.25)
			lit *= shadows.at(p.x, p.z)
			grain := 1 + detail*0.05*noise(p.x*60, p.z*60, c.seed+6) + 0.05*fbm(p.x*0.7, p.z*0.7, 3, c.seed+7)
			col := sand.mul(rgb{0.20, 0.21, 0.28}.scale(0.55 + 0.75*n.y + 0.35*n.z).add(rgb{0.20, 0.12, 0.06}.scale(clamp(n.x + 0.4))).add(rgb{1.18, 1.02, 0.80}.scale(lit))).scale(grain)
			col = col.mix(shade.scale(0.75), 0.28*(1-lit))
			return col.mix(hex(0xf3d3ab), 0.72*smooth(20, 170, p.z))
		},
	})
	c.soften()
	c.lens = lens{vignette: 0.14, grain: 2.6, glow: 0.08}
}

// drawSnow is a clearing after snowfall, spruces standing in the mist.
func drawSnow(c *canvas) {
	const horizon = 0.50
	sky := ramp{{0, hex(0x8fa9c9)}, {0.30, hex(0xc3d0df)}, {horizon, hex(0xf3e2d6)}}
	c.distant(2, 0.0018, func(f *canvas) {
		f.fill(func(x, y float64) rgb {
			return sky.look(y).add(rgb{0.16, 0.11, 0.06}.scale(bump(math.Hypot(x+0.25, (y-0.4)*1.4), 0.3)))
		})
		d := &dice{seed: c.seed}
		for layer := range 4 {
			k := float64(layer) / 3
			mist := sky.look(0.42)
			tree := hex(0x24394a).mix(mist, mix(0.74, 0.10, k))
			n := 44 - layer*9
			for i := range n {
				x := (float64(i)+d.roll(0.1, 0.9))/float64(n)*2.6 - 1.3
				// The clearing is open in the middle; nearer trees stand farther to the sides.
				if math.Abs(x+0.03) < 0.05+0.20*k*k {
					continue
				}
				tall := d.roll(0.75, 1.15) * mix(0.10, 0.36, k)
				foot := horizon + mix(0.006, 0.080, k)
				body, snow := spruce(point{x, foot}, tall, d)
				f.paint(f.mask(body, 0.0008), tree, 1)
				f.paint(f.mask(snow, 0.002), hex(0xf2f6fa).mix(mist, mix(0.7, 0.10, k)), 0.85)
			}
			f.blend(f.mask(rectangle(-3, horizon-0.16, 3, horizon+0.1), 0.05), func(_, _ float64, was rgb) rgb { return was.mix(mist, 0.14) })
		}
	})
	sun := vec{-0.62, 0.52, 0.42}.unit()
	white, blue := hex(0xf8f4ef), hex(0x7f9ac2)
	height := func(x, z float64) float64 {
		return 0.9*fbm(x*0.17, z*0.13, 3, c.seed+1)*smooth(1, 8, z) + 0.12*fbm(x*0.6, z*0.36, 2, c.seed+2)
	}
	c.land(terrain{
		cam: camera{horizon: horizon, zoom: 1.25}, eye: 1.6, near: 1.3, far: 60, height: height,
		colour: func(p vec, pixel float64, n vec) rgb {
			detail := smooth(0.03, 0.004, pixel)
			n.x += 0.10 * detail * fbm(p.x*9, p.z*9, 2, c.seed+3)
			lit := clamp((n.unit().dot(sun) - 0.30) * 2.3)
			// Long shadows of the trees on the left.
			s := p.x*0.9 + p.z*0.62
			cast := smooth(0.02, 0.30, fbm(s*0.42, (p.z-p.x)*0.06, 3, c.seed+4)) * smooth(1.5, 5, p.z)
			lit *= 1 - 0.6*cast
			col := blue.mix(white.scale(0.92), smooth(0, 0.95, lit))
			glint := smooth(0.80, 0.97, noise(p.x*130, p.z*130, c.seed+5)) * detail * lit
			col = col.scale(1 + 0.03*detail*noise(p.x*70, p.z*70, c.seed+6)).add(grey(0.5 * glint))
			return col.mix(sky.look(0.46), 0.75*smooth(12, 60, p.z))
		},
	})
	d := &dice{seed: c.seed + 9}
	for range 70 {
		r := d.roll(0.0012, 0.0045)
		c.dot(d.roll(-1, 1), d.roll(0, 1), r, r*1.1, hex(0xffffff), d.roll(0.25, 0.7))
	}
	c.lens = lens{vignette: 0.12, grain: 2, glow: 0.08}
}

// spruce is a tree standing on a foot, and the snow on its boughs.
func spruce(foot point, tall float64, d *dice) (body, snow path) {
	const tiers = 11
	body = rectangle(foot.x-tall*0.02, foot.y-tall*0.12, foot.x+tall*0.02, foot.y)
	for i := range tiers {
		t := float64(i) / tiers
		top := foot.y - tall*(1-t*0.80)
		low := top + tall*(0.11+0.09*t)
		half := tall * (0.025 + 0.20*math.Pow(t, 0.9)) * d.roll(0.82, 1.12)
		lean := d.roll(-0.1, 0.1) * half
		body = append(body, polygon(point{foot.x, top - tall*0.03}, point{foot.x + half + lean, low}, point{foot.x + half*0.35, low - tall*0.022},
			point{foot.x, low + tall*0.008}, point{foot.x - half*0.4, low - tall*0.020}, point{foot.x - half + lean, low - tall*0.006})...)
		snow = append(snow, polygon(point{foot.x - half*0.12, top}, point{foot.x - half*0.30, low - tall*0.045}, point{foot.x - half*0.92 + lean, low - tall*0.012},
			point{foot.x - half*0.45, (top + low) / 2})...)
	}
	return body, snow
}
