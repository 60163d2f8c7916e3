package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sizes decide which way a search is read; whichever it is, it gives the same. What has to be done is told in steps: FTS5 reads one entry
// of a list of hits in one.
type sizes struct {
	probed   int // hits that are read to know how many there are
	perProbe int // steps that may take
	perCheck int // steps that cost as much as one run that is looked up
	batch    int // candidates that are looked at together at first
	most     int // steps before a page is given as far as it came
}

var usualSizes = sizes{probed: 128, perProbe: 4000, perCheck: 25, batch: 128, most: 12_000}

const (
	maxBatch     = 1024
	checkByWords = 12  // times perCheck: what a look at a run costs when the search table has to say whether it is found
	passing      = .15 // share of runs whose sign has what they do not have
)

// finder goes through what a search finds of a stretch, in the order of the list. Either the hits are read and their marks looked at, or
// candidates that have the marks are gone through and looked up in the search, whichever is less for the next part of the stretch: the
// number of runs in between is known, and about how many of them are hits. So what is jointly rare is found from the rarer side.
type finder struct {
	d       *DB
	want    *want
	left    stretch
	search  search
	plain   [][]string // words of the search that are
	whole   bool       // all are
	begun   bool
	density float64 // hits per run
	steps   float64 // to be taken per run to read the hits
	batch   int
	work    int // steps that were taken
}

func (d *DB) finder(w *want, s stretch, of search) *finder {
	f := &finder{d: d, want: w, left: s, search: of, batch: d.sizes.batch}
	f.plain, f.whole = phrases(of.words)
	w.sign = signOfPhrases(f.plain)
	return f
}

// perCheck is how many steps a look at one run costs.
func (f *finder) perCheck() int {
	if f.whole {
		return f.d.sizes.perCheck
	}
	return f.d.sizes.perCheck * checkByWords
}

// next adds what it finds until there are n or more, with all of the last run. It stops before when nothing is left, or when it has
// worked enough.
func (f *finder) next(ctx context.Context, n, work int, list []found) (all []found, err error) {
	if !f.begun {
		f.begun = true
		if list, err = f.probe(ctx, list); err != nil {
			return nil, err
		}
	}
	for len(list) < n && f.left.runs() > 0 && f.work < work {
		candidates, rest := f.want.scan(f.left, f.batch, nil)
		f.batch = min(2*f.batch, maxBatch)
		gone := f.left.without(rest, !f.want.oldest)
		f.left = rest
		if len(candidates) == 0 {
			continue
		}
		if candidates, err = f.among(ctx, gone, candidates); err != nil {
			return nil, err
		}
		list = append(list, candidates...)
	}
	return list, nil
}

// probe reads the first hits, and learns how many there are and what it takes to read them. FTS5 goes through the list of one word and
// looks the others up: what several common words have in common may be far apart.
func (f *finder) probe(ctx context.Context, list []found) ([]found, error) {
	if f.left.runs() == 0 {
		return list, nil
	}
	rarest := math.Inf(1)
	for _, word := range f.search.apart() {
		hits, err := f.hits(ctx, word, f.left, f.d.sizes.probed)
		if err != nil {
			return nil, err
		}
		rarest = min(rarest, f.upTo(f.left, hits).densityOf(hits))
	}
	if f.search.owned {
		rarest = min(rarest, 1) // the list of the user is gone through then
	}
	span, alone := f.left, math.IsInf(rarest, 1)
	if n := float64(f.d.sizes.perProbe) / rarest; !alone && n < float64(span.runs()) {
		span = span.begin(max(int(n), 1), f.want.oldest)
	}
	hits, err := f.hits(ctx, f.search.match, span, f.d.sizes.probed)
	if err != nil {
		return nil, err
	}
	for _, n := range hits {
		list = f.hit(n, list)
	}
	gone := f.upTo(span, hits)
	f.density = max(gone.densityOf(hits), .5/float64(gone.runs()))
	if f.steps = rarest; alone {
		f.steps = f.density
	}
	f.left = f.left.without(gone, f.want.oldest)
	return list, nil
}

