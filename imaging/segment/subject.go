package segment

import "context"

// How much each kind of evidence weighs against a log-likelihood ratio of colour. Chosen on photographs of people and products with
// known outlines; results change little within ±30 %.
const (
	bodyWeight     = 1.0
	centreWeight   = 0.85
	standsWeight   = 0.35 // what stands out, when there is a body to expect
	standsAlone    = 1.0  // what stands out, when there is not
	besideWeight   = 2.5
	besideAlone    = 0.8
	colourLimit    = 12 // a colour never outvotes this much other evidence
	learningRounds = 4
)

// subject finds the foreground on the coarse canvas.
func (s *scene) subject(ctx context.Context) (finding, error) {
	k := s.cut
	chance, weights := centred(k.w, k.h), [3]float32{centreWeight, standsAlone, besideAlone}
	if len(s.faces) > 0 {
		chance, weights = bodies(k.w, k.h, s.faces), [3]float32{bodyWeight, standsWeight, besideWeight}
	}
	stands, local := salience(k), beside(k, chance)
	prior := make([]float32, len(chance))
	labels := make([]uint8, len(chance))
	for i, p := range chance {
		prior[i] = weights[0]*float32(logit(min(max(p, 0.02), 0.98))) + weights[1]*stands[i] + weights[2]*local[i]
		if prior[i] > 0 {
			labels[i] = 1
		}
	}
	if len(s.faces) > 0 {
		first, err := s.firstLook(ctx, chance, prior, labels)
		if err != nil {
			return finding{}, err
		}
		labels = first
	}
	labels, m, err := k.grab(ctx, labels, prior, learningRounds)
	if err != nil {
		return finding{}, err
	}
	tidy(labels, k.w, k.h, 0.06, k.w*k.h/1200, nil, nil)
	f := finding{labels: labels, models: m, prior: prior}
	f.confidence = k.judge(f).confidence(len(s.faces) > 0)
	return f, nil
}

// firstLook cuts once with colours learned only where the body is expected and the evidence agrees.
func (s *scene) firstLook(ctx context.Context, chance []float64, prior []float32, labels []uint8) ([]uint8, error) {
	k := s.cut
	m := k.learn(
		func(i int) float64 { return chance[i] * float64(labels[i]) },
		func(i int) float64 { return (1 - chance[i]) * float64(1-labels[i]) },
	)
	return k.cut(ctx, k.score(m, prior), nil)
}
