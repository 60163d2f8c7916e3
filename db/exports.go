package db

import (
	"context"
	"fmt"
	"maps"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// Export is a download that was put together: an archive by its plan, a layered file by its bytes.
type Export struct {
	ID        string
	UserID    atelier.UserID
	Kind      string // ExportZip, ExportLayers
	Name      string // of the file, without its ending
	Plan      string
	SHA256    string
	Bytes     int64
	CreatedAt time.Time
}

// The kinds of exports.
const (
	ExportZip    = "zip"
	ExportLayers = "psd"
)

// CreateExport remembers a download; ID and CreatedAt are given to it.
func (d *DB) CreateExport(ctx context.Context, e Export) (Export, error) {
	id, err := newID()
	if err != nil {
		return Export{}, err
	}
	e.ID, e.CreatedAt = id, sqldb.Time(d.millis())
	err = d.change(ctx, "create export", func(q *gen.Queries) error {
		return q.InsertExport(ctx, gen.InsertExportParams{
			ID: e.ID, UserID: string(e.UserID), Kind: e.Kind, Name: e.Name, Plan: e.Plan, Sha256: e.SHA256, Bytes: e.Bytes, CreatedAt: sqldb.Millis(e.CreatedAt),
		})
	}, nil)
	return e, err
}

// FindExport finds one of the user's downloads.
func (d *DB) FindExport(ctx context.Context, user atelier.UserID, kind, id string) (Export, error) {
	row, err := d.read.Export(ctx, gen.ExportParams{ID: id, UserID: string(user), Kind: kind})
	if err != nil {
		return Export{}, missing(err, "find export", noExport)
	}
	return Export{
		ID: row.ID, UserID: atelier.UserID(row.UserID), Kind: row.Kind, Name: row.Name, Plan: row.Plan, SHA256: row.Sha256, Bytes: row.Bytes,
		CreatedAt: sqldb.Time(row.CreatedAt),
	}, nil
}

// HasOldExports says whether there are downloads made before a moment.
func (d *DB) HasOldExports(ctx context.Context, before time.Time) (bool, error) {
	n, err := d.read.CountOldExports(ctx, sqldb.Millis(before))
	if err != nil {
		return false, fmt.Errorf("look for old exports: %w", err)
	}
	return n > 0, nil
}

// DeleteOldExports forgets downloads made before a moment and gives the files they named.
func (d *DB) DeleteOldExports(ctx context.Context, before time.Time) (files []string, err error) {
	rows, err := d.read.OldExports(ctx, sqldb.Millis(before))
	if err != nil {
		return nil, fmt.Errorf("list old exports: %w", err)
	}
	for _, r := range rows {
		if files, err = d.deleteExport(ctx, r.ID, r.Sha256, files); err != nil {
			return files, err
		}
	}
	return files, nil
}

// DeleteSurplusExports forgets the user's oldest downloads of a kind, so that no more than most are left, and gives the files they named.
func (d *DB) DeleteSurplusExports(ctx context.Context, user atelier.UserID, kind string, most int) (files []string, err error) {
	rows, err := d.read.SurplusExports(ctx, gen.SurplusExportsParams{UserID: string(user), Kind: kind, Offset: int32(most)})
	if err != nil {
		return nil, fmt.Errorf("list surplus exports: %w", err)
	}
	for _, r := range rows {
		if files, err = d.deleteExport(ctx, r.ID, r.Sha256, files); err != nil {
			return files, err
		}
	}
	return files, nil
}

// deleteExport forgets a download and appends the file it named, if any.
func (d *DB) deleteExport(ctx context.Context, id, sha string, files []string) ([]string, error) {
	if err := d.change(ctx, "delete export", func(q *gen.Queries) error { return q.DeleteExport(ctx, id) }, nil); err != nil {
		return files, err
	}
	if sha != "" {
		files = append(files, sha)
	}
	return files, nil
}

// CountExportsSince counts the user's downloads of a kind that were made at a moment or later.
func (d *DB) CountExportsSince(ctx context.Context, user atelier.UserID, kind string, at time.Time) (int, error) {
	n, err := d.read.CountExportsSince(ctx, gen.CountExportsSinceParams{UserID: string(user), Kind: kind, CreatedAt: sqldb.Millis(at)})
	if err != nil {
		return 0, fmt.Errorf("count exports: %w", err)
	}
	return int(n), nil
}

// SetCRC remembers the CRC-32 of a stored result.
func (d *DB) SetCRC(ctx context.Context, sha string, crc uint32) error {
	return d.change(ctx, "set checksum", func(q *gen.Queries) error {
		return q.SetCRC(ctx, gen.SetCRCParams{Sha256: sha, Crc: int64(crc)})
	}, nil)
}

// FindRunsOf finds the runs of results that were found.
func (d *DB) FindRunsOf(ctx context.Context, results []ListedResult) (map[atelier.RunID]Run, error) {
	ids := map[atelier.UserID][]atelier.RunID{}
	for _, r := range results {
		ids[r.UserID] = append(ids[r.UserID], r.RunID)
	}
	found := make(map[atelier.RunID]Run, len(results))
	for owner, ids := range ids {
		runs, err := d.FindRuns(ctx, owner, ids)
		if err != nil {
			return nil, err
		}
		maps.Copy(found, runs)
	}
	return found, nil
}

// FindRuns finds runs of the user's, by their ids. What is not there is left out.
func (d *DB) FindRuns(ctx context.Context, user atelier.UserID, ids []atelier.RunID) (map[atelier.RunID]Run, error) {
	found := make(map[atelier.RunID]Run, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	q := &query{}
	q.add("r.user_id = ", string(user))
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	q.in("r.id", names)
	rows, err := d.runRows(ctx, "SELECT "+runColumns+" FROM runs r WHERE "+q.where(), q.args...)
	if err != nil {
		return nil, fmt.Errorf("find runs: %w", err)
	}
	runs, err := d.completeAll(ctx, rows, false)
	for _, r := range runs {
		found[r.ID] = r
	}
	return found, err
}
