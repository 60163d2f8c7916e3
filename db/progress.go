package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// The changes of a run's life. Each goes only forward: a final run stays as it is, and changed is false when the run was
// no longer in a state the change may start from.

// BeginStep records that a call is about to be made which the image service may act on even if we never hear its answer. It begins
// with a run that is recorded, or whose task has just been made: what was sent and not answered is looked for first, and the schema
// lets no two runs be on their way with one task.
func (d *DB) BeginStep(ctx context.Context, id atelier.RunID, step string, at time.Time) (changed bool, err error) {
	return d.begin(ctx, id, step, at, nil)
}

func (d *DB) begin(ctx context.Context, id atelier.RunID, step string, at time.Time, sent *Request) (changed bool, err error) {
	attempt := int64(0)
	if step == StepExecuting {
		attempt = 1
	}
	err = d.change(ctx, "begin "+step, func(q *gen.Queries) error {
		n, err := q.SetRunStep(ctx, gen.SetRunStepParams{
			ID: string(id), State: string(atelier.StateSubmitting), Step: step, Attempt: attempt, LastSentAt: sqldb.Millis(at),
		})
		changed = n > 0
		if err != nil || !changed || sent == nil {
			return err
		}
		return q.KeepRequest(ctx, gen.KeepRequestParams{RunID: string(id), At: sqldb.Millis(at), Digest: sent.Digest, Sealed: sent.Sealed})
	}, nil)
	return changed, err
}

// DoubtInterrupted makes runs ambiguous that were being sent when the process died that was sending them. It is for the start, before
// anything is sent.
func (d *DB) DoubtInterrupted(ctx context.Context) error {
	return d.change(ctx, "doubt what was interrupted", func(q *gen.Queries) error { return q.DoubtInterrupted(ctx, d.millis()) }, nil)
}

// SetSentBy says that a call for a run was made at that moment at the latest.
func (d *DB) SetSentBy(ctx context.Context, id atelier.RunID, at time.Time) error {
	return d.change(ctx, "correct when a run was sent", func(q *gen.Queries) error {
		return q.SetSentBy(ctx, gen.SetSentByParams{ID: string(id), LastSentAt: sqldb.Millis(at)})
	}, nil)
}

// SaveAnswer keeps what the image service answered, at most 64 KiB of it, before anybody interprets it.
func (d *DB) SaveAnswer(ctx context.Context, id atelier.RunID, op string, raw []byte) error {
	raw = raw[:min(len(raw), 64<<10)]
	return d.change(ctx, "save the answer to "+op, func(q *gen.Queries) error {
		return q.InsertAnswer(ctx, gen.InsertAnswerParams{RunID: string(id), Op: op, At: d.millis(), Body: string(raw)})
	}, nil)
}

// SetTask records the task the image service made for the run.
func (d *DB) SetTask(ctx context.Context, id atelier.RunID, task string) (changed bool, err error) {
	err = d.change(ctx, "set task", func(q *gen.Queries) error {
		n, err := q.SetRunTask(ctx, gen.SetRunTaskParams{ID: string(id), TaskID: task, UpdatedAt: d.millis()})
		changed = n > 0
		return err
	}, nil)
	return changed, err
}

// Accept records the execution the image service made for the run; task may be "". What was sent for it need not be sent again.
func (d *DB) Accept(ctx context.Context, id atelier.RunID, execution, task string, then ...Then) (changed bool, err error) {
	err = d.change(ctx, "accept run", func(q *gen.Queries) error {
		n, err := q.SetRunExecution(ctx, gen.SetRunExecutionParams{ID: string(id), ExecutionID: execution, TaskID: task, UpdatedAt: d.millis()})
		if changed = n > 0; err != nil || !changed {
			return err
		}
		return q.LetGoOfRequest(ctx, string(id))
	}, then)
	return changed, err
}

// MadeBy is work for a transaction: it records which account or service has accepted a run.
func (d *DB) MadeBy(ctx context.Context, id atelier.RunID, upstream string) Then {
	return func(tx *sql.Tx) error {
		return gen.New(tx).SetMadeBy(ctx, gen.SetMadeByParams{ID: string(id), Upstream: upstream})
	}
}

// SetState moves a run that is not done or failed to another state, with the reason shown on its card (nil for none). One that
// is accepted only ends: whoever looked for it, or waited for an answer, and found nothing was slower than who found it.
func (d *DB) SetState(ctx context.Context, id atelier.RunID, state atelier.State, step string, why *atelier.Error, then ...Then) (changed bool, err error) {
	return d.setState(ctx, gen.SetRunStateParams{ID: string(id), State: string(state), Step: step}, why, then)
}

