package segment

import (
	"context"
	"math"
)

// bodyMap is the subject in the measure of its faces.
type bodyMap struct {
	*cutter
	person       []uint8
	across, down []float64 // per pixel, from the centre of the nearest face, in its diameters, along the body
	bare         []bool    // the colour may be skin
	oval         []bool    // within the edge of a face
}

func newBodyMap(k *cutter, subject []uint8, people []person) *bodyMap {
	n := len(subject)
	b := &bodyMap{
		cutter: k, person: subject, across: make([]float64, n), down: make([]float64, n),
		bare: make([]bool, n), oval: make([]bool, n),
	}
	for i := range subject {
		x, y := float64(i%k.w)+0.5, float64(i/k.w)+0.5
		nearest := math.Inf(1)
		for n := range people {
			p := &people[n]
			b.oval[i] = b.oval[i] || p.faceAt(x, y)
			d := 0.0
			if len(people) > 1 {
				d = p.place(x, y).distance() * p.trunk
			}
			if d >= nearest {
				continue
			}
			dx, dy := (x-p.face.x)/p.face.size, (y-p.face.y)/p.face.size
			nearest = d
			b.down[i], b.across[i] = dx*p.down.X+dy*p.down.Y, math.Abs(dx*p.down.Y-dy*p.down.X)
		}
		b.bare[i] = skinLike(k.pix[3*i], k.pix[3*i+1], k.pix[3*i+2])
	}
	return b
}

// skinLike reports whether a colour may be skin of any tone: warm, and neither grey nor glaring.
func skinLike(r, g, b float32) bool {
	y := 0.299*r + 0.587*g + 0.114*b
	cb, cr := 0.564*(b-y), 0.713*(r-y)
	return y > 30 && cr > 4 && cr < 50 && cb < 0 && cb > -55 && -cb < 2.2*cr+6
}

// divide cuts the pixels of area in two by their scores, which are log-likelihood ratios of about ±5.
func (k *cutter) divide(ctx context.Context, area []uint8, score []float32) ([]uint8, error) {
	open := make([]uint8, len(area))
	for i, a := range area {
		open[i] = neutral
		if a == 1 {
			open[i] = 2
			score[i] *= 3
		}
	}
	labels, err := k.cut(ctx, score, open)
	if err != nil {
		return nil, err
	}
	for i, a := range area {
		labels[i] &= a
	}
	return labels, nil
}
