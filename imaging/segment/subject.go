package segment

import (
	"context"
	"slices"
)

// How much each kind of evidence weighs against a log-likelihood ratio of colour. Chosen on photographs of people and products with
// known outlines; results change little within ±30 %.
const (
	bodyWeight   = 1.0
	centreWeight = 0.85
	standsWeight = 0.35 // what stands out, when there is a body to expect
	standsAlone  = 1.0  // what stands out, when there is not
	standsWary   = 0.6  // and when what hangs together with the frame's edge is looked at too
	aloofWary    = 0.6
	besideWeight = 2.5
	besideAlone  = 0.8
	colourLimit  = 12  // a colour never outvotes this much other evidence
	forestWeight = 1.5 // what the forest says, when it is asked
	ratioWeight  = 0.4 // and the colours beside it: the forest has seen them too
	somebody     = 0.3 // confidence from which people are there at all
	thingRounds  = 5
	peopleRounds = 3
)

// subject finds the foreground on the coarse canvas. Where people are only a guess, what else there may be is cut too, and the best cut
// stays.
func (s *scene) subject(ctx context.Context) (finding, error) {
	best, err := s.attempt(ctx, s.people)
	if err != nil || len(s.people) > 0 && s.people[0].sure() && (s.divided || !best.small(s.passing())) {
		return best, err
	}
	var beside []uint8 // somebody who is not what the picture is about
	if len(s.people) > 0 {
		thing, err := s.attempt(ctx, nil)
		if err != nil {
			return finding{}, err
		}
		if s.rather(thing, best) {
			thing.others = best.labels
			if best.confidence >= somebody {
				beside = best.labels
			}
			best, s.people = thing, nil
			s.faces = slices.DeleteFunc(s.faces, func(f face) bool { return !thing.covers(f, s.cut.w) })
		}
	}
	if len(s.people) == 0 && best.confidence < 0.5 {
		if best, err = s.warily(ctx, best); err != nil {
			return finding{}, err
		}
		if best, err = s.evenly(ctx, best); err != nil {
			return finding{}, err
		}
	}
	if beside != nil {
		best.wholly(beside, s.cut.w, s.cut.h)
	}
	return best, nil
}

// wholly makes somebody beside a thing a part of the cut when it has most of them, and none of it otherwise: nobody is shown in part.
func (f *finding) wholly(who []uint8, w, h int) {
	n, both := 0, 0
	for i, v := range who {
		n += int(v)
		both += int(v & f.labels[i])
	}
	label, push := uint8(1), float32(2*colourLimit)
	if 2*both < n {
		who, label, push = dilate(who, w, h, float32(max(w, h))/100), 0, -push
	}
	for i, v := range who {
		if v == 1 {
			f.labels[i] = label
			f.prior[i] += push // finer copies keep it
		}
	}
}

// warily looks for a thing that does not hang together with the frame's edge either, and gives the better of that and the cut before.
// It finds things on busy ground, but now and then takes what things enclose for a part of them.
func (s *scene) warily(ctx context.Context, before finding) (finding, error) {
	wary := *s
	wary.wary = true
	f, err := wary.attempt(ctx, nil)
	if err != nil || f.confidence <= before.confidence {
		return before, err
	}
	f.others = before.others
	return f, nil
}

// rather tells whether a thing is what the picture is about, and not the people. Who takes up little of a picture and may be nobody is a
// passer-by, or none, unless they are cut out clearly: the thing needs no more than to be there.
func (s *scene) rather(thing, people finding) bool {
	const least, clear = 0.02, 0.7 // of confidence
	if s.opt.Thing && people.small(s.passing()) && thing.area() > 2*people.area() {
		return thing.confidence > least
	}
	if !s.divided && people.small(s.passing()) && people.confidence < clear && !s.people[0].certain() {
		return thing.confidence > least
	}
	return odds(thing.confidence) > odds(people.confidence)+min(s.people[0].quality, 1)
}

// passing is the share of a picture below which people are hardly what it was taken for.
func (s *scene) passing() float64 {
	const share, beside = 0.05, 0.12
	if s.opt.Thing {
		return beside
	}
	return share
}

// small tells whether a cut has less than a share of its picture.
func (f finding) small(share float64) bool {
	return float64(f.area()) < share*float64(len(f.labels))
}

