package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"atelier/atelier"
)

// sizes decide which way a list is read; whichever it is, it gives the same.
type sizes struct {
	probed      int // entries of each source that are gone through to know which is the sparsest
	perHit      int // entries of a source that cost as much to go through as it costs to look what one hit of a search has
	hitsPerLook int // hits of a search that cost as much to go through as it costs to look one run up in it
	fewest      int // runs that are sorted, when no more have something of what is asked for
	firstBatch  int // candidates that are looked at first: a page is mostly full then, and where it is not, much is to be left out
	maxBatch    int // candidates that are looked at together
}

var usualSizes = sizes{probed: 100, perHit: 5, hitsPerLook: 400, fewest: 1500, firstBatch: 64, maxBatch: 4096}

// source is a list of runs, in their order, that have something which not all have: a run may be in it more than once. A page
// of a filter that asks for several such things is read from the one that fewest have, and the others are looked up.
type source struct {
	*query
	from  string            // tables
	run   string            // column of the run's id
	order string            // column that is in the order of the runs
	rest  func(src *source) // adds the other things that can be seen without a look at a run; nil = none
}

// searched is the source of what a search finds.
func searched(match string, s span, after string) (source, error) {
	src := source{&query{}, "run_search", "run_search.run_id", "run_search.rowid", nil}
	return src, src.found(match, s, after)
}

// markSources are the sources of the things a filter asks for that only few results have. A list of results has their status too.
func markSources(user atelier.UserID, f atelier.RunFilter, s span, after string, ofResults bool) (sources []source) {
	marks := func(src *source) {
		src.marks(f)
		if ofResults {
			src.status(f)
		}
	}
	results := func(index string, clause func(q *query)) {
		src := source{&query{}, "results s INDEXED BY " + index, "s.run_id", "s.run_id", nil}
		src.add("s.user_id = ", string(user))
		src.say("s.trashed_at = 0")
		clause(src.query)
		src.behind("s.run_id", s, after)
		if !placed(f) {
			src.rest = marks
		}
		sources = append(sources, src)
	}
	if placed(f) {
		src := source{&query{}, "board_results b", "b.run_id", "b.run_id", nil}
		if f.Board != "" {
			src.add("b.board_id = ", string(f.Board))
		} else {
			src.add("b.shown_by = ", string(f.User))
			src.say("b.shown_by <> ''") // as the index says it
		}
		src.behind("b.run_id", s, after)
		alone := f
		alone.Board, alone.User = "", ""
		if probe := (&query{}); alone.Status != "" && ofResults || probe.marks(alone) {
			src.rest = func(src *source) {
				src.from += " CROSS JOIN " + resultsOfRun(f)
				src.say("s.trashed_at = 0")
				marks(src)
			}
		}
		sources = append(sources, src)
	}
	if f.Starred {
		results("results_starred", func(q *query) { q.say("s.starred") })
	}
	if f.Rating > 0 {
		results("results_rated", func(q *query) { q.rated(f.Rating) })
	}
	if f.Pick != "" && f.Pick != atelier.PickNone {
		results("results_picked", func(q *query) { q.picked(f.Pick) })
	}
	if f.Changed {
		results("results_changed", func(q *query) { q.say("s.changed") })
	}
	if f.Fits == atelier.FitsVideo {
		results("results_moving", func(q *query) { q.say("s.kind = 'video'") })
	}
	if ofResults && f.Status != "" && f.Status != atelier.Success {
		results("results_unusual", func(q *query) { q.status(f) })
	}
	return sources
}

// ofRuns is the source of the runs with a status that few have.
func ofRuns(user atelier.UserID, f atelier.RunFilter, after string) source {
	src := source{&query{}, "runs r INDEXED BY runs_unusual", "r.id", "r.id", nil}
	src.add("r.user_id = ", string(user))
	src.runStatus(f)
	src.say("(r.status <> 'Success' OR r.state <> 'done')") // as the index says it
	src.behind("r.id", spanOf(f), after)
	return src
}

// ofAgent is the source of an agent's runs, or of all runs of a time when there is no agent.
func ofAgent(user atelier.UserID, f atelier.RunFilter, s span, after string) source {
	src := source{&query{}, "runs r INDEXED BY " + liveRuns(f), "r.id", "r.id", nil}
	src.add("r.user_id = ", string(user))
	src.runsWithout(f)
	src.behind("r.id", s, after)
	return src
}

// liveRuns is the index of what runs of a filter are not in the trash.
func liveRuns(f atelier.RunFilter) string {
	if f.Agent != "" {
		return "runs_live_agent"
	}
	return "runs_live"
}

// unusual says whether a filter asks for a status that few have.
func unusual(f atelier.RunFilter) bool {
	return f.Status != "" && f.Status != atelier.Success && f.Status != atelier.Status(atelier.StateDone)
}

