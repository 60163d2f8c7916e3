package crashes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"atelier/internal/killable"
	"atelier/internal/sqldb"
)

// childMigration names the folder whose database a child brings up to date.
const childMigration = "ATELIER_TEST_CHILD_MIGRATION"

// migrations are two steps. The second one changes a table, fills another with so many rows and says so.
func migrations(rows int) fstest.MapFS {
	return fstest.MapFS{
		"00001_first.sql": {Data: []byte(`-- +goose Up
CREATE TABLE kept (id bigint PRIMARY KEY, name text NOT NULL);
INSERT INTO kept (id, name) VALUES (1, 'before'), (2, 'before');
-- +goose Down
DROP TABLE kept;
`)},
		"00002_second.sql": {Data: fmt.Appendf(nil, `-- +goose Up
ALTER TABLE kept RENAME COLUMN name TO title;
UPDATE kept SET title = 'after';
CREATE TABLE filled AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i, randomblob(900) AS b FROM n;
-- +goose Down
DROP TABLE filled;
`, rows)},
	}
}

// migrate is the child.
func migrate(folder string) error {
	fmt.Println(killable.Ready)
	d, err := sqldb.Open(context.Background(), filepath.Join(folder, "some.db"), migrations(400_000))
	if err != nil {
		return err
	}
	return d.Close()
}

// K1: a studio that is killed in the middle of a step of its schema has that step still before it, and nothing of it behind it.
func TestK1AMigrationThatIsKilledIsMadeAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name := filepath.Join(folder, "some.db")
	first := migrations(1)
	delete(first, "00002_second.sql")
	d, err := sqldb.Open(t.Context(), name, first)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	p := killable.New(t, childMigration+"="+folder)
	p.Start()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for written := int64(0); written < 8<<20; { // until it is in the middle of writing it down
		select {
		case <-tick.C:
		case <-p.Ended():
			t.Fatal("it had ended before it was killed: the test shows nothing")
		}
		if wal, err := os.Stat(name + "-wal"); err == nil {
			written = wal.Size()
		}
	}
	p.Kill()
	d, err = sqldb.Open(t.Context(), name, first)
	if err != nil {
		t.Fatalf("with the schema it had: %v", err)
	}
	var before int
	if err := d.Read.QueryRowContext(t.Context(), `SELECT count(*) FROM kept WHERE name = 'before'`).Scan(&before); err != nil || before != 2 {
		t.Errorf("%d of 2 rows are as they were, %v", before, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err = sqldb.Open(t.Context(), name, migrations(3)); err != nil {
		t.Fatalf("with the new schema: %v", err)
	}
	var after, filled int
	if err := d.Read.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM kept WHERE title = 'after'), (SELECT count(*) FROM filled)`).Scan(&after, &filled); err != nil || after != 2 || filled != 3 {
		t.Errorf("%d of 2 rows are changed, %d of 3 are new, %v", after, filled, err)
	}
	if problems, err := sqldb.Verify(t.Context(), d.Read); err != nil || len(problems) > 0 {
		t.Errorf("the database: %v, %v", problems, err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
