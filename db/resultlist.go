package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/internal/sqldb"
)

// ListedResult is a result of a list, with the run it is of.
type ListedResult struct {
	Result
	Run atelier.RunRef
}

// ListResults gives one page of the user's results in the order of the filter. Results stand together by run. A filter that names the
// user asks for what they show, as others see it.
func (d *DB) ListResults(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (page []ListedResult, next string, err error) {
	f.Limit = pageLimit(f)
	if f.Trashed && f.Sort != atelier.SortOldest {
		f.Sort = "" // the trash is in the order of its runs
	}
	at, err := parsePlace(f)
	if err != nil {
		return nil, "", err
	}
	for _, s := range stretches(f, at) {
		more, err := d.stretch(ctx, user, f, s, f.Limit+1-len(page))
		if err != nil {
			return nil, "", fmt.Errorf("list results: %w", err)
		}
		if page = append(page, more...); len(page) > f.Limit {
			page = page[:f.Limit]
			return seen(page, f), placeOf(f, page[f.Limit-1]).String(), nil
		}
	}
	return seen(page, f), "", nil
}

// FindResults finds results of the user's, in the order asked for.
func (d *DB) FindResults(ctx context.Context, user atelier.UserID, ids []atelier.ResultID) ([]Result, error) {
	listed, err := d.FindListed(ctx, user, ids)
	out := make([]Result, len(listed))
	for i, l := range listed {
		out[i] = l.Result
	}
	return out, err
}

// FindListed is FindResults with the run of each.
func (d *DB) FindListed(ctx context.Context, user atelier.UserID, ids []atelier.ResultID) ([]ListedResult, error) {
	by, err := d.listedOf(ctx, user, ids)
	if err != nil {
		return nil, err
	}
	return inOrder(ids, by)
}

// listedOf finds results of the user's. What is not there, or not theirs, is left out.
func (d *DB) listedOf(ctx context.Context, user atelier.UserID, ids []atelier.ResultID) (map[atelier.ResultID]ListedResult, error) {
	by := make(map[atelier.ResultID]ListedResult, len(ids))
	if len(ids) == 0 {
		return by, nil
	}
	q := &query{}
	q.add("s.user_id = ", string(user))
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	q.in("s.id", names)
	found, err := d.listedRows(ctx, listedFrom+" WHERE r.id = s.run_id AND "+q.where(), q.args...)
	if err != nil {
		return nil, fmt.Errorf("find results: %w", err)
	}
	for _, l := range found {
		by[l.ID] = l
	}
	return by, nil
}

// inOrder gives results in the order asked for, all or none.
func inOrder(ids []atelier.ResultID, by map[atelier.ResultID]ListedResult) ([]ListedResult, error) {
	out := make([]ListedResult, len(ids))
	for i, id := range ids {
		l, ok := by[id]
		if !ok {
			return nil, atelier.Errorf(atelier.NotFound, "One of the pictures no longer exists.")
		}
		out[i] = l
	}
	return out, nil
}

// place is where a page ends: the run, the result's place in it and, where the list is sorted by a value, that value.
type place struct {
	valued bool
	value  float64
	run    string
	index  int
}

// String is the cursor: run.index, or value_run.index.
func (p place) String() string {
	s := p.run + "." + strconv.Itoa(p.index)
	if p.valued {
		s = strconv.FormatFloat(p.value, 'g', -1, 64) + "_" + s
	}
	return s
}

func placeOf(f atelier.RunFilter, l ListedResult) place {
	p := place{run: string(l.Run.ID), index: l.Index}
	switch {
	case f.Sort == atelier.SortRating && l.Rating > 0:
		p.valued, p.value = true, float64(l.Rating)
	case f.Sort == atelier.SortFidelity && l.Score != nil:
		p.valued, p.value = true, *l.Score
	}
	return p
}

// parsePlace reads a cursor; nil is the beginning of the list.
func parsePlace(f atelier.RunFilter) (*place, error) {
	if f.Cursor == "" {
		return nil, nil //nolint:nilnil // nil is the beginning
	}
	refused := atelier.FieldError("cursor", "This cursor was not given by the studio.")
	var p place
	rest := f.Cursor
	if value, after, ok := strings.Cut(rest, "_"); ok {
		var err error
		p.valued = true
		if p.value, err = strconv.ParseFloat(value, 64); err != nil || math.IsNaN(p.value) || math.IsInf(p.value, 0) || f.Sort != atelier.SortRating && f.Sort != atelier.SortFidelity {
			return nil, refused
		}
		rest = after
	}
	run, index, ok := strings.Cut(rest, ".")
	n, err := strconv.Atoi(index)
	if _, bad := searchNumber(run); !ok || err != nil || bad != nil || len(run) != 36 || n < 0 {
		return nil, refused
	}
	p.run, p.index = run, n
	return &p, nil
}

// stretch is a part of a list that one index gives in its order.
type stretch struct {
	column string // "" = in the order of the runs
	same   *place // only what is of the same run and has the same value, and comes behind
	below  *place // only what has less, or as much and is of another run that comes behind
	after  *place // only what comes behind, in the order of the runs
	blank  bool   // only what has no value
}

// stretches cuts what follows a place into parts.
func stretches(f atelier.RunFilter, at *place) []stretch {
	column := map[atelier.Sort]string{atelier.SortRating: "s.rating", atelier.SortFidelity: "s.score"}[f.Sort]
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

// stretch reads the first n results of a stretch.
func (d *DB) stretch(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, n int) (page []ListedResult, err error) {
	match := ""
	if f.Query != "" {
		if match, err = d.match(ctx, user, f.Agent, f.Query); err != nil || match == "" {
			return nil, err
		}
	}
	if match == "" && !f.Trashed || s.column != "" && !s.blank {
		q := resultQuery(user, f, s, match)
		return d.listedRows(ctx, q.statement(s, f)+" LIMIT "+q.arg(n), q.args...)
	}
	// What a search finds, and what is in the trash, comes in the order of the runs. The run a page broke off in is looked at once more.
	after := ""
	if s.after != nil {
		head := resultQuery(user, f, s, "")
		head.add(s.runColumn(f)+" = ", s.after.run)
		if page, err = d.listedRows(ctx, head.statement(s, f)+" LIMIT "+head.arg(n), head.args...); err != nil || len(page) >= n {
			return page, err
		}
		after = s.after.run
	}
	rest, looked := stretch{column: s.column, blank: s.blank}, 0
	few := match != "" && (&query{}).marks(f)
	err = d.candidates(user, f).each(ctx, after, func(ctx context.Context, ids []string) (bool, error) {
		q := resultQuery(user, f, rest, "")
		q.in(rest.runColumn(f), ids)
		rows, err := d.listedRows(ctx, q.statement(rest, f)+" LIMIT "+q.arg(n-len(page)), q.args...)
		page = append(page, rows...)
		looked, after = looked+len(ids), ids[len(ids)-1]
		return len(page) < n && (!few || looked < maxLooked), err
	})
	if err != nil || len(page) >= n || !few || looked < maxLooked {
		return page, err
	}
	// Much is found that has not what is asked for: what has it is gone through instead.
	rest.after = &place{run: after, index: math.MaxInt32}
	q := resultQuery(user, f, rest, match)
	rows, err := d.listedRows(ctx, q.statement(rest, f)+" LIMIT "+q.arg(n-len(page)), q.args...)
	return append(page, rows...), err
}

// maxLooked is how many runs a search finds are looked at one after another for results with a mark.
const maxLooked = 2000

// resultQuery is the conditions of a stretch. match is a search that is looked up beside the list; "" = none.
func resultQuery(user atelier.UserID, f atelier.RunFilter, s stretch, match string) *query {
	q := &query{}
	q.say("s.run_id = r.id")
	if s.byMark(f) {
		q.add("s.user_id = ", string(user))
	} else {
		q.add("r.user_id = ", string(user))
	}
	q.between(s.runColumn(f), spanOf(f))
	q.runsWithout(f)
	q.trash(f)
	if match != "" {
		q.add("s.run_id IN (SELECT run_id FROM run_search WHERE run_search MATCH ", match)
		q.clauses[len(q.clauses)-1] += ")"
	}
	q.marks(f)
	if f.Status != "" {
		q.add("s.status = ", string(f.Status))
		if f.Status != atelier.Success {
			q.say("s.status <> 'Success'") // as the index says it
		}
	}
	switch {
	case s.column == "":
	case s.blank && s.column == "s.rating":
		q.say("s.rating = 0")
	case s.blank:
		q.say(s.column + " IS NULL")
	case s.column == "s.rating":
		q.say("s.rating > 0")
	default:
		q.say(s.column + " IS NOT NULL")
	}
	if s.same != nil {
		q.add(s.column+" = ", s.same.value)
		q.add(s.runColumn(f)+" = ", s.same.run)
		q.add("s.idx > ", s.same.index)
	}
	if s.below != nil {
		q.say("(" + s.column + ", " + s.runColumn(f) + ") < (" + q.arg(s.below.value) + ", " + q.arg(s.below.run) + ")")
	}
	if s.after != nil {
		run := q.arg(s.after.run)
		less := " < "
		if oldest(f) {
			less = " > "
		}
		// The first condition is what an index can begin at.
		column := s.runColumn(f)
		q.say(column + strings.TrimRight(less, " ") + "= " + run)
		q.say("(" + column + less + run + " OR s.idx > " + q.arg(s.after.index) + ")")
	}
	return q
}

// byMark says whether a stretch goes through the results that have something few have, and not through the runs.
func (s stretch) byMark(f atelier.RunFilter) bool {
	if f.Trashed {
		return false
	}
	probe := &query{}
	return probe.marks(f) || f.Status != "" && f.Status != atelier.Success || s.column != "" && !s.blank
}

func (s stretch) runColumn(f atelier.RunFilter) string {
	if s.byMark(f) {
		_, run := marked(f)
		return run
	}
	return "r.id"
}

// tables are those a stretch is read from. CROSS JOIN keeps their order: the first one gives the order of the list, so that a
// page is read and nothing is sorted.
func (s stretch) tables(f atelier.RunFilter) string {
	if s.byMark(f) {
		from, _ := marked(f)
		return from + " CROSS JOIN runs r"
	}
	if f.Board != "" {
		return "runs r CROSS JOIN results s CROSS JOIN board_results b"
	}
	return "runs r CROSS JOIN results s"
}

// statement puts the conditions into a statement, in the order of the list.
func (q *query) statement(s stretch, f atelier.RunFilter) string {
	order := s.runColumn(f)
	if !oldest(f) {
		order += " DESC"
	}
	order += ", s.idx"
	if s.column != "" && !s.blank {
		order = s.column + " DESC, " + order
	}
	return listedColumns + " FROM " + s.tables(f) + " WHERE " + q.where() + " ORDER BY " + order
}

const (
	listedColumns = "SELECT " + resultColumns + ", r.title, r.agent, r.created_at"
	listedFrom    = listedColumns + " FROM results s CROSS JOIN runs r"
)

func (d *DB) listedRows(ctx context.Context, query string, args ...any) (page []ListedResult, err error) {
	rows, err := d.reader(ctx).QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var l ListedResult
		var at int64
		if l.Result, err = scanResult(rows, &l.Run.Title, &l.Run.Agent, &at); err != nil {
			return nil, err
		}
		l.Run.ID, l.Run.CreatedAt = l.RunID, sqldb.Time(at)
		page = append(page, l)
	}
	return page, rows.Err()
}

// CountResults counts the results of a list up to most; more says that there are others.
func (d *DB) CountResults(ctx context.Context, user atelier.UserID, f atelier.RunFilter, most int) (n int, more bool, err error) {
	f.Cursor, f.Sort = "", ""
	if f.Query == "" && !f.Trashed {
		n, err = d.countSome(ctx, user, f, nil, most+1)
		return min(n, most), n > most, err
	}
	err = d.candidates(user, f).each(ctx, "", func(ctx context.Context, ids []string) (bool, error) {
		some, err := d.countSome(ctx, user, f, ids, most+1-n)
		n += some
		return n <= most, err
	})
	return min(n, most), n > most, err
}

// countSome counts results of a list, of the runs among, or of all when that is nil; it stops at most.
func (d *DB) countSome(ctx context.Context, user atelier.UserID, f atelier.RunFilter, among []string, most int) (n int, err error) {
	var s stretch
	q := resultQuery(user, f, s, "")
	if among != nil {
		q.in(s.runColumn(f), among)
	}
	row := d.reader(ctx).QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+s.tables(f)+" WHERE "+q.where()+" LIMIT "+q.arg(most)+") AS few", q.args...)
	if err := row.Scan(&n); err != nil {
		return 0, fmt.Errorf("count results: %w", err)
	}
	return n, nil
}

