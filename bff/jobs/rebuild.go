package jobs

import (
	"context"
	"regexp"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/upstream"
)

// ourName is the form of the names that runs go out under.
var ourName = regexp.MustCompile(`^[0-9A-Za-z_-]{1,9}~[0-9abcdefghjkmnpqrstvwxyz]{10}$`)

// rebuild finds runs that the image service has and we have lost, because a backup was restored that is older than they are.
// They are known by the proof in their names: other studios may use the same account. Whose they were nobody can tell any more, so the
// oldest account gets them.
func (e *Engine) rebuild(ctx context.Context) error {
	since, err := e.o.DB.FindMark(ctx, db.MarkRebuild)
	if err != nil || since.IsZero() || e.o.Import == nil || e.o.Ours == nil {
		return err
	}
	owner, err := e.o.DB.OldestUser(ctx)
	if err != nil {
		return err
	}
	found := 0
	for _, account := range e.accounts.Load().all {
		n, err := e.rebuildFrom(e.At(ctx, account), owner, since)
		if found += n; err != nil {
			return err
		}
	}
	e.log.InfoContext(ctx, "runs that a restored backup did not know were looked for", "since", since, "found", found)
	return e.o.DB.SetMark(ctx, db.MarkRebuild, time.Time{})
}

// rebuildFrom is rebuild for the account of the context.
func (e *Engine) rebuildFrom(ctx context.Context, owner atelier.UserID, since time.Time) (found int, err error) {
	err = e.eachTask(ctx, since.Add(-clockSkew), func(task upstream.Task) (more bool, err error) {
		if name, _ := task.InitParams["taskName"].(string); !e.o.Ours(name) {
			return true, nil
		}
		n, err := e.importTask(ctx, owner, task)
		found += n
		return true, err
	})
	return found, err
}

// overlap is how much of what was seen before is looked through again: a task may be listed a little after it was made.
const overlap = 10 * time.Minute

// findStrays finds runs of this studio that the image service has and no row here speaks of, however the row was lost: the list is gone
// through from where the last look ended, by the service's own clock. The oldest account gets them. What was deleted for good stays
// deleted, and runs of other studios with the same account stay theirs: they are told apart by the proof in their names.
func (e *Engine) findStrays(ctx context.Context) error {
	if e.o.Import == nil || e.o.Ours == nil {
		return nil
	}
	since, err := e.o.DB.FindMark(ctx, db.MarkSeen)
	if err != nil {
		return err
	}
	if since.IsZero() {
		since = e.o.Now().Add(-clockSkew)
	}
	newest, found := since, 0
	err = e.eachTask(ctx, since.Add(-overlap), func(task upstream.Task) (more bool, err error) {
		if task.CreatedAt != nil && task.CreatedAt.After(newest) {
			newest = *task.CreatedAt
		}
		name, _ := task.InitParams["taskName"].(string)
		if !e.o.Ours(name) {
			return true, nil
		}
		owner, err := e.o.DB.TaskOwner(ctx, task.TaskID, name)
		if err != nil || owner != "" {
			return err == nil, err
		}
		if owner, err = e.o.DB.OldestUser(ctx); err != nil {
			return false, err
		}
		n, err := e.importTask(ctx, owner, task)
		found += n
		return err == nil, err
	})
	if err != nil {
		return err
	}
	if found > 0 {
		e.log.WarnContext(ctx, "runs that no row spoke of were taken from the image service", "found", found)
	}
	if ahead := e.o.Now().Add(clockSkew); newest.After(ahead) {
		newest = ahead // no clock is trusted so far that nothing would be looked at any more
	}
	if !newest.After(since) {
		return nil
	}
	return e.o.DB.SetMark(ctx, db.MarkSeen, newest)
}

// clockSkew is by how much the image service's clock may differ from what ours showed: each may be wrong by two hours.
const clockSkew = 5 * time.Hour

// importTask makes runs of the executions of a task of ours that are not known here.
func (e *Engine) importTask(ctx context.Context, owner atelier.UserID, task upstream.Task) (found int, err error) {
	name, _ := task.InitParams["taskName"].(string)
	if !ourName.MatchString(name) || task.TaskID == "" {
		return 0, nil
	}
	switch run, err := e.o.DB.FindRunByTag(ctx, name); {
	case err == nil && run.ExecutionID == "" && !run.State.Final():
		return 0, nil // it is looked for by itself
	case err != nil && atelier.CodeOf(err) != atelier.NotFound:
		return 0, err
	}
	for _, x := range task.Executions {
		known, err := e.o.DB.KnowsExecution(ctx, atelier.TaskSurface, x.ExecutionID)
		if err == nil && !known {
			known, err = e.o.DB.KnowsExecution(ctx, atelier.RunSurface, x.ExecutionID)
		}
		if err != nil {
			return found, err
		}
		if known || x.ExecutionID == "" {
			continue
		}
		run, err := e.o.Import(ctx, owner, task.TaskID, name, task, x)
		if err != nil {
			return found, err
		}
		stored, created, err := e.o.DB.CreateRun(ctx, run, e.o.DB.NoteAsked(ctx, run.UserID, run.ID, e.expected(run), run.CreatedAt), e.insert(PollArgs{run.ID}))
		if err != nil {
			return found, err
		}
		if created {
			found++
			e.publishRun(ctx, stored.ID)
		}
	}
	return found, nil
}
