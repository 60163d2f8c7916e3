package net

import (
	"image"
	"math"
)

// Picture is an opaque picture: rows of pixels, three values each, red, green and blue from 0 to 255.
type Picture struct {
	W, H int
	Pix  []float32
}

// PictureOf copies a picture. What lets the background through shows white.
func PictureOf(img *image.NRGBA) Picture {
	b := img.Bounds()
	p := Picture{W: b.Dx(), H: b.Dy(), Pix: make([]float32, 3*b.Dx()*b.Dy())}
	for y := range p.H {
		row := img.Pix[img.PixOffset(b.Min.X, b.Min.Y+y):]
		for x := range p.W {
			alpha := float32(row[4*x+3]) / 255
			for c := range 3 {
				p.Pix[3*(y*p.W+x)+c] = alpha*float32(row[4*x+c]) + 255*(1-alpha)
			}
		}
	}
	return p
}

// Region is a part of a picture that a network looks at, in pixels: a rectangle around (X, Y), turned by Angle
// (radians, clockwise). It may reach beyond the picture.
type Region struct {
	X, Y, W, H float64
	Angle      float64
}

// Whole returns the region of the whole picture.
func (p Picture) Whole() Region {
	return Region{X: float64(p.W) / 2, Y: float64(p.H) / 2, W: float64(p.W), H: float64(p.H)}
}

// Square returns the smallest square region around the region.
func (r Region) Square() Region {
	r.W = max(r.W, r.H)
	r.H = r.W
	return r
}

// Scaled returns the region with its sides k times as long.
func (r Region) Scaled(k float64) Region {
	r.W, r.H = k*r.W, k*r.H
	return r
}

// At returns the place in the picture of a point of the region; (0, 0) is its top left corner, (1, 1) its bottom
// right one.
func (r Region) At(u, v float64) (x, y float64) {
	sin, cos := math.Sincos(r.Angle)
	a, b := (u-0.5)*r.W, (v-0.5)*r.H
	return r.X + a*cos - b*sin, r.Y + a*sin + b*cos
}

// mostSamples bounds how many places a side are averaged for one value of a network's input.
const mostSamples = 4

// sample fills a network's input of w × h pixels from the region, with values from low to high. Outside the picture
// it puts low, as the networks were trained.
func (p Picture) sample(to []float32, w, h int, r Region, low, high float32) {
	n := min(max(int(math.Ceil(max(r.W/float64(w), r.H/float64(h)))), 1), mostSamples)
	scale := (high - low) / 255 / float32(n*n)
	x0, y0 := r.At(0, 0)
	sin, cos := math.Sincos(r.Angle)
	// One step across and one down, in picture pixels.
	across, down := r.W/float64(w*n), r.H/float64(h*n)
	step := [2][2]float64{{across * cos, across * sin}, {-down * sin, down * cos}}
	for y := range h {
		for x := range w {
			var sum [3]float32
			for sy := range n {
				for sx := range n {
					across, down := float64(x*n+sx)+0.5, float64(y*n+sy)+0.5
					p.add(&sum, x0+across*step[0][0]+down*step[1][0]-0.5, y0+across*step[0][1]+down*step[1][1]-0.5)
				}
			}
			at := to[3*(y*w+x):][:3]
			for c := range at {
				at[c] = low + sum[c]*scale
			}
		}
	}
}

// add adds the colour between the four pixels around a place; centres of pixels have whole numbers.
func (p Picture) add(sum *[3]float32, x, y float64) {
	fx, fy := math.Floor(x), math.Floor(y)
	if fx < -1 || fy < -1 || fx >= float64(p.W) || fy >= float64(p.H) {
		return
	}
	x0, y0 := int(fx), int(fy)
	u, v := float32(x-fx), float32(y-fy)
	for i, weight := range [4]float32{(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v} {
		px, py := x0+i%2, y0+i/2
		if px < 0 || py < 0 || px >= p.W || py >= p.H {
			continue
		}
		pixel := p.Pix[3*(py*p.W+px):][:3]
		for c, value := range pixel {
			sum[c] += weight * value
		}
	}
}
