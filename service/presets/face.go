package presets

import (
	"image"
	"math"
)

// Where the features of every face lie, in the portrait's coordinates.
const (
	eyeX, eyeY = 0.0515, 0.410
	browY      = 0.376
	noseY      = 0.486 // the base of the nose
	mouthY     = 0.529 // where the lips meet
	chinY      = 0.600
	crownY     = 0.225 // the top of the skull, below the hair
)

// faceOutline is the outline of the face from crown to chin.
func (p *portrait) faceOutline() path {
	j := p.jaw
	return mirrored(
		point{0, crownY}, point{0.072, 0.243}, point{0.110, 0.305}, point{0.1185, 0.380}, point{0.1165, 0.440},
		point{mix(0.104, 0.110, j), 0.500}, point{mix(0.079, 0.095, j), 0.551}, point{mix(0.046, 0.062, j), 0.585}, point{mix(0.020, 0.030, j), chinY - 0.002}, point{0, chinY},
	)
}

// mound is a rise or dent of the face.
type mound struct{ x, y, rx, ry, height float64 }

// relief is the depth of the face at each pixel around it.
func (p *portrait) relief() *plane {
	x0, y0 := p.pixel(-0.16, crownY-0.02)
	x1, y1 := p.pixel(0.16, chinY+0.04)
	out := &plane{rect: image.Rect(x0, y0, x1+1, y1+1)}
	out.pix = make([]float32, out.rect.Dx()*out.rect.Dy())
	mounds := p.mounds()
	p.rows(0, out.rect.Dy(), func(row int) {
		y := 1 - (1-(float64(y0+row)+0.5)/float64(p.h))/p.k - p.drop
		for i := range out.rect.Dx() {
			x := (float64(x0+i) + 0.5 - float64(p.w)/2) / float64(p.h) / p.k
			out.pix[row*out.rect.Dx()+i] = float32(depthAt(mounds, math.Abs(x), y))
		}
	})
	return out
}

// mounds are the features in relief, those off the middle given for one side.
func (p *portrait) mounds() []mound {
	soft := 1 - 0.5*p.jaw
	return []mound{
		{eyeX + 0.002, 0.403, 0.033, 0.021, -0.0125}, // eye sockets
		{0.025, 0.410, 0.012, 0.020, -0.0045},        // inner corners
		{eyeX, eyeY + 0.001, 0.021, 0.013, 0.0090},   // the ball under the lids
		{0.046, browY + 0.003, 0.036, 0.012, 0.0060 + 0.004*p.jaw},
		{0, 0.395, 0.013, 0.032, 0.0100}, // bridge of the nose
		{0, 0.440, 0.0125, 0.030, 0.0130},
		{0, 0.4700, 0.0158 * p.nose, 0.0140, 0.0165},      // its tip
		{0.0185 * p.nose, 0.4775, 0.0090, 0.0088, 0.0105}, // its wings
		{0, 0.4965, 0.024, 0.008, -0.0060},
		{0.079, 0.448, 0.034, 0.026, 0.0085 * soft}, // cheekbones
		{0.050, 0.480, 0.028, 0.030, 0.0045},
		{0.080, 0.512, 0.024, 0.034, -0.0050 - 0.003*p.age}, // hollows below them
		{0, 0.508, 0.006, 0.010, -0.0016},                   // groove above the lip
		{0.014, 0.5215, 0.018, 0.0062, 0.0050 * p.full},
		{0, 0.5375, 0.028, 0.0080, 0.0075 * p.full},
		{0.043, mouthY, 0.009, 0.010, -0.0022}, // corners of the mouth
		{0, 0.5560, 0.026, 0.0080, -0.0060},
		{0, 0.5800, 0.030, 0.0190, 0.0100}, // chin
		{0.088, 0.530, 0.016, 0.030, 0.0040 * p.jaw},
		{0.034, 0.305, 0.050, 0.036, 0.0030}, // brow of the forehead
		{0.110, 0.350, 0.020, 0.040, -0.0050},
	}
}

