package db

import (
	"context"
	"fmt"
	"time"

	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// MakeRestored prepares a database that was taken from a backup for use. What happened after the backup is not known: runs
// that were about to be sent may have been sent since, so they are looked for first; runs that were started since are looked
// for by MarkRebuild; and who was signed in signs in again, since the session may have been ended.
func (d *DB) MakeRestored(ctx context.Context, takenAt time.Time) error {
	err := d.change(ctx, "prepare a restored database", func(q *gen.Queries) error {
		at := sqldb.Millis(takenAt)
		if err := q.DoubtRuns(ctx, at); err != nil {
			return fmt.Errorf("doubt runs that were being sent: %w", err)
		}
		if err := q.DeleteAllSessions(ctx); err != nil {
			return fmt.Errorf("end sessions: %w", err)
		}
		return q.SetMark(ctx, gen.SetMarkParams{Name: MarkRebuild, At: at})
	}, nil)
	return err
}
