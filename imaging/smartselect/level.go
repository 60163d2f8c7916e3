package smartselect

import (
	"math"

	"atelier/imaging/mask"
)

// level is the picture at one size, with the answer at that size.
type level struct {
	w, h  int
	scale float64    // pixels of the working picture per pixel
	pix   []uint8    // R G B A
	keep  []uint8    // the answer: 1 kept, 0 not
	seeds mask.Plane // under strokes: keepSeed or dropSeed

	weights [256]float32 // of an edge, by the colour difference of its pixels in steps of differenceStep
	slots   []int32      // of the solver: the node of each pixel, -1 without one
}

// The values of seeds.
const (
	noSeed   = 0
	keepSeed = 255
	dropSeed = 254
)

func newLevel(w, h int, scale float64, pix []uint8) *level {
	l := &level{w: w, h: h, scale: scale, pix: pix, keep: make([]uint8, w*h), seeds: mask.New(w, h), slots: make([]int32, w*h)}
	for i := range l.slots {
		l.slots[i] = -1
	}
	l.weigh()
	return l
}

// half is the same picture at half the size, each pixel the mean of four.
func (l *level) half() *level {
	w, h := (l.w+1)/2, (l.h+1)/2
	pix := make([]uint8, 4*w*h)
	for y := range h {
		upper := l.pix[4*l.w*(2*y):][:4*l.w]
		lower := upper
		if 2*y+1 < l.h {
			lower = l.pix[4*l.w*(2*y+1):][:4*l.w]
		}
		row := pix[4*w*y:][:4*w]
		for x := range w {
			i := 8 * x
			j := min(i+4, 4*l.w-4)
			a, b, c, d := upper[i:i+4:i+4], upper[j:j+4:j+4], lower[i:i+4:i+4], lower[j:j+4:j+4]
			out := row[4*x : 4*x+4 : 4*x+4]
			for k := range out {
				out[k] = uint8((int(a[k]) + int(b[k]) + int(c[k]) + int(d[k]) + 2) / 4)
			}
		}
	}
	return newLevel(w, h, 2*l.scale, pix)
}

const differenceStep = 4 // of the sum of the channels' differences

// difference is how unlike two pixels are, as an index of weights.
func difference(a, b []uint8) int {
	d := 0
	for k := range 3 {
		v := int(a[k]) - int(b[k])
		d += max(v, -v)
	}
	return min(d/differenceStep, 255)
}

// weigh sets what an edge between unlike pixels costs, against the usual difference of neighbours in this picture.
func (l *level) weigh() {
	sum, n := 0.0, 0
	for y := 0; y+1 < l.h; y += 2 {
		for x := 0; x+1 < l.w; x += 2 {
			p := l.pix[4*(y*l.w+x):]
			for _, q := range [2][]uint8{p[4:], l.pix[4*((y+1)*l.w+x):]} {
				d := float64(difference(p, q))
				sum += d * d
				n++
			}
		}
	}
	usual := max(sum/float64(max(n, 1)), 0.5)
	const least = 0.04
	for d := range l.weights {
		l.weights[d] = float32(least + (1-least)*math.Exp(-float64(d*d)/(2*usual)))
	}
}

// stroke marks what is certain.
func (l *level) stroke(s Stroke) {
	value := uint8(dropSeed)
	if s.Keep {
		value = keepSeed
	}
	l.mark(l.seeds, s, value)
}

// mark sets the pixels under a stroke in a plane of the level's size.
func (l *level) mark(p mask.Plane, s Stroke, value uint8) {
	radius := max(s.Radius/l.scale, 0.75)
	s.segments(func(a, b mask.Point) {
		mark(p, mask.Point{X: a.X / l.scale, Y: a.Y / l.scale}, mask.Point{X: b.X / l.scale, Y: b.Y / l.scale}, radius, value)
	})
}

// mark sets the pixels whose centres lie within radius of a line.
func mark(p mask.Plane, a, b mask.Point, radius float64, value uint8) {
	x0, x1 := clampInt(min(a.X, b.X)-radius, p.W), clampInt(max(a.X, b.X)+radius+1, p.W)
	y0, y1 := clampInt(min(a.Y, b.Y)-radius, p.H), clampInt(max(a.Y, b.Y)+radius+1, p.H)
	for y := y0; y < y1; y++ {
		row := p.Row(y)
		for x := x0; x < x1; x++ {
			if toLine(mask.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}, a, b) <= radius*radius {
				row[x] = value
			}
		}
	}
}

func clampInt(v float64, side int) int { return int(min(max(v, 0), float64(side))) }

// toLine is the squared distance of p from the line between a and b.
func toLine(p, a, b mask.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = min(max(((p.X-a.X)*dx+(p.Y-a.Y)*dy)/length, 0), 1)
	}
	ex, ey := p.X-a.X-t*dx, p.Y-a.Y-t*dy
	return ex*ex + ey*ey
}
