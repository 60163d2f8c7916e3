package segment

import "math"

// signs are what can be seen of a cut's quality without knowing the truth, each 0..1, higher is better.
type signs struct {
	contrast  float64 // how different neighbours across the outline are
	agreement float64 // overlap of the cut with what was expected before colours were learned
	margin    float64 // how clearly colours and expectation decide near the outline
	size      float64 // share of the picture that is kept
}

// judge measures a cut.
func (k *cutter) judge(f finding) signs {
	var s signs
	pairs, both, either, kept := 0, 0, 0, 0
	for y := range k.h {
		for x := range k.w {
			i := y*k.w + x
			kept += int(f.labels[i])
			expected := f.prior[i] > 0
			if expected && f.labels[i] == 1 {
				both++
			}
			if expected || f.labels[i] == 1 {
				either++
			}
			for d, n := range forward {
				e := k.edges[4*i+d]
				if e == 0 || f.labels[i] == f.labels[i+n.dy*k.w+n.dx] {
					continue
				}
				pairs++
				s.contrast += 1 - float64(e/(smoothness*n.near))
			}
		}
	}
	s.size = float64(kept) / float64(len(f.labels))
	if pairs > 0 {
		s.contrast /= float64(pairs)
	}
	if either > 0 {
		s.agreement = float64(both) / float64(either)
	}
	s.margin = k.margin(f)
	return s
}

// expectedOverlap is the intersection over union to expect when the logits of each pixel are true.
func expectedOverlap(labels []uint8, logits []float32) float64 {
	both, either := 0.0, 0.0
	for i, v := range logits {
		p := 1 / (1 + math.Exp(-float64(v)))
		if labels[i] == 1 {
			both += p
			either++
		} else {
			either += p
		}
	}
	return both / max(either, 1)
}

// margin is the share of pixels near the outline whose own evidence agrees with their label.
func (k *cutter) margin(f finding) float64 {
	score := k.score(f.models, f.prior)
	near := band(f.labels, k.w, k.h, max(3, float32(max(k.w, k.h))/40))
	agree, n := 0, 0
	for i, b := range near {
		if b != 2 {
			continue
		}
		n++
		if (score[i] > 0) == (f.labels[i] == 1) {
			agree++
		}
	}
	if n == 0 {
		return 0
	}
	return float64(agree) / float64(n)
}

// confidence is about the chance that the cut of a thing overlaps with the truth by four fifths or more.
func (s signs) confidence() float64 {
	const small, large = 0.004, 0.97
	if s.size < small || s.size > large {
		return 0
	}
	overlap := 0.32*s.contrast + 0.38*s.agreement + 0.96*s.margin - 0.63
	return 1 / (1 + math.Exp((0.78-overlap)*18))
}

// surety is the chance that a cut of what the networks saw overlaps with the truth by 0.85 or more, from the overlap
// to expect when the logits of each pixel are true. For people who show their face it is a logistic fit to cuts of
// photographs with known outlines; docs/assurance.md has the table of how it holds on others. Without a face the
// network must be clearer: it was made for people.
func surety(f finding, subject []float32, face bool) float64 {
	const (
		slope, offset = 1.816, -2.093
		steep, half   = 18, 0.8
	)
	expected := min(max(expectedOverlap(f.labels, subject), 0.3), 0.995)
	if !face {
		return 1 / (1 + math.Exp(-steep*(expected-half)))
	}
	return 1 / (1 + math.Exp(-slope*logit(expected)-offset))
}

// partConfidence is the same for a part of a person, from the overlap to expect.
func partConfidence(expected float64) float64 { return 1 / (1 + math.Exp((0.62-expected)*12)) }
