package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// Cost is what the image service told when it took a run, in its own unit. What is nil is not known.
type Cost struct {
	Power    *float64 // of the run
	Left     *float64 // what the account had after it
	Upstream string   // the account
}

// Learn is work for the transaction that accepts a run: it keeps what the run cost, adds that to its user's month, and remembers of the account
// what it has left and whether it takes masks by their address alone. A run that holds another execution is left alone.
func (d *DB) Learn(ctx context.Context, id atelier.RunID, execution string, cost Cost) Then {
	return func(tx *sql.Tx) error {
		q := gen.New(tx)
		if err := q.LearnMaskByURL(ctx, gen.LearnMaskByURLParams{ID: string(id), ExecutionID: execution, Upstream: cost.Upstream}); err != nil {
			return err
		}
		if cost.Power == nil && cost.Left == nil {
			return nil
		}
		n, err := q.SetPower(ctx, gen.SetPowerParams{ID: string(id), ExecutionID: execution, Power: nullable(cost.Power), PowerLeft: nullable(cost.Left)})
		if err != nil || n == 0 {
			return err
		}
		if cost.Power != nil {
			if err := q.NotePower(ctx, gen.NotePowerParams{RunID: string(id), Power: nullable(cost.Power)}); err != nil {
				return err
			}
		}
		if cost.Left == nil {
			return nil
		}
		return q.NotePowerLeft(ctx, gen.NotePowerLeftParams{Upstream: cost.Upstream, PowerLeft: *cost.Left, ToldAt: d.millis()})
	}
}

func nullable(f *float64) (n sql.NullFloat64) {
	if f != nil {
		n.Float64, n.Valid = *f, true
	}
	return n
}

func told(n sql.NullFloat64) *float64 {
	if !n.Valid {
		return nil
	}
	return &n.Float64
}

// MaskByURL is work for a transaction: it records that the image service refused the mask of a run in base64. The account is remembered when
// it accepts the run with the mask's address.
func (d *DB) MaskByURL(ctx context.Context, id atelier.RunID) Then {
	return func(tx *sql.Tx) error { return gen.New(tx).SetMaskByURL(ctx, string(id)) }
}

// WantsMaskURL says whether an account is known to refuse masks in base64.
func (d *DB) WantsMaskURL(ctx context.Context, upstream string) (bool, error) {
	row, err := d.upstreamFacts(ctx, upstream)
	return row.MaskByUrl, err
}

func (d *DB) upstreamFacts(ctx context.Context, upstream string) (gen.UpstreamFact, error) {
	row, err := d.read.UpstreamFacts(ctx, upstream)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return row, fmt.Errorf("read what is known of an account: %w", err)
	}
	return row, nil
}

// months is how many months ListCosts goes back, this one included.
const months = 12

// ListCosts gives what the user's runs cost in each of the last twelve months, the newest first, without months in which there were none.
func (d *DB) ListCosts(ctx context.Context, user atelier.UserID) ([]atelier.MonthCost, error) {
	list := []atelier.MonthCost{}
	begins, ends := month(d.now())
	for range months {
		row, err := d.read.PowerOfMonth(ctx, gen.PowerOfMonthParams{UserID: string(user), Since: sqldb.Millis(begins), Until: sqldb.Millis(ends)})
		if err != nil {
			return nil, fmt.Errorf("add up the costs of a month: %w", err)
		}
		if row.Runs > 0 {
			list = append(list, atelier.MonthCost{Month: begins.Format("2006-01"), Cost: costOf(row.Runs, row.Told, row.Power)})
		}
		begins, ends = begins.AddDate(0, -1, 0), begins
	}
	return list, nil
}

// CostsThisMonth gives what each user's runs cost this month. Users without runs are not named.
func (d *DB) CostsThisMonth(ctx context.Context) (map[atelier.UserID]atelier.Cost, error) {
	begins, _ := month(d.now())
	rows, err := d.read.PowerByAllSince(ctx, sqldb.Millis(begins))
	if err != nil {
		return nil, fmt.Errorf("add up the costs of all users: %w", err)
	}
	costs := make(map[atelier.UserID]atelier.Cost, len(rows))
	for _, r := range rows {
		costs[atelier.UserID(r.UserID)] = costOf(r.Runs, r.Told, r.Power)
	}
	return costs, nil
}

func costOf(runs, told int64, power float64) atelier.Cost {
	c := atelier.Cost{Runs: int(runs), Unknown: int(runs - told)}
	if told > 0 {
		c.Power = &power
	}
	return c
}

// Balance gives what an account had left when it last told so, nil when it never has.
func (d *DB) Balance(ctx context.Context, upstream string) (*atelier.Balance, error) {
	row, err := d.upstreamFacts(ctx, upstream)
	if err != nil || !row.PowerLeft.Valid {
		return nil, err
	}
	return &atelier.Balance{Power: row.PowerLeft.Float64, At: sqldb.Time(row.ToldAt)}, nil
}
