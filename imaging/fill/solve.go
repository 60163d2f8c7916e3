package fill

import (
	"context"
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
)

// problem is a canvas to be completed from a source, at full size.
type problem struct {
	dst   picture // its known pixels in place
	state []uint8
	src   picture
	use   []uint8
	left  int // where the source lies on the canvas
	top   int

	seed     uint64
	progress func(float64)
}

// stage is one entry of the pyramid.
type stage struct {
	dst   picture
	state []uint8
	src   picture
	use   []uint8
}

// solve fills the holes of p.out. The caller has made sure that there is something to copy from.
func (p *problem) solve(ctx context.Context) error {
	stages := []stage{{p.dst, p.state, p.src, p.use}}
	top := 0 // the stage matched in full
	for {
		s := stages[len(stages)-1]
		large := max(s.dst.w, s.dst.h, s.src.w, s.src.h) > solveSide
		if !large && (min(s.dst.w, s.dst.h) < 2*coarsest || min(s.src.w, s.src.h) < 2*fewest) {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var n stage
		n.dst, n.state = half(s.dst, s.state)
		n.src, n.use = half(s.src, s.use)
		if min(n.src.w, n.src.h, n.dst.w, n.dst.h) < 2*side || !large && !plenty(n) {
			break
		}
		if large {
			top = len(stages)
		}
		stages = append(stages, n)
	}
	progress := meter{tell: p.progress}
	for k := range stages {
		progress.total += work(stages[k])
	}

	rare, err := p.rarity(ctx, stages)
	if err != nil {
		return err
	}
	var l *level
	for k := len(stages) - 1; k >= top; k-- {
		n := p.level(stages[k], k)
		n.rare = rare
		scale := float64(int(1) << k)
		n.expect(float64(p.left)/scale, float64(p.top)/scale)
		if err := p.settle(ctx, n, l, k); err != nil {
			return err
		}
		l = n
		progress.add(work(stages[k]))
	}
	seams, err := l.heal(ctx)
	if err != nil {
		return err
	}
	k := top
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

// rarity is that of the largest source on which it is looked for; none when there is none so small.
func (p *problem) rarity(ctx context.Context, stages []stage) (rarity, error) {
	for k, s := range stages {
		if max(s.src.w, s.src.h) > rareSide || min(s.src.w, s.src.h) < 4*side {
			continue
		}
		l := level{src: s.src, ok: patchCentres(s.src.w, s.src.h, s.use)}
		if l.sources(enough) < enough {
			continue
		}
		return l.rarityOf(ctx, p.seed^uint64(k))
	}
	return rarity{}, nil
}

// work is a stage's share of the time.
func work(s stage) float64 { return float64(s.dst.w) * float64(s.dst.h) }

// plenty reports whether a stage has sources enough to start at.
func plenty(s stage) bool {
	l := level{ok: patchCentres(s.src.w, s.src.h, s.use)}
	return l.sources(enough) >= enough
}

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
func (p *problem) settle(ctx context.Context, l, coarser *level, k int) error {
	seed := p.seed ^ uint64(k+1)*0xd1342543de82ef95
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
