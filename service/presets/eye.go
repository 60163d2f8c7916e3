package presets

import "math"

// eyeSize enlarges the eye's shapes, which are drawn for an opening 0.05 wide.
const eyeSize = 1.13

// paintEye paints one eye: side is -1 for the left of the picture, 1 for the right.
func (p *portrait) paintEye(side float64) {
	cx, cy := side*eyeX, eyeY
	centre := point{cx, cy}
	// The shapes are drawn for the right eye, its inner corner at the left, then mirrored and tilted.
	place := func(shape path) path {
		if side < 0 {
			shape = shape.flipped()
		}
		return shape.moved(eyeSize, cx, cy).turned(centre, -side*p.tilt)
	}
	o := p.open
	upperLid := []point{{-0.0248, 0.0028}, {-0.0165, -0.0064 * o}, {-0.0030, -0.0108 * o}, {0.0110, -0.0090 * o}, {0.0205, -0.0032 * o}, {0.0246, -0.0008}}
	lowerLid := []point{{0.0246, -0.0008}, {0.0175, 0.0052 * o}, {0.0050, 0.0086 * o}, {-0.0090, 0.0076 * o}, {-0.0190, 0.0042}}
	opening := place(smoothThrough(append(append([]point{}, upperLid...), lowerLid[1:]...)...))

	// The lid above the eye and the fold it slides under.
	p.blend(p.mask(place(ellipse(0.001, -0.0085*o, 0.0250, 0.0075)), 0.0045), func(_, _ float64, was rgb) rgb {
		if p.made {
			return was.mul(rgb{0.70, 0.60, 0.58})
		}
		return was.mul(rgb{0.86, 0.79, 0.77})
	})
	fold := place(stroke(0.0012, 0.0010, point{-0.0225, -0.0050}, point{-0.0140, -0.0125 * o}, point{-0.0010, -0.0168 * o}, point{0.0130, -0.0146 * o}, point{0.0245, -0.0070}))
	p.blend(p.mask(fold, 0.0011), func(_, _ float64, was rgb) rgb {
		return was.mix(was.mul(rgb{0.48, 0.36, 0.34}), p.crease)
	})

	m := p.mask(opening, 0.0005)
	irisAt := place(ellipse(0, 0, 0, 0))[0].p[0]
	irisAt.y -= 0.0019
	const irisR = 0.0114
	iris := hex(p.iris)
	p.blend(m, func(x, y float64, _ rgb) rgb {
		dx, dy := x-irisAt.x, y-irisAt.y
		r := math.Hypot(dx, dy) / irisR
		ball := hex(0xece4de).scale(0.86 - 0.28*smooth(0.010, 0.026, math.Abs(x-cx)) - 0.06*side)
		red := rgb{1, 0.86, 0.84}
		ball = ball.mix(ball.mul(red), smooth(0.012, 0.024, math.Abs(x-cx)))
		// The upper lid and its lashes shade the ball.
		lidShade := mix(0.42, 1, smooth(-0.010*o, 0.001, y-cy))
		if r < 1.12 {
			spoke := 0.5 + 0.5*noise(math.Atan2(dy, dx)*7, r*2, p.seed+21)
			tint := iris.scale(0.55 + 0.75*spoke*smooth(0.3, 0.8, r))
			// Light enters above and glows on the far side.
			tint = tint.scale(1 + 0.95*smooth(-0.3, 1, dy/irisR)*smooth(1.05, 0.6, r))
			tint = tint.scale(1 - 0.72*smooth(0.78, 1.0, r))
			tint = tint.mix(grey(0.006), smooth(0.46, 0.38, r))
			ball = ball.mix(tint, smooth(1.08, 0.98, r))
		}
		return ball.scale(lidShade)
	})
	p.lighten(p.mask(ellipse(irisAt.x-0.0036, irisAt.y-0.0038, 0.0022, 0.0026), 0.0004).within(m), grey(0.95))
	p.lighten(p.mask(ellipse(irisAt.x+0.0042, irisAt.y+0.0040, 0.0020, 0.0016), 0.0012).within(m), grey(0.10))
	corner := p.mask(place(ellipse(-0.0225, 0.0024, 0.0026, 0.0018)), 0.0010).within(m)
	p.blend(corner, func(_, _ float64, was rgb) rgb { return was.mix(p.skinTone.mul(rgb{0.85, 0.48, 0.45}), 0.7) })

	p.paintLashes(place, upperLid, lowerLid)
}

