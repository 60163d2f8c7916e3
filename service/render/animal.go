package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// earKind is the shape of an animal's ears.
type earKind int

const (
	hanging earKind = iota
	pointed
	round
	tall
	tufted
	wide
)

// creature is how an animal that sits and looks at the viewer is drawn.
type creature struct {
	coat, belly, dark [3]float64
	ears              earKind
	muzzle            float64 // its size, 0 for a flat face
	tail              float64 // its thickness, 0 for none that shows
	bushy             bool
	beak, trunk       bool
	mane, stripes     bool
	spots, patches    bool
	antlers, whiskers bool
	iris              [3]float64
}

// creatures are the animals that can be drawn, by their names.
var creatures = map[string]creature{
	"dog":      {coat: [3]float64{176, 122, 74}, belly: [3]float64{232, 208, 172}, dark: [3]float64{96, 60, 36}, ears: hanging, muzzle: 1, tail: 0.16, iris: [3]float64{84, 52, 28}},
	"puppy":    {coat: [3]float64{214, 172, 112}, belly: [3]float64{244, 226, 194}, dark: [3]float64{150, 104, 60}, ears: hanging, muzzle: 0.8, tail: 0.14, iris: [3]float64{70, 44, 28}},
	"cat":      {coat: [3]float64{206, 140, 78}, belly: [3]float64{242, 222, 196}, dark: [3]float64{150, 86, 40}, ears: pointed, muzzle: 0.5, tail: 0.13, stripes: true, whiskers: true, iris: [3]float64{120, 160, 70}},
	"fox":      {coat: [3]float64{206, 98, 40}, belly: [3]float64{246, 236, 224}, dark: [3]float64{52, 34, 30}, ears: pointed, muzzle: 0.85, tail: 0.34, bushy: true, patches: true, iris: [3]float64{150, 96, 32}},
	"wolf":     {coat: [3]float64{128, 130, 136}, belly: [3]float64{216, 214, 210}, dark: [3]float64{62, 64, 70}, ears: pointed, muzzle: 1, tail: 0.28, bushy: true, patches: true, iris: [3]float64{196, 150, 60}},
	"bear":     {coat: [3]float64{112, 74, 48}, belly: [3]float64{152, 110, 78}, dark: [3]float64{66, 42, 28}, ears: round, muzzle: 0.95, iris: [3]float64{48, 30, 20}},
	"panda":    {coat: [3]float64{238, 236, 230}, belly: [3]float64{246, 244, 240}, dark: [3]float64{36, 36, 40}, ears: round, muzzle: 0.7, spots: true, iris: [3]float64{40, 28, 22}},
	"rabbit":   {coat: [3]float64{188, 168, 146}, belly: [3]float64{240, 232, 222}, dark: [3]float64{134, 110, 92}, ears: tall, muzzle: 0.5, whiskers: true, iris: [3]float64{64, 40, 32}},
	"mouse":    {coat: [3]float64{160, 154, 152}, belly: [3]float64{232, 222, 216}, dark: [3]float64{206, 150, 150}, ears: wide, muzzle: 0.45, tail: 0.05, whiskers: true, iris: [3]float64{30, 24, 24}},
	"lion":     {coat: [3]float64{214, 166, 92}, belly: [3]float64{238, 212, 164}, dark: [3]float64{140, 82, 36}, ears: round, muzzle: 0.9, tail: 0.1, mane: true, whiskers: true, iris: [3]float64{170, 120, 40}},
	"tiger":    {coat: [3]float64{222, 132, 46}, belly: [3]float64{246, 238, 226}, dark: [3]float64{34, 28, 28}, ears: round, muzzle: 0.85, tail: 0.14, stripes: true, whiskers: true, iris: [3]float64{160, 150, 60}},
	"elephant": {coat: [3]float64{146, 148, 156}, belly: [3]float64{168, 168, 174}, dark: [3]float64{106, 106, 114}, ears: wide, trunk: true, iris: [3]float64{50, 40, 34}},
	"owl":      {coat: [3]float64{140, 108, 78}, belly: [3]float64{224, 204, 172}, dark: [3]float64{86, 62, 44}, ears: tufted, beak: true, iris: [3]float64{232, 170, 40}},
	"penguin":  {coat: [3]float64{40, 46, 58}, belly: [3]float64{244, 244, 242}, dark: [3]float64{22, 26, 34}, ears: -1, beak: true, iris: [3]float64{50, 34, 26}},
	"koala":    {coat: [3]float64{150, 150, 154}, belly: [3]float64{222, 220, 218}, dark: [3]float64{86, 84, 88}, ears: wide, muzzle: 0.55, iris: [3]float64{56, 36, 24}},
	"deer":     {coat: [3]float64{166, 112, 68}, belly: [3]float64{232, 212, 184}, dark: [3]float64{104, 68, 40}, ears: pointed, muzzle: 0.8, antlers: true, iris: [3]float64{54, 34, 22}},
}

