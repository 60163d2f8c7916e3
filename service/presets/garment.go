package presets

import "math"

// garment is what a portrait wears.
type garment int

const (
	garmentTee garment = iota
	garmentRoll
	garmentShirt
	garmentBlazer
	garmentVee
)

// torso is the outline of a garment's body, its neckline at half width wide and depth deep.
func (p *portrait) torso(wide, deep, rise float64) path {
	b := p.broad
	return mirrored(
		point{0, deep}, point{wide * 0.55, deep - (deep-rise)*0.22}, point{wide * 0.92, rise + (deep-rise)*0.30}, point{wide, rise},
		point{wide + 0.012, rise - 0.005}, point{0.150 * b, 0.722}, point{0.222 * b, 0.747}, point{0.280 * b, 0.780}, point{0.314 * b, 0.838}, point{0.330 * b, 0.930}, point{0.345 * b, 1.10}, point{0, 1.14},
	)
}

// paintGarment paints what the person wears.
func (p *portrait) paintGarment() {
	cloth := hex(p.cloth)
	switch p.top {
	case garmentTee:
		p.cloths(p.torso(0.098, 0.752, 0.700), cloth, 0.9)
		p.collarBand(0.098, 0.752, 0.700, cloth)
	case garmentVee:
		p.cloths(mirrored(point{0, 0.836}, point{0.030, 0.790}, point{0.066, 0.730}, point{0.088, 0.694}, point{0.102, 0.692}, point{0.150 * p.broad, 0.722},
			point{0.222 * p.broad, 0.747}, point{0.280 * p.broad, 0.780}, point{0.314 * p.broad, 0.838}, point{0.330 * p.broad, 0.930}, point{0.345 * p.broad, 1.10}, point{0, 1.14}), cloth, 1)
	case garmentRoll:
		p.cloths(p.torso(0.080, 0.745, 0.690), cloth, 0.8)
		p.rollNeck(cloth)
	case garmentShirt:
		p.cloths(p.torso(0.090, 0.770, 0.702), cloth, 1.1)
		p.shirtCollar(cloth)
	case garmentBlazer:
		p.cloths(p.torso(0.088, 0.760, 0.698), hex(0xece7df), 0.8)
		p.collarBand(0.088, 0.760, 0.698, hex(0xece7df))
		p.blazer(cloth)
	}
}

// cloths paints a piece of clothing: soft volume, folds and the light of the studio.
func (p *portrait) cloths(outline path, tint rgb, folds float64) {
	m, swell := p.mask(outline, 0.0007), p.mask(outline, 0.040)
	p.blend(p.mask(outline.moved(1, 0.004, -0.006), 0.008), func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.72, 0.68, 0.67}) })
	p.blend(m, func(x, y float64, _ rgb) rgb {
		px, py := p.pixel(x, y)
		n := cushion(swell, px, py, 0.045*float64(p.h)*p.k)
		arm := math.Abs(x) - 0.232*p.broad - 0.05*bump(y-1.0, 0.12)
		shade := 1 - 0.38*bump(arm, 0.009)*smooth(0.855, 0.92, y)
		return textile(tint, p.drape(n, x, y, folds)).scale(shade * (1 + 0.03*noise(x*300, y*300, p.seed+42)))
	})
}

// drape bends a direction by the folds of cloth hanging from the shoulders.
func (p *portrait) drape(n vec, x, y, folds float64) vec {
	// Folds run from the shoulders towards the middle of the hem, and from the armpits outwards.
	s := x*12/(0.55+2*max(y-0.70, 0)) + 1.3*fbm(x*4, y*4, 2, p.seed+40)
	amount := 0.42 * folds * smooth(0.73, 0.90, y)
	n.x += amount * noise(s, y*2.4, p.seed+41)
	n.y += amount * 0.35 * noise(s+7, y*3, p.seed+43)
	arm := math.Abs(x) - 0.232*p.broad - 0.05*bump(y-1.0, 0.12)
	n.x -= math.Copysign(0.75, x) * arm / 0.012 * bump(arm, 0.016) * smooth(0.85, 0.93, y)
	return n.unit()
}

// textile is cloth of a tint under the studio's lights.
func textile(tint rgb, n vec) rgb {
	key := clamp((n.dot(keyLight) + 0.15) / 1.15)
	fill := clamp(n.dot(fillLight)*0.5 + 0.5)
	rim := math.Pow(clamp(1-n.z), 2.4) * clamp(n.dot(rimLight)+0.3)
	return tint.mul(rgb{0.20, 0.20, 0.21}.add(grey(0.85 * key)).add(rgb{0.12, 0.13, 0.15}.scale(fill))).add(grey(0.22 * rim))
}

// collarBand is the ribbed edge of a round neckline.
func (p *portrait) collarBand(wide, deep, rise float64, tint rgb) {
	line := []point{{-wide, rise}, {-wide * 0.92, rise + (deep-rise)*0.30}, {-wide * 0.55, deep - (deep-rise)*0.22}, {0, deep}, {wide * 0.55, deep - (deep-rise)*0.22}, {wide * 0.92, rise + (deep-rise)*0.30}, {wide, rise}}
	p.blend(p.mask(stroke(0.017, 0.017, line...), 0.0006), func(x, y float64, _ rgb) rgb {
		rib := 0.5 + 0.5*math.Sin(math.Atan2(y-rise+0.03, x)*190)
		light := 0.90 - 0.35*smooth(-0.08, 0.10, x)
		return tint.scale(light * (0.92 + 0.08*rib))
	})
	p.blend(p.mask(stroke(0.003, 0.003, line...).moved(1, 0, 0.010), 0.0014), func(_, _ float64, was rgb) rgb { return was.scale(0.72) })
}

