package segment

import (
	"context"
	"math"
	"slices"

	"atelier/imaging/net"
)

// How much each kind of evidence weighs against a log-likelihood ratio of colour. Chosen on photographs of people and
// products with known outlines; results change little within ±30 %.
const (
	forestWeight = 1.5 // what the forest says
	ratioWeight  = 0.4 // and the colours beside it: the forest has seen them too
	centreWeight = 0.85
	standsAlone  = 1.0
	colourLimit  = 12 // a colour never outvotes this much other evidence
	thingRounds  = 5
)

// How far the network decides alone: from surely on a pixel shows the subject, below barely it does not. What the
// forest knows, it may correct more of.
const (
	surely, barely             = 0.75, 0.1
	surelyFigure, barelyFigure = 0.9, 0.03
	likeFace                   = 0.6 // of the largest face, for a person that belongs to the subject
)

// How large a person must be seen to be the subject.
const (
	leastSeen  = 0.005 // of the picture
	smallSeen  = 0.02  // of the picture: below, a thing is rather what it was taken of
	smallThing = 0.12  // the same when a product is looked for
	// clearlySeen is the confidence from which a person without a face needs no comparison with the most salient thing.
	clearlySeen = 0.6
)

// subject finds the foreground on the coarse canvas, once.
func (s *scene) subject(ctx context.Context) (*finding, error) {
	if s.whole != nil {
		return s.whole, nil
	}
	if err := s.meet(ctx); err != nil {
		return nil, err
	}
	f, err := s.findSubject(ctx)
	if err != nil {
		return nil, err
	}
	s.whole = &f
	return s.whole, nil
}

// findSubject finds what the networks see, or what stands out where that is no person, small, or doubtful.
func (s *scene) findSubject(ctx context.Context) (finding, error) {
	var best finding
	if s.sees() {
		var err error
		if best, err = s.findSeen(ctx); err != nil {
			return finding{}, err
		}
		small := smallSeen
		if s.opt.Thing {
			small = smallThing
		}
		large := float64(best.area()) >= small*float64(len(best.labels))
		if s.hasPerson() && (large || !s.opt.Thing) && (len(faces(s.people)) > 0 || best.confidence >= clearlySeen) {
			return best, nil
		}
	}
	thing, err := s.findThing(ctx)
	if err != nil || best.labels != nil && best.confidence+s.bonus() >= thing.confidence {
		return best, err
	}
	if s.hasPerson() {
		thing.others = best.labels
	}
	return thing, nil
}

// bonus is how much more confidence a thing needs than a person without a face.
func (s *scene) bonus() float64 {
	const faceless = 0.15
	if s.hasPerson() && !s.opt.Thing {
		return faceless
	}
	return 0
}

// hasPerson reports whether there surely is a person.
func (s *scene) hasPerson() bool {
	return slices.ContainsFunc(s.people, func(p person) bool { return p.shown || p.joints.Presence >= presentFrom })
}

// sees reports whether the networks saw anything.
func (s *scene) sees() bool {
	n := 0
	for _, p := range s.looked.chance {
		if p > seen {
			n++
		}
	}
	return float64(n) > leastSeen*float64(len(s.looked.chance))
}

// area is how many pixels a cut has.
func (f finding) area() int {
	n := 0
	for _, l := range f.labels {
		n += int(l)
	}
	return n
}

// findSeen cuts out what the networks see.
func (s *scene) findSeen(ctx context.Context) (finding, error) {
	k := s.cut
	subject, trust, err := s.evidence(ctx)
	if err != nil {
		return finding{}, err
	}
	score := s.likeSeen()
	for i, l := range subject {
		score[i] = forestWeight*l + ratioWeight*score[i]
	}
	f := finding{people: s.people, evidence: subject}
	if f.labels, err = k.cut(ctx, score, s.decided(subject, trust)); err != nil {
		return finding{}, err
	}
	tidy(f.labels, k.w, k.h, 0.06, k.w*k.h/1200, nil)
	f.others = s.keepForemost(f.labels)
	f.confidence = surety(f, subject, len(faces(s.people)) > 0)
	return f, nil
}

// evidence is the logit of each pixel's being a part of the subject: as the people network sees it and, as far as
// trust says, as the forest does.
func (s *scene) evidence(ctx context.Context) (logits []float32, trust float32, err error) {
	// Where neither network sees anything nearby, there is no person.
	const nothing, absent = -4.5, -6
	if s.maybeWhole() {
		if err := s.findBodies(ctx); err != nil {
			return nil, 0, err
		}
		trust = s.wholeFigure()
	}
	logits = make([]float32, len(s.looked.chance))
	if trust > 0 {
		want := func(row *[features]float32) bool { return row[2] > nothing || row[3] > nothing || row[5] > nothing }
		logits = subjectForest().logits(s.see(s.looked, s.people), s.cut.w, s.cut.h, want, absent)[0]
	}
	for i, p := range s.looked.chance {
		logits[i] = trust*logits[i] + (1-trust)*logit32(p)
	}
	return logits, trust, ctx.Err()
}

