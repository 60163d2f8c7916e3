package jobs

import (
	"context"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/upstream"
)

// A request may be acted on later than anybody waits for it. When a run was not to be found and was therefore sent again, the
// first request can still make an execution of it: the service then works twice, which nobody can undo and which is shown.

const (
	// doublesFor is for how long after a run was sent again its task is looked through.
	doublesFor = 24 * time.Hour
	// doublesAtOnce bounds how many tasks one look goes through.
	doublesAtOnce = 500
)

// findDoubles looks through the tasks of runs that were sent more than once for executions that nobody here knows.
func (e *Engine) findDoubles(ctx context.Context) error {
	runs, err := e.o.DB.ListResent(ctx, e.o.Now().Add(-doublesFor), doublesAtOnce)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if e.polls != nil {
			if err := e.polls.Wait(ctx); err != nil {
				return err
			}
		}
		task, err := e.o.Upstream.QueryTask(ctx, upstream.TaskQuery{TaskID: run.TaskID})
		if upstream.KindOf(err) == upstream.Refused {
			continue // it does not know the task any more
		}
		if err != nil {
			return err
		}
		if err := e.importDoubles(ctx, run.ID, task); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) importDoubles(ctx context.Context, id atelier.RunID, task upstream.Task) error {
	for _, x := range task.Executions {
		known, err := e.o.DB.KnowsExecution(ctx, atelier.TaskSurface, x.ExecutionID)
		if err != nil || known || x.ExecutionID == "" {
			if err != nil {
				return err
			}
			continue
		}
		// The run as it is now: while it is being sent once more, what it has made is told by whoever looks for it.
		run, err := e.o.DB.LoadRun(ctx, id)
		if err != nil || between(run) {
			return err
		}
		if err := e.importExtra(ctx, run, task.TaskID, x.ExecutionID); err != nil {
			return err
		}
	}
	return nil
}

// between says whether a run is on its way to the image service, so that not all it has made is known yet.
func between(run db.Run) bool {
	switch run.State {
	case atelier.StateRecorded, atelier.StateSubmitting, atelier.StateAmbiguous:
		return true
	}
	return false
}