// coats are other colours of dogs and cats, for items and words that ask for them.
var coats = [][2][3]float64{
	{{222, 178, 106}, {246, 226, 188}}, {{62, 54, 52}, {196, 160, 120}}, {{232, 226, 216}, {248, 246, 242}}, {{112, 72, 48}, {170, 124, 88}}, {{146, 148, 154}, {226, 226, 226}},
}

// creatureFor is the animal a description names; otherwise one that is given, or a surprise when that is "".
func (r Request) creatureFor(usual string) (name string, c creature) {
	list := words(r.text("textDescription"))
	for _, w := range list {
		for _, form := range []string{w, singular(w)} {
			if c, ok := creatures[form]; ok {
				return form, r.dyed(c, form)
			}
		}
	}
	if usual == "" {
		names := []string{"fox", "owl", "panda", "tiger", "rabbit", "elephant", "penguin", "koala", "lion", "deer", "cat", "bear", "wolf", "mouse"}
		usual = names[(int(uint64(r.Seed)%uint64(len(names)))+5*r.Item)%len(names)]
	}
	return usual, r.dyed(creatures[usual], usual)
}

// singular is a word without the ending of most plurals.
func singular(w string) string {
	switch {
	case len(w) > 4 && w[len(w)-3:] == "ies":
		return w[:len(w)-3] + "y"
	case len(w) > 3 && w[len(w)-1] == 's':
		return w[:len(w)-1]
	}
	return w
}

// dyed gives an animal the colour that stands right before its name, else dogs and cats another coat for each item.
func (r Request) dyed(c creature, name string) creature {
	list := words(r.text("textDescription"))
	at := slices.IndexFunc(list, func(w string) bool { return w == name || singular(w) == name })
	for i := max(0, at-2); i < at; i++ {
		if coat, ok := colourNames[list[i]]; ok {
			c.coat = channels(coat)
			c.dark = [3]float64{c.coat[0] * 0.55, c.coat[1] * 0.52, c.coat[2] * 0.5}
			for k := range 3 {
				c.belly[k] = c.coat[k] + 0.55*(245-c.coat[k])
			}
			return c
		}
	}
	if (name == "dog" || name == "cat" || name == "puppy") && r.Item > 0 {
		other := coats[(r.Item-1)%len(coats)]
		c.coat, c.belly = other[0], other[1]
		c.dark = [3]float64{c.coat[0] * 0.5, c.coat[1] * 0.48, c.coat[2] * 0.46}
		c.spots = name == "dog" && r.Item%3 == 0
	}
	return c
}

// tuft is an oval with an edge of hair.
func tuft(f field, cx, cy, rx, ry, long float64) contour {
	n := max(60, min(420, int(3*(rx+ry))))
	points := make([]spot, n)
	for i := range points {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		k := 1 + long*(0.5+0.5*f.at(float64(i)*0.9, cx+cy)) + 0.02*f.at(float64(i)*0.05, 3)
		points[i] = spot{cx + k*rx*c, cy + k*ry*s}
	}
	return contour{points}
}