// area is how many pixels a cut has.
func (f finding) area() int {
	n := 0
	for _, l := range f.labels {
		n += int(l)
	}
	return n
}

// covers tells whether the middle of a face lies in the cut, which is w pixels wide.
func (f finding) covers(o face, w int) bool {
	i := int(o.y)*w + int(o.x)
	return i >= 0 && i < len(f.labels) && f.labels[i] == 1
}

// sure tells whether there is hardly a doubt that this is somebody.
func (f face) sure() bool { return !f.guessed || f.quality > sureFigure }

// certain is the same where a face that is none would do harm: rocks and animals look like faces now and then.
func (f face) certain() bool {
	const strong = 100
	return f.sure() && (f.guessed || f.quality > strong)
}

// evenly looks for a thing as if its background were lit evenly, and gives the better of that and the cut before.
func (s *scene) evenly(ctx context.Context, before finding) (finding, error) {
	lit := *s
	lit.cut, lit.even = newCutter(flattened(s.cut.canvas)), true
	f, err := lit.attempt(ctx, nil)
	if err != nil || f.confidence <= before.confidence {
		return before, err
	}
	// Colours on the picture itself differ from place to place: its edge is found with those nearby, as a part's is.
	f.part = true
	f.others = before.others
	return f, nil
}

// odds is the logit of a confidence, for any.
func odds(p float64) float64 { return logit(min(max(p, 0.001), 0.999)) }

// attempt cuts out the given people, or what stands out when there are none.
func (s *scene) attempt(ctx context.Context, people []face) (finding, error) {
	if f, ok, err := s.framed(ctx, people); ok || err != nil {
		return f, err
	}
	e := s.gather(people)
	find := s.findThing
	if len(people) > 0 {
		find = s.findPeople
	}
	f, err := find(ctx, e)
	if err != nil {
		return finding{}, err
	}
	if len(people) > 0 {
		if err := s.thirdLook(ctx, e, &f, people); err != nil {
			return finding{}, err
		}
	}
	f.chance = make([]float32, len(e.chance))
	for i, p := range e.chance {
		f.chance[i] = float32(p)
	}
	if len(people) > 0 {
		plain, err := s.beforeBackdrop(ctx, &f, people)
		if err != nil {
			return finding{}, err
		}
		if !plain {
			if err := s.addCrowns(ctx, &f, people); err != nil {
				return finding{}, err
			}
		}
		if err := s.addFeet(ctx, &f, people, plain); err != nil {
			return finding{}, err
		}
		if err := s.addCarried(ctx, &f, people); err != nil {
			return finding{}, err
		}
		if err := s.addArms(ctx, &f, people); err != nil {
			return finding{}, err
		}
	}
	score := s.cut.score(f.models, f.prior)
	tidy(f.labels, s.cut.w, s.cut.h, 0.06, s.cut.w*s.cut.h/1200, func(p piece) bool { return mended(p, score, f.chance) })
	f.confidence = s.cut.judge(f).confidence(len(people) > 0)
	closed := append(closeTrunks(f.labels, s.cut.w, s.cut.h, people), closeFaces(f.labels, s.cut.w, s.cut.h, people)...)
	for _, i := range closed {
		f.prior[i] += 2 * colourLimit // finer copies keep it
	}
	if len(people) > 0 {
		if !s.divided {
			s.openPockets(&f)
		}
		s.openGaps(&f, people)
	} else if b, plain := backdropOf(s.cut.canvas); plain {
		s.dropShade(&f, b)
		s.seeThrough(&f, b)
	}
	return f, nil
}

// mended tells whether a hole is closed: when little speaks for background in it, or when it lies where the subject surely is.
func mended(p piece, score, chance []float32) bool {
	var sum, expected float32
	for _, i := range p.pixels {
		sum += score[i]
		expected += chance[i]
	}
	n := float32(len(p.pixels))
	return sum > -3*n || expected > 0.85*n
}

// evidence is what speaks for each pixel besides its colour.
type evidence struct {
	chance  []float64 // where a subject is expected
	stands  []float32 // how much it stands out
	local   []float32 // how its colour compares with what lies beside
	weights [3]float32
}

