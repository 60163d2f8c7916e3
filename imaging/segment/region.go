package segment

import (
	"context"
	"fmt"
	"slices"
)

// region finds the answer to one kind of question.
func (s *scene) region(ctx context.Context, kind Kind) (Result, error) {
	if kind == WholeSubject && s.transparent {
		return s.fromAlpha(ctx)
	}
	whole, err := s.subject(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("find the subject: %w", err)
	}
	if kind == WholeSubject {
		return s.finish(ctx, *whole)
	}
	p, err := s.parts(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("find the parts: %w", err)
	}
	r, err := s.finish(ctx, p.finding(kind, *whole))
	if err != nil {
		return Result{}, fmt.Errorf("find the region's edge: %w", err)
	}
	if r.Note == saidNoFace && !slices.Contains(r.Mask.Pix, 255) {
		r.Note = "" // nothing is kept
	}
	if kind == Human {
		invert255(r.Mask.Pix)
		invert255(r.Matte.Pix)
	}
	return r, nil
}

func invert255(p []uint8) {
	for i, v := range p {
		p[i] = 255 - v
	}
}

// parts are the pieces people consist of, as labels on the coarse canvas. They do not overlap.
type parts struct {
	head, bare, upper, lower, feet []uint8 // bare is skin, and what is carried
	opinion                        opinion
	known                          bool // the faces were seen, not guessed
	found                          bool // there is something to divide
}

// parts divides the subject, once.
func (s *scene) parts(ctx context.Context) (*parts, error) {
	if s.divided != nil {
		return s.divided, nil
	}
	whole, err := s.subject(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.divide(ctx, whole)
	if err != nil {
		return nil, err
	}
	s.divided = &p
	return s.divided, nil
}

// divide divides a subject by what the forest says of its pixels.
func (s *scene) divide(ctx context.Context, whole *finding) (parts, error) {
	people := whole.people
	if len(people) == 0 || !people[0].shown && people[0].joints.Presence < presentFrom {
		return parts{}, nil
	}
	if err := s.findBodies(ctx); err != nil {
		return parts{}, err
	}
	opinion := s.opinionOf(s.see(s.looked, people), whole.evidence)
	p := parts{opinion: opinion, known: len(faces(people)) > 0, found: true}
	among := func(all ...class) func(class) bool {
		return func(c class) bool { return slices.Contains(all, c) }
	}
	b := newBodyMap(s.cut, whole.labels, people)
	var err error
	if p.head, err = s.head(ctx, opinion, b); err != nil {
		return parts{}, err
	}
	tidy(p.head, s.cut.w, s.cut.h, 0.15, s.cut.w*s.cut.h/2000, nil)
	area := subtract(whole.labels, p.head)
	if p.bare, err = s.bare(ctx, area, opinion, b); err != nil {
		return parts{}, err
	}
	area = subtract(area, p.bare)
	isUpper := opinion.against(among(upperClass), among(lowerClass, feetClass))
	if p.upper, err = s.waist(ctx, area, isUpper, people[0].face.size); err != nil {
		return parts{}, err
	}
	area = subtract(area, p.upper)
	if p.feet, err = s.cut.divide(ctx, area, opinion.against(among(feetClass), among(lowerClass))); err != nil {
		return parts{}, err
	}
	p.lower = subtract(area, p.feet)
	return p, nil
}

// head divides people's heads from the rest of them. Where a head is expected the cut of the subject need not be
// right: hair like what is behind it is asked for again.
func (s *scene) head(ctx context.Context, o opinion, b *bodyMap) ([]uint8, error) {
	const (
		trust = 2   // chins show less than collars, so that what is known counts more than edges
		neck  = 1.6 // it ends a diameter above this
		limit = 5   // of a score
	)
	isHead := func(c class) bool { return c == headClass }
	person := union(b.person, b.crown(o.against(isHead, nil)))
	score := o.against(isHead, func(c class) bool { return c != background })
	for i := range score {
		score[i] *= float32(1 + (trust-1)*min(max(neck-b.down[i], 0), 1))
		if b.oval[i] {
			score[i] = max(score[i], trust*limit)
		}
	}
	return s.cut.divide(ctx, person, score)
}

// crown marks what shows a head rather than anything else, the background too, and lies where heads are: within an
// oval from above the hair to the chin.
func (b *bodyMap) crown(isHead []float32) []uint8 {
	const across, up, down = 0.55, -0.9, 0.6
	out := make([]uint8, len(isHead))
	for i, v := range isHead {
		x, y := b.across[i]/across, (2*b.down[i]-up-down)/(down-up)
		if v > 0 && x*x+y*y < 1 {
			out[i] = 1
		}
	}
	return out
}

// finding is the answer to one kind; for Human it is the head, which the caller turns round.
func (p parts) finding(kind Kind, whole finding) finding {
	f := whole
	if !p.found {
		// A person without face and joints wears only a part of what is kept. A thing may itself be clothes.
		const undivided = 0.3
		if len(whole.people) > 0 {
			f.confidence = min(f.confidence, undivided)
		}
		f.note = saidNoFace
		if kind == Human || kind == InverseHuman {
			f.labels = make([]uint8, len(whole.labels))
			f.confidence = 0
			f.note = saidNoHead
		}
		return f
	}
	of := []class{upperClass, lowerClass, feetClass}
	switch kind {
	case Human, InverseHuman:
		f.labels, of = p.head, []class{headClass}
	case UpperApparel:
		f.labels, of = p.upper, []class{upperClass}
	case LowerApparel:
		f.labels, of = p.lower, []class{lowerClass}
	default:
		f.labels = union(p.upper, p.lower, p.feet)
	}
	f.part, f.faint = true, !slices.Contains(of, headClass)
	shows := p.opinion.against(func(c class) bool { return slices.Contains(of, c) }, nil)
	f.confidence = min(f.confidence, partConfidence(expectedOverlap(f.labels, shows)))
	if !p.known {
		f.confidence *= 0.6
		f.note = saidGuess
	}
	return f
}

func subtract(a, b []uint8) []uint8 {
	out := make([]uint8, len(a))
	for i := range out {
		out[i] = a[i] &^ b[i]
	}
	return out
}

func union(all ...[]uint8) []uint8 {
	out := make([]uint8, len(all[0]))
	for _, l := range all {
		for i, v := range l {
			out[i] |= v
		}
	}
	return out
}