// fur paints a contour in a coat's colour as something round about (cx, cy) with radius r, lit from the upper left, with
// strokes of hair.
func fur(img *image.NRGBA, c contour, f field, coat [3]float64, cx, cy, r float64) {
	c.shade(img, func(x, y float64) [3]float64 {
		dx, dy := (x-cx)/r, (y-cy)/r
		lit := 1.05 - 0.16*dx - 0.22*dy - 0.24*math.Min(1.4, dx*dx+dy*dy)
		a := math.Atan2(dy, dx)
		hair := 0.09*f.at(a*34, math.Hypot(dx, dy)*7) + 0.05*f.at(x*40/r, y*12/r)
		lit *= 1 + hair
		return [3]float64{coat[0] * lit, coat[1] * lit, coat[2] * lit}
	})
}

// draw draws the animal as a cut-out of w × h pixels, sitting, its feet at the lower edge. turn leans its head, -1 … 1.
func (c creature) draw(w, h int, f field, turn float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	u := math.Min(float64(w)/1.5, float64(h)/2.15) // half the width of the body is 0.5
	x, floor := float64(w)/2, float64(h)-0.03*u
	long := 0.06
	if c.trunk || c.beak && c.ears != tufted {
		long = 0.005
	}
	hx, hy := x+0.07*u*turn, floor-1.40*u
	if c.tail > 0 {
		tail := through(false, []spot{{x + 0.3*u, floor - 0.14*u}, {x + 0.62*u, floor - 0.2*u}, {x + 0.68*u, floor - 0.5*u}, {x + 0.56*u, floor - 0.74*u}})
		end := c.tail * u * 0.7
		if c.bushy {
			end = c.tail * u * 1.1
		}
		fur(img, line(c.tail*u*0.8, end, tail...), f, c.coat, x+0.6*u, floor-0.4*u, 0.4*u)
		if c.bushy {
			fur(img, tuft(f, x+0.56*u, floor-0.8*u, 0.16*u, 0.2*u, 0.2), f, c.belly, x+0.56*u, floor-0.8*u, 0.2*u)
		}
	}
	// Body, chest and legs.
	fur(img, tuft(f, x, floor-0.55*u, 0.46*u, 0.58*u, long), f, c.coat, x, floor-0.6*u, 0.7*u)
	for _, s := range []float64{-1, 1} {
		fur(img, tuft(f, x+s*0.36*u, floor-0.24*u, 0.2*u, 0.26*u, long), f, c.coat, x+s*0.3*u, floor-0.3*u, 0.34*u)
	}
	fur(img, tuft(f, x, floor-0.66*u, 0.27*u, 0.46*u, long), f, c.belly, x, floor-0.7*u, 0.6*u)
	leg := c.coat
	if c.patches || c.spots {
		leg = c.dark
	}
	for _, s := range []float64{-1, 1} {
		if c.beak {
			fur(img, tuft(f, x+s*0.45*u, floor-0.62*u, 0.13*u, 0.42*u, long), f, c.dark, x+s*0.4*u, floor-0.7*u, 0.5*u)
			oval(x+s*0.16*u, floor-0.03*u, 0.13*u, 0.05*u, 0).fill(img, color.NRGBA{226, 150, 48, 255})
			continue
		}
		fur(img, line(0.19*u, 0.2*u, spot{x + s*0.15*u, floor - 0.6*u}, spot{x + s*0.17*u, floor - 0.12*u}), f, leg, x+s*0.1*u, floor-0.4*u, 0.42*u)
		fur(img, tuft(f, x+s*0.18*u, floor-0.08*u, 0.14*u, 0.085*u, long), f, leg, x+s*0.15*u, floor-0.1*u, 0.2*u)
		for _, d := range []float64{-0.04, 0.04} {
			line(0.012*u, 0.006*u, spot{x + (s*0.18+d)*u, floor - 0.02*u}, spot{x + (s*0.18+d)*u, floor - 0.08*u}).fill(img, dot(c.dark, 150))
		}
	}
	if c.mane {
		fur(img, tuft(f, hx, hy+0.06*u, 0.56*u, 0.56*u, 0.22), f, c.dark, hx, hy, 0.7*u)
	}
	c.paintEars(img, f, hx, hy, u, false)
	if c.antlers {
		for _, s := range []float64{-1, 1} {
			horn := color.NRGBA{150, 122, 92, 255}
			line(0.07*u, 0.03*u, through(false, []spot{{hx + s*0.14*u, hy - 0.26*u}, {hx + s*0.28*u, hy - 0.5*u}, {hx + s*0.24*u, hy - 0.72*u}})...).fill(img, horn)
			line(0.05*u, 0.02*u, spot{hx + s*0.24*u, hy - 0.44*u}, spot{hx + s*0.42*u, hy - 0.6*u}).fill(img, horn)
		}
	}
	fur(img, tuft(f, hx, hy, 0.4*u, 0.37*u, long), f, c.coat, hx, hy, 0.46*u)
	c.markings(img, f, x, floor, hx, hy, u)
	c.face(img, f, hx, hy, u)
	if c.ears == hanging {
		c.paintEars(img, f, hx, hy, u, true)
	}
	return img
}