// depthAt is the depth of an egg with the mounds on it.
func depthAt(mounds []mound, x, y float64) float64 {
	u, v := x/0.150, (y-0.405)/0.240
	z := 0.125 * math.Sqrt(max(1-u*u-v*v, 0.02))
	for i := range mounds {
		m := &mounds[i]
		dx, dy := (x-m.x)/m.rx, (y-m.y)/m.ry
		if q := dx*dx + dy*dy; q < 7 {
			z += m.height * math.Exp(-q)
		}
		if m.x == 0 {
			continue
		}
		// Its twin on the other side reaches across the middle.
		dx = (x + m.x) / m.rx
		if q := dx*dx + dy*dy; q < 7 {
			z += m.height * math.Exp(-q)
		}
	}
	return z
}

// facing is the direction the face faces at a pixel.
func (p *portrait) facing(px, py int) vec {
	unit := float64(p.h) * p.k
	d := max(int(unit/900+0.5), 1)
	dx := float64(p.depth.at(px+d, py)-p.depth.at(px-d, py)) / float64(2*d) * unit
	dy := float64(p.depth.at(px, py+d)-p.depth.at(px, py-d)) / float64(2*d) * unit
	return vec{-dx, -dy, 1}.unit()
}

// paintFace paints the skin of the face.
func (p *portrait) paintFace() {
	edge := p.mask(p.faceOutline(), 0.012)
	p.blend(p.face, func(x, y float64, _ rgb) rgb {
		px, py := p.pixel(x, y)
		ax := math.Abs(x)
		// Blood shows in the cheeks, the nose and around the eyes; the jaw and forehead are paler.
		blush := 0.75*bump(math.Hypot((ax-0.074)/0.036, (y-0.470)/0.028), 1) + 0.55*bump(math.Hypot(x/0.020, (y-0.474)/0.018), 1)
		if p.made {
			blush += 0.35 * bump(math.Hypot((ax-0.086)/0.028, (y-0.458)/0.018), 1)
		}
		tone := p.skinTone.mul(rgb{1, 1 - 0.13*blush, 1 - 0.12*blush})
		eye := bump(math.Hypot((ax-eyeX)/0.036, (y-0.414)/0.022), 1)
		tone = tone.mul(rgb{1 - 0.09*eye, 1 - 0.15*eye, 1 - 0.13*eye})
		pores := 1 + 0.020*noise(x*420, y*420, p.seed+3) + 0.025*fbm(x*22, y*22, 2, p.seed+4)
		turn := 0.80 + 0.20*smooth(0.35, 0.95, float64(edge.at(px, py)))
		return flesh(tone.scale(pores), p.facing(px, py)).scale(turn)
	})
}

// paintNose deepens what the relief alone leaves soft: the nostrils, the wings and the shade below the tip.
func (p *portrait) paintNose() {
	deep := p.skinTone.mul(rgb{0.22, 0.12, 0.11})
	for _, side := range [...]float64{-1, 1} {
		w := p.nose
		nostril := smoothThrough(point{0.0055 * w, noseY - 0.0015}, point{0.0105 * w, noseY - 0.0042}, point{0.0160 * w, noseY - 0.0030}, point{0.0150 * w, noseY + 0.0004}, point{0.0090 * w, noseY + 0.0008})
		wing := stroke(0.0020, 0.0010, point{0.0238 * w, noseY - 0.0150}, point{0.0268 * w, noseY - 0.0080}, point{0.0240 * w, noseY - 0.0022}, point{0.0185 * w, noseY - 0.0004})
		if side < 0 {
			nostril, wing = nostril.flipped(), wing.flipped()
		}
		p.blend(p.mask(nostril, 0.0012), func(_, _ float64, was rgb) rgb { return was.mix(deep, 0.82) })
		p.blend(p.mask(wing, 0.0018), func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.66, 0.56, 0.54}) })
	}
	below := ellipse(0.003, noseY+0.0025, 0.0200*p.nose, 0.0042)
	p.blend(p.mask(below, 0.0035), func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.70, 0.60, 0.58}) })
	side := smoothThrough(point{0.013, 0.425}, point{0.020 * p.nose, 0.462}, point{0.027 * p.nose, 0.480}, point{0.040, 0.495}, point{0.030, 0.470}, point{0.020, 0.440})
	p.blend(p.mask(side, 0.006), func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.86, 0.80, 0.79}) })
}

