package db

import (
	"context"
	"fmt"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// NotBlobs are the columns with a SHA-256 in them that names no file of the content store.
var NotBlobs = []string{"inbox.sha256", "uploads.sha256"}

// Blobs are the files of the content store that rows speak of, by their names, each with the columns it stands in.
type Blobs map[string][]string

// ListBlobs gives the files that some row needs and whose name begins with a prefix, which may be "".
func (d *DB) ListBlobs(ctx context.Context, prefix string) (Blobs, error) {
	return sqldb.NamedFiles(ctx, d.Read, d.files, prefix)
}

// BlobParts are the prefixes to ask ListBlobs for, one after another, when there may be more files than fit into memory.
func (d *DB) BlobParts(ctx context.Context) ([]string, error) {
	return sqldb.Parts(ctx, d.Read, d.files)
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
		rows, err := q.ForgetPSD(ctx, gen.ForgetPSDParams{PsdSha256: sha256, PsdAskedAt: d.millis()})
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
