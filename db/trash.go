package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// TrashRuns puts runs of the user's into the trash, or takes them out, all or none. It gives those that were not there before. A run
// of which every result was thrown away comes back with all of them.
func (d *DB) TrashRuns(ctx context.Context, user atelier.UserID, ids []atelier.RunID, trashed bool) (changed []atelier.RunID, err error) {
	now := d.millis()
	at := int64(0)
	if trashed {
		at = now
	}
	changed = []atelier.RunID{}
	err = d.change(ctx, "trash runs", func(q *gen.Queries) error {
		for _, id := range ids {
			if _, err := q.RunOf(ctx, gen.RunOfParams{ID: string(id), UserID: string(user)}); err != nil {
				return missing(err, "find run", noRun)
			}
			n, err := q.SetTrash(ctx, gen.SetTrashParams{ID: string(id), UserID: string(user), TrashedAt: at, UpdatedAt: now})
			if err != nil {
				return err
			}
			if n > 0 {
				changed = append(changed, id)
			}
			if trashed {
				continue
			}
			if all, err := emptied(ctx, q, string(id)); err != nil || !all {
				if err != nil {
					return err
				}
				continue
			}
			if err := q.RestoreResults(ctx, gen.RestoreResultsParams{RunID: string(id), UpdatedAt: now}); err != nil {
				return err
			}
		}
		return nil
	}, nil)
	return changed, err
}

// emptied says whether a run has results and every one of them was thrown away.
func emptied(ctx context.Context, q *gen.Queries, run string) (bool, error) {
	n, err := q.CountResults(ctx, run)
	return n.Results > 0 && n.Live == 0, err
}

// TrashResults throws single results of the user's away, or takes them back, all or none. It gives the results that were not there
// before, and the runs these are of. A run that has ended goes into the trash with its last result, and comes back with the first.
func (d *DB) TrashResults(ctx context.Context, user atelier.UserID, ids []atelier.ResultID, trashed bool) (changed []atelier.ResultID, runs []atelier.RunID, err error) {
	now := d.millis()
	at := int64(0)
	if trashed {
		at = now
	}
	changed, runs = []atelier.ResultID{}, []atelier.RunID{}
	err = d.change(ctx, "trash results", func(q *gen.Queries) error {
		for _, id := range ids {
			row, err := q.ResultOf(ctx, gen.ResultOfParams{ID: string(id), UserID: string(user)})
			if err != nil {
				return missing(err, "find result", noAsset)
			}
			n, err := q.SetResultTrash(ctx, gen.SetResultTrashParams{ID: row.ID, UserID: row.UserID, TrashedAt: at, UpdatedAt: now})
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			changed = append(changed, id)
			if run := atelier.RunID(row.RunID); !slices.Contains(runs, run) {
				runs = append(runs, run)
			}
		}
		for _, id := range runs {
			if err := follow(ctx, q, string(id), at, now); err != nil {
				return err
			}
		}
		return nil
	}, nil)
	return changed, runs, err
}

// follow puts a run into the trash when none of its results is left, and takes it out when one is.
func follow(ctx context.Context, q *gen.Queries, id string, at, now int64) error {
	run, err := q.Run(ctx, id)
	if err != nil {
		return missing(err, "find run", noRun)
	}
	all, err := emptied(ctx, q, id)
	if err != nil {
		return err
	}
	if at > 0 == (all && atelier.State(run.State).Final()) {
		_, err = q.SetTrash(ctx, gen.SetTrashParams{ID: id, UserID: run.UserID, TrashedAt: at, UpdatedAt: now})
	}
	return errors.Join(err, q.TouchRun(ctx, gen.TouchRunParams{ID: id, UpdatedAt: now}))
}

// ExpireTrash makes what is chosen of the user's trash as old as it can be, all or none, so that the next purge deletes it for good. It
// gives how many runs, and results thrown away by themselves, those are; what is not in the trash is none of them.
func (d *DB) ExpireTrash(ctx context.Context, user atelier.UserID, chosen atelier.PurgeTrash, then ...Then) (expired atelier.PurgedTrash, err error) {
	err = d.change(ctx, "expire trash", func(q *gen.Queries) error {
		expired = atelier.PurgedTrash{}
		if chosen.All {
			runs, err := q.ExpireRuns(ctx, string(user))
			if err != nil {
				return err
			}
			results, err := q.ExpireResults(ctx, string(user))
			expired = atelier.PurgedTrash{Runs: int(runs), Results: int(results)}
			return err
		}
		for _, id := range chosen.Runs {
			run, err := q.Run(ctx, string(id))
			if err == nil && run.UserID != string(user) {
				err = sql.ErrNoRows
			}
			if err != nil {
				return missing(err, "find run", noRun)
			}
			n, err := q.ExpireRun(ctx, gen.ExpireRunParams{ID: run.ID, UserID: run.UserID})
			if err != nil {
				return err
			}
			expired.Runs += int(n)
		}
		for _, id := range chosen.Results {
			row, err := q.ResultOf(ctx, gen.ResultOfParams{ID: string(id), UserID: string(user)})
			if err != nil {
				return missing(err, "find result", noAsset)
			}
			n, err := q.ExpireResult(ctx, gen.ExpireResultParams{ID: row.ID, UserID: row.UserID})
			if err != nil {
				return err
			}
			expired.Results += int(n)
		}
		return nil
	}, then)
	return expired, err
}

