package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/db"
	"atelier/upstream"
)

const (
	// maxMisses is how many answers in a row must have said nothing useful about a run before it is given up, which also takes GiveUp.
	maxMisses = 20
	// unreadable is how long answers are borne with that cannot be read, or never come whole. It leaves as long to come back in.
	unreadable = lateFor / 2
	// fewer is how long pictures are waited for that an execution which has succeeded does not even list.
	fewer = 2 * time.Minute
)

// workPoll watches a run for a while and then lets the queue wait for it.
func (e *Engine) workPoll(ctx context.Context, args PollArgs) error {
	began := e.o.Now()
	run, err := e.o.DB.LoadRun(ctx, args.Run)
	if err != nil {
		return err
	}
	ctx = e.forRun(ctx, run)
	for {
		if run.State != atelier.StateAccepted {
			e.hints.forget(run.ID)
			return nil
		}
		if e.held(run) {
			return e.hold(ctx, run)
		}
		if err := e.mayAsk(ctx); err != nil {
			return err
		}
		over, err := e.look(ctx, run)
		if err != nil || over {
			if over {
				e.hints.forget(run.ID)
			}
			return err
		}
		// Slower the longer it takes: a tenth of the time it has taken so far.
		now := e.o.Now()
		slowest := e.Account(ctx).PollMax
		if e.hints.called(run.ID) {
			slowest = max(slowest, calledPoll)
		}
		wait := jitter(min(max(now.Sub(run.LastSentAt)/10, e.Account(ctx).PollMin), slowest))
		if now.Sub(began)+wait > e.o.Watch {
			return river.JobSnooze(wait)
		}
		if !e.pause(ctx, wait) {
			return river.JobSnooze(0)
		}
		if run, err = e.o.DB.LoadRun(ctx, args.Run); err != nil {
			return err
		}
	}
}

// workHint looks once, because the image service has called. The call itself is believed nothing.
func (e *Engine) workHint(ctx context.Context, args HintArgs) error {
	run, err := e.o.DB.LoadRun(ctx, args.Run)
	if err != nil {
		return err
	}
	ctx = e.forRun(ctx, run)
	open := run.State == atelier.StateAmbiguous || run.Undecided()
	if run.State != atelier.StateAccepted && !open && !run.Unseen() || e.held(run) {
		return nil
	}
	wait, planned := e.hints.mayLook(run.ID, e.o.Now(), e.Account(ctx).HintGap)
	if planned {
		return nil
	}
	if wait > 0 {
		return river.JobSnooze(wait)
	}
	if err := e.mayAsk(ctx); err != nil {
		return err
	}
	switch {
	case run.State == atelier.StateAccepted:
		_, err := e.look(ctx, run)
		return err
	case run.Unseen():
		return e.lookAgain(ctx, run)
	case open:
		found, err := e.find(ctx, run)
		if err != nil && upstream.KindOf(err) != "" {
			return nil //nolint:nilerr // it is looked for again anyway
		}
		if err != nil || found.execution == "" {
			return err
		}
		return e.accept(ctx, run.ID, found.execution, found.task)
	}
	return nil
}

// look asks once how a run stands and records it; over says that nothing more will come.
func (e *Engine) look(ctx context.Context, run db.Run) (over bool, err error) {
	x, err := e.fetch(ctx, run)
	switch {
	case err == nil:
	case run.Status == atelier.Success && (upstream.KindOf(err) != "" || errors.Is(err, errNoExecution)):
		return true, e.finish(ctx, run.ID) // nothing is left to be told of it: what it made is on its way here
	case upstream.KindOf(err) == upstream.Refused, errors.Is(err, errNoExecution):
		return e.missed(ctx, run, e.o.GiveUp, words.EndedUnknown)
	case upstream.KindOf(err) == upstream.Broken:
		e.log.WarnContext(ctx, "a run cannot be looked at", "run", run.ID, "error", err)
		return e.missed(ctx, run, unreadable, words.EndedUnreadable)
	case upstream.KindOf(err) != "":
		e.log.WarnContext(ctx, "a run cannot be looked at", "run", run.ID, "error", err)
		return false, nil
	default:
		return false, err
	}
	items := e.itemsOf(run, x)
	status := e.statusOf(run, atelier.Status(x.Status), items)
	if status == atelier.Success && !e.whole(run, items) {
		return e.lookInPart(ctx, run, items)
	}
	if status == atelier.Failed {
		endItems(items, words.LostUnmade)
	}
	return e.apply(ctx, run, status, items)
}

