package fill

import (
	"context"

	parts "atelier/imaging/parallel"
)

// Sizes at which the work changes.
const (
	solveSide  = 1024 // matching is done in full up to this side
	refineSide = 2100 // and refined up to this one; above it, patches are copied as found
	coarsest   = 36   // no side of the canvas is halved below this
	fewest     = 20   // nor one of the source below this
	enough     = 120  // source patches a level needs to be worth starting at
	crowdSide  = 360  // up to this side, where it is decided what goes where, repetition costs
	wideSide   = 360  // up to this side the whole source is searched, above it only around what was found
	mostTries  = 8
)

// problem is a canvas to be completed from a source, at full size.
type problem struct {
	dst   picture // its known pixels in place
	state []uint8
	src   picture
	use   []uint8
	left  int // where the source lies on the canvas
	top   int

	beyond   bool // it goes on beyond a picture, rather than within
	seed     uint64
	variant  int
	tries    int
	progress func(float64)
}

// stage is one entry of the pyramid.
type stage struct {
	dst   picture
	state []uint8
	src   picture
	use   []uint8
}

// pyramid is the problem at full size and halved again and again; stages[top] is the largest that is matched in full.
func (p *problem) pyramid(ctx context.Context) (stages []stage, top int, err error) {
	stages = []stage{{p.dst, p.state, p.src, p.use}}
	for {
		s := stages[len(stages)-1]
		large := max(s.dst.w, s.dst.h, s.src.w, s.src.h) > solveSide
		if !large && (min(s.dst.w, s.dst.h) < 2*coarsest || min(s.src.w, s.src.h) < 2*fewest) {
			return stages, top, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		var n stage
		parts.Together(
			func() { n.dst, n.state = half(s.dst, s.state) },
			func() { n.src, n.use = half(s.src, s.use) },
		)
		if min(n.src.w, n.src.h, n.dst.w, n.dst.h) < 2*side || !large && !hasCentres(n.src.w, n.src.h, n.use, enough) {
			return stages, top, nil
		}
		if large {
			top = len(stages)
		}
		stages = append(stages, n)
	}
}

// solve fills the holes of p.dst. The caller has made sure that there is something to copy from.
func (p *problem) solve(ctx context.Context) error {
	stages, top, err := p.pyramid(ctx)
	if err != nil {
		return err
	}
	progress := meter{tell: p.progress}
	for k := range stages {
		progress.total += work(stages[k])
	}
	rare, err := p.rarity(ctx, stages)
	if err != nil {
		return err
	}
	l, k, err := p.decide(ctx, stages, top, rare)
	if err != nil {
		return err
	}
	for _, s := range stages[k:] {
		progress.add(work(s))
	}
	for k--; k >= top; k-- {
		if l, err = p.matched(ctx, stages[k], k, l, p.seed, rare); err != nil {
			return err
		}
		progress.add(work(stages[k]))
	}
	seams, err := l.heal(ctx)
	if err != nil {
		return err
	}
	k = top
	for k > 0 && max(stages[k-1].dst.w, stages[k-1].dst.h) <= refineSide {
		k--
		n := p.level(stages[k], k)
		if err := n.refine(ctx, l, p.seed+uint64(k)); err != nil {
			return err
		}
		l = n
		progress.add(work(stages[k]))
	}
	if k > 0 {
		if err := p.enlarge(ctx, l, 1<<k); err != nil {
			return err
		}
	} else if err := p.take(ctx, l); err != nil {
		return err
	}
	if err := p.correct(ctx, seams); err != nil {
		return err
	}
	progress.add(progress.total)
	return nil
}

// decide solves the stages that are so small that they decide what goes where, as often as there are tries, and gives the smallest k of
// them with the level whose patches join best.
func (p *problem) decide(ctx context.Context, stages []stage, top int, rare rarity) (best *level, k int, err error) {
	k = len(stages) - 1
	for k > top && max(stages[k-1].dst.w, stages[k-1].dst.h) <= crowdSide {
		k--
	}
	tries := p.tries
	if max(stages[k].dst.w, stages[k].dst.h) > crowdSide {
		tries = 1
	}
	for try := range tries {
		var l *level
		for n := len(stages) - 1; n >= k; n-- {
			s := stages[n]
			if tries > 1 {
				s.dst = s.dst.clone()
			}
			of := p.seed + uint64(try)*0x9e3779b97f4a7c15
			if l, err = p.matched(ctx, s, n, l, of, rare); err != nil {
				return nil, 0, err
			}
			if p.beyond && n <= k+1 {
				if err := p.regroup(ctx, l, n, of, n > k || n == len(stages)-1); err != nil {
					return nil, 0, err
				}
			}
		}
		if best == nil || l.misfit() < best.misfit() {
			best = l
		}
	}
	return best, k, nil
}

// misfit is the mean cost of the matches: how badly patches join what is given and one another, how far they come from and how often
// they repeat.
func (l *level) misfit() float64 {
	sum, n := 0.0, 0
	for i, t := range l.target {
		if t != 0 {
			sum += float64(l.cost[i])
			n++
		}
	}
	return sum / float64(max(n, 1))
}

// matched is stage k matched in full, beginning with the coarser level's matches, if there is one.
func (p *problem) matched(ctx context.Context, s stage, k int, coarser *level, seed uint64, rare rarity) (*level, error) {
	var near []at
	var l *level
	parts.Together(
		func() { near = nearestGiven(s.dst.w, s.dst.h, s.state) },
		func() { l = p.level(s, k) },
	)
	l.rare, l.lean = rare, leaning(p.variant, s.src.w)
	scale := float64(int(1) << k)
	if err := l.expect(ctx, near, float64(p.left)/scale, float64(p.top)/scale); err != nil {
		return nil, err
	}
	return l, p.settle(ctx, l, coarser, seed^uint64(k+1)*0xd1342543de82ef95)
}

// rarity is that of the largest source on which it is looked for; none when there is none so small.
func (p *problem) rarity(ctx context.Context, stages []stage) (rarity, error) {
	for k, s := range stages {
		if max(s.src.w, s.src.h) > rareSide || min(s.src.w, s.src.h) < 4*side {
			continue
		}
		if !hasCentres(s.src.w, s.src.h, s.use, enough) {
			continue
		}
		l := level{src: s.src, ok: patchCentres(s.src.w, s.src.h, s.use), lean: leaning(p.variant, s.src.w)}
		return l.rarityOf(ctx, p.seed^uint64(k))
	}
	return rarity{}, nil
}

// work is a stage's share of the time.
func work(s stage) float64 { return float64(s.dst.w) * float64(s.dst.h) }

// level makes the matching problem of stage k. Stage 0 works on a copy: its pixels are the caller's.
func (p *problem) level(s stage, k int) *level {
	dst := s.dst
	if k == 0 {
		dst = s.dst.clone()
	}
	return newLevel(dst, s.state, s.src, s.use)
}

// effort is how hard a level is worked on: rounds of matching and voting, and searching passes in each. Small levels
// decide what goes where and cost little; large ones only follow.
func effort(longSide int) (rounds, passes int) {
	switch {
	case longSide <= 90:
		return 12, 3
	case longSide <= 180:
		return 8, 2
	case longSide <= 360:
		return 6, 2
	case longSide <= 720:
		return 4, 1
	}
	return 3, 1
}

// settle alternates matching and voting on one level, beginning with the coarser level's matches or, without one,
// from the border of the holes inward.
func (p *problem) settle(ctx context.Context, l, coarser *level, seed uint64) error {
	long := max(l.dst.w, l.dst.h)
	rounds, passes := effort(long)
	radius := max(l.src.w, l.src.h) / 2
	if long > wideSide {
		radius = min(radius, 4)
	}
	inward := long <= 260
	if coarser == nil {
		l.peel(seed)
	} else {
		if err := l.inherit(ctx, coarser, seed); err != nil {
			return err
		}
		if err := l.weigh(ctx, inward); err != nil {
			return err
		}
		if err := l.vote(ctx, &sharp); err != nil {
			return err
		}
	}
	for round := range rounds {
		if long <= crowdSide {
			l.crowd()
		}
		if err := l.price(ctx); err != nil {
			return err
		}
		for pass := range passes {
			if err := l.search(ctx, round*passes+pass, radius, seed+uint64(round*8+pass+1)*104729); err != nil {
				return err
			}
		}
		if err := l.weigh(ctx, inward && round < rounds-1); err != nil {
			return err
		}
		say := &even
		if round == rounds-1 {
			say = &sharp
		}
		if err := l.vote(ctx, say); err != nil {
			return err
		}
	}
	return nil
}

// refine carries a solved level to twice its size: real patches at the new size, one pass among neighbours, a vote.
func (l *level) refine(ctx context.Context, coarser *level, seed uint64) error {
	if err := l.inherit(ctx, coarser, seed); err != nil {
		return err
	}
	if err := l.weigh(ctx, false); err != nil {
		return err
	}
	if err := l.vote(ctx, &sharp); err != nil {
		return err
	}
	if err := l.price(ctx); err != nil {
		return err
	}
	if err := l.search(ctx, 0, 1, seed); err != nil {
		return err
	}
	if err := l.weigh(ctx, false); err != nil {
		return err
	}
	return l.vote(ctx, &sharp)
}

// take copies the filled pixels of the full-size level to the result.
func (p *problem) take(ctx context.Context, l *level) error {
	return parallel(ctx, bands, func(b int) {
		n := len(p.state)
		for i := n * b / bands; i < n*(b+1)/bands; i++ {
			if p.state[i] == hole {
				copy(p.dst.pix[4*i:4*i+3], l.dst.pix[4*i:4*i+3])
				p.dst.pix[4*i+3] = 255
			}
		}
	})
}
