package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// month gives the calendar month a moment is in, by this machine's clock: its first moment, and that of the next.
func month(at time.Time) (begins, ends time.Time) {
	year, m, _ := at.In(time.Local).Date()
	begins = time.Date(year, m, 1, 0, 0, 0, 0, time.Local)
	return begins, begins.AddDate(0, 1, 0)
}

// Allowance says what the user may ask for this month; nil = as much as they like.
func (d *DB) Allowance(ctx context.Context, user atelier.UserID) (*atelier.Allowance, error) {
	a, err := d.allowance(ctx, d.read, user)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read what a user may ask for: %w", err)
	}
	return a, nil
}

func (d *DB) allowance(ctx context.Context, q *gen.Queries, user atelier.UserID) (*atelier.Allowance, error) {
	u, err := q.User(ctx, string(user))
	if err != nil || u.Monthly == atelier.AnyNumber {
		return nil, err
	}
	begins, ends := month(d.now())
	used, err := q.AskedSince(ctx, gen.AskedSinceParams{UserID: string(user), At: sqldb.Millis(begins)})
	return &atelier.Allowance{Monthly: int(u.Monthly), Asked: int(used), Until: ends}, err
}

// Ask notes in the transaction that records a run how many results it asks for, and refuses the run when that is more than its user may
// still ask for this month.
func (d *DB) Ask(ctx context.Context, user atelier.UserID, run atelier.RunID, results int) Then {
	return func(tx *sql.Tx) error {
		q := gen.New(tx)
		a, err := d.allowance(ctx, q, user)
		if err != nil {
			return err
		}
		if a != nil && results > a.Left() {
			return &atelier.Error{Code: atelier.Forbidden, Message: a.Refusal(results)}
		}
		return d.NoteAsked(ctx, user, run, results, d.now())(tx)
	}
}

// NoteAsked notes how many results a run asks for, however many its user may: the image service has it already.
func (d *DB) NoteAsked(ctx context.Context, user atelier.UserID, run atelier.RunID, results int, at time.Time) Then {
	return func(tx *sql.Tx) error {
		return gen.New(tx).InsertAsked(ctx, gen.InsertAskedParams{RunID: string(run), UserID: string(user), At: sqldb.Millis(at), Results: int64(results)})
	}
}

// AskedThisMonth says how many results each user has asked for this month. Who asked for none is not named.
func (d *DB) AskedThisMonth(ctx context.Context) (map[atelier.UserID]int, error) {
	begins, _ := month(d.now())
	rows, err := d.read.AskedByAllSince(ctx, sqldb.Millis(begins))
	if err != nil {
		return nil, fmt.Errorf("count what was asked for: %w", err)
	}
	asked := make(map[atelier.UserID]int, len(rows))
	for _, r := range rows {
		asked[atelier.UserID(r.UserID)] = int(r.Results)
	}
	return asked, nil
}

// SetMonthly lets the holder of an account ask for so many results a month, or for AnyNumber. Their sessions go on.
func (d *DB) SetMonthly(ctx context.Context, id atelier.UserID, results int) (User, error) {
	err := d.change(ctx, "set what a user may ask for", func(q *gen.Queries) error {
		n, err := q.SetMonthly(ctx, gen.SetMonthlyParams{ID: string(id), Monthly: int64(results)})
		return oneRow(n, err, noAccount)
	}, nil)
	if err != nil {
		return User{}, err
	}
	return d.User(ctx, id)
}
