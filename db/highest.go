package db

import (
	"cmp"
	"slices"

	"atelier/atelier"
)

// highest gives the n results of a stretch with the highest values, in order, of those behind a place; nil = the beginning.
func (w *want) highest(s stretch, n int, after *place) (list []found) {
	if w.value != atelier.SortRating {
		return w.best(s, n, after)
	}
	least, most := w.rating, w.most
	defer func() { w.rating, w.most = least, most }()
	if after != nil {
		// Those with as many stars that come behind, then those with fewer.
		stars := int(min(max(after.value, 0), maxStars))
		w.rating, w.most = max(least, stars), stars
		for left := s.behind(after.run, false, true); left.runs() > 0 && len(list) < n; {
			var some []found
			some, left = w.scan(left, n-len(list), nil)
			for _, f := range some {
				if w.place(f).compare(*after, false) > 0 {
					list = append(list, f)
				}
			}
		}
		w.rating, w.most = least, stars-1
	}
	if len(list) < n && w.rating <= w.most {
		list = append(list, w.best(s, n-len(list), nil)...)
	}
	return list[:min(len(list), n)]
}

func (w *want) best(s stretch, n int, after *place) []found {
	top := top{want: w, n: n, after: after, ranked: w.value == atelier.SortFidelity && w.common()}
	for s.from < s.to {
		p, low, high := s.next(false)
		s.skip(high-low, false)
		if top.whole && w.value == atelier.SortRating {
			if w.rating = max(w.rating, int(top.least)+1); w.rating > w.most {
				break // nothing can come before what is there
			}
		}
		switch {
		case !w.may(p):
		case top.ranked:
			w.highestRanked(p, low, high, &top)
		default:
			w.through(p, low, high, func(run int) bool {
				for k := int(p.first[run]); k < int(p.first[run+1]); k++ {
					if !top.hopeless(w.valueOf(p, k)) && w.result(p, run, k) { // what is hopeless is most, and need not be looked at
						top.add(found{p, run, k})
					}
				}
				return true
			})
		}
	}
	return top.sorted()
}

// highestRanked goes through results in the order of their scores: most parts have few that come before those that are known.
func (w *want) highestRanked(p *part, low, high int, top *top) {
	ranked := p.ranked
	if top.after != nil {
		from, _ := slices.BinarySearchFunc(ranked, top.after.value, func(k uint32, value float64) int { return cmp.Compare(value, p.score[k]) })
		ranked = ranked[from:]
	}
	for _, k := range ranked {
		if top.hopeless(p.score[k]) {
			return
		}
		if i := int(p.run[k]); i >= low && i < high && w.run(p, i) && w.result(p, i, int(k)) {
			top.add(found{p, i, int(k)})
		}
	}
}

// top keeps the n results with the highest values of those it is given, part by part, the newest part first.
type top struct {
	want   *want
	n      int
	after  *place
	list   []found
	least  float64 // what a result must have more than, or as much where one that is given later may come first
	whole  bool    // there is a least
	ranked bool    // one may: those of a part are not given in the order of runs
}

// hopeless says of a value that n results come before what has it, or that the page before was beyond it.
func (t *top) hopeless(value float64) bool {
	return t.whole && (value < t.least || value == t.least && !t.ranked) || t.after != nil && value > t.after.value
}

func (t *top) add(f found) {
	if t.hopeless(t.want.valueOf(f.part, f.at)) {
		return
	}
	if t.after != nil && t.want.place(f).compare(*t.after, false) <= 0 {
		return
	}
	if t.list = append(t.list, f); len(t.list) >= 4*t.n {
		t.list = t.sorted()
		last := t.list[len(t.list)-1]
		t.least, t.whole = t.want.valueOf(last.part, last.at), true
	}
}

func (t *top) sorted() []found {
	slices.SortFunc(t.list, func(a, b found) int { return t.want.place(a).compare(t.want.place(b), false) })
	return t.list[:min(len(t.list), t.n)]
}
