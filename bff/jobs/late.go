package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/upstream"
)

// A request may be acted on later than anybody waits for it. A run that was given up then turns up in the service's list and
// is taken back. When it was not to be found and was therefore sent again, the first request can still make an execution of it:
// the service then works twice, which nobody can undo and which is shown.

const (
	// lateFor is for how long after a run was sent it is looked for.
	lateFor = 24 * time.Hour
	// lateAtOnce bounds how many runs one look is for, doublesAtOnce how many tasks it goes through, unseenAtOnce how many executions.
	lateAtOnce, doublesAtOnce, unseenAtOnce = 5000, 500, 200
)

// findUnseen asks once more for runs that were accepted and of which nothing was seen any more.
func (e *Engine) findUnseen(ctx context.Context) error {
	runs, err := e.o.DB.ListUnseen(ctx, e.o.Now().Add(-lateFor), unseenAtOnce)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if e.held(run) {
			continue
		}
		if polls := e.Account(e.forRun(ctx, run)).polls; polls != nil {
			if err := polls.Wait(ctx); err != nil {
				return err
			}
		}
		if err := e.lookAgain(ctx, run); err != nil {
			return err
		}
	}
	return nil
}

// lookAgain takes a run back of which the image service tells something again.
func (e *Engine) lookAgain(ctx context.Context, run db.Run) error {
	ctx = e.forRun(ctx, run)
	x, err := e.fetch(ctx, run)
	if errors.Is(err, errNoExecution) || upstream.KindOf(err) != "" {
		return nil // still nothing
	}
	if err != nil {
		return err
	}
	items := e.itemsOf(run, x)
	if e.statusOf(run, atelier.Status(x.Status), items) == atelier.Success && !e.whole(run, items) {
		return nil
	}
	back, err := e.o.DB.TakeBack(ctx, run.ID, e.insert(PollArgs{run.ID}))
	if err != nil || !back {
		return err
	}
	e.publishRun(ctx, run.ID)
	return nil
}

// findUndecided goes once through what the image service lists, and through what it has called about, for runs that are
// unconfirmed or given up. Those that are there are taken back.
func (e *Engine) findUndecided(ctx context.Context) error {
	runs, err := e.o.DB.ListUndecided(ctx, e.o.Now().Add(-lateFor), lateAtOnce)
	if err != nil {
		return err
	}
	byAccount := map[*Account][]db.Run{}
	for _, run := range runs {
		a, known := e.accountOf(run)
		if !known && e.o.Hold {
			continue
		}
		byAccount[a] = append(byAccount[a], run)
	}
	var failed []error
	for a, its := range byAccount {
		failed = append(failed, e.findUndecidedOf(e.At(ctx, a), its))
	}
	return errors.Join(failed...)
}

// findUndecidedOf is findUndecided for runs of the account of the context.
func (e *Engine) findUndecidedOf(ctx context.Context, runs []db.Run) (err error) {
	open, oldest := make(map[string]db.Run, len(runs)), runs[0].FirstSentAt
	for _, run := range runs {
		hinted := run.ExecutionID // known, and an older version took it for given up
		if hinted == "" {
			if hinted, err = e.hinted(ctx, run); err != nil && upstream.KindOf(err) == "" {
				return err
			}
		}
		if hinted != "" {
			if err := e.accept(ctx, run.ID, hinted, ""); err != nil {
				return err
			}
			continue
		}
		open[run.Tag] = run
		if run.FirstSentAt.Before(oldest) {
			oldest = run.FirstSentAt
		}
	}
	if len(open) == 0 {
		return nil
	}
	return e.eachTask(ctx, oldest.Add(-clockSkew), func(t upstream.Task) (more bool, err error) {
		name, _ := t.InitParams["taskName"].(string)
		run, ok := open[name]
		if !ok {
			return true, nil
		}
		// The run as it is now: its owner may have given its id meanwhile.
		if run, err = e.o.DB.LoadRun(ctx, run.ID); err != nil || !run.Undecided() {
			return err == nil, err
		}
		found, err := e.adoptable(ctx, run, t.TaskID, t.Executions)
		if err == nil && found.execution != "" {
			err = e.accept(ctx, run.ID, found.execution, found.task)
		}
		return err == nil, err
	})
}

// Claim has a run of which it is not known whether it was accepted take the oldest execution of its task that no run holds; claimed says
// whether there was one.
func (e *Engine) Claim(ctx context.Context, run db.Run, id string, task upstream.Task) (claimed bool, err error) {
	if !run.Undecided() || !isOf(run, task.AgentName, task.InitParams) {
		return false, nil
	}
	unknown, err := e.unknown(ctx, run, task.Executions)
	if err != nil || len(unknown) == 0 {
		return false, err
	}
	return true, e.accept(ctx, run.ID, unknown[0].ExecutionID, id)
}

// findDoubles looks through the tasks of runs that were sent more than once for executions that nobody here knows.
func (e *Engine) findDoubles(ctx context.Context) error {
	runs, err := e.o.DB.ListResent(ctx, e.o.Now().Add(-lateFor), doublesAtOnce)
	if err != nil {
		return err
	}
	var unread []error
	for _, run := range runs {
		if e.held(run) {
			continue
		}
		ctx := e.forRun(ctx, run)
		if lists := e.Account(ctx).lists; lists != nil {
			if err := lists.Wait(ctx); err != nil {
				return err
			}
		}
		task, err := e.Account(ctx).Client.QueryTask(ctx, upstream.TaskQuery{TaskID: run.TaskID})
		switch upstream.KindOf(err) {
		case upstream.Refused:
			continue // it does not know the task any more
		case upstream.Broken:
			unread = append(unread, fmt.Errorf("task %s of run %s: %w", run.TaskID, run.ID, err))
			continue // what cannot be read hides no other
		}
		if err == nil {
			err = e.importDoubles(ctx, run.ID, task)
		}
		if err != nil {
			return errors.Join(append(unread, err)...)
		}
	}
	return errors.Join(unread...)
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
		if err != nil || between(run) || run.Undecided() {
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
