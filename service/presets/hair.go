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

// style is the shapes of the person's haircut.
func (p *portrait) style() hairstyle {
	pt := func(x, y float64) point { return point{x, y} }
	switch p.cut {
	case cutLong:
		return hairstyle{
			behind: smoothThrough(pt(0, 0.165), pt(0.095, 0.185), pt(0.150, 0.265), pt(0.163, 0.380), pt(0.176, 0.500), pt(0.196, 0.620), pt(0.190, 0.740), pt(0.150, 0.800), pt(0.085, 0.70),
				pt(0, 0.66), pt(-0.085, 0.70), pt(-0.155, 0.815), pt(-0.200, 0.745), pt(-0.196, 0.620), pt(-0.178, 0.500), pt(-0.163, 0.380), pt(-0.150, 0.265), pt(-0.095, 0.185)),
			before: append(
				smoothThrough(pt(-0.012, 0.172), pt(0.080, 0.184), pt(0.146, 0.262), pt(0.160, 0.385), pt(0.172, 0.500), pt(0.186, 0.600), pt(0.168, 0.690), pt(0.140, 0.640), pt(0.131, 0.540), pt(0.126, 0.440), pt(0.112, 0.345), pt(0.062, 0.283), pt(-0.006, 0.258)),
				smoothThrough(pt(0.004, 0.172), pt(-0.080, 0.184), pt(-0.146, 0.262), pt(-0.160, 0.385), pt(-0.174, 0.500), pt(-0.190, 0.610), pt(-0.170, 0.710), pt(-0.138, 0.640), pt(-0.130, 0.540), pt(-0.125, 0.440), pt(-0.114, 0.345), pt(-0.070, 0.283), pt(-0.002, 0.258))...),
			part: pt(0, 0.205), wave: 1, blur: 0.0016,
		}
	case cutCoily:
		halo := func(grow float64) path {
			var around []point
			for i := range 30 {
				a := float64(i) / 30 * 2 * math.Pi
				r := 1 + 0.030*math.Sin(a*9+1) + 0.020*math.Sin(a*17)
				around = append(around, point{math.Sin(a) * 0.205 * r * grow, 0.345 - math.Cos(a)*0.205*r*grow})
			}
			return smoothThrough(around...)
		}
		return hairstyle{
			behind: halo(1),
			before: smoothThrough(pt(0, 0.150), pt(0.110, 0.170), pt(0.175, 0.250), pt(0.196, 0.350), pt(0.172, 0.455), pt(0.134, 0.470), pt(0.121, 0.400), pt(0.112, 0.330), pt(0.074, 0.283), pt(0, 0.268),
				pt(-0.074, 0.283), pt(-0.112, 0.330), pt(-0.121, 0.400), pt(-0.134, 0.470), pt(-0.172, 0.455), pt(-0.196, 0.350), pt(-0.175, 0.250), pt(-0.110, 0.170)),
			part: pt(0, 0.30), coil: 1, blur: 0.0045,
		}
	case cutTextured:
		return hairstyle{
			behind: mirrored(pt(0, 0.190), pt(0.085, 0.205), pt(0.128, 0.280), pt(0.132, 0.380), pt(0.122, 0.430), pt(0, 0.44)),
			before: smoothThrough(pt(-0.020, 0.160), pt(0.062, 0.165), pt(0.112, 0.205), pt(0.134, 0.290), pt(0.129, 0.372), pt(0.119, 0.372), pt(0.113, 0.318), pt(0.094, 0.292), pt(0.066, 0.302), pt(0.046, 0.278), pt(0.018, 0.304), pt(-0.010, 0.276),
				pt(-0.040, 0.300), pt(-0.070, 0.276), pt(-0.098, 0.302), pt(-0.114, 0.330), pt(-0.120, 0.374), pt(-0.130, 0.372), pt(-0.134, 0.290), pt(-0.108, 0.200)),
			part: pt(0.05, 0.175), wave: 1.4, blur: 0.0012,
		}
	case cutBob:
		return hairstyle{
			behind: mirrored(pt(0, 0.165), pt(0.100, 0.184), pt(0.150, 0.270), pt(0.160, 0.400), pt(0.166, 0.520), pt(0.158, 0.590), pt(0.110, 0.598), pt(0, 0.60)),
			before: smoothThrough(pt(0, 0.168), pt(0.095, 0.186), pt(0.148, 0.270), pt(0.158, 0.400), pt(0.166, 0.520), pt(0.160, 0.592), pt(0.128, 0.594), pt(0.121, 0.520), pt(0.117, 0.440), pt(0.112, 0.372), pt(0.080, 0.350), pt(0.030, 0.358), pt(-0.030, 0.358),
				pt(-0.080, 0.350), pt(-0.112, 0.372), pt(-0.117, 0.440), pt(-0.121, 0.520), pt(-0.128, 0.594), pt(-0.160, 0.592), pt(-0.166, 0.520), pt(-0.158, 0.400), pt(-0.148, 0.270), pt(-0.095, 0.186)),
			part: pt(0, 0.185), wave: 0.12, blur: 0.0010,
		}
	case cutBun:
		return hairstyle{
			behind: append(ellipse(0.010, 0.158, 0.062, 0.054), mirrored(pt(0, 0.180), pt(0.090, 0.196), pt(0.134, 0.285), pt(0.132, 0.400), pt(0.110, 0.480), pt(0, 0.50))...),
			before: smoothThrough(pt(-0.012, 0.180), pt(0.078, 0.194), pt(0.128, 0.270), pt(0.133, 0.360), pt(0.126, 0.404), pt(0.117, 0.380), pt(0.106, 0.322), pt(0.064, 0.272), pt(-0.030, 0.254),
				pt(-0.082, 0.284), pt(-0.110, 0.332), pt(-0.118, 0.380), pt(-0.126, 0.404), pt(-0.133, 0.360), pt(-0.128, 0.270), pt(-0.078, 0.194)),
			part: pt(-0.035, 0.215), wave: 0.25, blur: 0.0012,
		}
	case cutCrop:
		return hairstyle{
			behind: mirrored(pt(0, 0.202), pt(0.080, 0.216), pt(0.122, 0.290), pt(0.126, 0.380), pt(0.118, 0.420), pt(0, 0.43)),
			before: smoothThrough(pt(0, 0.200), pt(0.076, 0.214), pt(0.119, 0.286), pt(0.1235, 0.370), pt(0.117, 0.392), pt(0.1135, 0.345), pt(0.104, 0.318), pt(0.098, 0.284), pt(0.056, 0.272), pt(0, 0.268),
				pt(-0.056, 0.272), pt(-0.098, 0.284), pt(-0.104, 0.318), pt(-0.1135, 0.345), pt(-0.117, 0.392), pt(-0.1235, 0.370), pt(-0.119, 0.286), pt(-0.076, 0.214)),
			part: pt(0, 0.26), coil: 1, blur: 0.0028,
		}
	case cutPixie:
		return hairstyle{
			behind: mirrored(pt(0, 0.172), pt(0.095, 0.190), pt(0.144, 0.275), pt(0.145, 0.390), pt(0.128, 0.470), pt(0.10, 0.53), pt(0, 0.53)),
			before: smoothThrough(pt(0.030, 0.166), pt(0.100, 0.190), pt(0.144, 0.270), pt(0.147, 0.370), pt(0.136, 0.450), pt(0.122, 0.462), pt(0.118, 0.400), pt(0.108, 0.338), pt(0.090, 0.300), pt(0.066, 0.270),
				pt(0.020, 0.290), pt(-0.040, 0.318), pt(-0.092, 0.330), pt(-0.116, 0.372), pt(-0.122, 0.440), pt(-0.134, 0.452), pt(-0.148, 0.370), pt(-0.143, 0.270), pt(-0.094, 0.190), pt(-0.030, 0.166)),
			part: pt(0.066, 0.205), wave: 0.7, blur: 0.0014,
		}
	case cutSidePart:
		return hairstyle{
			behind: mirrored(pt(0, 0.188), pt(0.085, 0.202), pt(0.130, 0.280), pt(0.132, 0.380), pt(0.122, 0.440), pt(0, 0.45)),
			before: smoothThrough(pt(-0.040, 0.160), pt(0.040, 0.158), pt(0.104, 0.192), pt(0.135, 0.280), pt(0.130, 0.390), pt(0.119, 0.405), pt(0.114, 0.340), pt(0.098, 0.296), pt(0.050, 0.268), pt(-0.010, 0.252), pt(-0.066, 0.262),
				pt(-0.098, 0.292), pt(-0.113, 0.340), pt(-0.119, 0.405), pt(-0.130, 0.390), pt(-0.132, 0.280), pt(-0.098, 0.196)),
			part: pt(-0.066, 0.215), wave: 0.6, blur: 0.0013,
		}
	case cutCurls:
		return hairstyle{
			behind: mirrored(pt(0, 0.172), pt(0.100, 0.185), pt(0.148, 0.270), pt(0.146, 0.370), pt(0.128, 0.440), pt(0, 0.45)),
			before: smoothThrough(pt(-0.030, 0.148), pt(0.034, 0.140), pt(0.092, 0.158), pt(0.126, 0.200), pt(0.150, 0.260), pt(0.144, 0.330), pt(0.138, 0.400), pt(0.119, 0.398), pt(0.116, 0.338), pt(0.094, 0.316), pt(0.084, 0.286), pt(0.056, 0.312), pt(0.030, 0.288), pt(-0.004, 0.318),
				pt(-0.034, 0.290), pt(-0.066, 0.316), pt(-0.092, 0.300), pt(-0.114, 0.336), pt(-0.120, 0.398), pt(-0.138, 0.396), pt(-0.148, 0.320), pt(-0.150, 0.250), pt(-0.118, 0.188), pt(-0.078, 0.166)),
			part: pt(0, 0.20), wave: 2.4, coil: 0.45, blur: 0.0026,
		}
	default: // cutSwept
		return hairstyle{
			behind: mirrored(pt(0, 0.186), pt(0.085, 0.200), pt(0.128, 0.280), pt(0.131, 0.380), pt(0.121, 0.430), pt(0, 0.44)),
			before: smoothThrough(pt(0, 0.166), pt(0.078, 0.182), pt(0.124, 0.250), pt(0.132, 0.330), pt(0.128, 0.392), pt(0.118, 0.396), pt(0.113, 0.340), pt(0.102, 0.302), pt(0.086, 0.262), pt(0.040, 0.252), pt(0, 0.262),
				pt(-0.040, 0.252), pt(-0.086, 0.262), pt(-0.102, 0.302), pt(-0.113, 0.340), pt(-0.118, 0.396), pt(-0.128, 0.392), pt(-0.132, 0.330), pt(-0.124, 0.250), pt(-0.078, 0.182)),
			part: pt(0, 0.30), wave: 0.4, blur: 0.0014,
		}
	}
}

