package jobs

import (
	"context"

	"atelier/atelier"
	"atelier/db"
)

// reindexed is how many runs are looked at in one go: no writer waits for longer than that.
const reindexed = 200

// reindex has the runs of earlier versions found by the words that new ones are found by. It is begun anew when it was not finished.
func (e *Engine) reindex(ctx context.Context) error {
	done, err := e.o.DB.FindMark(ctx, db.MarkSearch)
	if err != nil || !done.IsZero() || e.o.Search == nil {
		return err
	}
	words := func(run db.Run, files []string) (string, error) { return e.o.Search(ctx, run, files) }
	for last := atelier.RunID(""); ; {
		if last, err = e.o.DB.Reindex(ctx, last, reindexed, words); err != nil {
			return err
		}
		if last == "" {
			return e.o.DB.SetMark(ctx, db.MarkSearch, e.o.Now())
		}
	}
}