// ListOldThrown gives single results that were thrown away before a moment and whose runs have ended, the longest there first.
func (d *DB) ListOldThrown(ctx context.Context, before time.Time, limit int) ([]atelier.ResultID, error) {
	rows, err := d.read.OldResultTrash(ctx, gen.OldResultTrashParams{TrashedAt: sqldb.Millis(before), Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list results thrown away long ago: %w", err)
	}
	ids := make([]atelier.ResultID, len(rows))
	for i, id := range rows {
		ids[i] = atelier.ResultID(id)
	}
	return ids, nil
}

// DeleteResult deletes a result that was thrown away, for good. It gives the files its row named: those that no other row names may
// go too. A result that was taken back stays, with no files given.
func (d *DB) DeleteResult(ctx context.Context, id atelier.ResultID) (files []string, err error) {
	err = d.change(ctx, "delete result", func(q *gen.Queries) error {
		row, err := q.Result(ctx, string(id))
		if err != nil {
			return missing(err, "find result", noAsset)
		}
		if row.TrashedAt == 0 {
			return nil
		}
		files = []string{row.Sha256, row.PosterSha, row.LastSha, row.HeatSha}
		if err := q.LeaveBoards(ctx, row.ID); err != nil {
			return err
		}
		if err := q.DropResultCovers(ctx, gen.DropResultCoversParams{CoverID: row.ID, UserID: row.UserID}); err != nil {
			return err
		}
		n, err := q.DropResult(ctx, row.ID)
		return oneRow(n, err, noAsset)
	}, nil)
	if err != nil {
		return nil, err
	}
	return files, nil
}

// ListOldTrash gives runs that went into the trash before a moment and have ended, the longest there first.
func (d *DB) ListOldTrash(ctx context.Context, before time.Time, limit int) ([]atelier.RunID, error) {
	rows, err := d.read.OldTrash(ctx, gen.OldTrashParams{TrashedAt: sqldb.Millis(before), Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list old trash: %w", err)
	}
	ids := make([]atelier.RunID, len(rows))
	for i, id := range rows {
		ids[i] = atelier.RunID(id)
	}
	return ids, nil
}

// DeleteRun deletes a run that is in the trash, for good, with its results and all that was kept about it but for whose it was: the
// image service may still have its task. It gives the files its rows named: those that no other row names may go too. A run that is not in the trash any more stays, with no files given.
func (d *DB) DeleteRun(ctx context.Context, id atelier.RunID) (files []string, err error) {
	run := string(id)
	err = d.change(ctx, "delete run", func(q *gen.Queries) error {
		row, err := q.Run(ctx, run)
		if err != nil {
			return missing(err, "find run", noRun)
		}
		if row.TrashedAt == 0 {
			return nil
		}
		results, err := q.ResultsOfRun(ctx, run)
		if err != nil {
			return err
		}
		files = append(files, row.MaskSha256, row.PsdSha256)
		for _, r := range results {
			files = append(files, r.Sha256, r.PosterSha, r.LastSha, r.HeatSha)
		}
		for _, drop := range []func(context.Context, string) error{
			q.DropRunFromBoards, q.DropRunCovers, q.DropResults, q.DropAnswers, q.DropCallbacks, q.KeepOwner, q.DropAskedInVain,
		} {
			if err := drop(ctx, run); err != nil {
				return err
			}
		}
		n, err := q.DropRun(ctx, run)
		return oneRow(n, err, noRun)
	}, []Then{func(tx *sql.Tx) error {
		if files == nil {
			return nil
		}
		return removeFromSearch(ctx, tx, id)
	}})
	if err != nil {
		return nil, err
	}
	return files, nil
}

// NamesFile says whether any row names a file of the content store.
func (d *DB) NamesFile(ctx context.Context, sha string) (bool, error) {
	for _, name := range d.files {
		table, column, _ := strings.Cut(name, ".")
		var n int
		// The names come from the schema, not from outside. The second condition is that of the indexes.
		row := d.Read.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM %q WHERE %q = $1 AND %q <> '' LIMIT 1) AS one`, table, column, column), sha)
		if err := row.Scan(&n); err != nil {
			return false, fmt.Errorf("look for a file in %s: %w", name, err)
		}
		if n > 0 {
			return true, nil
		}
	}
	return false, nil
}
