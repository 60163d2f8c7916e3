package sqldb_test

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"atelier/internal/sqldb"
)

// The names of files are had at once where there are few, and in parts that make up the whole where they would fill the memory.
func TestNamesOfFilesAreHadInPartsWhereThereAreMany(t *testing.T) {
	t.Parallel()
	db, err := sqldb.Open(t.Context(), filepath.Join(t.TempDir(), "files.db"), fstest.MapFS{"00001_files.sql": {Data: []byte(`-- +goose Up
CREATE TABLE files (id bigint PRIMARY KEY, sha256 text NOT NULL, thumb_sha text NOT NULL, other_sha256 text NOT NULL);
-- +goose Down
DROP TABLE files;
`)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	columns, err := sqldb.FileColumns(t.Context(), db.Read, "files.other_sha256")
	if err != nil || len(columns) != 2 {
		t.Fatalf("the columns are %q, %v", columns, err)
	}
	for _, tt := range []struct{ rows, parts int }{{10_000, 1}, {10_001, 256}} {
		if _, err := db.Write.ExecContext(t.Context(), `DELETE FROM files`); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Write.ExecContext(t.Context(), `INSERT INTO files WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			SELECT i, printf('%064x', i * 0x1234567890abc), CASE WHEN i <= 10 THEN printf('%064x', i * 0x1234567890abc) ELSE '' END, 'other' FROM n`, tt.rows); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Write.ExecContext(t.Context(), `UPDATE files SET sha256 = substr(sha256, 60) || substr(sha256, 1, 59), thumb_sha = CASE WHEN thumb_sha = '' THEN '' ELSE substr(thumb_sha, 60) || substr(thumb_sha, 1, 59) END`); err != nil {
			t.Fatal(err)
		}
		parts, err := sqldb.Parts(t.Context(), db.Read, columns)
		if err != nil || len(parts) != tt.parts {
			t.Fatalf("%d names come in %d parts, %v; want %d", tt.rows, len(parts), err, tt.parts)
		}
		all, twice := 0, 0
		for _, part := range parts {
			names, err := sqldb.NamedFiles(t.Context(), db.Read, columns, part)
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range names {
				all++
				twice += len(in) - 1
			}
		}
		if all != tt.rows || twice != 10 {
			t.Errorf("in %d parts there are %d names, %d of them in two columns; want %d and 10", tt.parts, all, twice, tt.rows)
		}
	}
}
