package jobs

import (
	"context"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/time/rate"

	"atelier/atelier"
)

// mayAsk waits until the budget of polls allows one more. Runs are watched by many jobs at once; what they may ask together
// is bounded, so that requests of people always find room beside them. The error is a snooze: the queue had better wait.
func (e *Engine) mayAsk(ctx context.Context) error {
	polls := e.Account(ctx).polls
	if polls == nil {
		return nil
	}
	r := polls.Reserve()
	wait := r.Delay()
	if wait == 0 {
		return nil
	}
	if wait > e.o.Watch {
		r.Cancel()
		return river.JobSnooze(jitter(wait))
	}
	if !e.pause(ctx, wait) {
		r.Cancel()
		return river.JobSnooze(0)
	}
	return nil
}

// calledPoll is how long the watching of a run waits at most once the image service has called about it: from then on polls
// only make up for calls that are lost.
const calledPoll = time.Minute

// hints remembers for which runs the image service has called, and when they were looked at because of it.
type hints struct {
	pace *rate.Limiter // of looks because of calls, whichever runs they are about
	mu   sync.Mutex
	runs map[atelier.RunID]*hint
}

type hint struct {
	looked  time.Time
	waiting bool // a look is planned already
}

// early is by how much a look may come before its time: the queue counts in whole ms, and one that was sent to wait again would be taken
// for another beside one that waits.
const early = 2 * time.Millisecond

func newHints(pace rate.Limit) hints {
	return hints{pace: rate.NewLimiter(pace, max(1, int(min(pace, 1000)))), runs: map[atelier.RunID]*hint{}}
}

// called says whether the image service has called about a run since this process began.
func (h *hints) called(id atelier.RunID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.runs[id]
	return ok
}

// forget lets go of a run that is over.
func (h *hints) forget(id atelier.RunID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.runs, id)
}

// planned says whether a look at a run is to come, so that another call is no reason for one more.
func (h *hints) planned(id atelier.RunID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	known, ok := h.runs[id]
	return ok && known.waiting
}

// mayLook says whether a call is a reason to look now. Otherwise it gives how long to wait, or planned: somebody else will.
func (h *hints) mayLook(id atelier.RunID, now time.Time, gap time.Duration) (wait time.Duration, planned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known, ok := h.runs[id]
	if !ok {
		known = &hint{}
		h.runs[id] = known
	} else if wait := known.looked.Add(gap).Sub(now); wait > early {
		if known.waiting {
			return 0, true
		}
		known.waiting = true
		return wait, false
	}
	if !h.pace.Allow() {
		// As if it had been looked at so long ago that it may be again when there is room.
		wait := max(jitter(time.Duration(float64(time.Second)/float64(h.pace.Limit()))), time.Millisecond)
		known.looked, known.waiting = now.Add(wait-gap), true
		return wait, false
	}
	known.looked, known.waiting = now, false
	return 0, false
}