// maxCounted is how many results, or how many runs of a search, are counted exactly for the months of a list.
const maxCounted = 200_000

// ListMonths counts the results of a list by month, newest first. The newest are counted; in histories so large that this would
// take long, the rest is worked out of the number of runs.
func (d *DB) ListMonths(ctx context.Context, user atelier.UserID, f atelier.RunFilter) ([]atelier.ResultMonth, error) {
	f.Cursor, f.Sort = "", ""
	first, last, err := d.ends(ctx, user, f)
	if err != nil || first == "" {
		return []atelier.ResultMonth{}, err
	}
	months := []atelier.ResultMonth{}
	left, runs, results := maxCounted, 0, 0
	until := timeOf(first)
	for month := monthOf(timeOf(last)); !month.AddDate(0, 1, 0).Before(until); month = month.AddDate(0, -1, 0) {
		part := f
		part.From, part.To = later(f.From, month), earlier(f.To, month.AddDate(0, 1, 0))
		if !part.From.Before(part.To) {
			continue
		}
		m := atelier.ResultMonth{From: month, To: month.AddDate(0, 1, 0)}
		if left > 0 {
			if m.Count, _, err = d.CountResults(ctx, user, part, left); err != nil {
				return nil, err
			}
		}
		left -= m.Count
		n := 0
		if runs < maxCounted || left <= 0 {
			if n, err = d.countRuns(ctx, user, part); err != nil {
				return nil, err
			}
		}
		if left > 0 {
			runs, results = runs+n, results+m.Count
		} else {
			m.Estimated = true
			ratio := 1.0
			if runs > 0 {
				ratio = float64(results) / float64(runs)
			}
			m.Count = max(m.Count, int(float64(n)*ratio))
		}
		if m.Count > 0 {
			months = append(months, m)
		}
	}
	return months, nil
}

