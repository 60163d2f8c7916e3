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

const (
	// MarkRebuild names the moment after which runs may be missing here, since a backup was restored.
	MarkRebuild = "rebuild"
	// MarkSeen names the moment, by the image service's clock, up to which its tasks were looked through for runs that are missing here.
	MarkSeen = "seen"
)

// FindMark gives a remembered moment; the zero time when there is none.
func (d *DB) FindMark(ctx context.Context, name string) (time.Time, error) {
	at, err := d.read.Mark(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("find the mark %s: %w", name, err)
	}
	return sqldb.Time(at), nil
}

// SetMark remembers a moment; the zero time forgets it.
func (d *DB) SetMark(ctx context.Context, name string, at time.Time) error {
	return d.change(ctx, "set the mark "+name, func(q *gen.Queries) error {
		if at.IsZero() {
			return q.DeleteMark(ctx, name)
		}
		return q.SetMark(ctx, gen.SetMarkParams{Name: name, At: sqldb.Millis(at)})
	}, nil)
}

// OldestUser gives who has the oldest account, or was here first where nobody has one: whose work it is when nobody can tell any more.
func (d *DB) OldestUser(ctx context.Context) (atelier.UserID, error) {
	id, err := d.read.OldestUser(ctx)
	if err != nil {
		return "", missing(err, "find the oldest user", noUser)
	}
	return atelier.UserID(id), nil
}