func dot(c [3]float64, a uint8) color.NRGBA {
	return color.NRGBA{byte255(c[0]), byte255(c[1]), byte255(c[2]), a}
}

// paintEars paints the ears: those that hang lie before the head, all others behind it.
func (c creature) paintEars(img *image.NRGBA, f field, x, y, u float64, before bool) {
	if (c.ears == hanging) != before {
		return
	}
	inner := [3]float64{214, 160, 150}
	for _, s := range []float64{-1, 1} {
		at := func(dx, dy float64) spot { return spot{x + s*dx*u, y + dy*u} }
		switch c.ears {
		case hanging:
			fur(img, curved(at(0.24, -0.34), at(0.42, -0.3), at(0.52, 0.0), at(0.46, 0.26), at(0.36, 0.2), at(0.33, -0.08)), f, c.dark, x+s*0.35*u, y-0.1*u, 0.4*u)
		case pointed:
			fur(img, polygon(at(0.08, -0.3), at(0.34, -0.64), at(0.4, -0.14)), f, c.coat, x+s*0.3*u, y-0.4*u, 0.35*u)
			fur(img, polygon(at(0.17, -0.32), at(0.32, -0.54), at(0.35, -0.22)), f, inner, x+s*0.3*u, y-0.4*u, 0.35*u)
		case round:
			tone := c.coat
			if c.spots {
				tone = c.dark
			}
			fur(img, tuft(f, x+s*0.3*u, y-0.3*u, 0.14*u, 0.14*u, 0.05), f, tone, x+s*0.3*u, y-0.3*u, 0.2*u)
			oval(x+s*0.3*u, y-0.29*u, 0.08*u, 0.08*u, 0).fill(img, dot(c.dark, 200))
		case tall:
			fur(img, oval(x+s*0.17*u, y-0.62*u, 0.095*u, 0.36*u, s*8), f, c.coat, x+s*0.17*u, y-0.6*u, 0.42*u)
			oval(x+s*0.17*u, y-0.6*u, 0.05*u, 0.28*u, s*8).fill(img, dot(inner, 255))
		case tufted:
			fur(img, polygon(at(0.06, -0.28), at(0.4, -0.54), at(0.36, -0.12)), f, c.dark, x+s*0.3*u, y-0.4*u, 0.35*u)
		case wide:
			k := 0.2
			if c.trunk {
				k = 0.32
			}
			fur(img, tuft(f, x+s*(0.26+k*0.7)*u, y-0.12*u, k*u, k*1.15*u, 0.02), f, c.coat, x+s*0.45*u, y-0.15*u, 0.4*u)
			fur(img, tuft(f, x+s*(0.26+k*0.7)*u, y-0.1*u, 0.68*k*u, 0.8*k*u, 0.02), f, [3]float64{c.coat[0]*0.6 + inner[0]*0.4, c.coat[1]*0.6 + inner[1]*0.4, c.coat[2]*0.6 + inner[2]*0.4}, x+s*0.45*u, y-0.15*u, 0.4*u)
		}
	}
}

