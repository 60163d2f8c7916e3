package fidelity

import "math"

// deltaE is the colour difference CIEDE2000 of two colours in CIELAB: 1 is about what a trained eye sees side by side
// (Sharma, Wu, Dalal, "The CIEDE2000 Color-Difference Formula", 2005; the numbers are those of its equations).
func deltaE(p, q [3]float32) float64 {
	l1, a1, b1 := float64(p[0]), float64(p[1]), float64(p[2])
	l2, a2, b2 := float64(q[0]), float64(q[1]), float64(q[2])

	// (2) to (7): chroma and hue, with a stretched where there is little colour
	mean := (math.Hypot(a1, b1) + math.Hypot(a2, b2)) / 2
	g := .5 * (1 - math.Sqrt(seventh(mean)))
	a1, a2 = a1*(1+g), a2*(1+g)
	c1, c2 := math.Hypot(a1, b1), math.Hypot(a2, b2)
	h1, h2 := hue(a1, b1), hue(a2, b2)

	// (8) to (11): the differences
	dl, dc, dh := l2-l1, c2-c1, 0.0
	if c1*c2 != 0 {
		switch dh = h2 - h1; {
		case dh > 180:
			dh -= 360
		case dh < -180:
			dh += 360
		}
	}
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(radians(dh/2))

	// (12) to (14): the means
	l, c, h := (l1+l2)/2, (c1+c2)/2, h1+h2
	if c1*c2 != 0 {
		switch {
		case math.Abs(h1-h2) <= 180:
			h /= 2
		case h < 360:
			h = (h + 360) / 2
		default:
			h = (h - 360) / 2
		}
	}

	// (15) to (22): the weights
	t := 1 - .17*math.Cos(radians(h-30)) + .24*math.Cos(radians(2*h)) + .32*math.Cos(radians(3*h+6)) - .20*math.Cos(radians(4*h-63))
	turn := 30 * math.Exp(-((h-275)/25)*((h-275)/25))
	rc := 2 * math.Sqrt(seventh(c))
	sl := 1 + .015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	sc := 1 + .045*c
	sh := 1 + .015*c*t
	rt := -math.Sin(radians(2*turn)) * rc
	x, y, z := dl/sl, dc/sc, dH/sh
	return math.Sqrt(max(x*x+y*y+z*z+rt*y*z, 0))
}

// seventh is c⁷ / (c⁷ + 25⁷).
func seventh(c float64) float64 {
	c7 := c * c * c
	c7 *= c7 * c
	return c7 / (c7 + 6103515625)
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

// hue is the angle of a colour, 0 to 360°.
func hue(a, b float64) float64 {
	if a == 0 && b == 0 {
		return 0
	}
	h := math.Atan2(b, a) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	return h
}