// paintHairBehind paints the hair that falls behind the head.
func (p *portrait) paintHairBehind() {
	s := p.style()
	p.canvas.darken(p.mask(s.behind.moved(1, 0.020, 0.016), 0.030), grey(0.86))
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
	knot := ridged(x*62+2*noise(x*20, y*20, p.seed+60), y*62, 3, p.seed+61) - 0.55
	clump := fbm(x*16, y*16, 3, p.seed+62)
	key := clamp((n.dot(keyLight) + 0.30) / 1.30)
	rim := math.Pow(clamp(1-n.z), 1.6) * clamp(n.dot(rimLight)+0.4)
	col := p.hairTone.scale((0.30 + 0.95*key) * max(1+1.15*knot+0.35*clump, 0.2))
	return col.add(rgb{0.052, 0.046, 0.044}.scale(key * clamp(knot*2.2+0.25))).add(grey(0.10 * rim * clamp(0.6+knot)))
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
	tint := p.hairTone.mix(p.skinTone.scale(0.25), 0.25)
	p.blend(area, func(x, y float64, was rgb) rgb {
		px, py := p.pixel(x, y)
		flow := x*260 + 40*noise(x*18, y*18, p.seed+70)
		hairs := 0.5 + 0.5*noise(flow, y*70, p.seed+71)
		fine := 0.5 + 0.5*noise(x*480, y*330, p.seed+72)
		n := p.facing(px, py)
		key := clamp((n.dot(keyLight) + 0.3) / 1.3)
		col := tint.scale((0.35 + 0.85*key) * (0.55 + 0.55*hairs + 0.25*fine)).add(grey(0.014 * key * hairs))
		cover := mix(0.34, 0.93, p.beard) * mix(mix(0.30, 0.75, fine), 1, smooth(0.3, 1, p.beard))
		return was.mix(col, cover)
	})
}