// apply records how a run stands; over says that nothing more will come.
func (e *Engine) apply(ctx context.Context, run db.Run, status atelier.Status, items []db.Item) (over bool, err error) {
	changed, err := e.o.DB.ApplyStatus(ctx, run.ID, status, items, e.archive)
	if err != nil {
		return false, err
	}
	if changed {
		e.publishRun(ctx, run.ID)
	}
	switch status {
	case atelier.Failed:
		if e.stopping.has(run.ID) {
			return true, e.endRun(ctx, run, db.StepCancelled, cancelled(words.EndedCancelled))
		}
		return true, e.fail(ctx, run, failure(items))
	case atelier.Success:
		return true, e.finish(ctx, run.ID)
	}
	return false, nil
}

// archive enqueues the download of results.
func (e *Engine) archive(tx *sql.Tx, toStore []atelier.ResultID) error {
	args := make([]river.JobArgs, len(toStore))
	for i, id := range toStore {
		args[i] = ArchiveArgs{id}
	}
	return e.insert(args...)(tx)
}

// lookInPart records what is there of a run that has succeeded and whose pictures are not all there. They are paid for: the others are
// asked for again and again, for as long as an unknown run is.
func (e *Engine) lookInPart(ctx context.Context, run db.Run, items []db.Item) (over bool, err error) {
	changed, err := e.o.DB.ApplyPart(ctx, run.ID, atelier.Running, items, e.archive)
	if err != nil {
		return false, err
	}
	if changed {
		e.publishRun(ctx, run.ID)
	}
	patience := e.o.GiveUp
	if len(items) > 0 && !slices.ContainsFunc(items, unended) {
		patience = min(patience, fewer)
	}
	if long, err := e.missedLong(ctx, run.ID, patience); err != nil || !long {
		return false, err
	}
	if !slices.ContainsFunc(items, func(i db.Item) bool { return i.Status == atelier.Success }) {
		return true, e.loseSight(ctx, run, words.EndedEmpty)
	}
	endItems(items, words.LostUngiven)
	for len(items) < e.expected(run) {
		items = append(items, db.Item{Kind: items[0].Kind, Status: atelier.Failed, Error: words.LostMissing})
	}
	return e.apply(ctx, run, atelier.Success, items)
}

// whole says whether everything a run was asked for is there, or will never be.
func (e *Engine) whole(run db.Run, items []db.Item) bool {
	return len(items) >= e.expected(run) && !slices.ContainsFunc(items, unended)
}

func unended(i db.Item) bool { return !i.Status.Terminal() }

// endItems ends what has not ended of a run that has.
func endItems(items []db.Item, why string) {
	for i := range items {
		if unended(items[i]) {
			items[i].Status, items[i].Error = atelier.Failed, why
		}
	}
}

var errNoExecution = errors.New("the answer does not hold the execution")

// fetch gives the execution of a run as the image service has it.
func (e *Engine) fetch(ctx context.Context, run db.Run) (upstream.Execution, error) {
	var x upstream.Execution
	var ok bool
	if run.Surface == atelier.TaskSurface {
		task, err := e.Account(ctx).Client.QueryTask(ctx, upstream.TaskQuery{ExecutionID: run.ExecutionID})
		if err != nil {
			return x, err
		}
		x, ok = task.Execution(run.ExecutionID)
	} else {
		status, err := e.Account(ctx).Client.Run(ctx, run.ExecutionID)
		if err != nil {
			return x, err
		}
		x, ok = status.Execution(run.ExecutionID)
	}
	if !ok {
		return x, fmt.Errorf("run %s: %w", run.ID, errNoExecution)
	}
	return x, nil
}

// missed counts an answer that says nothing; many in a row, for longer than patience, end the run.
func (e *Engine) missed(ctx context.Context, run db.Run, patience time.Duration, sentence string) (over bool, err error) {
	if long, err := e.missedLong(ctx, run.ID, patience); err != nil || !long {
		return false, err
	}
	return true, e.loseSight(ctx, run, sentence)
}

// missedLong counts an answer that says nothing, and says whether there have been enough of them for long enough.
func (e *Engine) missedLong(ctx context.Context, id atelier.RunID, patience time.Duration) (bool, error) {
	now := e.o.Now()
	misses, since, err := e.o.DB.CountUnknown(ctx, id, now)
	return err == nil && misses >= maxMisses && now.Sub(since) >= patience, err
}

