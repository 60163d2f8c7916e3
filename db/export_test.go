package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
)

// AddToSearch lets a run be found that was not made by CreateRun.
func AddToSearch(ctx context.Context, tx *sql.Tx, id, user, agent, words string) error {
	return addToSearch(ctx, tx, gen.Run{ID: id, UserID: user, Agent: agent, Search: words})
}

// Plans tells how the statements are carried out that a list of results may be read with.
func (d *DB) Plans(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (plans [][]string, err error) {
	at, err := parsePlace(f)
	if err != nil {
		return nil, err
	}
	f.Limit = pageLimit(f)
	explain := func(statement string, args []any) error {
		plan, err := d.Plan(ctx, statement, args...)
		plans = append(plans, plan)
		return err
	}
	if f.Trashed {
		return plans, explain(trashedStatement(user, spanOf(f), ""))
	}
	for _, s := range stretches(f, at) {
		parts, ways := []stretch{s}, []way{byScore(f)}
		switch {
		case s.same != nil:
			continue // of one run
		case s.valued() && s.column == ratingColumn:
			parts = []stretch{{rating: 1}, {rating: 2, after: &place{run: IDAt(time.Now())}}}
		}
		for _, s := range parts {
			if !s.valued() {
				ways = nil
				for _, src := range s.sources(user, f, spanOf(f), "") {
					if w, ok := src.way(f); ok {
						ways = append(ways, w)
					}
				}
				if len(ways) == 0 || f.Agent != "" && !placed(f) {
					ways = append(ways, byRuns(f))
				}
			}
			for _, w := range ways {
				q, qerr := resultQuery(user, f, s, w)
				err = errors.Join(err, qerr, explain(listedColumns+" FROM "+w.tables(q, f)+" WHERE "+q.where()+" ORDER BY "+w.orderBy(f, s), q.args))
			}
		}
	}
	return plans, err
}

// RunPlan tells how the statement of a list of runs is carried out.
func (d *DB) RunPlan(ctx context.Context, user atelier.UserID, f atelier.RunFilter) ([]string, error) {
	statement, args, err := runStatement(user, f, "", nil)
	if err != nil {
		return nil, err
	}
	if f.Trashed {
		statement, args = trashedStatement(user, spanOf(f), "")
	}
	if unusual(f) {
		src := ofRuns(user, f, "")
		statement, args = src.statement(src.run, spanOf(f), 0, -1)
	}
	return d.Plan(ctx, statement, args...)
}

// ShownPlan tells how results that are shown are found by a column of theirs.
func (d *DB) ShownPlan(ctx context.Context, column string) ([]string, error) {
	q := &query{}
	q.in(column, []string{"x", "y"})
	statement, args := shownStatement(q)
	return d.Plan(ctx, statement, args...)
}

// Plan tells how a statement is carried out.
func (d *DB) Plan(ctx context.Context, statement string, args ...any) (steps []string, err error) {
	rows, err := d.Read.QueryContext(ctx, "EXPLAIN QUERY PLAN "+statement, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, rows.Err()
}

// Names gives the first column of what a statement finds.
func (d *DB) Names(ctx context.Context, statement string) ([]string, error) {
	return d.idRows(ctx, "names", statement)
}

// ReplaceWords changes what a search finds a run by.
func (d *DB) ReplaceWords(ctx context.Context, id atelier.RunID, words string) error {
	return d.Tx(ctx, func(tx *sql.Tx) error {
		run, err := d.read.Run(ctx, string(id))
		if err != nil {
			return err
		}
		if err := removeFromSearch(ctx, tx, id); err != nil {
			return err
		}
		return addToSearch(ctx, tx, gen.Run{ID: run.ID, UserID: run.UserID, Agent: run.Agent, Search: words})
	})
}

// CountHits counts the runs a search finds.
func (d *DB) CountHits(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (int, error) {
	return d.countRuns(ctx, user, f)
}

// ChooseOtherwise makes lists be read in other ways than their sizes call for: n is how many entries are looked at to choose, fewest how
// many runs are sorted, batch how many are looked at together, and look what one run looked up costs.
func (d *DB) ChooseOtherwise(n, perHit, look, fewest, batch int) {
	d.sizes = sizes{probed: n, perHit: perHit, hitsPerLook: look, fewest: fewest, firstBatch: batch, maxBatch: 2 * batch}
}
