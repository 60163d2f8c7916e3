package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/upstream"
)

// looks is how many times in a row a run must not be found before it counts as not sent.
const looks = 2

// maxExecutions is how many executions one run may be tried for when none of them can be found.
const maxExecutions = 3

// reconcile finds out what became of a run whose answer was lost.
func (e *Engine) reconcile(ctx context.Context, run db.Run) error {
	if run.State == atelier.StateSubmitting {
		if _, err := e.o.DB.SetState(ctx, run.ID, atelier.StateAmbiguous, run.Step, nil); err != nil {
			return err
		}
		run.State = atelier.StateAmbiguous
		e.publishRun(ctx, run.ID)
	}
	if _, known := e.accountOf(run); !known {
		return e.unconfirmed(ctx, run, words.StateOtherAccount) // no other account's list says that it was not sent
	}
	// The request may still be on its way through the service. What is to be sent again under its key waits the longer, the longer it
	// has been tried.
	settle, repeat := e.Account(ctx).Settle, e.mayRepeat(run)
	if repeat {
		settle = max(settle, min(run.LastSentAt.Sub(run.FirstSentAt)/4, longestRepeat))
	}
	if wait := run.LastSentAt.Add(settle).Sub(e.o.Now()); wait > 0 {
		if wait > settle { // it was sent in the future: the clock has been set back since
			if err := e.o.DB.SetSentBy(ctx, run.ID, e.o.Now()); err != nil {
				return err
			}
		}
		return river.JobSnooze(min(wait, settle))
	}
	if repeat {
		if named, err := e.hinted(ctx, run); err == nil && named != "" {
			return e.accept(ctx, run.ID, named, "")
		}
		return e.again(ctx, run, db.StepDoubted)
	}
	found, err := e.find(ctx, run)
	switch {
	case err != nil && upstream.KindOf(err) != "":
		e.log.WarnContext(ctx, "a run cannot be looked for yet", "run", run.ID, "error", err)
		return e.lookedInVain(ctx, run, err)
	case err != nil:
		return err
	case found.execution != "":
		return e.accept(ctx, run.ID, found.execution, found.task)
	case found.task != "" && run.TaskID == "":
		// The task was made and is empty: nothing was paid, and it serves.
		if _, err := e.o.DB.SetTask(ctx, run.ID, found.task); err != nil {
			return err
		}
		return e.again(ctx, run, db.StepCreated)
	}
	misses, err := e.o.DB.CountMiss(ctx, run.ID)
	if err != nil {
		return err
	}
	if misses < looks {
		return river.JobSnooze(e.Account(ctx).Confirm)
	}
	switch {
	case run.Surface == atelier.RunSurface:
		return e.unconfirmed(ctx, run, words.StateNotFound)
	case run.Attempt >= maxExecutions:
		return e.giveUp(ctx, run)
	case run.TaskID != "":
		return e.again(ctx, run, db.StepCreated)
	}
	return e.again(ctx, run, db.StepNone)
}

const (
	// keyLife is for how long after it was first sent a run may be sent again under its key. Services that honour keys forget them:
	// ours after seven days.
	keyLife = 6 * 24 * time.Hour
	// longestRepeat is the longest wait before a run is sent again under its key.
	longestRepeat = time.Hour
)

// mayRepeat says whether a run that may have been accepted can be sent again without being made twice.
func (e *Engine) mayRepeat(run db.Run) bool {
	a, known := e.accountOf(run)
	return known && a.Idempotent && run.Surface == atelier.RunSurface && run.Step != db.StepRefused && e.o.Now().Sub(run.FirstSentAt) < keyLife
}

// again submits a run that is known not to have been accepted, or that may be sent again under its key.
func (e *Engine) again(ctx context.Context, run db.Run, step string) error {
	changed, err := e.o.DB.SetState(ctx, run.ID, atelier.StateRecorded, step, nil)
	if err != nil || !changed {
		return err // somebody else has found it meanwhile
	}
	fresh, err := e.o.DB.LoadRun(ctx, run.ID)
	if err != nil {
		return err
	}
	return e.submit(ctx, fresh)
}

