package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
)

// IDAt is the lowest id something made at a moment can have.
func IDAt(t time.Time) string { return keyAt(t).String() }

// AddToSearch lets a run be found that was not made by CreateRun.
func AddToSearch(ctx context.Context, tx *sql.Tx, id, user, agent, words string) error {
	return addToSearch(ctx, tx, gen.Run{ID: id, UserID: user, Agent: agent, Search: words})
}

// ListPlans tells how the rows of a list, and what lists are made of, are read.
func (d *DB) ListPlans(ctx context.Context) (plans [][]string, err error) {
	for _, statement := range []string{resultPage, runPage, cardsOfRuns, cardsOfBoards, cardsOfResults, wordsOfRuns} {
		plan, perr := d.Plan(ctx, statement, "[]")
		plans, err = append(plans, plan), errors.Join(err, perr)
	}
	return plans, err
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
	run, err := d.read.Run(ctx, string(id))
	if err != nil {
		return err
	}
	return d.Tx(ctx, func(tx *sql.Tx) error { return setSearch(ctx, tx, run, words) })
}

// ChooseOtherwise makes searches be read in other ways than their sizes call for: probed is how many hits are read to choose, and
// perProbe how much is done for that, perCheck what a look at one run costs, batch how many candidates are looked at together, most how
// much is done for one page.
func (d *DB) ChooseOtherwise(probed, perProbe, perCheck, batch, most int) {
	d.sizes = sizes{probed: probed, perProbe: perProbe, perCheck: perCheck, batch: batch, most: most}
}

// ListsDiffer counts the runs that stand otherwise in the lists than in their rows.
func (d *DB) ListsDiffer(ctx context.Context) (n int, err error) {
	err = d.inList(ctx, func(ctx context.Context, l *lists) error {
		anew, err := buildLists(ctx, d.reader(ctx), l.seq)
		if err == nil {
			n = l.differing(anew)
		}
		return err
	})
	return n, err
}

// SaveLists keeps the lists as they are, for the next start.
func (d *DB) SaveLists(ctx context.Context) error { return d.saveLists(ctx) }

// SaveSoon keeps the lists beside all else, and waits for it.
func (d *DB) SaveSoon() {
	d.saveSoon()
	d.lists.work.Wait()
}

// ListsAreKept says whether the lists of a start are read from what is kept.
func (d *DB) ListsAreKept(ctx context.Context) (kept bool, err error) {
	tx, err := d.Read.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	l, _, err := loadLists(ctx, tx)
	return l != nil, err
}

// SetClock makes the database read another clock.
func (d *DB) SetClock(now func() time.Time) { d.now = now }
