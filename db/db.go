// Package db keeps what the studio knows: users, sessions, assets, masks, boards, runs with their results, callbacks and
// presets. One file per noun; the queries themselves stand in query/*.sql and are generated into gen.
//
// Every method that changes something commits before it returns. The Then functions it is given run in the same
// transaction: that is how a job is enqueued together with the row it serves.
package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/google/uuid"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

//go:embed migrations/*.sql
var migrations embed.FS

// DB is the studio's database. It is safe for concurrent use.
type DB struct {
	*sqldb.DB
	read *gen.Queries
	now  func() time.Time
	// moment hears of each change, before it begins and after its commit; tests stop there. nil = nobody listens.
	moment func(name string)
	// fault hears of errors that nobody waits for. nil = nobody listens.
	fault func(err error)
	lists keeper
	sizes sizes
	files []string // the columns that name files of the content store
	// namesKey is what NamesKey gives.
	namesKey string
}

// Then is more work for the same transaction.
type Then func(tx *sql.Tx) error

// Open opens or creates the database file at path and brings it up to date.
func Open(ctx context.Context, path string) (*DB, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("find the studio's migrations: %w", err)
	}
	d, err := sqldb.Open(ctx, path, files)
	if err != nil {
		return nil, err
	}
	out := &DB{DB: d, read: gen.New(d.Read), now: time.Now, sizes: usualSizes}
	if out.files, err = sqldb.FileColumns(ctx, d.Read, NotBlobs...); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if err := errors.Join(out.prepareIdentity(ctx), out.prepareSearch(ctx), out.prepareLists(ctx)); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return out, nil
}

// OnFault makes fn hear of what went wrong beside all changes. It is set before the database is used.
func (d *DB) OnFault(fn func(err error)) { d.fault = fn }

func (d *DB) failed(err error) {
	if err != nil && d.fault != nil {
		d.fault(err)
	}
}

// OnMoment makes fn hear of each change, before it begins and after its commit. It is set before the database is used.
func (d *DB) OnMoment(fn func(name string)) { d.moment = fn }

func (d *DB) at(name string) {
	if d.moment != nil {
		d.moment(name)
	}
}

// change runs fn and then the others in one transaction.
func (d *DB) change(ctx context.Context, what string, fn func(q *gen.Queries) error, then []Then) error {
	d.at("before: " + what)
	err := d.Tx(ctx, func(tx *sql.Tx) error {
		if err := fn(gen.New(tx)); err != nil {
			return err
		}
		for _, t := range then {
			if err := t(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		d.at("after: " + what)
		return nil
	}
	if sqldb.IsDiskFull(err) {
		return atelier.Wrap(atelier.DiskFull, fmt.Errorf("%s: %w", what, err), atelier.NoRoom)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Enqueue puts jobs into the queue that belong to no other change.
func (d *DB) Enqueue(ctx context.Context, jobs ...Then) error {
	return d.change(ctx, "enqueue", func(*gen.Queries) error { return nil }, jobs)
}

// missing turns an empty answer into the sentence for it.
func missing(err error, what, sentence string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return atelier.Refuse(atelier.NotFound, sentence)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// newID makes a UUIDv7: it sorts by time, so it is also the cursor of every list.
func newID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// idAt is where the ids begin that are made at a moment.
func idAt(at time.Time) string {
	ms := fmt.Sprintf("%012x", at.UnixMilli())
	return ms[:8] + "-" + ms[8:]
}

func (d *DB) millis() int64 { return sqldb.Millis(d.now()) }