// paintLashes draws the edges of the lids.
func (p *portrait) paintLashes(place func(path) path, upperLid, lowerLid []point) {
	dark := hex(0x1d1310).mix(p.hairTone.scale(0.3), 0.3)
	weight := 0.0030
	if p.made {
		weight = 0.0036
	}
	upper := place(stroke(0.0010, weight, upperLid...))
	p.paint(p.mask(upper, 0.0006), dark, 0.92)
	if p.made {
		last := upperLid[len(upperLid)-1]
		wing := stroke(0.0030, 0.0004, point{last.x - 0.006, last.y - 0.0020}, last, point{last.x + 0.0048, last.y - 0.0034})
		p.paint(p.mask(place(wing), 0.0006), dark, 0.85)
	}
	var hairs path
	for i := range 13 {
		t := 0.20 + 0.80*float64(i)/12
		s := t * float64(len(upperLid)-1)
		a := min(int(s), len(upperLid)-2)
		f := s - float64(a)
		root := point{mix(upperLid[a].x, upperLid[a+1].x, f), mix(upperLid[a].y, upperLid[a+1].y, f)}
		long := mix(0.0030, 0.0062, t)
		if !p.made {
			long *= 0.7
		}
		tip := point{root.x + long*mix(-0.25, 0.85, t), root.y - long*mix(0.85, 0.55, t)}
		hairs = append(hairs, leaf(root, tip, 0.10)...)
	}
	p.paint(p.mask(place(hairs), 0.0004), dark, 0.75)
	p.blend(p.mask(place(stroke(0.0012, 0.0010, lowerLid...)), 0.0010), func(_, _ float64, was rgb) rgb {
		return was.mul(rgb{0.55, 0.44, 0.42})
	})
	// A moist edge catches light along the lower lid.
	var wet []point
	for _, q := range lowerLid[1:] {
		wet = append(wet, point{q.x, q.y + 0.0012})
	}
	p.lighten(p.mask(place(stroke(0.0012, 0.0012, wet...)), 0.0008), p.skinTone.scale(0.10))
}

// paintBrow paints one brow, hair by hair over a soft ground.
func (p *portrait) paintBrow(side float64) {
	w := 0.0140 * p.brow
	arch := 0.0034 * (1 - 0.6*p.jaw)
	line := []point{{0.0215, browY + 0.0016}, {0.0370, browY - 0.0010 - arch*0.4}, {0.0560, browY - 0.0034 - arch}, {0.0715, browY - 0.0018 - arch*0.7}, {0.0870, browY + 0.0056}}
	tint := p.hairTone.scale(0.60).mix(hex(0x2b1d16), 0.45)
	if p.age > 0.6 {
		tint = p.hairTone.scale(0.55).mix(hex(0x4a423d), 0.5)
	}
	turned := func(shape path) path {
		if side < 0 {
			shape = shape.flipped()
		}
		return shape.turned(point{side * eyeX, browY}, -side*p.tilt*0.6)
	}
	p.paint(p.mask(turned(stroke(w*0.86, w*0.36, line...)), 0.0022), tint, 0.80)
	d := &dice{seed: 90}
	var hairs path
	const n = 110
	for i := range n {
		t := (float64(i) + d.roll(0, 1)) / n
		s := t * float64(len(line)-1)
		a := min(int(s), len(line)-2)
		f := s - float64(a)
		thick := w * mix(0.86, 0.36, t)
		root := point{mix(line[a].x, line[a+1].x, f), mix(line[a].y, line[a+1].y, f) + d.roll(-0.35, 0.5)*thick}
		long := mix(0.0052, 0.0066, t)
		dir := mix(1.20, -0.12, math.Sqrt(t))
		tip := point{root.x + long*math.Cos(dir), root.y - long*math.Sin(dir)*0.8}
		hairs = append(hairs, leaf(root, tip, 0.13)...)
	}
	p.paint(p.mask(turned(hairs), 0.0004), tint.scale(0.7), 0.80)
}