// StandInLine makes a run that is not done or failed wait to be sent, for its turn and for nothing else: see CountAhead. why is what is shown
// on its card.
func (d *DB) StandInLine(ctx context.Context, id atelier.RunID, step string, why *atelier.Error) error {
	_, err := d.setState(ctx, gen.SetRunStateParams{ID: string(id), State: string(atelier.StateRecorded), Step: step, InLine: true}, why, nil)
	return err
}

func (d *DB) setState(ctx context.Context, p gen.SetRunStateParams, why *atelier.Error, then []Then) (changed bool, err error) {
	p.UpdatedAt = d.millis()
	if why != nil {
		p.ErrorCode, p.ErrorMessage, p.ErrorRetryable = string(why.Code), why.Message, why.Retryable
	}
	err = d.change(ctx, "set state "+p.State, func(q *gen.Queries) error {
		n, err := q.SetRunState(ctx, p)
		if changed = n > 0; err != nil || !changed || !atelier.State(p.State).Final() {
			return err
		}
		return q.LetGoOfRequest(ctx, p.ID)
	}, then)
	return changed, err
}

// SetLost records what a run that is done lacks, nil for nothing. changed is false when that is what it says already.
func (d *DB) SetLost(ctx context.Context, id atelier.RunID, why *atelier.Error) (changed bool, err error) {
	p := gen.SetLostParams{ID: string(id), UpdatedAt: d.millis()}
	if why != nil {
		p.ErrorCode, p.ErrorMessage, p.ErrorRetryable = string(why.Code), why.Message, why.Retryable
	}
	err = d.change(ctx, "set what a run lacks", func(q *gen.Queries) error {
		n, err := q.SetLost(ctx, p)
		changed = n > 0
		return err
	}, nil)
	return changed, err
}

// DismissRun is work for a transaction: the user's unconfirmed run counts as failed for the reason given. When it turns out
// to have been accepted after all, it comes back. A run in another state is Conflict.
func (d *DB) DismissRun(user atelier.UserID, id atelier.RunID, why *atelier.Error) Then {
	return func(tx *sql.Tx) error {
		n, err := gen.New(tx).DismissRun(context.Background(), gen.DismissRunParams{
			ID: string(id), UserID: string(user), ErrorCode: string(why.Code), ErrorMessage: why.Message, UpdatedAt: d.millis(),
		})
		if err == nil && n == 0 {
			return atelier.Refuse(atelier.Conflict, runDecided)
		}
		return err
	}
}

// DoubtRun takes back that the user's run was dismissed: it waits for a decision again. One that was run again meanwhile, or is in
// another state, is Conflict.
func (d *DB) DoubtRun(ctx context.Context, user atelier.UserID, id atelier.RunID, why *atelier.Error) error {
	return d.change(ctx, "take a dismissal back", func(q *gen.Queries) error {
		n, err := q.DoubtRun(ctx, gen.DoubtRunParams{ID: string(id), UserID: string(user), ErrorCode: string(why.Code), ErrorMessage: why.Message, UpdatedAt: d.millis()})
		if err == nil && n == 0 {
			return atelier.Refuse(atelier.Conflict, runUndoubted)
		}
		return err
	}, nil)
}

// CancelRun ends the user's run, for the reason given, if the image service cannot have it; cancelled is false, and nothing is changed,
// when it is another user's, has ended, or may have been sent. It decides against BeginStep: only one of the two finds the run unsent.
func (d *DB) CancelRun(ctx context.Context, user atelier.UserID, id atelier.RunID, why *atelier.Error) (cancelled bool, err error) {
	err = d.change(ctx, "cancel run", func(q *gen.Queries) error {
		n, err := q.CancelRun(ctx, gen.CancelRunParams{ID: string(id), UserID: string(user), ErrorCode: string(why.Code), ErrorMessage: why.Message, UpdatedAt: d.millis()})
		if cancelled = n > 0; err != nil || !cancelled {
			return err
		}
		return q.LetGoOfRequest(ctx, string(id))
	}, nil)
	return cancelled, err
}

// UncancelRun records a cancelled run of the user's again, in the place it had. restored is false when it was not cancelled before it was
// sent, is in the trash, or was run again. It is refused when the user's allowance no longer covers it.
func (d *DB) UncancelRun(ctx context.Context, user atelier.UserID, id atelier.RunID, then ...Then) (restored bool, err error) {
	err = d.change(ctx, "restore cancelled run", func(q *gen.Queries) error {
		before, err := d.allowance(ctx, q, user)
		if err != nil {
			return err
		}
		n, err := q.RestoreCancelledRun(ctx, gen.RestoreCancelledRunParams{ID: string(id), UserID: string(user), UpdatedAt: d.millis()})
		if restored = n > 0; err != nil || !restored || before == nil {
			return err
		}
		after, err := d.allowance(ctx, q, user)
		if err != nil {
			return err
		}
		if results := after.Asked - before.Asked; results > before.Left() {
			return &atelier.Error{Code: atelier.Forbidden, Message: before.Refusal(results)}
		}
		return nil
	}, then)
	return restored && err == nil, err
}

