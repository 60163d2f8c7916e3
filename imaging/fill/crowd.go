package fill

import "math"

// crowdUnit is what it costs, as a squared colour difference, to use a place of the source that is used as often as all
// are on average; a place used seven times as often costs three times that. Without this a few patches that fit many
// places a little are repeated into a pattern that anybody sees.
const crowdUnit = side * side * 40

// shyUnit is what it costs to copy what may be a thing of its own.
const shyUnit = side * side * 350

// leanUnit is what it costs most to copy from columns from which another variant rather copies.
const leanUnit = side * side * 500

// leaning is what each of w source columns costs a variant of a completion: each has columns of its own from which it rather copies, those
// of the left and of the right half of the picture, of its middle and of its sides, then narrower ones. The first has none, and gets nil.
func leaning(variant, w int) []int32 {
	if variant < 1 {
		return nil
	}
	turns := float64((variant + 3) / 4)
	phase := [4]float64{0.25, 0.75, 0.5, 0}[(variant-1)%4]
	price := make([]int32, w)
	for x := range price {
		price[x] = int32(leanUnit * (0.5 - 0.5*math.Cos(2*math.Pi*(turns*(float64(x)+0.5)/float64(w)-phase))))
	}
	return price
}

// crowd prices all source patches by the matches there are now.
func (l *level) crowd() {
	w, h := l.src.w, l.src.h
	if l.busy == nil {
		l.busy = make([]int32, w*h)
	}
	clear(l.busy)
	targets, sources := 0, 0
	for _, v := range l.ok {
		sources += int(v)
	}
	for i := l.first * l.dst.w; l.first >= 0 && i < (l.last+1)*l.dst.w; i++ {
		if l.target[i] != 0 {
			x, y := l.match[i].xy()
			l.busy[y*w+x]++
			targets++
		}
	}
	if targets == 0 || sources == 0 {
		return
	}
	// Neighbouring patches show the same thing, so what counts is the use of a whole neighbourhood.
	sum := boxSum(l.busy, w, h)
	share := float64(targets) / float64(sources) * side * side
	for i, n := range sum {
		l.busy[i] = int32(crowdUnit * math.Log2(1+float64(n)/share))
		if l.use[i] == reluctant {
			l.busy[i] += shyUnit
		}
		if l.lean != nil {
			l.busy[i] += l.lean[i%w]
		}
		if l.rare.cost != nil {
			l.busy[i] += l.rare.again(i%w, i/w, w, h, float64(n)/(side*side)-1)
		}
	}
}

// boxSum adds up the side × side values around each.
func boxSum(v []int32, w, h int) []int32 {
	rows := make([]int32, w*h)
	for y := range h {
		var sum int32
		row := v[y*w : (y+1)*w]
		for x := range w + reach {
			if x < w {
				sum += row[x]
			}
			if x >= side {
				sum -= row[x-side]
			}
			if x >= reach {
				rows[y*w+x-reach] = sum
			}
		}
	}
	out := make([]int32, w*h)
	sums := make([]int32, w)
	for y := range h + reach {
		for x := range w {
			if y < h {
				sums[x] += rows[y*w+x]
			}
			if y >= side {
				sums[x] -= rows[(y-side)*w+x]
			}
			if y >= reach {
				out[(y-reach)*w+x] = sums[x]
			}
		}
	}
	return out
}