// ends gives the oldest and the newest run that the results of a list may be of, "" when there is none.
func (d *DB) ends(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (first, last string, err error) {
	f.Limit = 1
	for _, end := range []struct {
		sort atelier.Sort
		id   *string
	}{{atelier.SortNewest, &last}, {atelier.SortOldest, &first}} {
		f.Sort = end.sort
		page, _, err := d.ListResults(ctx, user, f)
		if err != nil || len(page) == 0 {
			return "", "", err
		}
		*end.id = string(page[0].RunID)
	}
	return first, last, nil
}

// countRuns counts the runs the results of a list may be of: those of a search, or all.
func (d *DB) countRuns(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (n int, err error) {
	if f.Query != "" {
		match, err := d.match(ctx, user, f.Agent, f.Query)
		if err != nil || match == "" {
			return 0, err
		}
		return d.countHits(ctx, match, spanOf(f))
	}
	q := &query{}
	q.add("r.user_id = ", string(user))
	q.runsWithout(f)
	if f.Trashed {
		q.hasResult(atelier.RunFilter{Trashed: true})
	}
	q.between("r.id", spanOf(f))
	if err := d.Read.QueryRowContext(ctx, "SELECT count(*) FROM runs r WHERE "+q.where(), q.args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count runs: %w", err)
	}
	return n, nil
}

func monthOf(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC) }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// earlier is the earlier of an end, zero for none, and a time.
func earlier(a, b time.Time) time.Time {
	if !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// Duplicates gives one page of the user's results that have exactly the same bytes, outside the trash; cursor is the last hash
// of the page before.
func (d *DB) Duplicates(ctx context.Context, user atelier.UserID, cursor string, limit int) (groups [][]ListedResult, next string, err error) {
	shas, err := d.idRows(ctx, "find duplicates", `SELECT s.sha256 FROM results s JOIN runs r ON r.id = s.run_id
		WHERE s.user_id = $1 AND s.sha256 > $2 AND s.sha256 <> '' AND r.trashed_at = 0 AND s.trashed_at = 0 GROUP BY s.sha256 HAVING count(*) > 1 ORDER BY s.sha256 LIMIT $3`,
		string(user), cursor, limit+1)
	if err != nil || len(shas) == 0 {
		return nil, "", err
	}
	if len(shas) > limit {
		shas = shas[:limit]
		next = shas[limit-1]
	}
	q := &query{}
	q.add("s.user_id = ", string(user))
	q.in("s.sha256", shas)
	rows, err := d.listedRows(ctx, listedFrom+" WHERE r.id = s.run_id AND r.trashed_at = 0 AND s.trashed_at = 0 AND "+q.where()+" ORDER BY s.sha256, s.run_id, s.idx", q.args...)
	if err != nil {
		return nil, "", fmt.Errorf("find duplicates: %w", err)
	}
	for i, r := range rows {
		if i == 0 || rows[i-1].SHA256 != r.SHA256 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], r)
	}
	slices.SortStableFunc(groups, func(a, b []ListedResult) int { return int(min(max(b[0].Bytes-a[0].Bytes, -1), 1)) })
	return groups, next, nil
}
