package render

import (
	"image"
	"image/color"
	"math"
)

// The signs that tattoos and badges show most often beside those of logo.go.

func anchorSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	oval(x, y-0.76*r, 0.2*r, 0.2*r, 0).fill(img, c)
	oval(x, y-0.76*r, 0.1*r, 0.1*r, 0).fill(img, ground)
	line(0.17*r, 0.17*r, spot{x, y - 0.58*r}, spot{x, y + 0.86*r}).fill(img, c)
	line(0.15*r, 0.15*r, spot{x - 0.42*r, y - 0.36*r}, spot{x + 0.42*r, y - 0.36*r}).fill(img, c)
	var arms []spot
	for i := range 33 {
		sin, cos := math.Sincos(math.Pi * (0.06 + 0.88*float64(i)/32))
		arms = append(arms, spot{x + 0.74*r*cos, y + 0.14*r + 0.74*r*sin})
	}
	line(0.17*r, 0.17*r, arms...).fill(img, c)
	for _, side := range []float64{-1, 1} {
		polygon(spot{x + side*0.76*r, y - 0.12*r}, spot{x + side*0.98*r, y + 0.4*r}, spot{x + side*0.48*r, y + 0.26*r}).fill(img, c)
	}
}

func skullSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	oval(x, y-0.2*r, 0.72*r, 0.68*r, 0).fill(img, c)
	card(x-0.4*r, y+0.2*r, x+0.4*r, y+0.86*r, 0.14*r).fill(img, c)
	for _, side := range []float64{-1, 1} {
		oval(x+side*0.3*r, y-0.12*r, 0.2*r, 0.22*r, 0).fill(img, ground)
		line(0.05*r, 0.05*r, spot{x + side*0.14*r, y + 0.56*r}, spot{x + side*0.14*r, y + 0.88*r}).fill(img, ground)
	}
	polygon(spot{x, y + 0.12*r}, spot{x + 0.11*r, y + 0.36*r}, spot{x - 0.11*r, y + 0.36*r}).fill(img, ground)
}

func crownSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	polygon(spot{x - 0.8*r, y + 0.45*r}, spot{x - 0.95*r, y - 0.5*r}, spot{x - 0.42*r, y - 0.02*r}, spot{x, y - 0.75*r}, spot{x + 0.42*r, y - 0.02*r}, spot{x + 0.95*r, y - 0.5*r}, spot{x + 0.8*r, y + 0.45*r}).fill(img, c)
	card(x-0.8*r, y+0.52*r, x+0.8*r, y+0.74*r, 0.05*r).fill(img, c)
	for i := range 3 {
		oval(x+(float64(i)-1)*0.95*r, y-[3]float64{0.56, 0.82, 0.56}[i]*r, 0.11*r, 0.11*r, 0).fill(img, c)
		oval(x+(float64(i)-1)*0.44*r, y+0.25*r, 0.07*r, 0.1*r, 0).fill(img, ground)
	}
}

func butterflySign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	for _, side := range []float64{-1, 1} {
		curved(spot{x + side*0.06*r, y}, spot{x + side*0.3*r, y - 0.6*r}, spot{x + side*0.75*r, y - 0.8*r}, spot{x + side*0.98*r, y - 0.55*r}, spot{x + side*0.8*r, y - 0.05*r}, spot{x + side*0.4*r, y + 0.1*r}).fill(img, c)
		curved(spot{x + side*0.06*r, y + 0.08*r}, spot{x + side*0.5*r, y + 0.12*r}, spot{x + side*0.76*r, y + 0.42*r}, spot{x + side*0.56*r, y + 0.8*r}, spot{x + side*0.26*r, y + 0.62*r}).fill(img, c)
		oval(x+side*0.66*r, y-0.46*r, 0.15*r, 0.11*r, 0).fill(img, ground)
		oval(x+side*0.44*r, y+0.46*r, 0.1*r, 0.13*r, 0).fill(img, ground)
		line(0.04*r, 0.03*r, through(false, []spot{{x, y - 0.42*r}, {x + side*0.1*r, y - 0.7*r}, {x + side*0.26*r, y - 0.86*r}})...).fill(img, c)
	}
	line(0.08*r, 0.1*r, spot{x, y - 0.42*r}, spot{x, y + 0.55*r}).fill(img, c)
}

func compassSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	oval(x, y, 0.78*r, 0.78*r, 0).fill(img, c)
	oval(x, y, 0.68*r, 0.68*r, 0).fill(img, ground)
	for i := range 8 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 4)
		long := 0.98 * r
		if i%2 == 1 {
			long = 0.56 * r
		}
		tip, waist := spot{x + long*sin, y - long*cos}, 0.15*r
		polygon(tip, spot{x + waist*(sin-cos), y - waist*(cos+sin)}, spot{x, y}).fill(img, c)
		polygon(tip, spot{x + waist*(sin+cos), y - waist*(cos-sin)}, spot{x, y}).fill(img, mixed(c, ground, 0.45))
	}
}