// rollNeck is a knitted collar folded over on itself.
func (p *portrait) rollNeck(tint rgb) {
	collar := mirrored(point{0, 0.640}, point{0.050, 0.634}, point{0.079, 0.622}, point{0.086, 0.650}, point{0.094, 0.705}, point{0.086, 0.728}, point{0.045, 0.742}, point{0, 0.746})
	p.blend(p.mask(collar.moved(1, 0.003, 0.010), 0.008), func(_, _ float64, was rgb) rgb { return was.scale(0.60) })
	p.blend(p.mask(collar, 0.0008), func(x, y float64, _ rgb) rgb {
		n := vec{x / 0.088, -0.12, 0}
		n.z = math.Sqrt(max(1-n.x*n.x, 0.06))
		rib := math.Sin(math.Asin(clampTo(x/0.10, 0.99)) * 62)
		n.x += 0.20 * rib
		lip := bump(y-0.636+x*x, 0.012)
		return textile(tint, n.unit()).scale(1 + 0.12*lip)
	})
}

func clampTo(v, limit float64) float64 { return min(max(v, -limit), limit) }

// shirtCollar is an open collar and its placket.
func (p *portrait) shirtCollar(tint rgb) {
	stand := mirrored(point{0, 0.806}, point{0.052, 0.742}, point{0.090, 0.690}, point{0.094, 0.672}, point{0.084, 0.668}, point{0.050, 0.722}, point{0, 0.788})
	p.blend(p.mask(stand, 0.0006), func(x, _ float64, _ rgb) rgb { return tint.scale(0.62 - 0.9*x) })
	for _, s := range [...]float64{-1, 1} {
		wing := polygon(point{0.074, 0.664}, point{0.098, 0.672}, point{0.128, 0.716}, point{0.101, 0.800}, point{0.024, 0.772}, point{0.058, 0.716})
		if s < 0 {
			wing = wing.flipped()
		}
		p.blend(p.mask(wing.moved(1, 0.003, 0.008), 0.006), func(_, _ float64, was rgb) rgb { return was.scale(0.68) })
		p.blend(p.mask(wing, 0.0008), func(x, y float64, _ rgb) rgb {
			n := vec{s*0.30 + x, -0.30 + (y-0.72)*2, 0.9}.unit()
			return textile(tint, n).scale(1.04)
		})
	}
	p.blend(p.mask(rectangle(-0.0016, 0.80, 0.0016, 1.2).moved(1, 0.010, 0), 0.0014), func(_, _ float64, was rgb) rgb { return was.scale(0.75) })
	for i := range 3 {
		y := 0.845 + 0.075*float64(i)
		p.blend(p.mask(ellipse(-0.002, y+0.0016, 0.0052, 0.0052), 0.0018), func(_, _ float64, was rgb) rgb { return was.scale(0.6) })
		p.blend(p.mask(ellipse(-0.002, y, 0.0050, 0.0050), 0.0005), func(_, _ float64, _ rgb) rgb { return tint.mix(grey(0.7), 0.5) })
	}
}

// blazer is a jacket with notched lapels over what is worn below.
func (p *portrait) blazer(tint rgb) {
	b := p.broad
	for _, s := range [...]float64{-1, 1} {
		side := func(shape path) path {
			if s < 0 {
				return shape.flipped()
			}
			return shape
		}
		body := side(smoothThrough(point{0.080, 0.690}, point{0.104, 0.686}, point{0.155 * b, 0.716}, point{0.232 * b, 0.743}, point{0.296 * b, 0.776}, point{0.330 * b, 0.838}, point{0.344 * b, 0.93},
			point{0.36 * b, 1.15}, point{0.10, 1.16}, point{-0.012 * s, 1.06}, point{0.035, 0.93}, point{0.070, 0.80}))
		p.cloths(body, tint, 0.6)
		lapel := side(polygon(point{0.079, 0.684}, point{0.103, 0.686}, point{0.137, 0.765}, point{0.110, 0.786}, point{0.154, 0.800}, point{0.080, 0.935}, point{0.022, 1.03}, point{0.044, 0.90}, point{0.068, 0.79}))
		p.blend(p.mask(lapel.moved(1, 0.003, 0.006), 0.007), func(_, _ float64, was rgb) rgb { return was.scale(0.62) })
		p.blend(p.mask(lapel, 0.0008), func(x, y float64, _ rgb) rgb {
			n := vec{s * 0.22, -0.22, 0.95}.unit()
			roll := 1 + 0.25*bump(math.Abs(x)-mix(0.078, 0.040, smooth(0.69, 0.95, y)), 0.014)
			return textile(tint, n).scale(0.96 * roll * (1 + 0.03*noise(x*300, y*300, p.seed+44)))
		})
	}
}