// loseSight gives up a run that was accepted and of which nothing is seen any more. It may have been paid for, so it is still looked for.
func (e *Engine) loseSight(ctx context.Context, run db.Run, sentence string) error {
	why := &atelier.Error{Code: atelier.UpstreamBad, Message: sentence, Retryable: true}
	changed, err := e.o.DB.SetState(ctx, run.ID, atelier.StateFailed, db.StepUnseen, why)
	if err != nil {
		return err
	}
	if changed {
		e.publishRun(ctx, run.ID)
	}
	return nil
}

// statusOf reads the status of a run off its items where the execution itself does not say that it has ended: the documents
// report a failure on the items (Task API, "Execution status values").
func (e *Engine) statusOf(run db.Run, status atelier.Status, items []db.Item) atelier.Status {
	if status.Terminal() || !e.whole(run, items) {
		return status
	}
	if slices.ContainsFunc(items, func(i db.Item) bool { return i.Status == atelier.Success }) {
		return atelier.Success
	}
	return atelier.Failed
}

// expected is how many results a run was asked for, at least one.
func (e *Engine) expected(run db.Run) int {
	agent, _ := e.o.Agents(run.Agent, run.Version)
	return catalog.Results(agent, surface(run.Surface), run.Values)
}

// itemsOf reads the results of an execution. What has no address yet, or never will, is of the kind that the run makes.
func (e *Engine) itemsOf(run db.Run, x upstream.Execution) []db.Item {
	items := make([]db.Item, len(x.Result))
	kind := "image"
	if agent, ok := e.o.Agents(run.Agent, run.Version); ok {
		kind = string(agent.MakesIn(surface(run.Surface), catalog.Input{Values: run.Values}))
	}
	for i, r := range x.Result {
		item := db.Item{Kind: kind, Status: atelier.Status(r.Status), Progress: r.Progress.Fraction(), Error: r.Error, URL: r.Image, PosterURL: r.VideoPoster, LastURL: r.LastFrame}
		switch {
		case r.Video != "":
			item.Kind, item.URL = "video", r.Video
		case r.Image != "":
			item.Kind = "image"
		}
		// An item without a word of its own stands where its execution stands.
		if item.Status == "" {
			item.Status = atelier.Status(x.Status)
		}
		if item.Status == atelier.Success && item.URL == "" {
			item.Status = atelier.Running // it says that it is ready and gives no picture yet
		}
		if item.Status == atelier.Success {
			item.Progress = 1
		}
		if item.Status == atelier.Failed && item.Error == "" {
			item.Error = words.LostNoReason
		}
		items[i] = item
	}
	return items
}

func failure(items []db.Item) *atelier.Error {
	reason := ""
	for _, i := range items {
		if i.Error != "" && i.Error != words.LostUnmade {
			reason = i.Error
			break
		}
	}
	return &atelier.Error{Code: atelier.Refused, Message: words.StateFailed(reason), Retryable: true}
}

// finish makes a run done once every result that succeeded is stored here or given up. One that is done says what it still lacks: what was
// given up may have come after all.
func (e *Engine) finish(ctx context.Context, id atelier.RunID) error {
	unstored, err := e.o.DB.CountUnstored(ctx, id)
	if err != nil || unstored > 0 {
		return err
	}
	run, err := e.o.DB.LoadRun(ctx, id)
	done := run.State == atelier.StateDone
	if err != nil || run.Status != atelier.Success || run.State != atelier.StateAccepted && !done {
		return err
	}
	var why *atelier.Error
	made, lost := 0, 0
	for _, r := range run.Results {
		if r.LockedFrom != "" {
			continue
		}
		made++
		if r.Status == atelier.Success && !r.Stored {
			lost++
		}
	}
	if lost > 0 {
		why = &atelier.Error{Code: atelier.UpstreamBad, Message: words.StateLost(lost, made), Retryable: true}
	}
	var changed bool
	if done {
		changed, err = e.o.DB.SetLost(ctx, id, why)
	} else {
		changed, err = e.o.DB.SetState(ctx, id, atelier.StateDone, "", why)
	}
	if err != nil {
		return err
	}
	if changed {
		e.past.forget(run.Agent)
		e.publishRun(ctx, id)
	}
	return nil
}