// markings paints stripes, spots and the lighter or darker parts of the face.
func (c creature) markings(img *image.NRGBA, f field, x, floor, hx, hy, u float64) {
	if c.stripes {
		for _, s := range []float64{-1, 1} {
			for i := range 3 {
				dy := float64(i) * 0.13 * u
				line(0.05*u, 0.01*u, spot{hx + s*0.39*u, hy - 0.02*u + dy}, spot{hx + s*0.22*u, hy + 0.02*u + dy}).fill(img, dot(c.dark, 220))
				line(0.07*u, 0.012*u, spot{x + s*0.45*u, floor - 0.85*u + 1.4*dy}, spot{x + s*0.26*u, floor - 0.8*u + 1.4*dy}).fill(img, dot(c.dark, 220))
			}
		}
		for i := range 3 {
			dx := (float64(i) - 1) * 0.1 * u
			line(0.045*u, 0.012*u, spot{hx + dx, hy - 0.36*u}, spot{hx + 0.8*dx, hy - 0.2*u}).fill(img, dot(c.dark, 220))
		}
	}
	if c.spots {
		for _, s := range []float64{-1, 1} {
			fur(img, tuft(f, hx+s*0.165*u, hy-0.03*u, 0.115*u, 0.135*u, 0.1), f, c.dark, hx+s*0.16*u, hy, 0.2*u)
		}
	}
	if c.patches || c.muzzle > 0.4 && !c.spots {
		for _, s := range []float64{-1, 1} {
			fur(img, tuft(f, hx+s*0.17*u, hy+0.17*u, 0.17*u, 0.15*u, 0.08), f, c.belly, hx+s*0.1*u, hy+0.1*u, 0.3*u)
		}
	}
	if c.beak {
		for _, s := range []float64{-1, 1} {
			fur(img, tuft(f, hx+s*0.155*u, hy-0.02*u, 0.18*u, 0.2*u, 0.03), f, c.belly, hx+s*0.15*u, hy, 0.3*u)
		}
	}
}

