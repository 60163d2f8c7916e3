package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"atelier/atelier"
	"atelier/internal/sqldb"
)

// ListedResult is a result of a list, with the run it is of.
type ListedResult struct {
	Result
	Run atelier.RunRef
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
	return d.listedWhere(ctx, user, ids, "")
}

// listedWhere is listedOf for those for which a further condition holds: "" or one that begins with AND.
func (d *DB) listedWhere(ctx context.Context, user atelier.UserID, ids []atelier.ResultID, and string) (map[atelier.ResultID]ListedResult, error) {
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
	found, err := d.listedRows(ctx, listedFrom+" WHERE r.id = s.run_id AND "+q.where()+and, q.args...)
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
			return nil, atelier.Refuse(atelier.NotFound, noneOfResults)
		}
		out[i] = l
	}
	return out, nil
}

// place is where a page ends: the run, the result's place in it and, where the list is sorted by a value, that value.
type place struct {
	valued bool
	value  float64
	run    runKey
	index  int
}

// String is the cursor: run.index, or value_run.index.
func (p place) String() string {
	s := p.run.String() + "." + strconv.Itoa(p.index)
	if p.valued {
		s = strconv.FormatFloat(p.value, 'g', -1, 64) + "_" + s
	}
	return s
}

func cursorRefused() error {
	return atelier.FieldError("cursor", CursorForeign)
}

// parsePlace reads a cursor; nil is the beginning of the list.
func parsePlace(f atelier.RunFilter) (*place, error) {
	if f.Cursor == "" {
		return nil, nil //nolint:nilnil // nil is the beginning
	}
	var p place
	rest := f.Cursor
	if value, after, ok := strings.Cut(rest, "_"); ok {
		var err error
		p.valued = true
		if p.value, err = strconv.ParseFloat(value, 64); err != nil || math.IsNaN(p.value) || math.IsInf(p.value, 0) || f.Sort != atelier.SortRating && f.Sort != atelier.SortFidelity {
			return nil, cursorRefused()
		}
		rest = after
	}
	run, index, ok := strings.Cut(rest, ".")
	n, err := strconv.Atoi(index)
	key, bad := keyOf(run)
	if !ok || err != nil || bad != nil || len(run) != 36 || n < 0 {
		return nil, cursorRefused()
	}
	p.run, p.index = key, n
	return &p, nil
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