func (s *scene) gather(people []face) evidence {
	k := s.cut
	e := evidence{chance: centred(k.w, k.h), weights: [3]float32{centreWeight, standsAlone, besideAlone}}
	if len(people) > 0 {
		e.chance, e.weights = bodies(k.w, k.h, people), [3]float32{bodyWeight, standsWeight, besideWeight}
	}
	e.stands, e.local = salience(k), beside(k, e.chance)
	if len(people) == 0 && s.wary {
		e.weights[1] = standsWary
		for i, v := range aloof(k.canvas) {
			e.stands[i] += aloofWary / standsWary * v
		}
	}
	return e
}

// prior adds it up, with the given comparison.
func (e evidence) prior(local []float32) []float32 {
	out := make([]float32, len(local))
	for i, p := range e.chance {
		out[i] = e.weights[0]*float32(logit(min(max(p, 0.02), 0.98))) + e.weights[1]*e.stands[i] + e.weights[2]*local[i]
	}
	return out
}

// start is what the evidence says before any colours are learned.
func (e evidence) start() ([]uint8, []float32) {
	prior := e.prior(e.local)
	labels := make([]uint8, len(prior))
	for i, p := range prior {
		if p > 0 {
			labels[i] = 1
		}
	}
	return labels, prior
}

func (s *scene) findThing(ctx context.Context, e evidence) (finding, error) {
	labels, prior := e.start()
	labels, m, err := s.cut.grab(ctx, labels, prior, thingRounds)
	return finding{labels: labels, models: m, prior: prior}, err
}

// findPeople looks again after each cut at what lies beside the person: the first comparison takes the gaps between arms and legs for
// a part of them.
func (s *scene) findPeople(ctx context.Context, e evidence) (finding, error) {
	labels, prior := e.start()
	labels, err := s.firstLook(ctx, e.chance, prior, labels)
	if err != nil {
		return finding{}, err
	}
	f := finding{labels: labels, prior: prior}
	for range peopleRounds {
		if f.labels, f.models, err = s.cut.grab(ctx, f.labels, f.prior, 2); err != nil {
			return finding{}, err
		}
		inside := make([]float64, len(labels))
		for i, l := range f.labels {
			inside[i] = float64(l) * (0.5 + 0.5*e.chance[i])
		}
		again := beside(s.cut, inside)
		for i, v := range e.local {
			// Dark hair before a dark street stays a head; between the legs the shape says little.
			doubt := float32(min(max((0.95-e.chance[i])/0.4, 0), 1))
			again[i] = v + doubt*min(again[i]-v, 0)
		}
		f.prior = e.prior(again)
	}
	return f, nil
}

// widened are the people with wider bodies, when the first face is so large that little is seen but head and shoulders: these lean, turn
// and raise their arms so much that one width does not do. Otherwise it is nil.
func (s *scene) widened(people []face) []face {
	const (
		portrait = 0.25 // of the height, for a face
		wide     = 1.5
	)
	if people[0].guessed || people[0].size < portrait*float64(s.cut.h) {
		return nil
	}
	out := slices.Clone(people)
	for i := range out {
		out[i].wide = wide
	}
	return out
}

// thirdLook cuts once more by what the forest makes of everything seen so far, in portraits by the mean of what it makes of two widths.
func (s *scene) thirdLook(ctx context.Context, e evidence, f *finding, people []face) error {
	nothing := make([]float32, len(f.prior))
	f.opinion = see(s.cut, e, *f, people).opinion(peopleForest(), s.cut.w, s.cut.h)
	ratio := s.cut.score(f.models, nothing)
	if wide := s.widened(people); wide != nil {
		e2 := s.gather(wide)
		f2, err := s.findPeople(ctx, e2)
		if err != nil {
			return err
		}
		f.opinion.average(see(s.cut, e2, f2, wide).opinion(peopleForest(), s.cut.w, s.cut.h))
		for i, v := range s.cut.score(f2.models, nothing) {
			ratio[i] = (ratio[i] + v) / 2
		}
	}
	score := make([]float32, len(f.prior))
	for i, v := range f.opinion.subject() {
		score[i] = forestWeight*v + ratioWeight*ratio[i]
		// Finer copies add the whole ratio of their own colours.
		f.prior[i] = score[i] - ratio[i]
	}
	var err error
	f.labels, err = s.cut.cut(ctx, score, nil)
	return err
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
