package render

import (
	"math"
)

// cloth is what a part of an outfit is made of: how it is woven or printed, in two colours and the field of its chances.
type cloth struct {
	weave        weave
	base, accent [3]float64
	chance       field
}

// weave is the colour of a cloth at a place and how far it rises there, -1 to 1. Places are in heights of the wearer's face,
// across and down; fine is the size of a pixel there: what is finer than that is left out.
type weave func(c cloth, u, v, fine float64) (tone [3]float64, rise float64)

// toned is a colour a share of the way to another.
func toned(a, b [3]float64, share float64) [3]float64 {
	return [3]float64{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1]), a[2] + share*(b[2]-a[2])}
}

// shows is how much of a detail of some size is to be seen when pixels are as large as fine.
func shows(size, fine float64) float64 { return smooth((size/math.Max(1e-6, fine) - 1.4) / 1.6) }

// band is 1 within a line of a share of each period, 0 between the lines, soft by a pixel.
func band(x, period, share, fine float64) float64 {
	t := x/period - math.Floor(x/period)
	d := (share/2 - math.Abs(t-0.5)) * period
	return smooth(d/math.Max(1e-6, 1.2*fine) + 0.5)
}

func plainCloth(c cloth, u, v, fine float64) ([3]float64, float64) {
	return c.base, 0.12 * c.chance.sum(u*26, v*26, 2) * shows(0.05, fine)
}

func slubbed(c cloth, u, v, fine float64) ([3]float64, float64) {
	threads := c.chance.at(u*70, v*3) + c.chance.at(u*3, v*70)
	return c.base, (0.3*threads*shows(0.02, fine) + 0.1*c.chance.sum(u*9, v*9, 2))
}

func stripes(c cloth, _, v, fine float64) ([3]float64, float64) {
	return toned(c.base, c.accent, band(v, 0.3, 0.38, fine)), 0
}

func pinstripes(c cloth, u, _, fine float64) ([3]float64, float64) {
	return toned(c.base, c.accent, 0.5*band(u, 0.2, 0.09, fine)*math.Max(0.4, shows(0.02, fine))), 0
}

func gingham(c cloth, u, v, fine float64) ([3]float64, float64) {
	return toned(c.base, c.accent, 0.5*band(u, 0.3, 0.5, fine)+0.5*band(v, 0.3, 0.5, fine)), 0
}

func tartan(c cloth, u, v, fine float64) ([3]float64, float64) {
	dark := toned(c.base, [3]float64{}, 0.62)
	share := 0.5*band(u, 0.62, 0.42, fine) + 0.5*band(v, 0.62, 0.42, fine)
	tone := toned(c.base, dark, share)
	lines := 0.5*band(u+0.31, 0.62, 0.055, fine) + 0.5*band(v+0.31, 0.62, 0.055, fine)
	return toned(tone, c.accent, lines), 0
}

func dots(c cloth, u, v, fine float64) ([3]float64, float64) {
	const apart, radius = 0.24, 0.058
	row := math.Floor(v / apart)
	x := u/apart + 0.5*math.Mod(math.Abs(row), 2)
	d := math.Hypot((x-math.Floor(x)-0.5)*apart, (v/apart-row-0.5)*apart)
	return toned(c.base, c.accent, smooth((radius-d)/math.Max(1e-6, 1.2*fine)+0.5)), 0
}

// floral strews flowers of five petals in two colours, each with its heart, and leaves between them.
func floral(c cloth, u, v, fine float64) ([3]float64, float64) {
	const cell = 0.4
	tone := c.base
	leaf := toned([3]float64{70, 112, 74}, c.base, 0.25)
	second := [3]float64{c.accent[1], c.accent[0], c.accent[2]}
	second = toned(second, [3]float64{246, 240, 226}, 0.6)
	soft := math.Max(1e-6, 1.2*fine)
	i0, j0 := int(math.Floor(u/cell)), int(math.Floor(v/cell))
	for j := j0 - 1; j <= j0+1; j++ {
		for i := i0 - 1; i <= i0+1; i++ {
			h := c.chance.hash(i, j)
			x := (float64(i) + 0.3 + 0.4*float64(h&255)/255) * cell
			y := (float64(j) + 0.3 + 0.4*float64(h>>8&255)/255) * cell
			size := cell * (0.24 + 0.2*float64(h>>16&255)/255)
			dx, dy := u-x, v-y
			turn := float64(h>>24) / 256 * 2 * math.Pi
			r, a := math.Hypot(dx, dy), math.Atan2(dy, dx)+turn
			// A leaf on either side, behind the petals.
			for _, side := range []float64{0, math.Pi} {
				lx, ly := math.Cos(side-turn+0.4), math.Sin(side-turn+0.4)
				along, across := dx*lx+dy*ly-1.15*size, -dx*ly+dy*lx
				d := 1 - math.Hypot(along/(0.55*size), across/(0.2*size))
				tone = toned(tone, leaf, smooth(d*0.2*size/soft+0.5))
			}
			petal := c.accent
			if h>>5&3 == 0 {
				petal = second
			}
			edge := size * (0.66 + 0.34*math.Abs(math.Cos(2.5*a)))
			shade := toned(petal, c.base, 0.3*smooth(1-r/(0.7*edge)))
			tone = toned(tone, shade, smooth((edge-r)/soft+0.5))
			tone = toned(tone, [3]float64{232, 190, 84}, smooth((0.24*size-r)/soft+0.5))
		}
	}
	return tone, 0
}

// knit is rows of stitches with two cables; where stitches are too fine to be seen their rows are larger.
func knit(c cloth, u, v, fine float64) ([3]float64, float64) {
	wide := math.Max(0.075, 5*fine)
	x := u/wide - math.Floor(u/wide) - 0.5
	y := v/(0.8*wide) + 1.1*math.Abs(x)
	stitch := math.Cos(2*math.Pi*(y-math.Floor(y))) * (1 - 2.4*x*x)
	cable := 0.0
	for _, at := range []float64{-0.46, 0.46} {
		d := math.Abs(u - at)
		swing := 0.075 * math.Sin(2*math.Pi*v/0.5)
		strand := math.Max(math.Exp(-math.Pow((u-at-swing)/0.06, 2)), math.Exp(-math.Pow((u-at+swing)/0.06, 2)))
		cable += strand - 0.8*math.Exp(-math.Pow((d-0.19)/0.025, 2))
	}
	return c.base, 0.5*stitch + 0.75*cable + 0.12*c.chance.at(u*60, v*60)
}

// ribbing is the edge of knitted clothes: ribs that run down.
func ribbing(c cloth, u, _, fine float64) ([3]float64, float64) {
	wide := math.Max(0.07, 5*fine)
	return c.base, 0.8 * math.Sin(2*math.Pi*u/wide)
}

func denim(c cloth, u, v, fine float64) ([3]float64, float64) {
	twill := math.Sin(2*math.Pi*(u+v)/0.028) * shows(0.014, fine)
	worn := smooth(0.5 + 0.9*c.chance.sum(u*2.2, v*0.7, 3))
	speck := c.chance.at(u*90, v*60) * shows(0.012, fine)
	return toned(c.base, c.accent, 0.16+0.34*worn*worn+0.1*speck), 0.22*twill + 0.1*speck
}
