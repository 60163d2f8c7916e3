package fill

import (
	"context"
	"slices"
)

// Sizes and the price of what is seldom.
const (
	rareSide = 180 // the largest side of a source on which likenesses are looked for
	rareMost = side * side * 900
	// What is rarer than rareThing is taken for a thing, of which each copy that is there already, up to mostCopies, makes one more dearer
	// by ofCopy times what it is rarer.
	rareThing  = rareMost / 3
	ofCopy     = 2
	mostCopies = 3
)

// rarity says of each source patch how little it is like any other that is not beside it, as a squared difference without that of
// their mean colours: next to nothing for what a picture is full of, such as grass, and for what goes on, such as an edge; a lot
// for a pot or a number plate, of which whoever sees it again sees the copy.
type rarity struct {
	w, h  int
	cost  []int32
	thing int32 // from where on it is that of a thing
}

// rarityOf compares all patches of a level's source with one another, by the same search that fills holes. Where it is to be copied from some
// columns rather than from others, a thing is what is rarer by a half than most, too: of what is the same all over those could not be chosen.
func (l *level) rarityOf(ctx context.Context, seed uint64) (rarity, error) {
	s, err := l.likenesses(ctx, max(side, min(l.src.w, l.src.h)/6), seed)
	if err != nil {
		return rarity{}, err
	}
	var sources []int32
	for i, c := range s.cost {
		s.cost[i] = min(rareMost, c)
		if l.ok[i] == 1 && l.lean != nil {
			sources = append(sources, s.cost[i])
		}
	}
	r := rarity{w: l.src.w, h: l.src.h, cost: s.cost, thing: rareThing}
	if len(sources) > 0 {
		slices.Sort(sources)
		r.thing = max(rareThing, sources[len(sources)/2]*3/2)
	}
	return r, nil
}

// likenesses finds to each patch of the source one that is like it, at least away pixels from it.
func (l *level) likenesses(ctx context.Context, away int, seed uint64) (*likeness, error) {
	w, h := l.src.w, l.src.h
	s := &likeness{level: l, mean: l.means(), away: away, random: rng(seed), match: make([]at, w*h), cost: make([]int32, w*h)}
	for i, ok := range l.ok {
		s.match[i], s.cost[i] = nowhere, costMax
		if ok == 0 {
			s.cost[i] = 0
		}
	}
	for pass := range 3 {
		step, from := 1, 0
		if pass%2 == 1 {
			step, from = -1, w*h-1
		}
		for y := range h {
			if y%16 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for x := range w {
				if i := from + step*(y*w+x); l.ok[i] == 1 {
					s.improve(i, step)
				}
			}
		}
	}
	return s, nil
}

// again prices a patch of a source of another size, of which there are so many copies already: one car more may be parked in a street, four of
// it are seen by everybody.
func (r rarity) again(x, y, w, h int, copies float64) int32 {
	cost := r.cost[y*r.h/h*r.w+x*r.w/w]
	return cost + int32(ofCopy*min(max(0, copies), mostCopies)*float64(max(0, cost-r.thing)))
}

// likeness is the search for each patch's closest likeness.
type likeness struct {
	*level
	mean   [][3]int32
	away   int // pixels by which two patches have to be apart
	random rng
	match  []at
	cost   []int32
}

// means are the mean colours around all pixels.
func (l *level) means() [][3]int32 {
	w, h := l.src.w, l.src.h
	out := make([][3]int32, w*h)
	one := make([]int32, w*h)
	for k := range 3 {
		for i := range one {
			one[i] = int32(l.src.pix[4*i+k])
		}
		for i, sum := range boxSum(one, w, h) {
			out[i][k] = sum
		}
	}
	return out
}

// improve tries what the neighbours found, and some places by lot.
func (s *likeness) improve(i, step int) {
	w := s.src.w
	for _, n := range [2]int{1, w} {
		if j := i - step*n; j >= 0 && j < len(s.match) && s.match[j] != nowhere {
			x, y := s.match[j].xy()
			if n == 1 {
				x += step
			} else {
				y += step
			}
			s.try(i, x, y)
		}
	}
	for range 2 {
		x, y := s.random.between(reach, w-reach-1), s.random.between(reach, s.src.h-reach-1)
		s.try(i, x, y)
	}
	for r := s.away; r >= 1 && s.match[i] != nowhere; r /= 2 {
		x, y := s.match[i].xy()
		s.try(i, x+s.random.between(-r, r), y+s.random.between(-r, r))
	}
}

// try takes a patch as the likeness of patch i when it is a better one and not beside it.
func (s *likeness) try(i, x, y int) {
	w := s.src.w
	if x < reach || y < reach || x >= w-reach || y >= s.src.h-reach || s.ok[y*w+x] == 0 {
		return
	}
	ix, iy := i%w, i/w
	if abs(x-ix) < s.away && abs(y-iy) < s.away {
		return
	}
	j := y*w + x
	var apart int64
	for k := range 3 {
		d := int64(s.mean[i][k] - s.mean[j][k])
		apart += d * d
	}
	level := int32(apart / (side * side))
	limit := s.cost[i] + level
	if s.cost[i] == costMax {
		limit = costMax
	}
	a, b := 4*((iy-reach)*w+ix-reach), 4*((y-reach)*w+x-reach)
	var sum int32
	for range side {
		sum += rowDifference((*[4 * side]uint8)(s.src.pix[a:]), (*[4 * side]uint8)(s.src.pix[b:]))
		if sum >= limit {
			return
		}
		a, b = a+4*w, b+4*w
	}
	s.cost[i], s.match[i] = sum-level, pack(x, y)
}