// upTo is how far a stretch was gone through for its first hits: to the last of them, or to the end when there are no more.
func (f *finder) upTo(s stretch, hits []int64) stretch {
	if len(hits) < f.d.sizes.probed {
		return s
	}
	at, there := s.album.numbered(hits[len(hits)-1])
	rank := s.album.rank(at)
	if f.want.oldest {
		if there {
			rank++
		}
		s.to = min(max(rank, s.from+1), s.to)
	} else {
		s.from = max(min(rank, s.to-1), s.from)
	}
	return s
}

// densityOf is how many of hits there are per run of a stretch.
func (s stretch) densityOf(hits []int64) float64 {
	return float64(len(hits)) / float64(max(s.runs(), 1))
}

// hit adds what is listed of a run by its number.
func (f *finder) hit(number int64, list []found) []found {
	at, there := f.left.album.numbered(number)
	if !there {
		return list // another's
	}
	if p := f.left.album.parts[at.part]; f.want.run(p, at.run) {
		return f.want.of(p, at.run, list)
	}
	return list
}

// among leaves those of the candidates of a stretch that the search finds.
func (f *finder) among(ctx context.Context, s stretch, candidates []found) (kept []found, err error) {
	runs := 0
	for i, c := range candidates {
		if i == 0 || c.key() != candidates[i-1].key() {
			runs++
		}
	}
	if steps := f.steps * float64(s.runs()); steps < float64(runs*f.perCheck()) {
		f.work += int(steps)
		numbers, err := f.hits(ctx, f.search.match, s, -1)
		if err != nil {
			return nil, err
		}
		hit := make(map[int64]bool, len(numbers))
		for _, n := range numbers {
			hit[n] = true
		}
		for _, c := range candidates {
			if hit[c.key().number()] {
				kept = append(kept, c)
			}
		}
		return kept, nil
	}
	f.work += runs * f.perCheck()
	return f.check(ctx, candidates)
}

