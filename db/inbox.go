package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// MaxCallbacks is how many different deliveries are kept per run; more are answered and forgotten.
const MaxCallbacks = 64

// Callback is one delivery of the image service as it came.
type Callback struct {
	SHA256 string
	Body   string
	At     time.Time
}

// SaveCallback keeps a delivery for a run, together with then, which is left out for a run that is over and would not be looked at: not for one
// of which it is not known whether it was accepted. The same body again is no new row, nor is anything past MaxCallbacks; nothing is done then.
// An unknown run is NotFound.
func (d *DB) SaveCallback(ctx context.Context, run atelier.RunID, sha256, body, ip string, then Then) error {
	now, err := d.read.RunStands(ctx, string(run))
	if err != nil {
		return missing(err, "find run", noRun)
	}
	over := Run{Run: atelier.Run{State: atelier.State(now.State)}, Step: now.Step}.over()
	fresh := false
	return d.change(ctx, "save callback", func(q *gen.Queries) error {
		n, err := q.CountCallbacks(ctx, string(run))
		if err != nil || n >= MaxCallbacks {
			return err
		}
		n, err = q.InsertCallback(ctx, gen.InsertCallbackParams{RunID: string(run), Sha256: sha256, Body: body, Ip: ip, At: d.millis()})
		fresh = n > 0
		return err
	}, []Then{func(tx *sql.Tx) error {
		if !fresh || over {
			return nil
		}
		return then(tx)
	}})
}

// ListCallbacks gives the deliveries for a run, oldest first.
func (d *DB) ListCallbacks(ctx context.Context, run atelier.RunID) ([]Callback, error) {
	rows, err := d.read.Callbacks(ctx, string(run))
	if err != nil {
		return nil, fmt.Errorf("list callbacks: %w", err)
	}
	calls := make([]Callback, 0, len(rows))
	for _, r := range rows {
		calls = append(calls, Callback{SHA256: r.Sha256, Body: r.Body, At: sqldb.Time(r.At)})
	}
	return calls, nil
}

// ListOldSaid gives runs that are over and of which answers, or the bodies of callbacks, are kept that came before a moment; a run may be there
// more than once.
func (d *DB) ListOldSaid(ctx context.Context, before time.Time, limit int) ([]atelier.RunID, error) {
	rows, err := d.read.OldSaid(ctx, gen.OldSaidParams{At: sqldb.Millis(before), Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list old answers: %w", err)
	}
	ids := make([]atelier.RunID, 0, len(rows))
	for _, id := range rows {
		ids = append(ids, atelier.RunID(id))
	}
	return ids, nil
}

// ForgetSaid forgets what the image service has said about a run: its answers, and the bodies of its callbacks.
func (d *DB) ForgetSaid(ctx context.Context, run atelier.RunID) error {
	return d.change(ctx, "forget old answers", func(q *gen.Queries) error {
		if err := q.DropAnswers(ctx, string(run)); err != nil {
			return err
		}
		return q.EmptyCallbacks(ctx, string(run))
	}, nil)
}
