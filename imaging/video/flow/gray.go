// Package flow measures how things move between two frames: a vector for every pixel of a small copy, and the motion of
// the whole picture. It is made of dense Lucas-Kanade steps on a pyramid, each smoothed by how sure it is, so that plain
// areas take the motion of the edges around them.
package flow

import (
	"image"
	"math"
)

// Gray is a small picture of brightness, 0 … 255.
type Gray struct {
	W, H int
	Pix  []float32
}

// NewGray makes a black picture.
func NewGray(w, h int) *Gray { return &Gray{W: w, H: h, Pix: make([]float32, w*h)} }

// GrayOf is a picture's brightness, averaged down to at most side pixels along the longer side.
func GrayOf(img *image.NRGBA, side int) *Gray {
	sw, sh := img.Rect.Dx(), img.Rect.Dy()
	k := math.Min(1, float64(side)/float64(max(sw, sh, 1)))
	g := NewGray(max(1, int(k*float64(sw)+0.5)), max(1, int(k*float64(sh)+0.5)))
	for y := range g.H {
		y0, y1 := y*sh/g.H, max(y*sh/g.H+1, (y+1)*sh/g.H)
		for x := range g.W {
			x0, x1 := x*sw/g.W, max(x*sw/g.W+1, (x+1)*sw/g.W)
			sum := 0
			for j := y0; j < y1; j++ {
				row := img.Pix[j*img.Stride+4*x0 : j*img.Stride+4*x1]
				for i := 0; i < len(row); i += 4 {
					sum += 77*int(row[i]) + 150*int(row[i+1]) + 29*int(row[i+2])
				}
			}
			g.Pix[y*g.W+x] = float32(sum) / float32(256*(x1-x0)*(y1-y0))
		}
	}
	return g
}

// At is the brightness between pixels, the edge continued outside.
func (g *Gray) At(x, y float32) float32 {
	x = min(max(x, 0), float32(g.W-1))
	y = min(max(y, 0), float32(g.H-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, g.W-1), min(y0+1, g.H-1)
	fx, fy := x-float32(x0), y-float32(y0)
	top := g.Pix[y0*g.W+x0]*(1-fx) + g.Pix[y0*g.W+x1]*fx
	low := g.Pix[y1*g.W+x0]*(1-fx) + g.Pix[y1*g.W+x1]*fx
	return top*(1-fy) + low*fy
}

// half is the picture at half size, softened first so that nothing is taken for detail that is not there.
func (g *Gray) half() *Gray {
	soft := box(g.Pix, g.W, g.H, 1)
	out := NewGray(max(1, (g.W+1)/2), max(1, (g.H+1)/2))
	for y := range out.H {
		for x := range out.W {
			out.Pix[y*out.W+x] = soft[min(2*y, g.H-1)*g.W+min(2*x, g.W-1)]
		}
	}
	return out
}

// box is the mean over (2r+1)² pixels, edges continued by what is there.
func box(p []float32, w, h, r int) []float32 {
	tmp, out := make([]float32, len(p)), make([]float32, len(p))
	for y := range h {
		line(p[y*w:(y+1)*w], tmp[y*w:(y+1)*w], r)
	}
	column := make([]float64, w)
	for y := range h {
		if y == 0 {
			for j := 0; j <= min(r, h-1); j++ {
				for x := range w {
					column[x] += float64(tmp[j*w+x])
				}
			}
		} else {
			if j := y + r; j < h {
				for x := range w {
					column[x] += float64(tmp[j*w+x])
				}
			}
			if j := y - r - 1; j >= 0 {
				for x := range w {
					column[x] -= float64(tmp[j*w+x])
				}
			}
		}
		n := float64(min(h-1, y+r) - max(0, y-r) + 1)
		for x := range w {
			out[y*w+x] = float32(column[x] / n)
		}
	}
	return out
}

func line(src, dst []float32, r int) {
	w := len(src)
	sum := 0.0
	for j := 0; j <= min(r, w-1); j++ {
		sum += float64(src[j])
	}
	for x := range w {
		if x > 0 {
			if j := x + r; j < w {
				sum += float64(src[j])
			}
			if j := x - r - 1; j >= 0 {
				sum -= float64(src[j])
			}
		}
		dst[x] = float32(sum / float64(min(w-1, x+r)-max(0, x-r)+1))
	}
}