// check leaves the candidates that the search finds, by a look at the words of each run.
func (f *finder) check(ctx context.Context, candidates []found) (kept []found, err error) {
	is := make(map[runKey]bool, len(candidates))
	ids := make([]string, 0, len(candidates))
	for _, c := range candidates {
		if _, there := is[c.key()]; !there {
			is[c.key()] = false
			ids = append(ids, c.key().String())
		}
	}
	doubted := ids
	if f.whole {
		if doubted, err = f.checkPlain(ctx, ids, is); err != nil {
			return nil, err
		}
	}
	if err := f.checkDoubted(ctx, doubted, is); err != nil {
		return nil, err
	}
	for _, c := range candidates {
		if is[c.key()] {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

const wordsOfRuns = `SELECT r.id, r.search FROM json_each($1) j CROSS JOIN runs r WHERE r.id = j.value`

// checkPlain looks at the words of runs, and gives those whose words are not for it to judge.
func (f *finder) checkPlain(ctx context.Context, ids []string, is map[runKey]bool) (doubted []string, err error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("write the ids of runs: %w", err)
	}
	err = each(ctx, f.d.reader(ctx), func(rows *sql.Rows) error {
		var id, text string
		if err := rows.Scan(&id, &text); err != nil {
			return err
		}
		if !plain(text) {
			doubted = append(doubted, id)
			return nil
		}
		key, err := keyOf(id)
		is[key] = says(text, f.plain)
		return err
	}, wordsOfRuns, string(list))
	if err != nil {
		return nil, fmt.Errorf("read the words of runs: %w", err)
	}
	return doubted, nil
}

// checkDoubted looks runs up in the search table.
func (f *finder) checkDoubted(ctx context.Context, ids []string, is map[runKey]bool) error {
	if len(ids) == 0 {
		return nil
	}
	keys := make(map[int64]runKey, len(ids))
	numbers := make([]int64, len(ids))
	for i, id := range ids {
		key, err := keyOf(id)
		if err != nil {
			return err
		}
		numbers[i] = key.number()
		keys[numbers[i]] = key
	}
	list, err := json.Marshal(numbers)
	if err != nil {
		return fmt.Errorf("write the numbers of runs: %w", err)
	}
	q := &query{}
	q.add("run_search MATCH ", f.search.match)
	q.say("run_search.rowid IN (SELECT value FROM json_each(" + q.arg(string(list)) + "))")
	err = each(ctx, f.d.reader(ctx), func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		is[keys[n]] = true
		return err
	}, "SELECT run_search.rowid FROM run_search WHERE "+q.where(), q.args...)
	if err != nil {
		return fmt.Errorf("look runs up in a search: %w", err)
	}
	return nil
}

// hits gives the numbers of what words find of a stretch, in the order of the list, at most so many; most < 0 = all.
func (f *finder) hits(ctx context.Context, match string, s stretch, most int) (numbers []int64, err error) {
	low, high := s.album.at(s.from), s.album.at(s.to-1)
	q := &query{}
	q.add("run_search MATCH ", match)
	q.add("run_search.rowid >= ", s.album.parts[low.part].keys[low.run].number())
	q.add("run_search.rowid <= ", s.album.parts[high.part].keys[high.run].number())
	order := " DESC"
	if f.want.oldest {
		order = ""
	}
	// One text is read in a fraction of the time of as many rows.
	statement := "SELECT coalesce(group_concat(number), '') FROM (SELECT run_search.rowid AS number FROM run_search WHERE " + q.where() +
		" ORDER BY run_search.rowid" + order + q.limit(most) + ")"
	var text string
	if err := f.d.reader(ctx).QueryRowContext(ctx, statement, q.args...).Scan(&text); err != nil {
		return nil, fmt.Errorf("read what a search finds: %w", err)
	}
	for number := range strings.SplitSeq(text, ",") {
		if number == "" {
			break
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read what a search finds: %w", err)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// highest gives the n results of the stretch with the highest values that the search finds, of those behind a place; stopped is how far
// it came when it has worked enough.
func (f *finder) highest(ctx context.Context, n, work int, after *place) (list []found, stopped *place, err error) {
	s := f.left
	top := top{want: f.want, n: n, after: after}
	take := func(list []found) {
		for _, c := range list {
			top.add(c)
		}
	}
	if list, err = f.probe(ctx, nil); err != nil {
		return nil, nil, err
	}
	if f.left.runs() == 0 {
		take(list)
		return top.sorted(), nil, nil
	}
	share := 1.0
	if f.whole {
		share = min(1, f.density+passing)
	}
	candidates := float64(n) * share / f.density // results to look at until enough of them are found
	if all := f.steps * float64(s.runs()); all < candidates*float64(f.perCheck()) && all < float64(work) {
		numbers, err := f.hits(ctx, f.search.match, s, -1)
		if err != nil {
			return nil, nil, err
		}
		list = list[:0]
		for _, number := range numbers {
			list = f.hit(number, list)
		}
		take(list)
		return top.sorted(), nil, nil
	}
	list = nil
	for many := int(1.5*candidates) + n; ; {
		batch := f.want.highest(s, many, after)
		for i := 0; i < len(batch); i += maxBatch / 4 {
			some := batch[i:min(i+maxBatch/4, len(batch))]
			kept, err := f.check(ctx, some)
			if err != nil {
				return nil, nil, err
			}
			last := f.want.place(some[len(some)-1])
			after = &last
			f.work += len(some) * f.perCheck()
			if list = append(list, kept...); len(list) >= n {
				return list[:n], nil, nil
			}
			if f.work >= work {
				return list, after, nil
			}
		}
		if len(batch) < many {
			return list, nil, nil
		}
	}
}
