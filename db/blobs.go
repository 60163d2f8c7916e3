package db

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"atelier/atelier"
	"atelier/db/gen"
)

// notBlobs are the columns with a SHA-256 in them that names no file of the content store.
var notBlobs = []string{"inbox.sha256", "uploads.sha256"}

// Blobs are the files of the content store that rows speak of, by their names, each with the columns it stands in.
type Blobs map[string][]string

// ListBlobs gives every file that some row needs. It asks the schema itself which columns name files: all whose name ends
// with sha256 or _sha, so that a column which comes later cannot be forgotten and its files thrown away.
func (d *DB) ListBlobs(ctx context.Context) (Blobs, error) {
	columns, err := d.blobColumns(ctx)
	if err != nil {
		return nil, err
	}
	found := Blobs{}
	for _, c := range columns {
		if err := d.listBlobsOf(ctx, c, found); err != nil {
			return nil, fmt.Errorf("list the files named in %s: %w", c, err)
		}
	}
	return found, nil
}

// blobColumns gives the columns that name files, as table.column.
func (d *DB) blobColumns(ctx context.Context) (columns []string, err error) {
	rows, err := d.Read.QueryContext(ctx, `SELECT m.name || '.' || p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'river_%' AND (p.name LIKE '%sha256' OR p.name LIKE '%\_sha' ESCAPE '\') ORDER BY 1`)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c string
		if err := rows.Scan(&c); err != nil {
			return nil, fmt.Errorf("read the schema: %w", err)
		}
		if !strings.Contains(" "+strings.Join(notBlobs, " ")+" ", " "+c+" ") {
			columns = append(columns, c)
		}
	}
	return columns, rows.Err()
}

func (d *DB) listBlobsOf(ctx context.Context, name string, found Blobs) (err error) {
	table, column, _ := strings.Cut(name, ".")
	// The names come from the schema, not from outside.
	rows, err := d.Read.QueryContext(ctx, fmt.Sprintf(`SELECT DISTINCT %q FROM %q WHERE %q <> ''`, column, table, column))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var sha string
		if err := rows.Scan(&sha); err != nil {
			return err
		}
		found[sha] = append(found[sha], name)
	}
	return rows.Err()
}

// ForgetStored makes results count as not stored, since their file is gone, and gives those that can be fetched again.
func (d *DB) ForgetStored(ctx context.Context, sha256 string) (ids []atelier.ResultID, err error) {
	err = d.change(ctx, "forget a stored file", func(q *gen.Queries) error {
		rows, err := q.ForgetStored(ctx, sha256)
		for _, id := range rows {
			ids = append(ids, atelier.ResultID(id))
		}
		return err
	}, nil)
	return ids, err
}

// ForgetPSD makes layered exports count as not stored, since their file is gone, and gives the runs they are of.
func (d *DB) ForgetPSD(ctx context.Context, sha256 string) (ids []atelier.RunID, err error) {
	err = d.change(ctx, "forget a stored export", func(q *gen.Queries) error {
		rows, err := q.ForgetPSD(ctx, sha256)
		for _, id := range rows {
			ids = append(ids, atelier.RunID(id))
		}
		return err
	}, nil)
	return ids, err
}

// ListUnstored gives results that are made and not stored here yet, oldest first, at most 1000.
func (d *DB) ListUnstored(ctx context.Context) ([]atelier.ResultID, error) {
	rows, err := d.read.Unstored(ctx)
	if err != nil {
		return nil, fmt.Errorf("list results that are not stored: %w", err)
	}
	ids := make([]atelier.ResultID, len(rows))
	for i, id := range rows {
		ids[i] = atelier.ResultID(id)
	}
	return ids, nil
}
