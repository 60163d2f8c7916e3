package db

import (
	"context"
	"fmt"
	"time"

	"atelier/atelier"
)

// CountResults counts the results of a list up to most; more says that there are others.
func (d *DB) CountResults(ctx context.Context, user atelier.UserID, f atelier.RunFilter, most int) (n int, more bool, err error) {
	f.Cursor, f.Sort = "", ""
	match := ""
	if f.Query != "" {
		if match, err = d.match(ctx, user, f.Agent, f.Query); err != nil || match == "" {
			return 0, false, err
		}
	}
	n, err = d.countUpTo(ctx, user, f, match, most+1)
	return min(n, most), n > most, err
}

func (d *DB) countUpTo(ctx context.Context, user atelier.UserID, f atelier.RunFilter, match string, most int) (n int, err error) {
	dir := spanOf(f)
	sources := markSources(user, f, dir, "", true)
	switch {
	case f.Trashed:
		statement, args := trashedStatement(user, dir, "")
		return d.countDriven(ctx, user, f, match, driver{statement: statement, args: args}, most)
	case match != "":
		by, err := d.chooseDriver(ctx, user, f, dir, match, "", sources)
		if err != nil {
			return 0, err
		}
		if by != nil {
			return d.countDriven(ctx, user, f, match, *by, most)
		}
		return d.countIn(ctx, user, f, byWords(f, match), most)
	case placed(f):
		return d.countIn(ctx, user, f, onBoard(f), most)
	case len(sources) > 0:
		best, err := d.sparsest(ctx, dir, sources)
		if err != nil {
			return 0, err
		}
		return d.countIn(ctx, user, f, way{from: sources[best].from + " CROSS JOIN runs r", run: "s.run_id", owner: "s"}, most)
	}
	return d.countIn(ctx, user, f, byRuns(f), most)
}

func (d *DB) countDriven(ctx context.Context, user atelier.UserID, f atelier.RunFilter, match string, by driver, most int) (n int, err error) {
	err = d.drive(ctx, user, by, spanOf(f), match, most, func(ctx context.Context, batch []entry) (bool, error) {
		some, err := d.countIn(ctx, user, f, way{among: runsIn(batch), run: "j.value", order: "j.key"}, most-n)
		n += some
		return n < most, err
	})
	return n, err
}

// countIn counts the results of a list that is read in a way; it stops at most.
func (d *DB) countIn(ctx context.Context, user atelier.UserID, f atelier.RunFilter, w way, most int) (n int, err error) {
	q, err := resultQuery(user, f, stretch{}, w)
	if err != nil {
		return 0, err
	}
	row := d.reader(ctx).QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+w.tables(q, f)+" WHERE "+q.where()+q.limit(most)+") AS few", q.args...)
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
		q.hasResult(atelier.RunFilter{Trashed: true}, "r.id")
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
