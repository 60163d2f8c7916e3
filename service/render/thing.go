package render

import (
	"image"
	"image/color"
	"math"
)

// thing is something a description may name, drawn about the place it stands on: x, y is the middle of its foot, or its own
// middle in the sky, u its height in px, c its colour.
type thing struct {
	draw   func(img *image.NRGBA, x, y, u float64, c [3]float64, f field)
	colour [3]float64
	tall   float64 // height as a share of the picture's
	where  realm
	place  string // where it is at home when nothing else is said
	kind   string // the first of its names
}

// realm is which part of a scene a thing belongs to.
type realm int

const (
	onGround realm = iota
	farOff         // on the horizon
	inSky
	onTable
	onWater
	lying // water between the horizon and the eye
)

// lit paints a contour in a colour, lighter to the upper left.
func lit(img *image.NRGBA, shape contour, c [3]float64, x, y, u float64) {
	shape.shade(img, func(px, py float64) [3]float64 {
		return color3(c, 1.06-0.16*(px-x)/u-0.1*(py-y+0.5*u)/u)
	})
}

func rgba(r, g, b, a uint8) color.NRGBA { return color.NRGBA{r, g, b, a} }

func houseThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	lit(img, card(x-0.62*u, y-0.58*u, x+0.62*u, y, 0), c, x, y, u)
	lit(img, card(x+0.22*u, y-1.02*u, x+0.36*u, y-0.7*u, 0), color3(c, 0.7), x, y, u)
	lit(img, polygon(spot{x - 0.76*u, y - 0.54*u}, spot{x - 0.36*u, y - u}, spot{x + 0.36*u, y - u}, spot{x + 0.76*u, y - 0.54*u}), [3]float64{150, 70, 56}, x, y, u)
	card(x-0.1*u, y-0.34*u, x+0.1*u, y, 0).fill(img, rgba(92, 60, 40, 255))
	for _, wx := range []float64{-0.4, 0.4} {
		card(x+wx*u-0.14*u, y-0.42*u, x+wx*u+0.14*u, y-0.16*u, 0).fill(img, rgba(246, 244, 238, 255))
		card(x+wx*u-0.11*u, y-0.39*u, x+wx*u+0.11*u, y-0.19*u, 0).fill(img, rgba(255, 222, 140, 255))
		line(0.02*u, 0.02*u, spot{x + wx*u, y - 0.4*u}, spot{x + wx*u, y - 0.18*u}).fill(img, rgba(246, 244, 238, 255))
	}
}

func castleThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	tower := func(tx, w, h float64) {
		lit(img, card(x+(tx-w)*u, y-h*u, x+(tx+w)*u, y, 0), c, x, y, u)
		for i := range 3 {
			bx := tx - w + (0.1+0.8*float64(i)/2)*2*w*0.86
			lit(img, card(x+(bx-0.02)*u, y-(h+0.06)*u, x+(bx+0.05)*u, y-h*u, 0), c, x, y, u)
		}
		card(x+(tx-0.025)*u, y-(h-0.1)*u, x+(tx+0.025)*u, y-(h-0.22)*u, 0.02*u).fill(img, rgba(50, 44, 50, 255))
	}
	tower(0, 0.5, 0.45)
	tower(-0.5, 0.12, 0.72)
	tower(0.5, 0.12, 0.72)
	tower(0, 0.14, 0.86)
	for _, t := range []spot{{-0.5, 0.72}, {0.5, 0.72}, {0, 0.86}} {
		lit(img, polygon(spot{x + (t.x-0.17)*u, y - (t.y+0.04)*u}, spot{x + t.x*u, y - (t.y+0.34)*u}, spot{x + (t.x+0.17)*u, y - (t.y+0.04)*u}), [3]float64{86, 74, 120}, x, y, u)
	}
	sector(x, y-0.02*u, 0, 0.13*u, -0.25, 0.25).fill(img, rgba(58, 42, 34, 255))
}

func lighthouseThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	lit(img, curved(spot{x - 0.5*u, y + 0.02*u}, spot{x - 0.3*u, y - 0.1*u}, spot{x + 0.25*u, y - 0.11*u}, spot{x + 0.5*u, y + 0.02*u}), [3]float64{92, 86, 82}, x, y, u)
	for i := range 5 {
		a, b := float64(i)/5, float64(i+1)/5
		tone := [3]float64{246, 244, 238}
		if i%2 == 0 {
			tone = c
		}
		w := func(t float64) float64 { return (0.17 - 0.07*t) * u }
		lit(img, polygon(spot{x - w(a), y - 0.08*u - 0.68*u*a}, spot{x + w(a), y - 0.08*u - 0.68*u*a}, spot{x + w(b), y - 0.08*u - 0.68*u*b}, spot{x - w(b), y - 0.08*u - 0.68*u*b}), tone, x, y, 0.3*u)
	}
	for i := range 7 {
		oval(x, y-0.85*u, 0.1*u*float64(i+1)*0.5, 0.09*u*float64(i+1)*0.5, 0).fill(img, rgba(255, 232, 150, 26))
	}
	card(x-0.14*u, y-0.79*u, x+0.14*u, y-0.76*u, 0).fill(img, rgba(60, 58, 60, 255))
	card(x-0.08*u, y-0.9*u, x+0.08*u, y-0.79*u, 0).fill(img, rgba(255, 238, 170, 255))
	lit(img, polygon(spot{x - 0.12*u, y - 0.9*u}, spot{x, y - u}, spot{x + 0.12*u, y - 0.9*u}), color3(c, 0.7), x, y, u)
}

func treeThing(img *image.NRGBA, x, y, u float64, c [3]float64, f field) {
	line(0.12*u, 0.06*u, spot{x, y}, spot{x + 0.01*u, y - 0.55*u}).fill(img, rgba(96, 70, 50, 255))
	for _, b := range [][3]float64{{-0.2, 0.58, 0.24}, {0.2, 0.56, 0.24}, {0, 0.76, 0.28}, {-0.1, 0.66, 0.26}, {0.12, 0.68, 0.25}} {
		fur(img, tuft(f, x+b[0]*u, y-b[1]*u, b[2]*u, 0.86*b[2]*u, 0.12), f, color3(c, 0.84+0.5*(b[1]-0.55)), x, y-0.65*u, 0.5*u)
	}
}

func firThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	card(x-0.035*u, y-0.2*u, x+0.035*u, y, 0).fill(img, rgba(88, 64, 46, 255))
	for i := range 4 {
		low, high, w := 0.1+0.2*float64(i), 0.46+0.18*float64(i), 0.32-0.065*float64(i)
		lit(img, polygon(spot{x - w*u, y - low*u}, spot{x, y - math.Min(1, high)*u}, spot{x + w*u, y - low*u}, spot{x, y - (low+0.04)*u}), color3(c, 0.78+0.09*float64(i)), x, y, u)
	}
}

func palmThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	trunk := through(false, []spot{{x, y}, {x + 0.06*u, y - 0.4*u}, {x + 0.01*u, y - 0.8*u}})
	line(0.07*u, 0.04*u, trunk...).fill(img, rgba(134, 104, 74, 255))
	for i := range 9 {
		a := math.Pi * (-0.1 + 1.2*float64(i)/8)
		sin, cos := math.Sincos(a)
		tip := spot{x + 0.44*u*cos, y - 0.8*u - 0.2*u*sin + 0.2*u*math.Abs(cos)}
		mid := spot{x + 0.26*u*cos, y - 0.8*u - 0.26*u*sin}
		curved(spot{x, y - 0.8*u}, spot{mid.x, mid.y - 0.03*u}, tip, spot{mid.x, mid.y + 0.05*u}).fill(img, dot(color3(c, 0.8+0.05*float64(i)), 255))
	}
}

