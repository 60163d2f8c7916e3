package jobs

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
)

// line decides who may be sent next. As long as the image service takes everything, everybody may. Once it has said that
// there are too many at once, so many runs are under way as it seems to bear: a quarter fewer after each such answer, one
// more for each round of runs it takes. Those who have to wait are sent in the order in which they were recorded, after those who are
// to be sent next (SendNext); who waits for another reason than that has stepped out of the line, and nobody waits for them.
type line struct {
	mu       sync.Mutex
	limit    float64 // runs under way at once; 0 = the service has not complained
	refusals int     // in a row
	until    time.Time
	sending  map[atelier.RunID]seat
	told     map[atelier.RunID]int // how many were before each waiting run when it was last published
}

// seat is how a run that is being sent stood before.
type seat struct {
	place int64 // see db.Place; it stays while the run is being sent
	stood bool  // in line
}

// enough is the limit from which on there is none.
const enough = 64

// maxRefusals bounds the exponent of the wait after refusals in a row.
const maxRefusals = 6

func newLine() *line {
	return &line{sending: map[atelier.RunID]seat{}, told: map[atelier.RunID]int{}}
}

// reset forgets what the image service bore.
func (l *line) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit, l.refusals, l.until = 0, 0, time.Time{}
}

// enter asks whether a run may be sent now; when wait is 0 it may, and leave must be called after that.
func (e *Engine) enter(ctx context.Context, run db.Run) (wait time.Duration, err error) {
	l := e.line
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.until.Sub(e.o.Now()); wait > 0 {
		return jitter(wait), nil
	}
	place, err := e.o.DB.Place(ctx, run.ID)
	if err != nil {
		return 0, err
	}
	if l.limit > 0 {
		used, err := e.o.DB.CountUnderWay(ctx)
		if err != nil {
			return 0, err
		}
		ahead, err := e.o.DB.CountAhead(ctx, run.ID, place)
		if err != nil {
			return 0, err
		}
		used += ahead
		for other, its := range l.sending { // the others of them are among those ahead
			if !its.stood || its.place < place || its.place == place && other > run.ID {
				used++
			}
		}
		if room := int(l.limit); used >= room {
			return jitter(min(e.o.RetryMin*time.Duration(1+used-room), e.o.RetryMax)), nil
		}
	}
	l.sending[run.ID] = seat{place, stands(run)}
	delete(l.told, run.ID)
	return 0, nil
}

// stands says whether a recorded run waits for its turn and for nothing else.
func stands(run db.Run) bool { return run.Error == nil || run.InLine }

// inLine is what is said of a run that waits for its turn.
func inLine() *atelier.Error {
	return &atelier.Error{Code: atelier.UpstreamBusy, Message: words.StateInLine, Retryable: true}
}

// leave says that nothing of the run is on its way any more.
func (l *line) leave(id atelier.RunID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sending, id)
}

// forget drops what is known of a run that does not wait any more.
func (l *line) forget(id atelier.RunID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.told, id)
}

// taken says that the service has accepted a run.
func (l *line) taken() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals = 0
	if l.limit == 0 {
		return
	}
	if l.limit += 1 / l.limit; l.limit >= enough {
		l.limit = 0
	}
}

// tooMany takes in that the service has refused a run because there are too many, and says how long nothing should be sent.
func (e *Engine) tooMany(ctx context.Context, atLeast time.Duration) (wait time.Duration, err error) {
	underWay, err := e.o.DB.CountUnderWay(ctx)
	if err != nil {
		return 0, err
	}
	l := e.line
	l.mu.Lock()
	defer l.mu.Unlock()
	there := float64(underWay + len(l.sending) - 1)
	if l.limit > 0 {
		there = min(there, l.limit)
	}
	l.limit = max(1, there*3/4)
	wait = max(jitter(min(e.o.RetryMin<<l.refusals, e.o.RetryMax)), atLeast)
	l.refusals = min(l.refusals+1, maxRefusals)
	l.until = e.o.Now().Add(wait)
	return wait, nil
}

// standInLine keeps a run waiting and tells its owner about its place whenever that has changed.
func (e *Engine) standInLine(ctx context.Context, run db.Run, wait time.Duration) error {
	if !run.InLine {
		if err := e.o.DB.StandInLine(ctx, run.ID, run.Step, inLine()); err != nil {
			return err
		}
	}
	ahead, err := e.ahead(ctx, run.ID)
	if err != nil {
		return err
	}
	e.line.mu.Lock()
	was, known := e.line.told[run.ID]
	e.line.told[run.ID] = ahead
	e.line.mu.Unlock()
	if !known || was != ahead {
		e.publishRun(ctx, run.ID)
	}
	return river.JobSnooze(wait)
}

// ahead says how many are sent before a run that waits.
func (e *Engine) ahead(ctx context.Context, id atelier.RunID) (int, error) {
	place, err := e.o.DB.Place(ctx, id)
	if err != nil {
		return 0, err
	}
	return e.o.DB.CountAhead(ctx, id, place)
}

// SendNext has a run that waits sent before all others that wait, whoever owns them; with next false it is sent in its turn again. One that
// is being sent, or has been, is refused.
func (e *Engine) SendNext(ctx context.Context, id atelier.RunID, next bool) error {
	waits, err := e.place(ctx, id, next)
	if err != nil {
		return err
	}
	if !waits {
		return atelier.Refuse(atelier.Conflict, words.RunNotInLine)
	}
	defer e.publishRun(context.WithoutCancel(ctx), id)
	// A job that has just looked and found no room is about to sleep: it is woken as soon as it does.
	for {
		woken, err := e.wakeSubmit(ctx, id, next)
		if err != nil || woken || !e.pause(ctx, e.o.RetryMin/50) {
			return err
		}
		run, err := e.o.DB.LoadRun(ctx, id)
		if err != nil {
			return err
		}
		if run.State != atelier.StateRecorded || e.line.sends(id) {
			return nil
		}
	}
}

// place changes the place of a run unless it is being sent.
func (e *Engine) place(ctx context.Context, id atelier.RunID, next bool) (waits bool, err error) {
	e.line.mu.Lock()
	defer e.line.mu.Unlock()
	if _, sending := e.line.sending[id]; sending {
		return false, nil
	}
	return e.o.DB.PlaceRun(ctx, id, next, e.Submit(id))
}

// sends says whether a run is being sent.
func (l *line) sends(id atelier.RunID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, sending := l.sending[id]
	return sending
}

// wakeSubmit makes the submission of a run due, before that of others or in its turn; woken is false when no job for it waits.
func (e *Engine) wakeSubmit(ctx context.Context, id atelier.RunID, next bool) (woken bool, err error) {
	priority := priorityNew
	if next {
		priority = priorityNext
	}
	done, err := e.o.DB.Write.ExecContext(ctx, `UPDATE river_job SET state = 'available', scheduled_at = datetime('now', 'subsec'), priority = $1
		WHERE kind = $2 AND state IN ('available', 'scheduled', 'retryable') AND args ->> 'run' = $3`, priority, SubmitArgs{}.Kind(), string(id))
	if err != nil {
		return false, fmt.Errorf("wake the submission of a run: %w", err)
	}
	n, err := done.RowsAffected()
	return n > 0, err
}
