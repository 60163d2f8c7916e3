package segment

import (
	"context"
	"math"
)

// bodyMap is the subject in the measure of its faces.
type bodyMap struct {
	*cutter
	person       []uint8
	across, down []float64 // per pixel, from the centre of the face it belongs to, in that face's diameters
	bare         []bool    // the colour may be skin
	size         []float32 // the diameter that goes with the body it belongs to, in canvas pixels
}

func newBodyMap(k *cutter, person []uint8, faces []face) *bodyMap {
	n := len(person)
	b := &bodyMap{cutter: k, person: person, across: make([]float64, n), down: make([]float64, n), bare: make([]bool, n), size: make([]float32, n)}
	for i := range person {
		x, y := float64(i%k.w)+0.5, float64(i/k.w)+0.5
		best := math.Inf(-1)
		for _, f := range faces {
			u, v := f.place(x, y)
			if near := bodyAt(u, v) - 1e-3*math.Hypot(u, v); near > best {
				best, b.across[i], b.down[i], b.size[i] = near, math.Abs(u), v, float32(f.unit())
			}
		}
		b.bare[i] = skinLike(k.pix[3*i], k.pix[3*i+1], k.pix[3*i+2])
	}
	return b
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

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
