package render

import (
	"image"
	"image/color"
	"math"
)

// roseSign is a rose as it is drawn with a pen: petals that wind about a heart, each with a turned rim, on a stem with two
// leaves. It needs no ground: its lines alone make it.
func roseSign(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) {
	cx, cy := x, y-0.22*r
	pen := 0.07 * r
	at := func(turn, far float64) spot {
		sin, cos := math.Sincos(2 * math.Pi * turn)
		return spot{cx + far*r*sin, cy - 0.92*far*r*cos}
	}
	// The heart is a spiral that is not quite round.
	var heart []spot
	for i := range 40 {
		t := float64(i) / 39
		heart = append(heart, at(1.9*t+0.1, 0.03+0.17*t+0.012*math.Sin(9*t)))
	}
	line(0.6*pen, pen, heart...).fill(img, c)
	for ring, far := range []float64{0.3, 0.47, 0.68} {
		petals := 3 + ring
		for i := range petals {
			from := (float64(i) + 0.37*float64(ring)) / float64(petals)
			wide := 1.12 / float64(petals)
			rim := make([]spot, 0, 17)
			for n := range 17 {
				t := float64(n) / 16
				rim = append(rim, at(from+wide*t, far*(0.8+0.26*math.Sin(math.Pi*t)+0.05*math.Sin(3*math.Pi*t))))
			}
			line(0.5*pen, 1.1*pen, rim[:9]...).fill(img, c)
			line(1.1*pen, 0.4*pen, rim[8:]...).fill(img, c)
			// The edge of a petal turns over: a second, finer line within, and strokes of shade below it.
			turned := make([]spot, 0, 9)
			for n := range 9 {
				t := 0.22 + 0.5*float64(n)/8
				turned = append(turned, at(from+wide*t, far*(0.74+0.24*math.Sin(math.Pi*t))))
			}
			line(0.3*pen, 0.45*pen, turned...).fill(img, c)
			for n := range 3 {
				t := 0.7 + 0.09*float64(n)
				line(0.35*pen, 0.1*pen, at(from+wide*t, far*(0.74+0.2*math.Sin(math.Pi*t))), at(from+wide*t, far*(0.54+0.06*float64(n)))).fill(img, c)
			}
		}
	}
	stem := through(false, []spot{{cx, cy + 0.66*r}, {cx + 0.05*r, cy + 0.9*r}, {cx - 0.03*r, cy + 1.24*r}})
	line(1.3*pen, 0.9*pen, stem...).fill(img, c)
	for _, side := range []float64{-1, 1} {
		root := spot{cx + 0.02*r, cy + 0.98*r}
		tip := spot{cx + side*0.62*r, cy + 0.78*r}
		upper := through(false, []spot{root, {cx + side*0.24*r, cy + 0.72*r}, tip})
		lower := through(false, []spot{root, {cx + side*0.36*r, cy + 1.02*r}, tip})
		line(0.8*pen, 0.5*pen, upper...).fill(img, c)
		line(0.8*pen, 0.5*pen, lower...).fill(img, c)
		line(0.5*pen, 0.3*pen, root, tip).fill(img, c)
		for n := range 4 {
			t := 0.25 + 0.16*float64(n)
			p := spot{root.x + t*(tip.x-root.x), root.y + t*(tip.y-root.y)}
			line(0.3*pen, 0.15*pen, p, spot{p.x + side*0.09*r, p.y - 0.08*r}).fill(img, c)
			line(0.3*pen, 0.15*pen, p, spot{p.x + side*0.09*r, p.y + 0.05*r}).fill(img, c)
		}
	}
}