// maybeWhole reports whether the subject may be a whole figure, by what was seen: joints take longer to find than all
// else.
func (s *scene) maybeWhole() bool {
	const tall = 4 // face diameters from head to foot, at least, of who sits
	if len(s.people) == 0 || len(s.people) > 1 && s.people[1].face.size > likeFace*s.people[0].face.size {
		return false
	}
	box, p := boxAround(s.looked.chance, s.cut.w, s.cut.h), &s.people[0]
	return !p.shown || float64(box.Max.Y)-p.face.y > tall*p.face.size
}

// decided marks the pixels that are left to colours and edges with 2, and with their label those that the network and
// the evidence agree on: thin limbs and small heads have more edge than a cut likes to pay for. trust is that of
// wholeFigure.
func (s *scene) decided(evidence []float32, trust float32) []uint8 {
	least, most := surely+trust*(surelyFigure-surely), barely+trust*(barelyFigure-barely)
	out := make([]uint8, len(evidence))
	for i, l := range evidence {
		switch p := s.looked.chance[i]; {
		case p > least && l > 1:
			out[i] = 1
		case p > most || l > -1:
			out[i] = 2
		}
	}
	return out
}

// wholeFigure is how far the subject is what the forest learned from, 0 to 1: one person from head to foot. Smaller
// ones beside do not count.
func (s *scene) wholeFigure() float32 {
	const (
		smallTrunk, usualTrunk = 0.1, 0.15 // of the picture's height
		doubted, sure          = 0.2, 0.6  // chance of an ankle that is seen
	)
	p := &s.people[0]
	ankle := max(p.joints.At[net.LeftAnkle].Visible, p.joints.At[net.RightAnkle].Visible) * p.joints.Presence
	size := min(max((p.trunk/float64(s.cut.h)-smallTrunk)/(usualTrunk-smallTrunk), 0), 1)
	return float32(size * min(max((ankle-doubted)/(sure-doubted), 0), 1))
}

// keepForemost takes out of a cut the people who are not what the picture is about: those who stand apart, much
// smaller than the largest and without a face of about the size of the largest one. It returns them, nil when there
// are none.
func (s *scene) keepForemost(labels []uint8) (others []uint8) {
	const share = 0.25 // of the largest piece
	k := s.cut
	all := pieces(labels, k.w, k.h)
	largest := 0
	for _, p := range all {
		if p.label == 1 {
			largest = max(largest, len(p.pixels))
		}
	}
	shown := faces(s.people)
	for _, p := range all {
		if p.label == 0 || float64(len(p.pixels)) >= share*float64(largest) {
			continue
		}
		theirs := false
		for _, i := range p.pixels {
			for _, f := range shown {
				apart := math.Hypot(float64(int(i)%k.w)-f.x, float64(int(i)/k.w)-f.y)
				theirs = theirs || f.size > likeFace*shown[0].size && apart < 1
			}
		}
		if theirs || s.carried(p, labels) {
			continue
		}
		if others == nil {
			others = make([]uint8, len(labels))
		}
		paint(others, p, 1)
		paint(labels, p, 0)
	}
	return others
}

// carried reports whether a piece is a part of one person rather than another person: it is small, or near the rest.
func (s *scene) carried(p piece, labels []uint8) bool {
	const small, near = 0.004, 0.03
	k := s.cut
	if float64(len(p.pixels)) < small*float64(len(labels)) {
		return true
	}
	rest := append([]uint8(nil), labels...)
	paint(rest, p, 0)
	reach := near * float32(max(k.w, k.h))
	around := gaps(rest, k.w, k.h, reach+2)
	return slices.ContainsFunc(p.pixels, func(i int32) bool { return around[i] < reach })
}

// mended reports whether a hole is closed: when little speaks for background in it, or when it lies where the subject
// surely is.
func mended(p piece, score []float32, chance []float64) bool {
	var sum float32
	var expected float64
	for _, i := range p.pixels {
		sum += score[i]
		expected += chance[i]
	}
	return sum > -3*float32(len(p.pixels)) || expected > 0.85*float64(len(p.pixels))
}

// findThing cuts out what stands out from the frame's edge.
func (s *scene) findThing(ctx context.Context) (finding, error) {
	k := s.cut
	chance := centred(k.w, k.h)
	stands := salience(k)
	f := finding{prior: make([]float32, len(chance)), labels: make([]uint8, len(chance))}
	for i, p := range chance {
		f.prior[i] = centreWeight*float32(logit(min(max(p, 0.02), 0.98))) + standsAlone*stands[i]
		if f.prior[i] > 0 {
			f.labels[i] = 1
		}
	}
	var err error
	if f.labels, f.models, err = k.grab(ctx, f.labels, f.prior, thingRounds); err != nil {
		return finding{}, err
	}
	score := k.score(f.models, f.prior)
	tidy(f.labels, k.w, k.h, 0.06, k.w*k.h/1200, func(p piece) bool { return mended(p, score, chance) })
	f.confidence = k.judge(f).confidence()
	return f, nil
}

// centred is the chance of each pixel to belong to a subject nothing else is known about: photographs put it in the
// middle.
func centred(w, h int) []float64 {
	out := make([]float64, w*h)
	for i := range out {
		x, y := (float64(i%w)+0.5)/float64(w), (float64(i/w)+0.5)/float64(h)
		dx, dy := (x-0.5)/0.36, (y-0.52)/0.42
		out[i] = 1 / (1 + math.Exp(2.2*(dx*dx+dy*dy)-2))
	}
	return out
}
