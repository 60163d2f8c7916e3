package presets

import "math"

// haircut is how a portrait wears the hair.
type haircut int

const (
	cutLong haircut = iota
	cutCoily
	cutTextured
	cutBob
	cutBun
	cutCrop
	cutPixie
	cutSidePart
	cutCurls
	cutSwept
)

// hairstyle is the shapes of a haircut: what falls behind the head and what lies before the face, and how its strands run.
type hairstyle struct {
	behind, before path
	part           point   // where strands grow from
	wave           float64 // how much strands sway
	coil           float64 // 0 strands, 1 coils
	blur           float64 // softness of the outline
}

// paintHairBehind paints the hair that falls behind the head.
func (p *portrait) paintHairBehind() {
	s := p.style()
	p.darken(p.mask(s.behind.moved(1, 0.020, 0.016), 0.030), grey(0.86))
	p.paintHair(s, s.behind, 0.50)
}

// paintHairBefore paints the hair before the face and the shadow it casts on it.
func (p *portrait) paintHairBefore() {
	s := p.style()
	shadow := p.mask(s.before.moved(1, 0.005, 0.012), 0.009).within(p.face)
	p.blend(shadow, func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.50, 0.42, 0.41}) })
	p.paintHair(s, s.before, 1)
	if s.coil < 1 {
		p.paintStrays(s)
	}
}

// paintHair fills a shape with hair; level dims what lies in shade.
func (p *portrait) paintHair(s hairstyle, shape path, level float64) {
	m, swell := p.mask(shape, s.blur), p.mask(shape, 0.026)
	p.blend(m, func(x, y float64, _ rgb) rgb {
		px, py := p.pixel(x, y)
		n := cushion(swell, px, py, 0.034*float64(p.h)*p.k)
		if s.coil == 1 {
			return p.coils(n, x, y).scale(level)
		}
		return p.strands(s, n, x, y).scale(level)
	})
}

// strands is hair that grows from a parting: fine lines along it, and a sheen across them.
func (p *portrait) strands(s hairstyle, n vec, x, y float64) rgb {
	dx, dy := x-s.part.x, y-s.part.y
	r := math.Hypot(dx, dy*0.85)
	angle := math.Atan2(dx, dy)
	// Away from the parting strands stop fanning out and hang.
	across := mix(angle*0.16, x*1.05, smooth(0.10, 0.32, r))
	across += s.wave * (0.010*math.Sin(r*34+3*noise(x*6, y*2, p.seed+50)) + 0.006*noise(x*14, y*11, p.seed+51))
	fine := noise(across*520, r*5, p.seed+52)
	lock := noise(across*120, r*3, p.seed+53)
	broad := noise(across*34, r*2, p.seed+54)
	tone := 1 + 0.20*fine + 0.26*lock + 0.24*broad
	if s.coil > 0 {
		tone += 0.45 * s.coil * (ridged(x*34, y*34, 3, p.seed+55) - 0.62)
	}
	key := clamp((n.dot(keyLight) + 0.35) / 1.35)
	// The sheen of combed hair lies where the strand itself turns towards the light.
	sheen := bump(r-0.085-0.02*broad, 0.030)*clamp(0.55-dx*2.2) + 0.45*bump(r-0.25, 0.05)*clamp(0.4-dx*2)
	rim := math.Pow(clamp(1-n.z), 1.7) * clamp(n.dot(rimLight)+0.35)
	col := p.hairTone.scale((0.24 + 0.92*key) * max(tone, 0.25))
	gloss := p.hairTone.scale(0.9).add(rgb{0.045, 0.042, 0.040})
	return col.add(gloss.scale(sheen * (0.55 + 0.55*fine + 0.5*lock) * 0.75)).add(p.hairTone.add(grey(0.10)).scale(0.9 * rim * (0.6 + 0.4*fine)))
}