func mountainThing(img *image.NRGBA, x, y, u float64, c [3]float64, f field) {
	for n, m := range [][3]float64{{-0.9, 0.62, 1.0}, {0.8, 0.7, 1.05}, {0, 1, 1.25}} {
		top := spot{x + m[0]*u, y - m[1]*u}
		ridge := []spot{{x + (m[0]-m[2])*u, y + 0.02*u}}
		for i := 1; i < 12; i++ {
			t := float64(i) / 12
			ridge = append(ridge, spot{ridge[0].x + t*(top.x-ridge[0].x), ridge[0].y + t*(top.y-ridge[0].y) + 0.05*u*f.at(9*t+float64(n)*5, 2)})
		}
		ridge = append(ridge, top)
		end := spot{x + (m[0]+m[2])*u, y + 0.02*u}
		for i := 1; i < 12; i++ {
			t := float64(i) / 12
			ridge = append(ridge, spot{top.x + t*(end.x-top.x), top.y + t*(end.y-top.y) + 0.05*u*f.at(9*t+float64(n)*5, 7)})
		}
		polygon(append(ridge, end)...).shade(img, func(px, py float64) [3]float64 {
			h := (y - py) / (m[1] * u)
			rock := color3(c, 0.8+0.2*f.sum(px/u*5, py/u*5, 4)+0.24*smooth((top.x-px)/(0.1*u)+0.5))
			snow := smooth((h - 0.66 + 0.12*f.sum(px/u*7, py/u*7, 3)) / 0.08)
			for k := range 3 {
				rock[k] += snow * (238 + 4*float64(k) - rock[k])
			}
			return rock
		})
	}
}

func hillThing(img *image.NRGBA, x, y, u float64, c [3]float64, f field) {
	lit(img, curved(spot{x - 4.4*u, y + 0.06*u}, spot{x - 1.8*u, y - 0.5*u}, spot{x, y - u}, spot{x + 2*u, y - 0.46*u}, spot{x + 4.2*u, y + 0.06*u}), color3(c, 1+0.1*f.at(x, y)), x, y, 2*u)
}

func boatThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	lit(img, polygon(spot{x - 0.5*u, y - 0.2*u}, spot{x + 0.56*u, y - 0.24*u}, spot{x + 0.36*u, y}, spot{x - 0.36*u, y}), [3]float64{120, 76, 48}, x, y, u)
	card(x-0.49*u, y-0.22*u, x+0.54*u, y-0.18*u, 0).fill(img, rgba(240, 234, 222, 255))
	line(0.025*u, 0.02*u, spot{x, y - 0.2*u}, spot{x, y - u}).fill(img, rgba(92, 68, 48, 255))
	lit(img, curved(spot{x + 0.03*u, y - 0.98*u}, spot{x + 0.36*u, y - 0.6*u}, spot{x + 0.44*u, y - 0.3*u}, spot{x + 0.03*u, y - 0.3*u}), c, x, y, u)
	lit(img, polygon(spot{x - 0.03*u, y - 0.9*u}, spot{x - 0.36*u, y - 0.3*u}, spot{x - 0.03*u, y - 0.3*u}), color3(c, 0.9), x, y, u)
	for i := range 4 {
		oval(x, y+0.02*u*float64(i+1), (0.5-0.06*float64(i))*u, 0.012*u, 0).fill(img, rgba(240, 246, 250, 90))
	}
}

func carThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	lit(img, curved(spot{x - 1.2*u, y - 0.28*u}, spot{x - 1.16*u, y - 0.52*u}, spot{x - 0.72*u, y - 0.62*u}, spot{x - 0.4*u, y - 0.96*u}, spot{x + 0.34*u, y - 0.98*u}, spot{x + 0.74*u, y - 0.6*u}, spot{x + 1.2*u, y - 0.5*u}, spot{x + 1.24*u, y - 0.24*u}, spot{x + 0.9*u, y - 0.16*u}, spot{x - 0.9*u, y - 0.16*u}), c, x, y, 1.6*u)
	for _, w := range [][]spot{{{-0.58, 0.62}, {-0.34, 0.88}, {-0.06, 0.9}, {-0.06, 0.62}}, {{0.02, 0.62}, {0.02, 0.9}, {0.3, 0.88}, {0.56, 0.62}}} {
		pane := make([]spot, len(w))
		for i, p := range w {
			pane[i] = spot{x + p.x*u, y - p.y*u}
		}
		polygon(pane...).fill(img, rgba(178, 204, 220, 255))
	}
	for _, wx := range []float64{-0.72, 0.74} {
		oval(x+wx*u, y-0.2*u, 0.23*u, 0.23*u, 0).fill(img, rgba(32, 32, 36, 255))
		oval(x+wx*u, y-0.2*u, 0.12*u, 0.12*u, 0).fill(img, rgba(186, 188, 192, 255))
	}
	oval(x+1.17*u, y-0.42*u, 0.06*u, 0.06*u, 0).fill(img, rgba(255, 244, 190, 255))
	oval(x-1.15*u, y-0.42*u, 0.04*u, 0.06*u, 0).fill(img, rgba(220, 50, 50, 255))
}

func bicycleThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	wheel := func(wx float64) {
		sector(x+wx*u, y-0.34*u, 0.31*u, 0.34*u, 0, 1).fill(img, rgba(40, 40, 44, 255))
		for i := range 8 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 8)
			line(0.008*u, 0.008*u, spot{x + wx*u - 0.31*u*cos, y - 0.34*u - 0.31*u*sin}, spot{x + wx*u + 0.31*u*cos, y - 0.34*u + 0.31*u*sin}).fill(img, rgba(150, 152, 156, 220))
		}
	}
	wheel(-0.56)
	wheel(0.56)
	in := dot(c, 255)
	at := func(px, py float64) spot { return spot{x + px*u, y - py*u} }
	for _, bar := range [][]spot{{at(-0.56, 0.34), at(-0.2, 0.82), at(0.38, 0.82), at(-0.04, 0.32), at(-0.2, 0.82)}, {at(-0.56, 0.34), at(-0.04, 0.32)}, {at(0.34, 0.96), at(0.56, 0.34)}} {
		line(0.05*u, 0.05*u, bar...).fill(img, in)
	}
	line(0.07*u, 0.05*u, at(-0.36, 0.92), at(-0.1, 0.92)).fill(img, rgba(60, 44, 34, 255))
	line(0.04*u, 0.04*u, at(-0.2, 0.82), at(-0.23, 0.92)).fill(img, in)
	line(0.04*u, 0.04*u, at(0.34, 0.96), at(0.2, 1.0)).fill(img, rgba(60, 44, 34, 255))
}

func personThing(img *image.NRGBA, x, y, u float64, c [3]float64, f field) {
	skin, hair := [3]float64{222, 176, 144}, [3]float64{70, 48, 38}
	for _, s := range []float64{-1, 1} {
		line(0.1*u, 0.06*u, spot{x + s*0.05*u, y - 0.45*u}, spot{x + s*0.075*u, y - 0.03*u}).fill(img, rgba(52, 56, 74, 255))
		oval(x+s*0.09*u, y-0.018*u, 0.055*u, 0.02*u, 0).fill(img, rgba(40, 34, 34, 255))
		line(0.065*u, 0.04*u, spot{x + s*0.115*u, y - 0.77*u}, spot{x + s*0.165*u, y - 0.6*u}, spot{x + s*0.15*u, y - 0.47*u}).fill(img, dot(color3(c, 0.86), 255))
		oval(x+s*0.15*u, y-0.45*u, 0.024*u, 0.03*u, 0).fill(img, dot(skin, 255))
	}
	lit(img, curved(spot{x - 0.13*u, y - 0.8*u}, spot{x, y - 0.835*u}, spot{x + 0.13*u, y - 0.8*u}, spot{x + 0.11*u, y - 0.62*u}, spot{x + 0.12*u, y - 0.42*u}, spot{x - 0.12*u, y - 0.42*u}, spot{x - 0.11*u, y - 0.62*u}), color3(c, 1+0.04*f.at(x, y)), x, y-0.4*u, 0.5*u)
	card(x-0.03*u, y-0.87*u, x+0.03*u, y-0.8*u, 0).fill(img, dot(color3(skin, 0.9), 255))
	oval(x, y-0.925*u, 0.082*u, 0.086*u, 0).fill(img, dot(hair, 255))
	oval(x, y-0.91*u, 0.062*u, 0.074*u, 0).fill(img, dot(skin, 255))
	sector(x, y-0.925*u, 0.04*u, 0.085*u, -0.25, 0.25).fill(img, dot(hair, 255))
	for _, s := range []float64{-1, 1} {
		oval(x+s*0.025*u, y-0.91*u, 0.008*u, 0.01*u, 0).fill(img, rgba(50, 36, 30, 255))
	}
	line(0.008*u, 0.008*u, spot{x - 0.02*u, y - 0.875*u}, spot{x + 0.02*u, y - 0.875*u}).fill(img, rgba(170, 84, 80, 255))
}

func birdThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	in := dot(c, 255)
	for _, s := range []float64{-1, 1} {
		curved(spot{x, y}, spot{x + s*0.5*u, y - 0.5*u}, spot{x + s*1.2*u, y - 0.32*u}, spot{x + s*0.52*u, y - 0.26*u}).fill(img, in)
	}
	oval(x, y+0.03*u, 0.2*u, 0.11*u, -12).fill(img, in)
	polygon(spot{x + 0.17*u, y - 0.04*u}, spot{x + 0.32*u, y - 0.03*u}, spot{x + 0.17*u, y + 0.04*u}).fill(img, rgba(224, 160, 60, 255))
}

func balloonThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	for i := range 7 {
		t := float64(i)/3 - 1
		tone := c
		if i%2 == 1 {
			tone = [3]float64{248, 240, 224}
		}
		lit(img, curved(spot{x + 0.44*u*t, y - 0.2*u}, spot{x + 0.3*u*t, y - 0.52*u}, spot{x, y - 0.62*u}, spot{x + 0.3*u*(t-0.33), y - 0.5*u}, spot{x + 0.44*u*(t-0.33), y - 0.2*u}, spot{x + 0.1*u*t, y + 0.2*u}), tone, x, y, u)
	}
	for _, s := range []float64{-1, 1} {
		line(0.008*u, 0.008*u, spot{x + s*0.07*u, y + 0.18*u}, spot{x + s*0.05*u, y + 0.34*u}).fill(img, rgba(80, 60, 44, 255))
	}
	card(x-0.065*u, y+0.33*u, x+0.065*u, y+0.43*u, 0.015*u).fill(img, rgba(140, 98, 60, 255))
}

func rocketThing(img *image.NRGBA, x, y, u float64, c [3]float64, f field) {
	for i := range 9 {
		t := float64(i) / 8
		oval(x+0.04*u*f.at(7*t, 1), y+0.42*u+0.5*u*t, (0.07+0.09*t)*u, 0.09*u, 0).fill(img, rgba(255, byte255(220-110*t), byte255(120-70*t), byte255(190-150*t)))
	}
	for _, s := range []float64{-1, 1} {
		lit(img, polygon(spot{x + s*0.1*u, y + 0.12*u}, spot{x + s*0.26*u, y + 0.42*u}, spot{x + s*0.1*u, y + 0.36*u}), c, x, y, u)
	}
	lit(img, curved(spot{x, y - 0.55*u}, spot{x + 0.14*u, y - 0.2*u}, spot{x + 0.12*u, y + 0.38*u}, spot{x - 0.12*u, y + 0.38*u}, spot{x - 0.14*u, y - 0.2*u}), [3]float64{240, 240, 242}, x, y, 0.6*u)
	lit(img, curved(spot{x, y - 0.56*u}, spot{x + 0.115*u, y - 0.3*u}, spot{x - 0.115*u, y - 0.3*u}), c, x, y, u)
	oval(x, y-0.12*u, 0.065*u, 0.065*u, 0).fill(img, rgba(70, 80, 96, 255))
	oval(x, y-0.12*u, 0.048*u, 0.048*u, 0).fill(img, rgba(160, 206, 232, 255))
}

func planeThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	lit(img, curved(spot{x - 1.1*u, y - 0.05*u}, spot{x + 0.8*u, y - 0.16*u}, spot{x + 1.15*u, y}, spot{x + 0.8*u, y + 0.12*u}, spot{x - 0.8*u, y + 0.1*u}), [3]float64{240, 242, 244}, x, y, u)
	lit(img, polygon(spot{x - 1.05*u, y - 0.04*u}, spot{x - 1.2*u, y - 0.46*u}, spot{x - 0.98*u, y - 0.46*u}, spot{x - 0.7*u, y - 0.06*u}), c, x, y, u)
	lit(img, polygon(spot{x + 0.2*u, y + 0.02*u}, spot{x - 0.42*u, y + 0.56*u}, spot{x - 0.2*u, y + 0.56*u}, spot{x + 0.5*u, y + 0.04*u}), color3(c, 0.9), x, y, u)
	for i := range 8 {
		oval(x-0.5*u+0.15*u*float64(i), y-0.045*u, 0.03*u, 0.035*u, 0).fill(img, rgba(90, 130, 160, 255))
	}
}

func sunThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	for i := range 14 {
		r := u * (0.5 + 0.16*float64(i))
		oval(x, y, r, r, 0).fill(img, dot(c, 16))
	}
	oval(x, y, 0.5*u, 0.5*u, 0).fill(img, dot([3]float64{255, 246, 214}, 255))
}

func moonThing(img *image.NRGBA, x, y, u float64, c [3]float64, f field) {
	for i := range 8 {
		r := u * (0.5 + 0.1*float64(i))
		oval(x, y, r, r, 0).fill(img, dot(c, 12))
	}
	oval(x, y, 0.5*u, 0.5*u, 0).shade(img, func(px, py float64) [3]float64 {
		return color3(c, 0.96+0.14*f.sum((px-x)/u*3, (py-y)/u*3, 3)-0.12*(px-x)/u)
	})
}

func rainbowThing(img *image.NRGBA, x, y, u float64, _ [3]float64, _ field) {
	for i, c := range [][3]uint8{{222, 70, 70}, {238, 146, 62}, {244, 216, 86}, {104, 184, 104}, {80, 140, 214}, {132, 96, 190}} {
		r := u * (1.6 - 0.07*float64(i))
		sector(x, y+1.1*u, r-0.075*u, r, -0.25, 0.25).fill(img, rgba(c[0], c[1], c[2], 120))
	}
}

func flowerThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	line(0.05*u, 0.035*u, through(false, []spot{{x, y}, {x + 0.04*u, y - 0.4*u}, {x, y - 0.72*u}})...).fill(img, rgba(86, 132, 74, 255))
	for _, s := range []float64{-1, 1} {
		curved(spot{x, y - 0.16*u}, spot{x + s*0.16*u, y - 0.38*u}, spot{x + s*0.34*u, y - 0.44*u}, spot{x + s*0.2*u, y - 0.22*u}).fill(img, rgba(100, 150, 84, 255))
	}
	for i := range 9 {
		a := 2 * math.Pi * float64(i) / 9
		sin, cos := math.Sincos(a)
		oval(x+0.18*u*cos, y-0.76*u+0.18*u*sin, 0.15*u, 0.085*u, a*180/math.Pi).fill(img, dot(color3(c, 0.9+0.14*cos), 255))
	}
	oval(x, y-0.76*u, 0.1*u, 0.1*u, 0).fill(img, rgba(120, 78, 40, 255))
}

func cupThing(img *image.NRGBA, x, y, u float64, c [3]float64, f field) {
	for i := range 3 {
		sx := x + (float64(i)-1)*0.2*u
		steam := through(false, []spot{{sx, y - 0.85*u}, {sx + 0.07*u, y - 1.05*u}, {sx - 0.06*u, y - 1.25*u}, {sx + 0.05*u, y - 1.45*u}})
		line(0.05*u, 0.012*u, steam...).fill(img, rgba(250, 250, 250, 90))
	}
	oval(x, y, 0.78*u, 0.15*u, 0).fill(img, dot(color3(c, 0.9), 255))
	oval(x, y-0.02*u, 0.72*u, 0.125*u, 0).fill(img, dot(color3(c, 1.0), 255))
	sector(x+0.5*u, y-0.44*u, 0.13*u, 0.22*u, 0, 0.5).fill(img, dot(color3(c, 0.86), 255))
	lit(img, curved(spot{x - 0.52*u, y - 0.78*u}, spot{x + 0.52*u, y - 0.78*u}, spot{x + 0.44*u, y - 0.3*u}, spot{x + 0.24*u, y - 0.03*u}, spot{x - 0.24*u, y - 0.03*u}, spot{x - 0.44*u, y - 0.3*u}), c, x, y, 0.8*u)
	oval(x, y-0.78*u, 0.52*u, 0.13*u, 0).fill(img, dot(color3(c, 1.04), 255))
	oval(x, y-0.77*u, 0.46*u, 0.1*u, 0).shade(img, func(px, py float64) [3]float64 {
		return color3([3]float64{96, 60, 38}, 1+0.3*f.at(px/u*5, py/u*14))
	})
}

func bowlThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	for i, fr := range [][3]float64{{206, 54, 46}, {236, 150, 52}, {140, 178, 66}, {238, 206, 74}, {196, 46, 50}, {232, 140, 44}} {
		px, py := x+(-0.5+0.2*float64(i))*u, y-(0.62+0.16*float64(i%3))*u
		r := 0.23 * u
		oval(px, py, r, r, 0).shade(img, func(qx, qy float64) [3]float64 {
			d := math.Hypot(qx-px+0.3*r, qy-py+0.3*r) / r
			return color3(fr, 1.25-0.42*d)
		})
		line(0.03*u, 0.02*u, spot{px, py - 0.9*r}, spot{px + 0.05*u, py - 1.25*r}).fill(img, rgba(90, 66, 44, 255))
	}
	lit(img, curved(spot{x - 0.85*u, y - 0.52*u}, spot{x + 0.85*u, y - 0.52*u}, spot{x + 0.66*u, y - 0.16*u}, spot{x + 0.3*u, y}, spot{x - 0.3*u, y}, spot{x - 0.66*u, y - 0.16*u}), c, x, y, u)
}

func bookThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	for i, tone := range [][3]float64{c, {62, 92, 122}, {196, 160, 92}} {
		w, top := (0.9-0.1*float64(i))*u, y-0.3*u*float64(i)
		lit(img, card(x-w, top-0.28*u, x+w, top, 0.03*u), tone, x, y, 1.2*u)
		card(x-w+0.06*u, top-0.23*u, x+w+0.01*u, top-0.05*u, 0).fill(img, rgba(244, 238, 222, 255))
		card(x-w, top-0.28*u, x-w+0.1*u, top, 0.02*u).fill(img, dot(color3(tone, 0.8), 255))
	}
}

func skylineThing(img *image.NRGBA, x, y, u float64, c [3]float64, f field) {
	for i := range 13 {
		h := (0.42 + 0.58*float64(f.hash(i, 3)%100)/100) * u
		left := x + (-1.95+0.3*float64(i))*u
		tone := color3(c, 0.7+0.4*float64(f.hash(i, 5)%100)/100)
		lit(img, card(left, y-h, left+0.27*u, y, 0), tone, x, y, 2*u)
		for row := 0; 0.07*float64(row)*u < h-0.1*u; row++ {
			for col := range 4 {
				wx, wy := left+(0.035+0.058*float64(col))*u, y-h+(0.04+0.07*float64(row))*u
				pane := rgba(70, 84, 104, 200)
				if f.hash(i*7+col, row)%3 == 0 {
					pane = rgba(255, 224, 150, 235)
				}
				card(wx, wy, wx+0.035*u, wy+0.04*u, 0).fill(img, pane)
			}
		}
	}
}

func bridgeThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	in := dot(c, 255)
	for _, t := range []float64{-0.9, 0.9} {
		card(x+(t-0.06)*u, y-u, x+(t+0.06)*u, y, 0).fill(img, in)
	}
	cable := func(fx, tx, fh, th, sag float64) {
		points := []spot{{x + fx*u, y - fh*u}, {x + (fx+tx)/2*u, y - sag*u}, {x + tx*u, y - th*u}}
		way := through(false, points)
		line(0.035*u, 0.035*u, way...).fill(img, in)
		for i, p := range way {
			if i%3 == 0 {
				line(0.012*u, 0.012*u, p, spot{p.x, y - 0.28*u}).fill(img, in)
			}
		}
	}
	cable(-0.9, 0.9, 0.96, 0.96, 0.36)
	cable(-2.2, -0.9, 0.3, 0.96, 0.5)
	cable(0.9, 2.2, 0.96, 0.3, 0.5)
	card(x-2.3*u, y-0.3*u, x+2.3*u, y-0.23*u, 0).fill(img, in)
}

func tentThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	lit(img, polygon(spot{x - 0.9*u, y}, spot{x, y - u}, spot{x + 0.9*u, y}), c, x, y, u)
	polygon(spot{x - 0.3*u, y}, spot{x, y - 0.82*u}, spot{x + 0.3*u, y}).fill(img, rgba(60, 48, 42, 255))
	polygon(spot{x - 0.3*u, y}, spot{x, y - 0.82*u}, spot{x - 0.1*u, y}).fill(img, dot(color3(c, 0.8), 255))
}

