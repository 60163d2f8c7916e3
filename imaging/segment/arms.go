package segment

import (
	"context"
	"math"
	"slices"
)

// How bare arms are told that reach farther than bodies are expected to, in face diameters where nothing else is said. Chosen on photographs of
// people who wave, dance and lean, and of people in streets with known outlines, who do not.
const (
	armReach  = 3.5  // of what was found
	armRoom   = 5.0  // and of that, where the background is learned
	armLeast  = 0.07 // of the square of a diameter
	armMost   = 5.0
	armSkin   = 3.5  // how much more its colours are the people's than the background's, a log-likelihood ratio
	armLimit  = 8    // of that
	armShare  = 0.14 // of the people, what is skin as their faces show it
	armTold   = 1    // of that ratio, from which something is no example of the background
	armNever  = -4.5 // how much the forest may be against it, a logit
	armJoins  = 0.03 // of its outline, at the person at least
	armWithin = 0.5  // and at most: a gap beside the trunk
	armLeaves = 0.5  // of that, at the border of what is looked at: a wall, or a rail that goes on behind
)

// addArms looks once more beside people for their bare arms: what is skin in their colours, unlike the background there, hangs together with
// them and ends close to them.
func (s *scene) addArms(ctx context.Context, f *finding, people []face) error {
	k := s.cut
	if people[0].guessed || f.opinion[background] == nil {
		return nil
	}
	size := float32(people[0].unit())
	near, room := dilate(f.labels, k.w, k.h, armReach*size), dilate(f.labels, k.w, k.h, armRoom*size)
	rim := dilate(f.labels, k.w, k.h, 1.5)
	skin := s.likePeople(f, people, func(i int) bool { return rim[i] == 0 && room[i] == 1 })
	if skin == nil {
		return nil
	}
	score, open := make([]float32, len(f.labels)), slices.Clone(f.labels)
	for i, l := range f.labels {
		if l == 1 || near[i] == 0 {
			continue
		}
		open[i], score[i] = 2, 3*skin[i]
		if !skinLike(k.pix[3*i], k.pix[3*i+1], k.pix[3*i+2]) {
			score[i] = -3 * armLimit
		}
	}
	labels, err := k.cut(ctx, score, open)
	if err != nil {
		return err
	}
	may := f.opinion.subject()
	for _, p := range pieces(opened(subtract(labels, f.labels), k.w, k.h), k.w, k.h) {
		area := float32(len(p.pixels)) / (size * size)
		if p.label == 0 || area < armLeast || area > armMost || p.mean(skin) < armSkin || p.mean(may) < armNever {
			continue
		}
		if leaves, within := s.rimShares(p, f.labels, near); leaves > armLeaves*within || within < armJoins || within > armWithin {
			continue
		}
		for _, i := range p.pixels {
			f.labels[i] = 1
			f.prior[i] += 2 * colourLimit // finer copies keep it
		}
	}
	return nil
}

// likePeople is how much more each pixel's colour is that of the people or of their faces' skin than that of what lies behind, within ±armLimit;
// nil where there is nothing to learn either from. What is likely to be theirs behind is left out of the second of two looks.
func (s *scene) likePeople(f *finding, people []face, behind func(i int) bool) []float32 {
	k := s.cut
	b, inner := newBodyMap(k, f.labels, people), dilate(f.labels, k.w, k.h, -1)
	whole := newMixture(k.colours, k.colours.weigh(func(i int) float64 { return float64(inner[i]) }))
	skin := newMixture(k.colours, k.colours.weigh(func(i int) float64 { return flag(inner[i] == 1 && b.face(i) && b.bare[i]) }))
	if len(whole.parts) == 0 || len(skin.parts) == 0 {
		return nil
	}
	like := whole.widened(20).logProb(k.colours)
	for i, v := range skin.widened(60).logProb(k.colours) {
		like[i] = max(like[i], v+float32(math.Log(armShare)))
	}
	out := make([]float32, len(f.labels))
	for range 2 {
		m := newMixture(k.colours, k.colours.weigh(func(i int) float64 { return flag(behind(i) && out[i] < armTold) }))
		if len(m.parts) == 0 {
			return nil
		}
		there := m.widened(20).logProb(k.colours)
		for i, bin := range k.colours.of {
			out[i] = min(max(like[bin]-there[bin], -armLimit), armLimit)
		}
	}
	return out
}