// uninterrupted is the longest pause between two looks in vain that counts as time in which a run was looked for: the studio may have been
// switched off.
const uninterrupted = 10 * time.Minute

// lookedInVain waits on with a run that could not be looked for, and leaves the decision to its owner when that goes on for too long: a
// day where the service is away or in trouble, half an hour (GiveUp) where it answers and what it says is of no use. What cannot be looked
// for over the task surface is not sent again either.
func (e *Engine) lookedInVain(ctx context.Context, run db.Run, cause error) error {
	patience := e.o.GiveUp
	if away(cause) {
		patience = max(patience, lateFor)
	}
	now := e.o.Now()
	since, open, err := e.o.DB.LookInVain(ctx, run.ID, now, uninterrupted, &atelier.Error{Code: atelier.UpstreamBusy, Message: words.StateStillAsked})
	if err != nil || !open {
		return err
	}
	if now.Sub(since) >= patience {
		return e.unconfirmed(ctx, run, words.StateNotAskable)
	}
	if run.Error == nil || run.Error.Message != words.StateStillAsked {
		e.publishRun(ctx, run.ID)
	}
	return river.JobSnooze(e.retryIn(run.LastSentAt, 0))
}

// away says whether a call failed because the image service is not there, or in trouble, and not because of what it was asked.
func away(err error) bool {
	e, ok := errors.AsType[*upstream.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case upstream.NotSent, upstream.Busy:
		return true
	case upstream.Broken:
		return e.HTTPStatus == 0 || e.HTTPStatus >= http.StatusInternalServerError
	}
	return false
}

// unconfirmed leaves the decision to the user: the run may have been accepted and billed, so it is never sent again by us.
func (e *Engine) unconfirmed(ctx context.Context, run db.Run, sentence string) error {
	why := &atelier.Error{Code: atelier.UpstreamBad, Message: sentence}
	changed, err := e.o.DB.SetState(ctx, run.ID, atelier.StateUnconfirmed, "", why)
	if err != nil || !changed {
		return err
	}
	e.publishRun(ctx, run.ID)
	return nil
}

// giveUp ends a run that was sent as often as one may be and could never be found. Should it turn up after all, it comes back.
func (e *Engine) giveUp(ctx context.Context, run db.Run) error {
	why := &atelier.Error{Code: atelier.UpstreamBad, Message: words.EndedNeverTaken, Retryable: true}
	changed, err := e.o.DB.SetState(ctx, run.ID, atelier.StateFailed, db.StepDismissed, why)
	if err != nil {
		return err
	}
	if changed {
		e.publishRun(ctx, run.ID)
	}
	return nil
}

// trace is what of a run was found at the image service.
type trace struct{ task, execution string }

// find looks for a run by everything we know of it.
func (e *Engine) find(ctx context.Context, run db.Run) (trace, error) {
	if run.TaskID != "" && run.Surface == atelier.TaskSurface {
		task, err := e.Account(ctx).Client.QueryTask(ctx, upstream.TaskQuery{TaskID: run.TaskID})
		if upstream.KindOf(err) == upstream.Refused {
			return trace{}, nil // it does not know the task: not found
		}
		if err != nil {
			return trace{}, err
		}
		return e.adoptable(ctx, run, run.TaskID, task.Executions)
	}
	if hinted, err := e.hinted(ctx, run); err != nil || hinted != "" {
		return trace{execution: hinted}, err
	}
	// ASSUMED [Are runs listed]: runs of the run surface may be listed as tasks too (Run API: not shown); looking costs nothing.
	seen, err := e.listed(ctx, run)
	if err != nil || seen.task == "" {
		return trace{}, err
	}
	return e.adoptable(ctx, run, seen.task, seen.executions)
}