func fireThing(img *image.NRGBA, x, y, u float64, _ [3]float64, f field) {
	for i := range 8 {
		r := u * (0.3 + 0.2*float64(i))
		oval(x, y-0.3*u, r, 0.8*r, 0).fill(img, rgba(255, 170, 70, 14))
	}
	for _, s := range []float64{-1, 1} {
		line(0.14*u, 0.1*u, spot{x - s*0.5*u, y}, spot{x + s*0.42*u, y - 0.16*u}).fill(img, rgba(92, 62, 42, 255))
	}
	for i, tone := range [][3]float64{{232, 92, 36}, {248, 158, 50}, {255, 224, 130}} {
		k := 1 - 0.27*float64(i)
		curved(spot{x - 0.34*k*u, y - 0.08*u}, spot{x - 0.22*k*u, y - 0.5*k*u}, spot{x + 0.06*u*f.at(float64(i), 2), y - k*u}, spot{x + 0.24*k*u, y - 0.46*k*u}, spot{x + 0.34*k*u, y - 0.08*u}).fill(img, dot(tone, 245))
	}
}

func robotThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	for _, s := range []float64{-1, 1} {
		lit(img, card(x+s*0.13*u-0.06*u, y-0.26*u, x+s*0.13*u+0.06*u, y, 0.02*u), color3(c, 0.8), x, y, u)
		line(0.07*u, 0.06*u, spot{x + s*0.27*u, y - 0.6*u}, spot{x + s*0.4*u, y - 0.42*u}, spot{x + s*0.36*u, y - 0.26*u}).fill(img, dot(color3(c, 0.75), 255))
	}
	lit(img, card(x-0.26*u, y-0.66*u, x+0.26*u, y-0.24*u, 0.05*u), c, x, y, u)
	card(x-0.14*u, y-0.56*u, x+0.14*u, y-0.38*u, 0.02*u).fill(img, rgba(52, 60, 72, 255))
	line(0.02*u, 0.02*u, spot{x, y - 0.94*u}, spot{x, y - 1.02*u}).fill(img, rgba(90, 94, 100, 255))
	oval(x, y-1.04*u, 0.03*u, 0.03*u, 0).fill(img, rgba(236, 80, 70, 255))
	lit(img, card(x-0.21*u, y-0.96*u, x+0.21*u, y-0.69*u, 0.06*u), color3(c, 1.08), x, y, u)
	for _, s := range []float64{-1, 1} {
		oval(x+s*0.09*u, y-0.84*u, 0.05*u, 0.05*u, 0).fill(img, rgba(60, 210, 230, 255))
	}
	line(0.02*u, 0.02*u, spot{x - 0.08*u, y - 0.75*u}, spot{x + 0.08*u, y - 0.75*u}).fill(img, rgba(52, 60, 72, 255))
}

func millThing(img *image.NRGBA, x, y, u float64, c [3]float64, _ field) {
	lit(img, polygon(spot{x - 0.26*u, y}, spot{x - 0.15*u, y - 0.66*u}, spot{x + 0.15*u, y - 0.66*u}, spot{x + 0.26*u, y}), c, x, y, u)
	lit(img, curved(spot{x - 0.18*u, y - 0.64*u}, spot{x, y - 0.84*u}, spot{x + 0.18*u, y - 0.64*u}), [3]float64{120, 72, 52}, x, y, u)
	for i := range 4 {
		sin, cos := math.Sincos(float64(i)*math.Pi/2 + 0.5)
		line(0.03*u, 0.02*u, spot{x, y - 0.66*u}, spot{x + 0.5*u*cos, y - 0.66*u + 0.5*u*sin}).fill(img, rgba(96, 70, 50, 255))
		polygon(spot{x + 0.12*u*cos, y - 0.66*u + 0.12*u*sin}, spot{x + 0.5*u*cos, y - 0.66*u + 0.5*u*sin}, spot{x + 0.5*u*cos - 0.12*u*sin, y - 0.66*u + 0.5*u*sin + 0.12*u*cos}, spot{x + 0.12*u*cos - 0.12*u*sin, y - 0.66*u + 0.12*u*sin + 0.12*u*cos}).fill(img, rgba(240, 230, 208, 230))
	}
	card(x-0.06*u, y-0.2*u, x+0.06*u, y, 0.03*u).fill(img, rgba(82, 56, 40, 255))
}
