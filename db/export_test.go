package db

import (
	"context"
	"database/sql"
	"errors"

	"atelier/atelier"
	"atelier/db/gen"
)

// AddToSearch lets a run be found that was not made by CreateRun.
func AddToSearch(ctx context.Context, tx *sql.Tx, id, user, agent, words string) error {
	return addToSearch(ctx, tx, gen.Run{ID: id, UserID: user, Agent: agent, Search: words})
}

// Plans tells how the statements of a list of results are carried out.
func (d *DB) Plans(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (plans [][]string, err error) {
	at, err := parsePlace(f)
	if err != nil {
		return nil, err
	}
	f.Limit = pageLimit(f)
	if f.Trashed {
		statement, args := trashedStatement(user, spanOf(f), "")
		plan, err := d.Plan(ctx, statement, args...)
		return [][]string{plan}, err
	}
	for _, s := range stretches(f, at) {
		q := resultQuery(user, f, s, "")
		plan, err := d.Plan(ctx, q.statement(s, f)+" LIMIT "+q.arg(f.Limit), q.args...)
		if err != nil {
			return nil, err
		}
		plans = append(plans, plan)
	}
	return plans, nil
}

// RunPlan tells how the statement of a list of runs is carried out.
func (d *DB) RunPlan(ctx context.Context, user atelier.UserID, f atelier.RunFilter) ([]string, error) {
	statement, args := runStatement(user, f, nil)
	if f.Trashed {
		statement, args = trashedStatement(user, spanOf(f), "")
	}
	if d.unusual(user, f) != nil {
		statement, args = unusualStatement(user, f, "")
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
