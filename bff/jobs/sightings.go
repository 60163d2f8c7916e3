package jobs

import (
	"context"
	"fmt"
	"sync"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/upstream"
)

// A death leaves as many runs to look for as were under way, and the image service's list may be long. Whoever goes through it for one
// run looks for all whose time to be looked for has come, so that the list is not gone through for each of them.

// lostAtOnce is how many runs are looked for on one way through the list.
const lostAtOnce = 5000

// sightings are what was seen of runs on the last way through the list, until each is taken in.
type sightings struct {
	turn chan struct{} // held by who goes through the list
	mu   sync.Mutex
	runs map[atelier.RunID]sighting
}

// sighting is what one look for a run found.
type sighting struct {
	// The look: when the run had last been sent, and how often it had been looked for since in vain. It serves once.
	sent   time.Time
	misses int
	// What it found; no task when there is none under the run's name.
	task       string
	executions []upstream.Execution // without what they were made with
}

func newSightings() sightings {
	return sightings{turn: make(chan struct{}, 1), runs: map[atelier.RunID]sighting{}}
}

// take gives the sighting that is the next look for a run, if there is one.
func (s *sightings) take(run db.Run) (sighting, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.runs[run.ID]
	delete(s.runs, run.ID)
	return found, ok && found.sent.Equal(run.LastSentAt) && found.misses == run.Misses
}

// listed looks for a run by its name in the image service's list: on a way of its own, or on one that somebody else has gone since it
// was time to look.
func (e *Engine) listed(ctx context.Context, run db.Run) (sighting, error) {
	select {
	case e.seen.turn <- struct{}{}:
		defer func() { <-e.seen.turn }()
	case <-ctx.Done():
		return sighting{}, fmt.Errorf("wait to look for run %s: %w", run.ID, ctx.Err())
	}
	if found, ok := e.seen.take(run); ok {
		return found, nil
	}
	now := e.o.Now()
	account := e.Account(ctx)
	due, err := e.o.DB.ListLost(ctx, now.Add(-account.Settle), now.Add(-account.Confirm), lostAtOnce)
	if err != nil {
		return sighting{}, err
	}
	seen, byTag, oldest := map[atelier.RunID]sighting{}, map[string]atelier.RunID{}, run.FirstSentAt
	for _, r := range append(due, run) {
		if r.ID != run.ID && e.mayRepeat(r) {
			continue // it will not be looked for, but sent again
		}
		if its, _ := e.accountOf(r); its != account {
			continue // another account's list does not tell whether it was sent
		}
		seen[r.ID], byTag[r.Tag] = sighting{sent: r.LastSentAt, misses: r.Misses}, r.ID
		if r.FirstSentAt.Before(oldest) {
			oldest = r.FirstSentAt
		}
	}
	err = e.eachTask(ctx, oldest.Add(-clockSkew), func(t upstream.Task) (more bool, err error) {
		name, _ := t.InitParams["taskName"].(string)
		if id, ok := byTag[name]; ok {
			found := seen[id]
			found.task = t.TaskID
			for _, x := range t.Executions {
				found.executions = append(found.executions, upstream.Execution{ExecutionID: x.ExecutionID, ExecutionTime: x.ExecutionTime})
			}
			seen[id] = found
			delete(byTag, name)
		}
		return len(byTag) > 0, nil
	})
	own := seen[run.ID]
	delete(seen, run.ID)
	e.seen.mu.Lock()
	defer e.seen.mu.Unlock()
	if err == nil {
		e.seen.runs = seen
		return own, nil
	}
	// What was seen before the list broke off was seen; of the others nothing is known.
	for id, found := range seen {
		if found.task != "" {
			e.seen.runs[id] = found
		}
	}
	if own.task != "" {
		return own, nil
	}
	return sighting{}, err
}

// lostFirst has runs that may have been accepted taken up before those that were never sent.
func (e *Engine) lostFirst(ctx context.Context) error {
	_, err := e.o.DB.Write.ExecContext(ctx, `UPDATE river_job SET priority = $1 WHERE kind = $2 AND state IN ('available', 'scheduled', 'retryable')
		AND args ->> 'run' IN (SELECT id FROM runs WHERE state IN ('recorded', 'submitting', 'ambiguous', 'accepted') AND state = 'ambiguous')`,
		priorityLost, SubmitArgs{}.Kind())
	if err != nil {
		return fmt.Errorf("take up lost runs first: %w", err)
	}
	return nil
}
