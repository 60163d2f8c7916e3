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
}

func newBodyMap(k *cutter, person []uint8, faces []face) *bodyMap {
	n := len(person)
	b := &bodyMap{cutter: k, person: person, across: make([]float64, n), down: make([]float64, n), bare: make([]bool, n)}
	for i := range person {
		x, y := float64(i%k.w)+0.5, float64(i/k.w)+0.5
		best := math.Inf(-1)
		for _, f := range faces {
			u, v := (x-f.x)/f.size, (y-f.y)/f.size
			if near := bodyAt(u, v) - 1e-3*math.Hypot(u, v); near > best {
				best, b.across[i], b.down[i] = near, math.Abs(u), v
			}
		}
		b.bare[i] = skinLike(k.pix[3*i], k.pix[3*i+1], k.pix[3*i+2])
	}
	return b
}

// divide cuts the pixels of area in two by their scores, which are log-likelihood ratios of about ±5.
func (b *bodyMap) divide(ctx context.Context, area []uint8, score []float32) ([]uint8, error) {
	open := make([]uint8, len(area))
	for i, a := range area {
		open[i] = neutral
		if a == 1 {
			open[i] = 2
			score[i] *= 3
		}
	}
	labels, err := b.cut(ctx, score, open)
	if err != nil {
		return nil, err
	}
	for i, a := range area {
		labels[i] &= a
	}
	return labels, nil
}

// evidence is the colour's log-likelihood ratio between two samples, within ±limit, plus the prior.
func (b *bodyMap) evidence(first, second func(i int) bool, prior func(i int) float64, limit float32) []float32 {
	m := b.learn(
		func(i int) float64 { return flag(first(i)) },
		func(i int) float64 { return flag(second(i)) },
	)
	ratio := m.ratio(b.colours, limit)
	out := make([]float32, len(b.person))
	for i, n := range b.colours.of {
		if b.person[i] == 1 {
			out[i] = ratio[n] + float32(prior(i))
		}
	}
	return out
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// head is face, hair and what is worn on the head.
func (b *bodyMap) head(ctx context.Context) ([]uint8, error) {
	score := b.evidence(
		func(i int) bool { return b.person[i] == 1 && b.down[i] < 0.4 && b.across[i] < 0.8 },
		func(i int) bool { return b.person[i] == 1 && b.down[i] > 0.9 && b.down[i] < 3 },
		func(i int) float64 {
			u, v := b.across[i], b.down[i]
			aside := 4 * max(0, u-0.8)
			if v < 0.4 {
				return 6 - aside
			}
			// Below the chin the middle is neck and chest; long hair falls at the sides.
			return max(6-20*(v-0.4), -2-v) - aside - 2*flag(u < 0.3 && v > 0.6)
		}, 4)
	labels, err := b.divide(ctx, b.person, score)
	if err != nil {
		return nil, err
	}
	tidy(labels, b.w, b.h, 0.15, b.w*b.h/2000, nil)
	return labels, nil
}

// skin is bare skin outside the head, by the colours of the faces.
func (b *bodyMap) skin(ctx context.Context, head []uint8) ([]uint8, error) {
	face := newMixture(b.colours, b.colours.weigh(func(i int) float64 {
		return flag(head[i] == 1 && b.bare[i] && b.across[i] < 0.35 && b.down[i] > -0.25 && b.down[i] < 0.4)
	}))
	cloth := newMixture(b.colours, b.colours.weigh(func(i int) float64 {
		return flag(head[i] == 0 && b.person[i] == 1 && b.down[i] > 1 && b.down[i] < 2.6 && b.across[i] < 0.8)
	}))
	area := subtract(b.person, head)
	if len(face.parts) == 0 || len(cloth.parts) == 0 {
		return make([]uint8, len(area)), nil
	}
	// Light falls differently on face, arms and legs.
	face = face.widened(90)
	p, q := face.logProb(b.colours), cloth.logProb(b.colours)
	score := make([]float32, len(area))
	for i, n := range b.colours.of {
		if area[i] == 0 {
			continue
		}
		// A colour neither seen in the face nor on the chest is more likely cloth.
		other := math.Log(0.6*math.Exp(float64(q[n])) + 0.4*math.Exp(-13))
		v := min(max(float64(p[n])-other, -5), 5) - 0.7
		if !b.bare[i] {
			v -= 3
		}
		if b.down[i] < 0.9 && b.across[i] < 0.4 {
			v += 2
		}
		score[i] = float32(v)
	}
	labels, err := b.divide(ctx, area, score)
	if err != nil {
		return nil, err
	}
	tidy(labels, b.w, b.h, 0, b.w*b.h/6000, nil)
	return labels, nil
}

// upper is what is worn above the waist.
func (b *bodyMap) upper(ctx context.Context, clothes []uint8) ([]uint8, error) {
	const waist = 3.4
	score := b.evidence(
		func(i int) bool { return clothes[i] == 1 && b.down[i] > 0.7 && b.down[i] < 2.6 && b.across[i] < 1 },
		func(i int) bool { return clothes[i] == 1 && b.down[i] > 4.3 && b.down[i] < 7.2 },
		func(i int) float64 { return min(max(2.2*(waist-b.down[i]), -6), 6) },
		4)
	return b.divide(ctx, clothes, score)
}

// feet is what is worn on them, when they are in the picture.
func (b *bodyMap) feet(ctx context.Context, lower []uint8) ([]uint8, error) {
	bottom := 0.0
	for i, l := range b.person {
		if l == 1 && b.across[i] < 2 {
			bottom = max(bottom, b.down[i])
		}
	}
	if bottom < 7 {
		return make([]uint8, len(lower)), nil
	}
	score := b.evidence(
		func(i int) bool { return lower[i] == 1 && b.down[i] > bottom-0.5 },
		func(i int) bool { return lower[i] == 1 && b.down[i] < bottom-1.2 },
		func(i int) float64 { return min(max(5*(b.down[i]-bottom+0.75), -6), 6) },
		3)
	return b.divide(ctx, lower, score)
}
