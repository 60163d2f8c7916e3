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
	db, err := openPool(dsn(path, true), nil)
	if err != nil {
		return nil, fmt.Errorf("open %s for reading: %w", filepath.Base(path), err)
	}
	return db, nil
}

// Snapshot writes a copy of the database file at path, as it is at one moment, to a new file. Another process may be using
// and changing the database meanwhile.
func Snapshot(ctx context.Context, path, to string) (err error) {
	db, err := openPool(dsn(path, false), nil)
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

// NamedFiles gives the SHA-256 of the files that some row needs and whose name begins with a prefix, each with those of the columns, which
// FileColumns gave, that it stands in. With "" it gives all, which may be millions; whoever has them in hand one after another asks for
// each of Parts.
func NamedFiles(ctx context.Context, db *sql.DB, columns []string, prefix string) (map[string][]string, error) {
	found := map[string][]string{}
	for _, name := range columns {
		table, column, _ := strings.Cut(name, ".")
		// The names come from the schema, not from outside.
		sums, err := texts(ctx, db, fmt.Sprintf(`SELECT DISTINCT %[1]q FROM %[2]q WHERE %[1]q <> '' AND %[1]q >= $1 AND %[1]q < $2`, column, table), prefix, prefix+afterHex)
		if err != nil {
			return nil, fmt.Errorf("list the files named in %s: %w", name, err)
		}
		for _, sum := range sums {
			found[sum] = append(found[sum], name)
		}
	}
	return found, nil
}

// afterHex comes after every digit of a SHA-256.
const afterHex = "g"

// few is how many names a column may hold for all to be had in hand at once.
const few = 10_000

// Parts are prefixes that together are those of all names in the columns: "" where there are few, else two digits, 256 of them.
func Parts(ctx context.Context, db *sql.DB, columns []string) (prefixes []string, err error) {
	for _, name := range columns {
		table, column, _ := strings.Cut(name, ".")
		// The names come from the schema, not from outside.
		row := db.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM %q WHERE %q <> '' LIMIT %d)`, table, column, few+1))
		var n int
		if err := row.Scan(&n); err != nil {
			return nil, fmt.Errorf("count the files named in %s: %w", name, err)
		}
		if n > few {
			for i := range 256 {
				prefixes = append(prefixes, fmt.Sprintf("%02x", i))
			}
			return prefixes, nil
		}
	}
	return []string{""}, nil
}

// Misnamed says which rows name a file by what is no SHA-256.
func Misnamed(ctx context.Context, db *sql.DB, except ...string) (problems []string, err error) {
	columns, err := FileColumns(ctx, db, except...)
	if err != nil {
		return nil, err
	}
	for _, name := range columns {
		table, column, _ := strings.Cut(name, ".")
		bad, err := texts(ctx, db, fmt.Sprintf(`SELECT DISTINCT %[1]q FROM %[2]q WHERE %[1]q <> '' AND (length(%[1]q) <> 64 OR %[1]q GLOB '*[^0-9a-f]*')`, column, table))
		if err != nil {
			return nil, fmt.Errorf("look at the files named in %s: %w", name, err)
		}
		for _, sum := range bad {
			problems = append(problems, fmt.Sprintf("%q in %s is no SHA-256", sum, name))
		}
	}
	return problems, nil
}

// texts reads one column of text.
func texts(ctx context.Context, db *sql.DB, query string, args ...any) (list []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
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