// eachTask calls visit with every task the service lists that was made after a moment, until it wants no more. There is
// nothing to visit where the service has no such list for this key.
func (e *Engine) eachTask(ctx context.Context, after time.Time, visit func(upstream.Task) (more bool, err error)) error {
	f := upstream.TaskFilter{Limit: mostTasks, CreatedAfter: after}
	for {
		page, err := e.listTasks(ctx, f, e.Account(ctx).lists)
		if upstream.KindOf(err) == upstream.Refused && f.Cursor == "" {
			return nil
		}
		if err != nil {
			return err // in the middle too: what was not read must not count as looked through
		}
		for _, t := range page.Tasks {
			if more, err := visit(t); err != nil || !more {
				return err
			}
		}
		if !page.HasMore || page.NextCursor == "" || page.NextCursor == f.Cursor {
			return nil
		}
		f.Cursor = page.NextCursor
	}
}

// mostTasks is how many tasks a page of the service's list holds at most (Task API, "List tasks").
const mostTasks = 20

// ListTasks gives a page of the service's list. Every execution in it repeats its params, masks included, so a page may be
// larger than an answer can be: then a shorter one is asked for.
func (e *Engine) ListTasks(ctx context.Context, f upstream.TaskFilter) (upstream.TaskPage, error) {
	return e.listTasks(ctx, f, nil)
}

// listTasks is ListTasks where every question waits for its turn.
func (e *Engine) listTasks(ctx context.Context, f upstream.TaskFilter, turns *rate.Limiter) (upstream.TaskPage, error) {
	if f.Limit == 0 {
		f.Limit = mostTasks
	}
	for {
		if turns != nil {
			if err := turns.Wait(ctx); err != nil {
				return upstream.TaskPage{}, err
			}
		}
		page, err := e.Account(ctx).Client.ListTasks(ctx, f)
		if upstream.KindOf(err) != upstream.Broken || f.Limit == 1 {
			return page, err
		}
		f.Limit = max(1, f.Limit/4)
	}
}

// adoptable chooses the execution of a task that is this run's: the oldest that no other run holds. Any more of them are
// duplicates; they are shown, never hidden.
func (e *Engine) adoptable(ctx context.Context, run db.Run, task string, executions []upstream.Execution) (trace, error) {
	unknown, err := e.unknown(ctx, run, executions)
	if err != nil {
		return trace{}, err
	}
	if len(unknown) == 0 {
		return trace{task: task}, nil
	}
	for _, x := range unknown[1:] {
		if err := e.importExtra(ctx, run, task, x.ExecutionID); err != nil {
			return trace{}, err
		}
	}
	return trace{task, unknown[0].ExecutionID}, nil
}

// unknown gives the executions of a run's task that no run holds, the oldest first.
func (e *Engine) unknown(ctx context.Context, run db.Run, executions []upstream.Execution) (unknown []upstream.Execution, err error) {
	for _, x := range executions {
		known, err := e.o.DB.KnowsExecution(ctx, run.Surface, x.ExecutionID)
		if err != nil {
			return nil, err
		}
		if !known && x.ExecutionID != "" {
			unknown = append(unknown, x)
		}
	}
	slices.SortStableFunc(unknown, func(a, b upstream.Execution) int { return a.ExecutedAt().Compare(b.ExecutedAt()) })
	return unknown, nil
}

// importExtra shows an execution of a run that was made twice.
func (e *Engine) importExtra(ctx context.Context, run db.Run, task, execution string) error {
	e.log.ErrorContext(ctx, "a run was executed more than once", "run", run.ID, "task", task, "execution", execution)
	id, err := db.NewRunID()
	if err != nil {
		return err
	}
	extra := run
	extra.ID, extra.RetryOf = id, run.ID
	extra.IntentKey, extra.Tag = "extra:"+execution, run.Tag+"+"+execution
	extra.Title, extra.State, extra.Status = words.TitleTwice(run.Title), atelier.StateAccepted, atelier.Pending
	extra.TaskID, extra.ExecutionID = task, execution
	stored, created, err := e.o.DB.CreateRun(ctx, extra, e.o.DB.NoteAsked(ctx, extra.UserID, id, e.expected(extra), extra.CreatedAt))
	if err != nil || !created {
		return err
	}
	e.o.Publish(run.UserID, atelier.EventNotice, string(stored.ID), atelier.Notice{
		Level: "warning", Message: words.StateTwice(extra.Title),
	})
	return e.o.DB.Enqueue(ctx, e.insert(PollArgs{stored.ID}))
}

