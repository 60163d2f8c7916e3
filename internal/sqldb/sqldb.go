// Package sqldb opens a database the way this product needs it: one writer and several readers on SQLite, every pragma in
// the DSN so that each pooled connection has it, schema brought up to date by goose and by the job queue's own migrations.
//
// Queries are written once, in the dialect SQLite and PostgreSQL share (text ids, bigint milliseconds passed in, text for
// JSON, $1 placeholders), so the generated code runs on both.
package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"modernc.org/sqlite" // also registers the driver
	sqlite3 "modernc.org/sqlite/lib"

	"atelier/internal/folder"
)

// DB is an open database. Write has exactly one connection, since SQLite has one writer: a transaction on it never meets
// SQLITE_BUSY. Read is a pool that cannot write.
type DB struct {
	Write *sql.DB
	Read  *sql.DB

	committed chan struct{} // gets a value after commits of Write: openPool
}

// Open opens or creates the SQLite file at path and brings its schema up to date with the goose files in migrations.
// It refuses a file whose schema is newer than those.
func Open(ctx context.Context, path string, migrations fs.FS) (*DB, error) {
	if err := folder.Make(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("create the folder of %s: %w", filepath.Base(path), err)
	}
	if err := protect(path); err != nil {
		return nil, fmt.Errorf("protect %s: %w", filepath.Base(path), err)
	}
	committed := make(chan struct{}, 1)
	write, err := openPool(dsn(path, false), committed)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	write.SetMaxOpenConns(1)
	if err := migrate(ctx, write, migrations); err != nil {
		return nil, errors.Join(fmt.Errorf("bring %s up to date: %w", filepath.Base(path), err), write.Close())
	}
	read, err := openPool(dsn(path, true), nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s for reading: %w", filepath.Base(path), err), write.Close())
	}
	readers := max(4, runtime.GOMAXPROCS(0))
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers) // a new connection reads the whole schema again
	return &DB{Write: write, Read: read, committed: committed}, nil
}

// protect sees that only this user can read the file and what SQLite writes beside it, which takes the mode that the file has when it is
// opened.
func protect(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// dsn gives every pooled connection the same pragmas. synchronous is FULL: runs are paid for, and NORMAL may lose an
// acknowledged one when the power goes. Each connection has a cache of its own, so that of a process with two databases ten of them
// fill; what does not fit is at hand in the system's.
func dsn(path string, readOnly bool) string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(5000)", "journal_mode(wal)", "synchronous(full)", "foreign_keys(1)", "cache_size(-16384)", // KiB
	}}
	if readOnly {
		q["_pragma"] = append(q["_pragma"], "query_only(1)")
		q.Set("_txlock", "deferred")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}

func migrate(ctx context.Context, db *sql.DB, migrations fs.FS) error {
	p, err := goose.NewProvider(database.DialectSQLite3, db, migrations, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, newest, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if have > newest {
		return fmt.Errorf("the data folder was written by a newer version (schema %d, this program knows %d)", have, newest)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	m, err := rivermigrate.New(riversqlite.New(db), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("prepare the job queue: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("bring the job queue up to date: %w", err)
	}
	return nil
}

// Tx runs fn in one write transaction and commits it, or rolls back when fn fails or panics. fn must not do I/O beside the
// database.
func (d *DB) Tx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := d.Write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	returned := false
	defer func() {
		if !returned {
			_ = tx.Rollback() // the panic goes on; without this the only writer would stay taken
		}
	}()
	err = fn(tx)
	returned = true
	if err != nil {
		if rerr := tx.Rollback(); rerr != nil && !errors.Is(rerr, sql.ErrTxDone) {
			return errors.Join(err, fmt.Errorf("roll back: %w", rerr))
		}
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Close closes both pools.
func (d *DB) Close() error { return errors.Join(d.Read.Close(), d.Write.Close()) }

// Probe commits a change that changes nothing, and so says whether the database can be written.
func (d *DB) Probe(ctx context.Context) error {
	return d.Tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `PRAGMA user_version = 0`) // which nothing uses; it is written and flushed all the same
		return err
	})
}

// IsUnique says whether err is the violation of a UNIQUE constraint or primary key.
func IsUnique(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}

// IsDiskFull says whether err means that nothing more can be written.
func IsDiskFull(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// IsUnusable says whether err means that a database or a file cannot be used at the moment, for a reason that lies in the machine: it
// is read-only, its disk fails, somebody else keeps it locked, or no more files can be opened.
func IsUnusable(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return true
		}
	}
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.EROFS, syscall.EIO, syscall.EACCES, syscall.EPERM}, func(errno error) bool {
		return errors.Is(err, errno)
	})
}

// Millis is the form of every time in the database: milliseconds since 1970, UTC; 0 for the zero time.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time turns Millis back.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