// paintMouth paints the lips over their relief.
func (p *portrait) paintMouth() {
	const half = 0.0405
	f := p.full
	lips := hex(p.lips)
	upper := mirrored(point{0, mouthY - 0.0092*f}, point{0.0085, mouthY - 0.0122*f}, point{0.0240, mouthY - 0.0070*f}, point{half, mouthY - 0.0020}, point{0.0240, mouthY + 0.0012}, point{0.0100, mouthY + 0.0010}, point{0, mouthY + 0.0020})
	lower := mirrored(point{0, mouthY + 0.0008}, point{0.0160, mouthY}, point{half * 0.96, mouthY - 0.0014}, point{0.0270, mouthY + 0.0105*f}, point{0.0130, mouthY + 0.0162*f}, point{0, mouthY + 0.0170*f})
	strength := 0.68
	if p.made {
		strength = 0.88
	}
	for i, m := range []*plane{p.mask(upper, 0.0011), p.mask(lower, 0.0013)} {
		p.blend(m, func(x, y float64, was rgb) rgb {
			px, py := p.pixel(x, y)
			crack := 1 + 0.05*noise(x*330, y*40, p.seed+12)
			lit := flesh(lips, p.facing(px, py)).scale(crack)
			if i == 0 {
				lit = lit.scale(0.80)
			}
			return was.mix(lit, strength)
		})
	}
	seam := stroke(0.0016, 0.0016, point{-half - 0.0006, mouthY - 0.0018}, point{-0.022, mouthY + 0.0004}, point{-0.009, mouthY - 0.0002}, point{0, mouthY + 0.0012}, point{0.009, mouthY - 0.0002}, point{0.022, mouthY + 0.0004}, point{half + 0.0006, mouthY - 0.0018})
	p.blend(p.mask(seam, 0.0008), func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.34, 0.22, 0.22}) })
	for _, s := range [...]float64{-1, 1} {
		p.blend(p.mask(ellipse(s*(half+0.0012), mouthY-0.0020, 0.0030, 0.0026), 0.0022), func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.62, 0.52, 0.50}) })
	}
	p.lighten(p.mask(ellipse(-0.009, mouthY+0.0078*f, 0.0105, 0.0024), 0.0024), rgb{0.20, 0.17, 0.16})
	p.blend(p.mask(ellipse(0, mouthY+0.0215*f, 0.0200, 0.0034), 0.0045), func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.82, 0.75, 0.74}) })
}

// paintLines draws the lines that years leave.
func (p *portrait) paintLines() {
	line := func(strength float64, shape path, blur float64) {
		p.blend(p.mask(shape, blur), func(_, _ float64, was rgb) rgb {
			return was.mul(rgb{1 - 0.42*strength, 1 - 0.52*strength, 1 - 0.52*strength})
		})
	}
	for _, s := range [...]float64{-1, 1} {
		at := func(x, y float64) point { return point{s * x, y} }
		line(0.22+0.5*p.age, stroke(0.0022, 0.0012, at(0.030, 0.482), at(0.040, 0.497), at(0.047, 0.515), at(0.049, 0.526)), 0.0030)
		line(0.15+0.5*p.age, stroke(0.0016, 0.0008, at(0.030, 0.422), at(0.042, 0.4290), at(0.058, 0.4300), at(0.070, 0.4255)), 0.0024)
		if p.age > 0.4 {
			for i := range 3 {
				k := float64(i) - 1
				line(0.5*p.age, stroke(0.0010, 0.0004, at(0.081, 0.410+k*0.004), at(0.089, 0.408+k*0.007), at(0.096, 0.407+k*0.010)), 0.0009)
			}
			line(0.5*p.age, stroke(0.0018, 0.0008, at(0.043, 0.537), at(0.047, 0.549), at(0.046, 0.560)), 0.0022)
		}
	}
	if p.age > 0.4 {
		for i := range 2 {
			y := 0.318 + 0.018*float64(i)
			line(0.30*p.age, stroke(0.0010, 0.0010, point{-0.058, y + 0.003}, point{-0.02, y}, point{0.02, y + 0.0008}, point{0.056, y + 0.003}), 0.0014)
		}
	}
}