// hinted looks whether a callback, or an answer that was kept and not acted on, named an execution that really is this run: the
// service itself must say so.
func (e *Engine) hinted(ctx context.Context, run db.Run) (execution string, err error) {
	answers, err := e.o.DB.ListAnswers(ctx, run.ID)
	if err != nil {
		return "", err
	}
	calls, err := e.o.DB.ListCallbacks(ctx, run.ID)
	if err != nil {
		return "", err
	}
	said := make([]string, 0, len(answers)+len(calls))
	for _, a := range answers {
		said = append(said, a.Body)
	}
	for _, c := range calls {
		said = append(said, c.Body)
	}
	for _, body := range said {
		for _, id := range executionIDs([]byte(body)) {
			known, err := e.o.DB.KnowsExecution(ctx, run.Surface, id)
			if err != nil {
				return "", err
			}
			if known {
				continue
			}
			status, err := e.Account(ctx).Client.Run(ctx, id)
			if upstream.KindOf(err) == upstream.Refused {
				continue
			}
			if err != nil {
				return "", err
			}
			if isOf(run, status.AgentName, status.InitParams) {
				return id, nil
			}
		}
	}
	return "", nil
}

// isOf says whether what the service tells of an execution is told of this run.
func isOf(run db.Run, agent string, init map[string]any) bool {
	name, ok := init["taskName"].(string)
	return ok && name == run.Tag && agent == run.Agent
}

// Adopt takes the id a person has found at the image service for a run of which we do not know whether it was accepted. The
// service itself must say that it is this run.
func (e *Engine) Adopt(ctx context.Context, run db.Run, execution string) error {
	const field = "executionId"
	ctx = e.forRun(ctx, run)
	if !run.Undecided() {
		return atelier.Refuse(atelier.Conflict, words.RunNoIDWanted)
	}
	known, err := e.o.DB.KnowsExecution(ctx, run.Surface, execution)
	if err != nil {
		return err
	}
	if known {
		return atelier.FieldError(field, words.RunIDKnown)
	}
	var agent string
	var init map[string]any
	if run.Surface == atelier.RunSurface {
		status, uerr := e.Account(ctx).Client.Run(ctx, execution)
		agent, init, err = status.AgentName, status.InitParams, uerr
	} else {
		task, uerr := e.Account(ctx).Client.QueryTask(ctx, upstream.TaskQuery{ExecutionID: execution})
		agent, init, err = task.AgentName, task.InitParams, uerr
	}
	switch {
	case upstream.KindOf(err) == upstream.Refused:
		return atelier.FieldError(field, words.RunIDUnknown)
	case err != nil:
		return err
	case !isOf(run, agent, init):
		return atelier.FieldError(field, words.RunIDOther)
	}
	return e.accept(ctx, run.ID, execution, "")
}

// namedExecution finds ids in what is no JSON any more: an answer that broke off, or was longer than what is kept of one.
var namedExecution = regexp.MustCompile(`"executionId"\s*:\s*"([^"\\]{1,128})"`)

// executionIDs finds what could be an execution's id in a body of unknown form, at most five.
func executionIDs(body []byte) (ids []string) {
	add := func(id string) {
		if id != "" && len(id) <= 128 && len(ids) < 5 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	var v any
	if json.Unmarshal(body, &v) != nil {
		for _, m := range namedExecution.FindAllSubmatch(body, 20) {
			add(string(m[1]))
		}
		return ids
	}
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		switch v := v.(type) {
		case map[string]any:
			if id, ok := v["executionId"].(string); ok {
				add(id)
			}
			if depth < 6 {
				for _, child := range v {
					walk(child, depth+1)
				}
			}
		case []any:
			if depth < 6 {
				for _, child := range v {
					walk(child, depth+1)
				}
			}
		}
	}
	walk(v, 0)
	return ids
}
