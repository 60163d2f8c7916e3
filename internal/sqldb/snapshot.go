package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// OpenToRead opens a database file as it is, for reading alone: its schema is left as it is found. Another process may be
// using the file.
func OpenToRead(path string) (*sql.DB, error) {
	db, err := openPool(dsn(path, true))
	if err != nil {
		return nil, fmt.Errorf("open %s for reading: %w", filepath.Base(path), err)
	}
	return db, nil
}

// Snapshot writes a copy of the database file at path, as it is at one moment, to a new file. Another process may be using
// and changing the database meanwhile.
func Snapshot(ctx context.Context, path, to string) (err error) {
	db, err := openPool(dsn(path, false))
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, `VACUUM INTO $1`, to); err != nil {
		return fmt.Errorf("copy %s: %w", filepath.Base(path), err)
	}
	return nil
}

// Verify says what is wrong with the structure of a database: damaged pages and indexes, rows that refer to none.
func Verify(ctx context.Context, db *sql.DB) (problems []string, err error) {
	said, err := texts(ctx, db, `SELECT integrity_check FROM pragma_integrity_check`)
	if err != nil {
		return nil, fmt.Errorf("check the structure: %w", err)
	}
	if !slices.Equal(said, []string{"ok"}) {
		problems = append(problems, said...)
	}
	lost, err := texts(ctx, db, `SELECT "table" || ' row ' || coalesce(rowid, '?') || ' refers to a row of ' || parent || ' that is not there' FROM pragma_foreign_key_check`)
	if err != nil {
		return nil, fmt.Errorf("check references: %w", err)
	}
	return append(problems, lost...), nil
}

// FileColumns gives the columns that name files by their SHA-256, as table.column, except some. The schema itself says which:
// all whose name ends with sha256 or _sha, so that a column which comes later cannot be forgotten and its files thrown away.
func FileColumns(ctx context.Context, db *sql.DB, except ...string) ([]string, error) {
	columns, err := texts(ctx, db, `SELECT m.name || '.' || p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'river_%' AND (p.name LIKE '%sha256' OR p.name LIKE '%\_sha' ESCAPE '\') ORDER BY 1`)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	return slices.DeleteFunc(columns, func(c string) bool { return slices.Contains(except, c) }), nil
}

// NamedFiles gives the SHA-256 of every file that some row needs, each with the FileColumns it stands in.
func NamedFiles(ctx context.Context, db *sql.DB, except ...string) (map[string][]string, error) {
	columns, err := FileColumns(ctx, db, except...)
	if err != nil {
		return nil, err
	}
	found := map[string][]string{}
	for _, name := range columns {
		table, column, _ := strings.Cut(name, ".")
		// The names come from the schema, not from outside.
		sums, err := texts(ctx, db, fmt.Sprintf(`SELECT DISTINCT %q FROM %q WHERE %q <> ''`, column, table, column))
		if err != nil {
			return nil, fmt.Errorf("list the files named in %s: %w", name, err)
		}
		for _, sum := range sums {
			found[sum] = append(found[sum], name)
		}
	}
	return found, nil
}

// texts reads one column of text.
func texts(ctx context.Context, db *sql.DB, query string) (list []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}
