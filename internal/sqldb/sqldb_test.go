package sqldb_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"atelier/internal/sqldb"
)

var schema = fstest.MapFS{"00001_things.sql": {Data: []byte(`-- +goose Up
CREATE TABLE parent (id text PRIMARY KEY);
CREATE TABLE child (id text PRIMARY KEY, parent text NOT NULL REFERENCES parent(id));
-- +goose Down
DROP TABLE child;
DROP TABLE parent;
`)}}

func open(t *testing.T) *sqldb.DB {
	t.Helper()
	db, err := sqldb.Open(t.Context(), filepath.Join(t.TempDir(), "a b?.db"), schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestEveryConnectionHasThePragmas(t *testing.T) {
	db := open(t)
	for name, pool := range map[string]*sql.DB{"write": db.Write, "read": db.Read} {
		conns := 1
		if pool == db.Read {
			conns = 4
		}
		for range conns {
			c, err := pool.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			for pragma, want := range map[string]string{"foreign_keys": "1", "journal_mode": "wal", "synchronous": "2", "busy_timeout": "5000"} {
				var got string
				if err := c.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil {
					t.Fatal(err)
				}
				if got != want {
					t.Errorf("%s connection: %s = %s, want %s", name, pragma, got, want)
				}
			}
		}
	}
}

func TestReadersCannotWrite(t *testing.T) {
	db := open(t)
	if _, err := db.Read.ExecContext(t.Context(), "INSERT INTO parent VALUES ('x')"); err == nil {
		t.Fatal("a reader wrote")
	}
}

func TestTxRollsBackWhenTheFunctionFails(t *testing.T) {
	db := open(t)
	boom := errors.New("boom")
	err := db.Tx(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(t.Context(), "INSERT INTO parent VALUES ('x')"); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatalf("Tx = %v, want boom", err)
	}
	var n int
	if err := db.Read.QueryRowContext(t.Context(), "SELECT count(*) FROM parent").Scan(&n); err != nil || n != 0 {
		t.Fatalf("rows = %d, %v, want none", n, err)
	}
}

func TestUniqueViolationsAreRecognised(t *testing.T) {
	db := open(t)
	insert := func() error {
		_, err := db.Write.ExecContext(t.Context(), "INSERT INTO parent VALUES ('x')")
		return err
	}
	if err := insert(); err != nil {
		t.Fatal(err)
	}
	if err := insert(); !sqldb.IsUnique(err) {
		t.Fatalf("second insert: %v, want a unique violation", err)
	}
	if _, err := db.Write.ExecContext(t.Context(), "INSERT INTO child VALUES ('c', 'nobody')"); err == nil || sqldb.IsUnique(err) {
		t.Fatalf("orphan: %v, want a foreign key violation", err)
	}
}

func TestAFileOfANewerVersionIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sqldb.Open(t.Context(), path, schema)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Write.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := sqldb.Open(t.Context(), path, schema); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Fatalf("Open = %v, want a refusal that names the newer version", err)
	}
}

func TestTimesSurviveAsMilliseconds(t *testing.T) {
	at := time.Date(2026, 11, 21, 1, 2, 3, 456e6, time.UTC)
	if got := sqldb.Time(sqldb.Millis(at)); !got.Equal(at) {
		t.Errorf("Time(Millis(%v)) = %v", at, got)
	}
	if !sqldb.Time(sqldb.Millis(time.Time{})).IsZero() {
		t.Error("the zero time does not survive")
	}
}

func TestAPanicInATransactionLeavesTheWriterFree(t *testing.T) {
	db := open(t)
	func() {
		defer func() {
			if p := recover(); p != "boom" {
				t.Errorf("Tx panicked with %v", p)
			}
		}()
		_ = db.Tx(t.Context(), func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(t.Context(), "INSERT INTO parent VALUES ('x')"); err != nil {
				return err
			}
			panic("boom")
		})
	}()
	if in := db.Write.Stats().InUse; in != 0 {
		t.Fatalf("%d writers are in use", in)
	}
	var n int
	if err := db.Read.QueryRowContext(t.Context(), "SELECT count(*) FROM parent").Scan(&n); err != nil || n != 0 {
		t.Fatalf("rows = %d, %v, want none", n, err)
	}
}
