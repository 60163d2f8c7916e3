package segment

import (
	"context"
	"math"
	"slices"
)

// How clothes are told from bare skin, and what is worn above the waist from what is worn below, once more by what was found of both at first:
// the forest knows how people dress in general, not how these do.
const (
	twiceLimit = 3    // what one look at them counts at most; the forest's logits are about ±5
	skinLimit  = 4    // the same for skin
	waistRound = 3    // looks at the waist
	waistTrust = 2    // weight of what either look says
	likeness   = 30   // squared levels by which colours of one thing may differ
	clothReach = 0.3  // face diameters around a pixel in which cloth is looked at
	fewest     = 0.03 // of what is divided, for a part that tells anything
	seam       = 1.1  // a border must be seen this many times as well as that before, and by
	seamLevels = 2    // these more levels
	hardly     = 0.05 // weight of a pixel that the forest hardly tells
)

// sure is how far a logit can be relied on, from hardly to 1.
func sure(v float32) float64 { return min(max(float64(v)/2, hardly), 1) }

// learnBoth learns what both parts of an area look like, from those of its pixels that the scores tell as the labels do.
func learnBoth(p *palette, area, labels []uint8, score []float32) models {
	weigh := func(label uint8, sign float32) mixture {
		m := newMixture(p, p.weigh(func(i int) float64 {
			return float64(area[i]) * flag(labels[i] == label) * sure(sign*score[i])
		}))
		return m.widened(likeness)
	}
	return models{kept: weigh(1, 1), redrawn: weigh(0, -1)}
}

// bare is what of an area is skin, or carried. The face shows what these people's skin is like: arms are no sleeves where they are as the face is
// and not as the clothes are. Shoes may well be as brown.
func (s *scene) bare(ctx context.Context, area []uint8, o opinion, b *bodyMap) ([]uint8, error) {
	const face = 0.5 // weight of a pixel of it
	worn := func(c class) bool { return c == upperClass || c == lowerClass || c == feetClass }
	score := o.against(func(c class) bool { return c == skinClass || c == heldClass }, worn)
	first, err := s.cut.divide(ctx, area, slices.Clone(score))
	if err != nil {
		return nil, err
	}
	ratio := models{
		kept: newMixture(b.colours, b.colours.weigh(func(i int) float64 {
			if !b.bare[i] {
				return 0
			}
			return float64(first[i])*sure(score[i]) + face*flag(b.face(i))
		})).widened(likeness),
		redrawn: learnBoth(b.colours, area, first, score).redrawn,
	}.ratio(b.colours, skinLimit)
	feet := o.against(func(c class) bool { return c == feetClass }, worn)
	for i, bin := range b.colours.of {
		if b.bare[i] {
			score[i] += max(ratio[bin], 0) / float32(1+math.Exp(float64(feet[i])))
		}
	}
	return s.cut.divide(ctx, area, score)
}

// face reports whether a pixel lies in a person's face, between brows and chin.
func (b *bodyMap) face(i int) bool {
	return b.across[i] < 0.35 && b.down[i] > -0.25 && b.down[i] < 0.4
}

// waist divides an area by scores that speak for what is worn above the waist, then by what both parts look like as well, as long as their border
// is seen better by that. size is the diameter of a face, in pixels.
func (s *scene) waist(ctx context.Context, area []uint8, score []float32, size float64) ([]uint8, error) {
	first, err := s.cut.divide(ctx, area, slices.Clone(score))
	if err != nil {
		return nil, err
	}
	reach := max(2, int(clothReach*size))
	cloth := s.cut.cloth(area, reach)
	labels := first
	for range waistRound {
		if few(area, labels) {
			return first, nil
		}
		again := slices.Clone(score)
		for _, p := range []*palette{s.cut.colours, cloth} {
			ratio := learnBoth(p, area, labels, score).ratio(p, twiceLimit)
			for i, bin := range p.of {
				again[i] += waistTrust * ratio[bin]
			}
		}
		if labels, err = s.cut.divide(ctx, area, again); err != nil {
			return nil, err
		}
	}
	if cloth.border(area, labels, s.cut.w, reach) < seam*cloth.border(area, first, s.cut.w, reach)+seamLevels {
		return first, nil
	}
	return labels, nil
}

// few tells whether hardly anything of an area is on one side of its labels.
func few(area, labels []uint8) bool {
	all, kept := 0.0, 0.0
	for i, a := range area {
		all += float64(a)
		kept += float64(a & labels[i])
	}
	return min(kept, all-kept) < fewest*all
}

// cloth is an area as it looks from a little farther off, where patterns are one: in place of colours each pixel has the mean light within a
// reach of it, the mean difference of red and blue, and how much the light varies there.
func (k *cutter) cloth(area []uint8, reach int) *palette {
	const middle, contrast, most = 128, 3, 255
	total := make([]float32, len(area))
	for i, a := range area {
		total[i] = float32(a)
	}
	total = boxBlur(total, k.w, k.h, reach)
	mean := func(of func(i int) float32) []float32 {
		field := make([]float32, len(area))
		for i, a := range area {
			field[i] = float32(a) * of(i)
		}
		field = boxBlur(field, k.w, k.h, reach)
		for i := range field {
			field[i] /= max(total[i], 1e-4)
		}
		return field
	}
	luma := k.gray()
	light, square := mean(func(i int) float32 { return luma[i] }), mean(func(i int) float32 { return luma[i] * luma[i] })
	warm := mean(func(i int) float32 { return k.pix[3*i] - k.pix[3*i+2] })
	c := &canvas{w: k.w, h: k.h, pix: make([]float32, 3*len(area))}
	for i := range area {
		varies := sqrt32(max(square[i]-light[i]*light[i], 0))
		for n, v := range [3]float32{light[i], middle + warm[i], contrast * varies} {
			c.pix[3*i+n] = min(max(v, 0), most)
		}
	}
	return newPalette(c)
}

// border is how much differs, in levels, from above to below where labels w pixels wide change within an area: reach pixels from there on
// both sides, or as far as the part goes.
func (p *palette) border(area, labels []uint8, w, reach int) float64 {
	sum, n := 0.0, 0.0
	for i := range len(area) - w {
		if area[i]&area[i+w] == 0 || labels[i] == labels[i+w] {
			continue
		}
		far := func(from, step int) [3]float64 {
			for range reach {
				next := from + step
				if next < 0 || next >= len(area) || area[next] == 0 || labels[next] != labels[from] {
					break
				}
				from = next
			}
			return p.mean[p.of[from]]
		}
		above, below := far(i, -w), far(i+w, w)
		sum += math.Sqrt(square(above[0]-below[0]) + square(above[1]-below[1]) + square(above[2]-below[2]))
		n++
	}
	return sum / max(n, 1)
}

func square(v float64) float64 { return v * v }
