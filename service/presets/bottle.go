package presets

import (
	"math"
	"slices"
)

// drawBottleSample is a bottle of scent on a stone table.
func drawBottleSample(c *canvas) {
	const edge = 0.66
	wall := hex(0xd9c6b4)
	c.distant(2, 0.004, func(f *canvas) {
		f.fill(func(x, y float64) rgb {
			light := 0.86 - 0.20*x
			blind := smooth(0.38, 0.62, math.Abs(math.Mod((y*0.9+x*0.55+10)*9, 1)-0.5)*2)
			return wall.scale(light * (1 + 0.03*plaster(x*3, y*3, f.seed))).add(rgb{0.11, 0.085, 0.055}.scale(blind))
		})
	})
	c.blend(c.mask(rectangle(-3, edge, 3, 1.2), 0.0014), func(x, y float64, _ rgb) rgb {
		z := 0.34 / (y - 0.42)
		slab := hex(0xa59a93).mix(hex(0xf0e9e0), marble(x*z*1.1+4, z*1.5, c.seed+5))
		return slab.scale(0.86 - 0.18*x)
	})
	const half, top, foot = 0.125, 0.370, 0.800
	c.darken(c.mask(polygon(point{-0.10, foot - 0.012}, point{half, foot - 0.012}, point{0.45, foot - 0.075}, point{0.42, foot - 0.115}, point{0.10, foot - 0.06}), 0.020), rgb{0.58, 0.52, 0.48})
	c.lighten(c.mask(smoothThrough(point{0.06, foot - 0.022}, point{0.16, foot - 0.034}, point{0.30, foot - 0.072}, point{0.20, foot - 0.066}), 0.010), rgb{0.26, 0.15, 0.05})
	c.darken(c.mask(ellipse(0.006, foot+0.002, half*1.06, 0.020), 0.008), rgb{0.42, 0.36, 0.33})
	glass := smoothThrough(point{-half + 0.010, top}, point{-0.02, top - 0.006}, point{0.02, top - 0.006}, point{half - 0.010, top}, point{half, top + 0.020}, point{half, (top + foot) / 2}, point{half, foot - 0.024}, point{half - 0.018, foot},
		point{0, foot + 0.006}, point{-half + 0.018, foot}, point{-half, foot - 0.024}, point{-half, (top + foot) / 2}, point{-half, top + 0.020})
	amber := hex(0xb4682a)
	c.blend(c.mask(glass, 0.0006), func(x, y float64, was rgb) rgb {
		u := x / half
		wall := smooth(0.80, 0.92, math.Abs(u)) + smooth(foot-0.040, foot-0.014, y)
		level := smooth(top+0.060, top+0.063, y+0.002*math.Cos(u*3))
		liquid := amber.scale(0.62 + 0.85*bump(u-0.55, 0.5)*smooth(top, foot, y) + 0.25*bump(u+0.45, 0.25))
		// Amber glass: what is behind it shows brown above the liquid, the liquid itself glows where the light leaves it.
		tinted := was.mul(rgb{0.50, 0.30, 0.14})
		col := tinted.mix(liquid.mul(rgb{0.82, 0.62, 0.42}), 0.90*level)
		col = col.mix(amber.mul(rgb{0.42, 0.32, 0.24}), 0.75*clamp(wall))
		col = col.scale(1 - 0.40*bump(math.Abs(u)-0.985, 0.022) - 0.22*bump(math.Abs(u)-0.86, 0.018))
		col = col.scale(1 - 0.30*bump(y-top-0.061, 0.0022))
		// Two tall reflections of the window.
		soft := box(-0.74, -0.56, 0.03, u)*box(top+0.03, foot-0.04, 0.03, y)*0.62 + box(0.66, 0.71, 0.02, u)*box(top+0.05, foot-0.10, 0.05, y)*0.30
		return col.add(rgb{1, 0.97, 0.92}.scale(soft * 0.62))
	})
	label := rectangle(-half*0.56, 0.545, half*0.56, 0.690)
	c.darken(c.mask(label.moved(1, 0.002, 0.003), 0.003), grey(0.75))
	c.blend(c.mask(label, 0.0005), func(x, y float64, _ rgb) rgb {
		paper := hex(0xf4efe6).scale(0.97 - 1.1*x + 0.02*fbm(x*90, y*90, 2, c.seed+8))
		frame := box(0.555, 0.680, 0.0005, y)*box(-half*0.50, half*0.50, 0.0005, x) - box(0.557, 0.678, 0.0005, y)*box(-half*0.485, half*0.485, 0.0005, x)
		mark := smooth(0.0025, 0.0015, math.Abs(math.Hypot(x, y-0.602)-0.019)) + box(-0.030, 0.030, 0.001, x)*smooth(0.0012, 0.0006, math.Abs(y-0.645)) + box(-0.020, 0.020, 0.001, x)*smooth(0.0012, 0.0006, math.Abs(y-0.657))
		return paper.mix(hex(0x4a3a30), 0.8*clamp(frame+mark))
	})
	c.stopper(0.045, 0.235, top-0.030)
	neck := rectangle(-0.034, top-0.032, 0.034, top-0.002)
	c.blend(c.mask(neck, 0.0005), func(x, y float64, _ rgb) rgb {
		return hex(0xc9a45c).scale(0.35 + 1.1*bump(x+0.012, 0.012) + 0.5*bump(x-0.022, 0.006) - 0.2*math.Abs(math.Sin(y*900)))
	})
	// The table mirrors the bottle faintly: as it was before the mirroring, since rows are painted side by side.
	before := &canvas{ctx: c.ctx, w: c.w, h: c.h, seed: c.seed, pix: slices.Clone(c.pix)}
	c.blend(c.mask(rectangle(-half, foot+0.006, half, foot+0.10), 0.012), func(x, y float64, was rgb) rgb {
		up := before.sample((x+c.reach())*float64(c.h), (2*(foot+0.004)-y)*float64(c.h))
		return was.mix(up, 0.20*smooth(foot+0.11, foot, y))
	})
	c.lens = lens{grain: 1.8, glow: 0.06}
}

// stopper is a turned wooden stopper of some half width.
func (c *canvas) stopper(half, top, foot float64) {
	shape := smoothThrough(point{-half * 0.88, top + 0.004}, point{0, top}, point{half * 0.88, top + 0.004}, point{half, top + 0.016}, point{half, (top + foot) / 2}, point{half, foot - 0.006}, point{half * 0.94, foot}, point{0, foot + 0.003},
		point{-half * 0.94, foot}, point{-half, foot - 0.006}, point{-half, (top + foot) / 2}, point{-half, top + 0.016})
	c.blend(c.mask(shape, 0.0006), func(x, y float64, _ rgb) rgb {
		u := x / half
		turn := math.Asin(clampTo(u, 0.99))
		tone := 0.5 + 0.5*oak(turn*0.20+3, y*1.4, c.seed+9)
		light := 0.30 + 0.80*bump(u+0.40, 0.42) + 0.20*bump(u-0.80, 0.16)
		return hex(0x6d4429).mix(hex(0xb07c4e), tone).scale(light)
	})
}