// behind adds that a run is in a span and behind another one.
func (q *query) behind(column string, s span, after string) {
	q.between(column, s)
	if s.oldest {
		q.add(column+" > ", after)
	} else {
		q.add(column+" < ", before(after))
	}
}

// direction is how the runs of a span are gone through.
func (s span) direction() string {
	if s.oldest {
		return ""
	}
	return " DESC"
}

// statement selects the runs of a source in their order, n of them without the first skip; n < 0 = all.
func (s source) statement(what string, dir span, skip, n int) (statement string, args []any) {
	q := query{args: s.args[:len(s.args):len(s.args)]}
	statement = "SELECT " + what + " FROM " + s.from + " WHERE " + s.where() + " ORDER BY " + s.order + dir.direction()
	if n >= 0 {
		statement += q.limit(n) + " OFFSET CAST(" + q.arg(skip) + " AS integer)"
	}
	return statement, q.args
}

// nth gives the run at a place of a source, counted from 0; "" when there are not so many.
func (d *DB) nth(ctx context.Context, src source, dir span, n int) (run string, err error) {
	statement, args := src.statement(src.run, dir, n, 1)
	err = d.reader(ctx).QueryRowContext(ctx, statement, args...).Scan(&run)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look how many there are: %w", err)
	}
	return run, nil
}

// sparsest gives the source whose entries lie furthest apart, from where it begins.
func (d *DB) sparsest(ctx context.Context, dir span, sources []source) (best int, err error) {
	far := ""
	for i, src := range sources {
		if len(sources) == 1 {
			return 0, nil
		}
		run, err := d.nth(ctx, src, dir, d.sizes.probed)
		if err != nil || run == "" {
			return i, err
		}
		if i == 0 || (run > far) == dir.oldest {
			best, far = i, run
		}
	}
	return best, nil
}

// driver is a statement that gives the runs, in their order, that a page is made of or more.
type driver struct {
	statement string
	args      []any
	after     string   // where they begin
	hits      *density // of the search they are looked up in; nil = not known yet
	whole     bool     // nothing has to be asked about the board
	found     bool     // they are what a search finds
}

// chooseDriver chooses among sources; nil means that what the search finds is fewer, or that there are no sources.
func (d *DB) chooseDriver(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s span, match, after string, sources []source) (*driver, error) {
	if len(sources) == 0 {
		return nil, nil //nolint:nilnil // nil is an answer
	}
	if match == "" && f.Agent != "" {
		sources = append(sources, ofAgent(user, f, s, after))
	}
	best, err := d.sparsest(ctx, s, sources)
	if err != nil {
		return nil, err
	}
	src, out := sources[best], &driver{after: after}
	if match != "" {
		hits, last, err := d.density(ctx, user, match, s, after)
		if err != nil || hits.none {
			return nil, err
		}
		if near, err := d.nth(ctx, src, s, d.sizes.perHit*d.sizes.probed); err != nil || near != "" && (near > last) != s.oldest {
			return nil, err
		}
		out.hits = &hits
	}
	src = src.complete()
	out.statement, out.args = src.statement(src.run, s, 0, -1)
	return out, nil
}

// complete is a source with the rest of its conditions.
func (s source) complete() source {
	if s.rest == nil {
		return s
	}
	s.query = &query{clauses: slices.Clone(s.clauses), args: slices.Clone(s.args)}
	s.rest(&s)
	return s
}

// drive hands the runs of a driver to use, batch by batch; of a search, those it finds. About n are wanted.
func (d *DB) drive(ctx context.Context, user atelier.UserID, by driver, s span, match string, n int, use func(ctx context.Context, batch []entry) (more bool, err error)) error {
	if by.found {
		match = ""
	}
	if match != "" && by.hits == nil {
		hits, _, err := d.density(ctx, user, match, s, by.after)
		if err != nil {
			return err
		}
		by.hits = &hits
	}
	first := d.sizes.firstBatch
	if match != "" {
		first = d.batchFor(n, *by.hits)
	}
	return d.each(ctx, false, first, by.statement, by.args, func(ctx context.Context, batch []entry) (more bool, err error) {
		if match != "" {
			if batch, err = d.keep(ctx, match, *by.hits, batch); err != nil || len(batch) == 0 {
				return true, err
			}
		}
		return use(ctx, batch)
	})
}

// density is about how many runs a search finds: so many between the place it begins and a run.
type density struct {
	none  bool // hardly any
	of    int
	since time.Time
	until time.Time
	share float64 // of the runs there
}

// density looks how far apart the first hits of a search are; last is the run the last of them is.
func (d *DB) density(ctx context.Context, user atelier.UserID, match string, s span, after string) (found density, last string, err error) {
	hits, err := searched(match, s, after)
	if err != nil {
		return density{}, "", err
	}
	if last, err = d.nth(ctx, hits, s, d.sizes.probed); err != nil || last == "" {
		return density{none: true}, "", err
	}
	first := after
	if first == "" {
		if first, err = d.nth(ctx, hits, s, 0); err != nil {
			return density{}, "", err
		}
	}
	found = density{of: d.sizes.probed, since: timeOf(min(first, last)), until: timeOf(max(first, last)), share: 1}
	run, err := d.nth(ctx, ofAgent(user, atelier.RunFilter{}, s, after), s, d.sizes.probed)
	if run != "" {
		found.share = min(1, timeOf(run).Sub(timeOf(first)).Abs().Seconds()/max(found.until.Sub(found.since).Seconds(), .001))
	}
	return found, last, err
}

