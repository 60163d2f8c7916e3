package db

import (
	"context"
	"math"
	"slices"

	"atelier/atelier"
)

// stretch is a part of a list that one index gives in its order.
type stretch struct {
	column string // "" = in the order of the runs
	same   *place // only what is of the same run and has the same value, and comes behind
	below  *place // only what has less, or as much and is of another run that comes behind
	after  *place // only what comes behind, in the order of the runs
	blank  bool   // only what has no value
	rating int    // only what has so many stars; 0 = any
}

const ratingColumn, scoreColumn = "s.rating", "s.score"

// stretches cuts what follows a place into parts.
func stretches(f atelier.RunFilter, at *place) []stretch {
	column := map[atelier.Sort]string{atelier.SortRating: ratingColumn, atelier.SortFidelity: scoreColumn}[f.Sort]
	switch {
	case column == "":
		return []stretch{{after: at}}
	case at == nil:
		return []stretch{{column: column}, {column: column, blank: true}}
	case at.valued:
		return []stretch{{column: column, same: at}, {column: column, below: at}, {column: column, blank: true}}
	}
	return []stretch{{column: column, blank: true, after: at}}
}

// valued says whether a stretch is in the order of a value, and not in that of the runs.
func (s stretch) valued() bool { return s.column != "" && !s.blank }

// stretch reads the first n results of a stretch.
func (d *DB) stretch(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, n int) (page []ListedResult, err error) {
	match := ""
	if f.Query != "" {
		if match, err = d.match(ctx, user, f.Agent, f.Query); err != nil || match == "" {
			return nil, err
		}
	}
	if s.valued() {
		return d.byValue(ctx, user, f, s, match, n)
	}
	return d.inOrder(ctx, user, f, s, match, n)
}

// inOrder reads the first n results of a stretch in the order of the runs.
func (d *DB) inOrder(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, match string, n int) (page []ListedResult, err error) {
	dir, after := spanOf(f), ""
	if s.after != nil {
		after = s.after.run
	}
	if f.Trashed {
		statement, args := trashedStatement(user, dir, after)
		return d.driven(ctx, user, f, s, match, driver{statement: statement, args: args, after: after}, n)
	}
	sources := s.sources(user, f, dir, after)
	if match != "" {
		by, err := d.chooseDriver(ctx, user, f, dir, match, after, sources)
		if err != nil {
			return nil, err
		}
		if by == nil && placed(f) {
			// Places on a board are in no order within a run.
			hits, err := searched(match, dir, after)
			if err != nil {
				return nil, err
			}
			by = &driver{after: after, found: true}
			by.statement, by.args = hits.statement(hits.run, dir, 0, -1)
		}
		if by != nil {
			return d.driven(ctx, user, f, s, match, *by, n)
		}
		return d.listed(ctx, user, f, s, byWords(f, match), n)
	}
	if len(sources) > 0 {
		if f.Agent != "" {
			sources = append(sources, ofAgent(user, f, dir, after))
		}
		best, err := d.sparsest(ctx, dir, sources)
		if err != nil {
			return nil, err
		}
		if w, ok := sources[best].way(f); ok {
			return d.listed(ctx, user, f, s, w, n)
		}
	}
	return d.listed(ctx, user, f, s, byRuns(f), n)
}

// way goes through a source of results; what else is asked for is looked up beside what is on a board.
func (s source) way(f atelier.RunFilter) (w way, ok bool) {
	switch {
	case placed(f):
		return onBoard(f), true
	case s.rest != nil:
		return way{from: s.from + " CROSS JOIN runs r", run: "s.run_id", order: "s.run_id", owner: "s"}, true
	}
	return way{}, false
}

// sources are those of a stretch in the order of the runs.
func (s stretch) sources(user atelier.UserID, f atelier.RunFilter, dir span, after string) []source {
	sources := markSources(user, f, dir, after, true)
	if s.rating > 0 && !placed(f) {
		stars := source{&query{}, "results s INDEXED BY results_by_rating", "s.run_id", "s.run_id", nil}
		stars.add("s.user_id = ", string(user))
		stars.say("s.trashed_at = 0")
		stars.stars(s.rating)
		stars.behind("s.run_id", dir, after)
		stars.rest = func(src *source) {
			src.marks(f)
			src.status(f)
		}
		sources = append(sources, stars)
	}
	return sources
}

func (q *query) stars(n int) {
	q.say("s.rating > 0")
	q.add("s.rating = ", n)
}

// driven reads the first n results of a stretch out of the runs of a driver. The run a page broke off in is looked at once more.
func (d *DB) driven(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, match string, by driver, n int) (page []ListedResult, err error) {
	look := func(ctx context.Context, s stretch, runs []string) error {
		w := way{among: runs, run: "j.value", order: "j.key"}
		rows, err := d.listed(ctx, user, f, s, w, n-len(page))
		page = append(page, rows...)
		return err
	}
	if s.after != nil {
		runs := []string{s.after.run}
		if match != "" {
			found, err := d.foundAmong(ctx, match, density{none: true}, runs)
			if err != nil {
				return nil, err
			}
			if !found[s.after.run] {
				runs = nil
			}
		}
		if err := look(ctx, s, runs); err != nil || len(page) >= n {
			return page, err
		}
		s.after = nil
	}
	err = d.drive(ctx, user, by, spanOf(f), match, n, func(ctx context.Context, batch []entry) (bool, error) {
		err := look(ctx, s, runsIn(batch))
		return len(page) < n, err
	})
	return page, err
}

