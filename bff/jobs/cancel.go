package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
)

// A run is cancelled in the database, in the same row that says whether it may be sent: BeginStep and CancelRun both change it only
// while it is unsent, so whichever commits first decides. A run that the image service may have is cancelled only where the service
// can be stopped (Options.Stop).

// handedOver is how long Cancel waits for a submission to be answered: the image service may refuse the run for now, so
// that it is unsent again. The embedded service answers within milliseconds; a minute is for a busy machine.
const handedOver = time.Minute

// cancelled is the reason shown on a run that was cancelled.
func cancelled(sentence string) *atelier.Error {
	return &atelier.Error{Code: atelier.Conflict, Message: sentence, Retryable: true}
}

// Cancel ends the user's run: before it is sent, or by stopping the image service where that is possible. It refuses a run that the
// service has and cannot be made to stop, and one that has ended. A cancelled run may be cancelled again.
func (e *Engine) Cancel(ctx context.Context, user atelier.UserID, id atelier.RunID) error {
	for patience := e.o.Now().Add(handedOver); ; {
		if done, err := e.cancelUnsent(ctx, user, id); err != nil || done {
			return err
		}
		run, err := e.o.DB.FindRun(ctx, user, id)
		switch {
		case err != nil:
			return err
		case run.Cancelled:
			return nil
		case run.State.Final():
			return atelier.Refuse(atelier.Conflict, words.RunEnded)
		case run.State != atelier.StateSubmitting && e.Account(e.forRun(ctx, run)).Stop == nil:
			return atelier.Refuse(atelier.Conflict, words.RunNotCancellable)
		case run.State == atelier.StateAccepted:
			return e.stopRun(ctx, run)
		case e.o.Now().After(patience) || !e.pause(ctx, e.o.RetryMin/50):
			return &atelier.Error{Code: atelier.Conflict, Message: words.RunBeingSent, Retryable: true}
		}
	}
}

// CancelAll is Cancel for many runs. Those that are unsent are cancelled first, so that none of them is sent because another one was
// stopped. The answer names them in the order given.
func (e *Engine) CancelAll(ctx context.Context, user atelier.UserID, ids []atelier.RunID) (done atelier.CancelledRuns, err error) {
	done.IDs = []atelier.RunID{}
	var rest []atelier.RunID
	for _, id := range ids {
		cancelled, err := e.cancelUnsent(ctx, user, id)
		switch {
		case err != nil:
			return done, err
		case cancelled:
			done.IDs = append(done.IDs, id)
		default:
			rest = append(rest, id)
		}
	}
	for _, id := range rest {
		err := e.Cancel(ctx, user, id)
		if atelier.CodeOf(err) == atelier.Conflict {
			keep(&done, id, err)
			continue
		}
		run, ferr := e.o.DB.FindRun(ctx, user, id)
		switch {
		case err != nil || ferr != nil:
			return done, errors.Join(err, ferr)
		case run.ExecutionID == "":
			done.IDs = append(done.IDs, id)
		default:
			done.Stopped = append(done.Stopped, id)
		}
	}
	slices.SortFunc(done.IDs, func(a, b atelier.RunID) int { return slices.Index(ids, a) - slices.Index(ids, b) })
	return done, nil
}

// UncancelAll is Uncancel for many runs, in the order given.
func (e *Engine) UncancelAll(ctx context.Context, user atelier.UserID, ids []atelier.RunID) (done atelier.CancelledRuns, err error) {
	done.IDs = []atelier.RunID{}
	for _, id := range ids {
		switch err := e.Uncancel(ctx, user, id); atelier.CodeOf(err) {
		case "":
			done.IDs = append(done.IDs, id)
		case atelier.Conflict, atelier.Forbidden:
			keep(&done, id, err)
		default:
			return done, err
		}
	}
	return done, nil
}

// keep notes that a run stays as it is, and the reason of the first.
func keep(done *atelier.CancelledRuns, id atelier.RunID, why error) {
	done.Kept = append(done.Kept, id)
	if refusal, ok := errors.AsType[*atelier.Error](why); ok && done.Reason == "" {
		done.Reason = refusal.Message
	}
}

// cancelUnsent cancels a run if the image service cannot have it.
func (e *Engine) cancelUnsent(ctx context.Context, user atelier.UserID, id atelier.RunID) (done bool, err error) {
	done, err = e.o.DB.CancelRun(ctx, user, id, cancelled(words.EndedCancelled))
	if err != nil || !done {
		return false, err
	}
	e.line.forget(id)
	e.publishRun(context.WithoutCancel(ctx), id)
	return true, nil
}

// stopRun stops the image service and records how the run stands then.
func (e *Engine) stopRun(ctx context.Context, run db.Run) error {
	// Whoever asks the service meanwhile, a watcher perhaps, records the end as a cancellation too.
	e.stopping.add(run.ID)
	defer e.stopping.remove(run.ID)
	ctx = e.forRun(ctx, run)
	if err := e.Account(ctx).Stop(ctx, run.ExecutionID); err != nil {
		return fmt.Errorf("stop run %s: %w", run.ID, err)
	}
	over, err := e.look(ctx, run)
	if err == nil && !over {
		err = errors.New("the run goes on")
	}
	if err != nil {
		return fmt.Errorf("look at stopped run %s: %w", run.ID, err)
	}
	after, err := e.o.DB.LoadRun(ctx, run.ID)
	if err == nil && !after.Cancelled {
		return atelier.Refuse(atelier.Conflict, words.RunEnded) // it ended by itself first
	}
	return err
}

// Uncancel records the user's run again that was cancelled before it was sent: it waits in the place it had. A run that is not cancelled
// any more is left as it is; one that was stopped, deleted or run again is refused.
func (e *Engine) Uncancel(ctx context.Context, user atelier.UserID, id atelier.RunID) error {
	restored, err := e.o.DB.UncancelRun(ctx, user, id, e.Submit(id))
	if err != nil {
		return err
	}
	run, err := e.o.DB.FindRun(ctx, user, id)
	switch {
	case err != nil:
		return err
	case !restored && run.State == atelier.StateFailed:
		return atelier.Refuse(atelier.Conflict, words.RunNotRestorable)
	case !restored:
		return nil
	}
	e.publishRun(context.WithoutCancel(ctx), id)
	// The job of its time before may sleep still, or be about to end: then another is needed.
	for run.State == atelier.StateRecorded && !e.line.sends(id) {
		woken, err := e.wakeSubmit(ctx, id, false)
		if err != nil || woken || !e.pause(ctx, e.o.RetryMin/50) {
			return err
		}
		if err := e.o.DB.Enqueue(ctx, e.Submit(id)); err != nil {
			return err
		}
		if run, err = e.o.DB.LoadRun(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// stopping are the runs whose work is being stopped because their owners cancelled them.
type stopping struct {
	mu   sync.Mutex
	runs map[atelier.RunID]int // how many are stopping it
}

func (s *stopping) add(id atelier.RunID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs == nil {
		s.runs = map[atelier.RunID]int{}
	}
	s.runs[id]++
}

func (s *stopping) remove(id atelier.RunID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs[id]--; s.runs[id] == 0 {
		delete(s.runs, id)
	}
}

func (s *stopping) has(id atelier.RunID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs[id] > 0
}
