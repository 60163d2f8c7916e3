package sqldb_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"

	"atelier/internal/sqldb"
)

// Statements are kept compiled by each connection. Nobody notices: not within the rows of the same statement, not after the
// schema has changed, not after a failure or an end in the middle, and not when there are more than are kept.
func TestKeptStatementsAnswerAsFreshOnes(t *testing.T) {
	t.Parallel()
	db := open(t)
	one := func(conn *sql.Conn, query string, args ...any) (n int) {
		t.Helper()
		if err := conn.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return n
	}
	w, err := db.Write.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	do := func(query string, args ...any) error {
		_, err := w.ExecContext(t.Context(), query, args...)
		return err
	}
	const insert = `INSERT INTO parent (id) VALUES ($1)`
	for i := range 300 {
		if err := do(insert, fmt.Sprintf("%03d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := do(insert, "000"); err == nil {
		t.Error("the same id twice is taken")
	}
	if err := do(insert, "new"); err != nil {
		t.Errorf("after a failure: %v", err)
	}
	if err := do("INSERT INTO parent (id) VALUES ('s1'); INSERT INTO parent (id) VALUES ('s2')"); err != nil {
		t.Errorf("two statements: %v", err)
	}

	const list = `SELECT id FROM parent WHERE id >= $1 ORDER BY id`
	first := func(ctx context.Context, pool interface {
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}, from string, within func(),
	) (second string, err error) {
		rows, err := pool.QueryContext(ctx, list, from)
		if err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		rows.Next()
		within()
		if rows.Next() {
			err = rows.Scan(&second)
		}
		return second, errors.Join(err, rows.Err())
	}
	second, err := first(t.Context(), w, "", func() {
		if second, err := first(t.Context(), w, "200", func() {}); err != nil || second != "201" {
			t.Errorf("within the rows of the same statement: %q, %v", second, err)
		}
	})
	if err != nil || second != "001" {
		t.Errorf("the second row is %q, %v", second, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := first(ctx, db.Read, "", cancel); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("an end in the middle: %v", err)
	}

	const all = `SELECT * FROM parent WHERE id = '000'`
	columns := func() int {
		t.Helper()
		rows, err := w.QueryContext(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		names, err := rows.Columns()
		if err != nil || !rows.Next() {
			t.Fatalf("%v, %v", err, rows.Err())
		}
		return len(names)
	}
	if n := columns(); n != 1 {
		t.Errorf("%d columns", n)
	}
	if err := do(`ALTER TABLE parent ADD COLUMN more text NOT NULL DEFAULT ''`); err != nil {
		t.Fatal(err)
	}
	if n := columns(); n != 2 {
		t.Errorf("%d columns after there is one more", n)
	}
	for i := range 400 {
		if n := one(w, fmt.Sprintf("SELECT %d + $1", i), 1); n != i+1 {
			t.Errorf("statement %d gives %d", i, n)
		}
	}
	if n := one(w, `SELECT count(*) FROM parent`); n != 303 {
		t.Errorf("%d rows", n)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}

	// Nothing of what was read is held: the log can be emptied.
	var busy, log, moved int
	if err := db.Write.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved); err != nil || busy != 0 || log != 0 {
		t.Errorf("the log is not emptied: busy %d, %d pages, %v", busy, log, err)
	}
	var readers sync.WaitGroup
	for i := range 8 {
		readers.Go(func() {
			for n := range 200 {
				var got string
				want := fmt.Sprintf("%03d", (i*31+n)%300)
				if err := db.Read.QueryRowContext(t.Context(), list, want).Scan(&got); err != nil || got != want {
					t.Errorf("%q, %v; want %q", got, err, want)
				}
			}
		})
	}
	readers.Wait()
}

// A list is not compiled anew because its length is a parameter, as it is in nearly all of them.
func TestAListIsCompiledOnce(t *testing.T) {
	t.Parallel()
	db := open(t)
	c, err := db.Write.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	allocated := func() int {
		t.Helper()
		n, err := sqldb.Allocated(c)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for i := range 10 {
		if _, err := c.ExecContext(t.Context(), `INSERT INTO parent (id) VALUES ($1)`, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, query := range []string{
		`SELECT id FROM parent WHERE id > $1 ORDER BY id LIMIT $2`,
		`SELECT id FROM parent WHERE id IN (SELECT id FROM parent WHERE id > ?1 ORDER BY id limit ?2) ORDER BY id`,
	} {
		read := func(after string, most, want int) (compiling int) {
			t.Helper()
			before := allocated()
			rows, err := c.QueryContext(t.Context(), query, after, most)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = rows.Close() }()
			n := 0
			for rows.Next() {
				n++
			}
			if rows.Err() != nil || n != want {
				t.Errorf("%s: %d rows, want %d, %v", query, n, want, rows.Err())
			}
			return allocated() - before
		}
		first := read("", 3, 3)
		for most, want := range map[int]int{2: 2, 7: 4, 0: 0, -1: 4} {
			if again := read("5", most, want); again*3 > first {
				t.Errorf("%s: with a limit of %d it takes memory %d times, %d when it was compiled", query, most, again, first)
			}
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