// batchFor is how many candidates are looked at first, when a search has to find n of them.
func (d *DB) batchFor(n int, hits density) int {
	if hits.none || hits.share <= 0 {
		return d.sizes.firstBatch
	}
	return max(d.sizes.firstBatch, min(d.sizes.maxBatch, int(1.2*float64(n)/hits.share)))
}

// between is about how many hits there are between two runs.
func (n density) between(a, b string) float64 {
	if n.none {
		return 0
	}
	return float64(n.of) * timeOf(b).Sub(timeOf(a)).Seconds() / max(n.until.Sub(n.since).Seconds(), .001)
}

// foundAmong gives those of runs that a search finds. Where there are few runs in a long stretch of hits each is looked up, else
// the hits between them are gone through.
func (d *DB) foundAmong(ctx context.Context, match string, hits density, runs []string) (found map[string]bool, err error) {
	if len(runs) == 0 {
		return map[string]bool{}, nil
	}
	low, high := runs[0], runs[0]
	numbers := make([]int64, len(runs))
	for i, run := range runs {
		if numbers[i], err = searchNumber(run); err != nil {
			return nil, err
		}
		low, high = min(low, run), max(high, run)
	}
	list, err := json.Marshal(numbers)
	if err != nil {
		return nil, fmt.Errorf("write the numbers of runs: %w", err)
	}
	q := &query{}
	q.add("run_search MATCH ", match)
	among := "run_search.rowid IN (SELECT value FROM json_each(" + q.arg(string(list)) + "))"
	if hits.between(low, high) < float64(d.sizes.hitsPerLook*len(runs)) {
		among = "+" + among
		if err := errors.Join(q.number(">=", low), q.number("<=", high)); err != nil {
			return nil, err
		}
	}
	q.say(among)
	ids, err := d.idRows(ctx, "look runs up in a search", "SELECT run_id FROM run_search WHERE "+q.where(), q.args...)
	found = make(map[string]bool, len(ids))
	for _, id := range ids {
		found[id] = true
	}
	return found, err
}

// entry is a row of a list: what it is and the run it is of.
type entry struct {
	row int64 // of a result; 0 = the run itself
	run string
}

// each hands the rows of a statement to use, batch by batch, until it wants no more. What use reads must be read with the
// context it is given: that is the connection the rows come from, so that nobody ever waits for a second one. The first batch has first.
func (d *DB) each(ctx context.Context, rowed bool, first int, statement string, args []any, use func(ctx context.Context, batch []entry) (more bool, err error)) (err error) {
	conn, err := d.Read.Conn(ctx)
	if err != nil {
		return fmt.Errorf("list candidates: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	rows, err := conn.QueryContext(ctx, statement, args...)
	if err != nil {
		return fmt.Errorf("list candidates: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	ctx = context.WithValue(ctx, connection{}, conn)
	last := ""
	for n := first; ; n = min(2*n, d.sizes.maxBatch) {
		batch := make([]entry, 0, n)
		for len(batch) < n && rows.Next() {
			var e entry
			if rowed {
				err = rows.Scan(&e.run, &e.row)
			} else {
				err = rows.Scan(&e.run)
			}
			if err != nil {
				return fmt.Errorf("list candidates: %w", err)
			}
			if rowed || e.run != last { // a run that is listed more than once stands together
				batch = append(batch, e)
			}
			last = e.run
		}
		if err := rows.Err(); err != nil || len(batch) == 0 {
			return err
		}
		if more, err := use(ctx, batch); err != nil || !more || len(batch) < n {
			return err
		}
	}
}

// runsIn are the different runs of entries.
func runsIn(batch []entry) []string {
	runs, seen := make([]string, 0, len(batch)), make(map[string]bool, len(batch))
	for _, e := range batch {
		if !seen[e.run] {
			seen[e.run] = true
			runs = append(runs, e.run)
		}
	}
	return runs
}

// keep leaves out the entries of runs that a search does not find.
func (d *DB) keep(ctx context.Context, match string, hits density, batch []entry) (kept []entry, err error) {
	found, err := d.foundAmong(ctx, match, hits, runsIn(batch))
	for _, e := range batch {
		if found[e.run] {
			kept = append(kept, e)
		}
	}
	return kept, err
}

// list adds a list of texts as a table with their places as its keys.
func (q *query) list(texts []string) string {
	text, _ := json.Marshal(texts) // texts can always be written
	return "json_each(" + q.arg(string(text)) + ")"
}