// coils is tightly curled hair.
func (p *portrait) coils(n vec, x, y float64) rgb {
	// Coils are small rounds of light and dark, warped so that none repeats.
	wx, wy := noise(x*30, y*30, p.seed+60), noise(x*30+9, y*30, p.seed+63)
	knot := noise(x*115+1.3*wx, y*115+1.3*wy, p.seed+61)*0.6 + noise(x*210+wy, y*210+wx, p.seed+64)*0.4
	clump := fbm(x*22, y*22, 3, p.seed+62)
	key := clamp((n.dot(keyLight) + 0.30) / 1.30)
	rim := math.Pow(clamp(1-n.z), 1.6) * clamp(n.dot(rimLight)+0.4)
	col := p.hairTone.scale((0.28 + 0.95*key) * max(1+0.42*knot+0.55*clump, 0.2))
	return col.add(rgb{0.058, 0.050, 0.046}.scale(key * clamp(knot*0.8+clump*0.6+0.12))).add(grey(0.10 * rim * clamp(0.6+knot)))
}

// paintStrays draws single hairs that leave the outline.
func (p *portrait) paintStrays(s hairstyle) {
	d := &dice{seed: p.seed}
	var hairs path
	for range 46 {
		a := d.roll(-2.0, 2.0)
		r := d.roll(0.055, 0.075)
		from := point{s.part.x + math.Sin(a)*r*2.0, s.part.y + 0.055 - math.Cos(a)*r*1.35}
		long := d.roll(0.03, 0.07)
		bend := d.roll(-0.4, 0.4)
		to := point{from.x + math.Sin(a+bend)*long*0.5 + math.Copysign(long*0.55, a), from.y - math.Cos(a+bend)*long*0.15 + long*0.75}
		hairs = append(hairs, stroke(0.0009, 0.0004, from, point{(from.x+to.x)/2 + math.Copysign(0.008, a), (from.y+to.y)/2 - 0.010}, to)...)
	}
	p.paint(p.mask(hairs, 0.0004).within(p.mask(s.before, 0.006)), p.hairTone.scale(1.25).add(grey(0.015)), 0.5)
}

// paintBeard paints a beard, from a shade to full.
func (p *portrait) paintBeard() {
	if p.beard == 0 {
		return
	}
	shape := smoothThrough(point{0.1165, 0.405}, point{0.119, 0.460}, point{0.112, 0.512}, point{0.100, 0.560}, point{0.066, 0.600}, point{0.030, 0.618}, point{0, 0.621},
		point{-0.030, 0.618}, point{-0.066, 0.600}, point{-0.100, 0.560}, point{-0.112, 0.512}, point{-0.119, 0.460}, point{-0.1165, 0.405},
		point{-0.106, 0.455}, point{-0.084, 0.505}, point{-0.056, 0.520}, point{-0.040, 0.506}, point{-0.014, 0.502}, point{0, 0.506}, point{0.014, 0.502}, point{0.040, 0.506}, point{0.056, 0.520}, point{0.084, 0.505}, point{0.106, 0.455})
	soft := mix(0.010, 0.0055, p.beard)
	area := p.mask(shape, soft)
	if p.beard < 0.5 {
		area = area.within(p.face)
	}
	chin := p.mask(ellipse(0, mouthY+0.020, 0.020, 0.006), 0.004)
	area = area.without(chin.combine(chin, func(a, _ float32) float32 { return a * 0.5 }))
	tint := p.hairTone.scale(0.62).mix(p.skinTone.scale(0.22), 0.30)
	p.blend(area, func(x, y float64, was rgb) rgb {
		px, py := p.pixel(x, y)
		flow := x*330 + 5*noise(x*18, y*18, p.seed+70)
		hairs := 0.5 + 0.5*noise(flow, y*85+x*60, p.seed+71)
		fine := 0.5 + 0.5*noise(x*480, y*330, p.seed+72)
		n := p.facing(px, py)
		key := clamp((n.dot(keyLight) + 0.3) / 1.3)
		col := tint.scale((0.35 + 0.85*key) * (0.55 + 0.55*hairs + 0.25*fine)).add(grey(0.014 * key * hairs))
		cover := mix(0.34, 0.93, p.beard) * mix(mix(0.30, 0.75, fine), 1, smooth(0.3, 1, p.beard))
		return was.mix(col, cover)
	})
}
