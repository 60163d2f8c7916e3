package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/db"
)

// PurgeArgs asks for what is over to be deleted for good: runs and single results that have been in the trash long enough, downloads nobody
// came for, answers and callbacks nobody looks at any more.
type PurgeArgs struct{}

// Kind names the job.
func (PurgeArgs) Kind() string { return "purge" }

// InsertOpts chooses queue and uniqueness.
func (PurgeArgs) InsertOpts() river.InsertOpts { return once(queueSlow) }

const (
	// exportAge is for how long a download can be fetched.
	exportAge = 7 * 24 * time.Hour
	// YoungFile is how long ago a file must have been stored to be deleted with its last row: who is about to store the same bytes
	// for another row has them made young again before that row is written.
	YoungFile = time.Hour
	// saidAge is for how long it is kept, word by word, what the image service has said about a run that is over: nothing is looked up in
	// it any more.
	saidAge = 7 * 24 * time.Hour
	// purgeBatch is how many runs, or results, are looked up at a time.
	purgeBatch = 100
)

// PurgeSoon has what is over purged as soon as a change is committed.
func (e *Engine) PurgeSoon() db.Then { return e.insert(PurgeArgs{}) }

// purgeDue says whether there is anything to purge.
func (e *Engine) purgeDue(ctx context.Context) (bool, error) {
	old, err := e.o.DB.ListOldTrash(ctx, e.trashEnd(), 1)
	if err != nil || len(old) > 0 {
		return len(old) > 0, err
	}
	thrown, err := e.o.DB.ListOldThrown(ctx, e.trashEnd(), 1)
	if err != nil || len(thrown) > 0 {
		return len(thrown) > 0, err
	}
	said, err := e.listOldSaid(ctx, time.Time{}, 1)
	if err != nil || len(said) > 0 {
		return len(said) > 0, err
	}
	return e.o.DB.HasOldExports(ctx, e.o.Now().Add(-exportAge))
}

func (e *Engine) trashEnd() time.Time { return e.o.Now().Add(-e.o.Trash) }

func (e *Engine) workPurge(ctx context.Context, _ PurgeArgs) error { return e.Purge(ctx) }

// Purge deletes what is over: rows first and files afterwards. When it is broken off between, the files have no row and are tidied
// away.
func (e *Engine) Purge(ctx context.Context) error {
	if err := purgeAll(ctx, e, e.o.DB.ListOldTrash, e.purgeRun); err != nil {
		return err
	}
	if err := purgeAll(ctx, e, e.o.DB.ListOldThrown, e.purgeResult); err != nil {
		return err
	}
	if err := purgeAll(ctx, e, e.listOldSaid, e.o.DB.ForgetSaid); err != nil {
		return err
	}
	files, err := e.o.DB.DeleteOldExports(ctx, e.o.Now().Add(-exportAge))
	return errors.Join(err, e.RemoveFiles(ctx, files), e.o.Store.SweepConverted(e.o.Now().Add(-exportAge)))
}

func (e *Engine) listOldSaid(ctx context.Context, _ time.Time, limit int) ([]atelier.RunID, error) {
	return e.o.DB.ListOldSaid(ctx, e.o.Now().Add(-saidAge), limit)
}

// purgeAll purges what has been in the trash for long enough, batch by batch.
func purgeAll[ID any](ctx context.Context, e *Engine, list func(context.Context, time.Time, int) ([]ID, error), purge func(context.Context, ID) error) error {
	for {
		old, err := list(ctx, e.trashEnd(), purgeBatch)
		if err != nil {
			return err
		}
		for _, id := range old {
			if err := purge(ctx, id); err != nil {
				return err
			}
		}
		if len(old) < purgeBatch {
			return nil
		}
	}
}

func (e *Engine) purgeResult(ctx context.Context, id atelier.ResultID) error {
	result, err := e.o.DB.LoadResult(ctx, id)
	if err != nil {
		return err
	}
	files, err := e.o.DB.DeleteResult(ctx, id)
	if err != nil || files == nil {
		return err
	}
	e.o.Publish(result.UserID, atelier.EventResult, string(id), atelier.Result{ID: id, RunID: result.RunID, Index: result.Index, Kind: result.Kind, Status: result.Status, Trashed: true, Gone: true})
	return e.RemoveFiles(ctx, files)
}

func (e *Engine) purgeRun(ctx context.Context, id atelier.RunID) error {
	run, err := e.o.DB.LoadRun(ctx, id)
	if err != nil {
		return err
	}
	files, err := e.o.DB.DeleteRun(ctx, id)
	if err != nil || files == nil {
		return err
	}
	e.o.Publish(run.UserID, atelier.EventRun, string(id), atelier.Run{
		ID: id, Agent: run.Agent, Version: run.Version, Title: run.Title, State: run.State, Status: run.Status, Results: []atelier.Result{},
		CreatedAt: run.CreatedAt, UpdatedAt: run.UpdatedAt, Trashed: true, Gone: true,
	})
	return e.RemoveFiles(ctx, files)
}

// RemoveFiles deletes the files that no row names any more.
func (e *Engine) RemoveFiles(ctx context.Context, shas []string) error {
	for _, sha := range shas {
		if sha == "" {
			continue
		}
		named, err := e.o.DB.NamesFile(ctx, sha)
		if err != nil {
			return err
		}
		if named {
			continue
		}
		removed, err := e.o.Store.Remove(sha, time.Now().Add(-YoungFile))
		if err != nil {
			return err
		}
		if removed {
			if err := e.o.Store.RemoveMade(sha); err != nil {
				return err
			}
		}
	}
	return nil
}