// CountMiss counts a look for an ambiguous run that did not find it and says how many there were in a row.
func (d *DB) CountMiss(ctx context.Context, id atelier.RunID) (misses int, err error) {
	err = d.change(ctx, "count a miss", func(q *gen.Queries) error {
		n, err := q.CountMiss(ctx, gen.CountMissParams{ID: string(id), CheckedAt: d.millis()})
		misses = int(n)
		return err
	}, nil)
	return misses, err
}

// LookInVain records that an ambiguous run could not be looked for at that moment, with the reason shown on its card, and says since when
// that has been so without a pause longer than lately. changed is false when the run is not ambiguous any more.
func (d *DB) LookInVain(ctx context.Context, id atelier.RunID, at time.Time, lately time.Duration, why *atelier.Error) (since time.Time, changed bool, err error) {
	err = d.change(ctx, "record a look in vain", func(q *gen.Queries) error {
		rows, err := q.LookInVain(ctx, gen.LookInVainParams{
			ID: string(id), At: sqldb.Millis(at), Lately: sqldb.Millis(at.Add(-lately)), ErrorCode: string(why.Code), ErrorMessage: why.Message,
		})
		if changed = len(rows) > 0; err == nil && changed {
			since = sqldb.Time(rows[0])
		}
		return err
	}, nil)
	return since, changed, err
}

// CountUnknown counts an answer at that moment that says nothing useful about an accepted run, and says how many there were in a row and
// when the first of them came.
func (d *DB) CountUnknown(ctx context.Context, id atelier.RunID, at time.Time) (misses int, since time.Time, err error) {
	err = d.change(ctx, "count an empty answer", func(q *gen.Queries) error {
		row, err := q.CountUnknown(ctx, gen.CountUnknownParams{ID: string(id), CheckedAt: sqldb.Millis(at)})
		misses, since = int(row.Misses), sqldb.Time(row.MissedSince)
		return err
	}, nil)
	return misses, since, err
}

// TakeBack makes a run accepted again that was given up because nothing was seen of it any more.
func (d *DB) TakeBack(ctx context.Context, id atelier.RunID, then ...Then) (changed bool, err error) {
	err = d.change(ctx, "take a run back", func(q *gen.Queries) error {
		n, err := q.TakeRunBack(ctx, gen.TakeRunBackParams{ID: string(id), UpdatedAt: d.millis()})
		changed = n > 0
		return err
	}, then)
	return changed, err
}

// AskPSD records that a layered export is wanted since that moment, before the image service hears of it; asked is false when one is under
// way or here.
func (d *DB) AskPSD(ctx context.Context, id atelier.RunID, at time.Time, then ...Then) (asked bool, err error) {
	err = d.change(ctx, "ask for a layered export", func(q *gen.Queries) error {
		n, err := q.AskPSD(ctx, gen.AskPSDParams{ID: string(id), PsdAskedAt: sqldb.Millis(at), UpdatedAt: d.millis()})
		asked = n > 0
		return err
	}, then)
	return asked, err
}

// SetPSD records where a layered export stands; sha256 is set once the file is stored here.
func (d *DB) SetPSD(ctx context.Context, id atelier.RunID, status, reason, sha256 string, then ...Then) error {
	return d.change(ctx, "set the layered export", func(q *gen.Queries) error {
		n, err := q.SetPSD(ctx, gen.SetPSDParams{ID: string(id), PsdStatus: status, PsdError: reason, PsdSha256: sha256, UpdatedAt: d.millis()})
		return oneRow(n, err, noRun)
	}, then)
}

// CountPSDAttempt counts an attempt to fetch a layered export that failed, and says how many there were since SetPSD.
func (d *DB) CountPSDAttempt(ctx context.Context, id atelier.RunID) (attempts int, err error) {
	err = d.change(ctx, "count an attempt at a layered export", func(q *gen.Queries) error {
		n, err := q.CountPSDAttempt(ctx, string(id))
		attempts = int(n)
		return err
	}, nil)
	return attempts, err
}

// Answer is what the image service answered to one call, as it came.
type Answer struct {
	Op   string // as upstream names it: start run, create task …
	Body string
}

// ListAnswers gives the raw answers of the image service to the calls made for a run, oldest first.
func (d *DB) ListAnswers(ctx context.Context, id atelier.RunID) ([]Answer, error) {
	rows, err := d.read.Answers(ctx, string(id))
	if err != nil {
		return nil, fmt.Errorf("list answers: %w", err)
	}
	answers := make([]Answer, 0, len(rows))
	for _, r := range rows {
		answers = append(answers, Answer{Op: r.Op, Body: r.Body})
	}
	return answers, nil
}