// face paints eyes, nose and mouth.
func (c creature) face(img *image.NRGBA, f field, x, y, u float64) {
	black := color.NRGBA{26, 22, 22, 255}
	for _, s := range []float64{-1, 1} {
		r := 0.07 * u
		if c.ears == tufted {
			r = 0.11 * u
		}
		ex, ey := x+s*0.165*u, y-0.05*u
		oval(ex, ey, 1.2*r, 1.2*r, 0).fill(img, black)
		oval(ex, ey, r, r, 0).fill(img, dot(c.iris, 255))
		oval(ex, ey, 0.6*r, 0.62*r, 0).fill(img, black)
		oval(ex-0.28*r, ey-0.34*r, 0.26*r, 0.26*r, 0).fill(img, color.NRGBA{255, 255, 255, 240})
	}
	switch {
	case c.trunk:
		trunk := through(false, []spot{{x, y + 0.02*u}, {x + 0.02*u, y + 0.3*u}, {x - 0.03*u, y + 0.62*u}, {x + 0.16*u, y + 0.78*u}})
		fur(img, line(0.24*u, 0.12*u, trunk...), f, c.coat, x-0.05*u, y+0.2*u, 0.6*u)
		for i := range 6 {
			dy := y + (0.16+0.08*float64(i))*u
			line(0.008*u, 0.008*u, spot{x - 0.08*u, dy}, spot{x + 0.08*u, dy + 0.01*u}).fill(img, dot(c.dark, 150))
		}
	case c.beak:
		curved(spot{x - 0.075*u, y + 0.05*u}, spot{x, y + 0.02*u}, spot{x + 0.075*u, y + 0.05*u}, spot{x, y + 0.22*u}).fill(img, color.NRGBA{226, 150, 48, 255})
	default:
		m := math.Max(0.5, c.muzzle)
		fur(img, tuft(f, x, y+0.17*u, 0.19*m*u, 0.14*m*u, 0.05), f, c.belly, x, y+0.13*u, 0.26*u)
		curved(spot{x - 0.075*m*u, y + 0.075*u}, spot{x, y + 0.055*u}, spot{x + 0.075*m*u, y + 0.075*u}, spot{x, y + (0.09+0.07*m)*u}).fill(img, black)
		oval(x-0.02*u, y+0.075*u, 0.02*m*u, 0.01*m*u, 0).fill(img, color.NRGBA{255, 255, 255, 120})
		low := y + (0.1+0.07*m)*u
		line(0.014*u, 0.014*u, spot{x, low - 0.02*u}, spot{x, low + 0.04*u}).fill(img, black)
		for _, s := range []float64{-1, 1} {
			line(0.016*u, 0.01*u, through(false, []spot{{x, low + 0.04*u}, {x + s*0.06*m*u, low + 0.075*u}, {x + s*0.12*m*u, low + 0.04*u}})...).fill(img, black)
			if c.whiskers {
				for i := range 3 {
					dy := (float64(i) - 1) * 0.06 * u
					line(0.008*u, 0.003*u, spot{x + s*0.13*u, y + 0.17*u + 0.4*dy}, spot{x + s*0.46*u, y + 0.14*u + 1.6*dy}).fill(img, color.NRGBA{250, 248, 244, 210})
				}
			}
		}
	}
}

// animal draws the animal a description names, or the usual one, in the place it names or in the photo given (Run API,
// "Family A": ai-dog and random-animal-generator).
func animal(usual string) way {
	return way{render: func(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
		v := req.vary()
		_, c := req.creatureFor(usual)
		f := field{seed: v.random.Uint32()}
		p := posture{share: 0.7, floor: 0.93, across: 0.5}
		var scene *image.NRGBA
		if src := req.Source(); src != nil {
			scene = worked(src)
			p.share, p.across = 0.42, 0.24
			if req.Item%2 == 1 {
				p.across = 0.76
			}
		} else {
			size := req.canvas(image.Pt(1024, 1024))
			wanted := req
			wanted.Values = map[string]any{"textDescription": scenery(req.text("textDescription"), v)}
			var err error
			if scene, err = wanted.view(ctx, size.X, size.Y, v); err != nil {
				return nil, err
			}
			p.across = 0.5 + 0.2*(v.random.Float64()-0.5)*math.Min(1, float64(req.Item))
		}
		req.progress(0.4)
		return c.sit(scene, p, f, v)
	}}
}

// scenery is a description, or a place outdoors when it names none, so that an animal is not shown in a studio.
func scenery(text string, v variation) string {
	if w := readWish(text, ""); w.preset != nil || w.place != studioPlace {
		return text
	}
	return text + " " + []string{"meadow", "forest", "beach", "snow"}[v.item%4]
}

// sit sets the animal into a scene.
func (c creature) sit(scene *image.NRGBA, p posture, f field, v variation) (*image.NRGBA, error) {
	size := scene.Rect.Size()
	high := max(40, int(p.share*float64(size.Y)))
	cut := c.draw(max(30, high*3/4), high, f, 2*v.random.Float64()-1)
	compose.Harmonise(cut, compose.Measure(cut, nil), compose.Measure(scene, nil), 0.12, nil)
	placed, at := compose.Place(cut, size, p.share, p.floor, p.across)
	layer := image.NewNRGBA(image.Rectangle{Max: size})
	compose.Over(layer, placed, at)
	out := imaging.Clone(scene)
	compose.ContactShadow(out, compose.Matte(layer), seenAs(scene).shadow(v))
	compose.Settle(out, layer, unit(out, 6), 0.4)
	return out, nil
}