// byValue reads the first n results of a stretch in the order of a value.
func (d *DB) byValue(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, match string, n int) (page []ListedResult, err error) {
	if s.same != nil {
		if match != "" {
			found, err := d.foundAmong(ctx, match, density{none: true}, []string{s.same.run})
			if err != nil || !found[s.same.run] {
				return nil, err
			}
		}
		return d.sorted(ctx, user, f, s, []string{s.same.run}, n)
	}
	few, ok, err := d.fewRuns(ctx, user, f, match, s.fewest(d.sizes))
	if err != nil {
		return nil, err
	}
	if ok {
		return d.sorted(ctx, user, f, s, few, n)
	}
	switch {
	case placed(f):
		w := onBoard(f)
		w.match = match
		return d.listed(ctx, user, f, s, w, n)
	case s.column == ratingColumn:
		return d.byRating(ctx, user, f, s, match, n)
	case match == "":
		return d.listed(ctx, user, f, s, byScore(f), n)
	}
	return d.byScoreFound(ctx, user, f, s, match, n)
}

// byRating reads results with five stars, then those with four, and so on: each list is in the order of the runs.
func (d *DB) byRating(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, match string, n int) (page []ListedResult, err error) {
	for stars := 5; stars >= max(f.Rating, 1) && len(page) < n; stars-- {
		part := stretch{rating: stars}
		if s.below != nil {
			if float64(stars) > s.below.value {
				continue
			}
			if float64(stars) == s.below.value {
				part.after = &place{run: s.below.run, index: math.MaxInt32}
			}
		}
		rows, err := d.inOrder(ctx, user, f, part, match, n-len(page))
		if err != nil {
			return nil, err
		}
		page = append(page, rows...)
	}
	return page, nil
}

// byScoreFound goes through results in the order of their scores and looks their runs up in a search.
func (d *DB) byScoreFound(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, match string, n int) (page []ListedResult, err error) {
	w, dir := byScore(f), spanOf(f)
	found, err := searched(match, dir, "")
	if err != nil {
		return nil, err
	}
	if beyond, err := d.nth(ctx, found, dir, 4*d.sizes.fewest); err != nil {
		return nil, err
	} else if beyond == "" {
		// What is found is little enough to be listed once, and much has to be gone through for it.
		w.match = match
		return d.listed(ctx, user, f, s, w, n)
	}
	hits, _, err := d.density(ctx, user, match, dir, "")
	if err != nil {
		return nil, err
	}
	w.alone = true
	q, err := resultQuery(user, f, s, w)
	if err != nil {
		return nil, err
	}
	statement := "SELECT s.run_id, s.rowid FROM " + w.tables(q, f) + " WHERE " + q.where() + " ORDER BY " + w.orderBy(f, s)
	err = d.each(ctx, true, d.batchFor(n, hits), statement, q.args, func(ctx context.Context, batch []entry) (bool, error) {
		kept, err := d.keep(ctx, match, hits, batch)
		if err != nil || len(kept) == 0 {
			return true, err
		}
		rows := make([]int64, len(kept))
		for i, e := range kept {
			rows[i] = e.row
		}
		found, err := d.listed(ctx, user, f, stretch{}, way{rows: rows, run: "r.id", order: "j.key"}, n-len(page))
		page = append(page, found...)
		return len(page) < n, err
	})
	return page, err
}

// fewest is how many runs are sorted. By rating there is another way that is good enough for fewer.
func (s stretch) fewest(of sizes) int {
	if s.column == ratingColumn {
		return of.fewest / 5
	}
	return of.fewest
}

// fewRuns gives the runs that have one of the things a filter asks for, when they are no more than fewest.
func (d *DB) fewRuns(ctx context.Context, user atelier.UserID, f atelier.RunFilter, match string, fewest int) (runs []string, ok bool, err error) {
	f.Sort = ""
	s := spanOf(f)
	sources := markSources(user, f, s, "", true)
	if f.Agent != "" || s.from != "" || s.to != "" {
		sources = append(sources, ofAgent(user, f, s, ""))
	}
	if match != "" {
		hits, err := searched(match, s, "")
		if err != nil {
			return nil, false, err
		}
		sources = append([]source{hits}, sources...)
	}
	for _, src := range sources {
		beyond, err := d.nth(ctx, src, s, fewest)
		if err != nil {
			return nil, false, err
		}
		if beyond != "" {
			continue
		}
		statement, args := src.statement(src.run, s, 0, fewest)
		ids, err := d.idRows(ctx, "list few runs", statement, args...)
		if err != nil {
			return nil, false, err
		}
		ids = slices.Compact(ids)
		if match != "" && src.from != "run_search" {
			hits, _, err := d.density(ctx, user, match, s, "")
			if err != nil {
				return nil, false, err
			}
			found, err := d.foundAmong(ctx, match, hits, ids)
			if err != nil {
				return nil, false, err
			}
			ids = slices.DeleteFunc(ids, func(id string) bool { return !found[id] })
		}
		return ids, true, nil
	}
	return nil, false, nil
}

// sorted reads the first n results of a stretch out of few runs, and sorts them: first their values are, which stand in an index.
func (d *DB) sorted(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, runs []string, n int) ([]ListedResult, error) {
	w := way{among: runs, run: "j.value", order: "s.run_id", runsFirst: true}
	q, err := resultQuery(user, f, s, w)
	if err != nil {
		return nil, err
	}
	from := w.tables(q, f)
	inner := "SELECT s.rowid FROM " + from + " WHERE " + q.where() + " ORDER BY " + w.orderBy(f, s) + q.limit(n)
	return d.listedRows(ctx, listedFrom+" WHERE r.id = s.run_id AND s.rowid IN ("+inner+") ORDER BY "+w.orderBy(f, s), q.args...)
}
