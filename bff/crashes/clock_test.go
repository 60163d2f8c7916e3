package crashes

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff/jobs"
	"atelier/upstream"
)

// K9: between two lives of a studio the clock is set forward or back, by two hours or by the hour of summer time, and the image
// service's clock is as far away from it. A run waits to be sent, one was sent and its answer was lost, one is being watched:
// all three are done soon, and were made once.
func TestK9AClockThatIsWrongDelaysNothing(t *testing.T) {
	t.Parallel()
	for _, sc := range []scenario{scenarios[0], scenarios[2]} {
		for _, shift := range []time.Duration{2 * time.Hour, -2 * time.Hour, time.Hour, -time.Hour} {
			t.Run(fmt.Sprintf("%s, %v", sc.name, shift), func(t *testing.T) {
				t.Parallel()
				wrongClock(t, sc, shift)
			})
		}
	}
}

// trouble is a wire over which the first run cannot be sent, and is to be tried again after so many seconds, and the answer to the second
// one is lost.
func trouble(far *ledger, inside http.RoundTripper, after string) http.RoundTripper {
	return tripper(func(r *http.Request) (*http.Response, error) {
		var body []byte
		if r.Body != nil {
			var err error
			if body, err = io.ReadAll(r.Body); err != nil {
				return nil, err
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
		}
		starts := r.URL.Path == upstream.PathRuns || r.URL.Path == upstream.PathTaskExecute
		n, _ := number(far.about(r.URL.Path, body))
		if starts && n == 0 {
			w := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {after}}, Body: http.NoBody, Request: r}
			return w, nil
		}
		resp, err := inside.RoundTrip(r)
		if err != nil || !starts || n != 1 {
			return resp, err
		}
		return nil, errors.Join(errors.New("the answer was lost"), resp.Body.Close())
	})
}

// wrongClock plays one case: shift is by how much later the first life took place than it really did, by its own clock.
func wrongClock(t *testing.T, sc scenario, shift time.Duration) {
	ctx := context.WithoutCancel(t.Context())
	b, folder := beginIn(t)
	far := newLedger()
	far.ahead = -shift
	inside := upstream.InProcess(far)
	first := trouble(far, inside, "1800")
	patient := sc
	patient.settle = time.Hour
	s, err := open(ctx, folder, patient, first, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]atelier.RunID{}
	want := []atelier.State{atelier.StateRecorded, atelier.StateAmbiguous, atelier.StateAccepted}
	for i := len(want) - 1; i >= 0; i-- { // the one that is told to wait last: the others would wait with it
		run, err := s.start(ctx, b.cookie, key(i), b.asset)
		if err != nil {
			t.Fatal(err)
		}
		acknowledged[key(i)] = run.ID
		tick := time.NewTicker(5 * time.Millisecond)
		for deadline := time.Now().Add(time.Minute); ; <-tick.C {
			row, err := s.db.LoadRun(ctx, run.ID)
			if err != nil || time.Now().After(deadline) {
				t.Fatalf("run %d is %s, %v", i, row.State, err)
			}
			if row.State == want[i] && (i > 0 || row.Error != nil) || row.State == atelier.StateDone {
				break
			}
		}
		tick.Stop()
	}
	if err := s.server.Close(); err != nil {
		t.Fatal(err)
	}
	ms := shift.Milliseconds()
	for _, statement := range []string{
		fmt.Sprintf(`UPDATE runs SET created_at = created_at + %d, updated_at = updated_at + %[1]d, first_sent_at = first_sent_at + %[1]d, last_sent_at = last_sent_at + %[1]d WHERE first_sent_at > 0`, ms),
		fmt.Sprintf(`UPDATE river_job SET scheduled_at = datetime(scheduled_at, 'subsec', '%d seconds')`, ms/1000),
	} {
		if _, err := s.db.Write.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.db.Close(), s.store.Close()); err != nil {
		t.Fatal(err)
	}
	if s, err = open(ctx, folder, sc, inside, nil, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	if err := s.settled(ctx); err != nil {
		t.Error(err)
	}
	problems, _ := audit(ctx, s, b.cookie, sc, far.book(), acknowledged, len(want))
	for _, p := range problems {
		t.Error(p)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

// K9: the clock is set back by two hours while a studio watches runs. When each is looked at next is then two hours away; the next
// sweep sees that, and all are done soon.
func TestK9AClockThatIsSetBackMeanwhileDelaysNothing(t *testing.T) {
	t.Parallel()
	for _, sc := range []scenario{scenarios[0], scenarios[2]} {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			setBackMeanwhile(t, sc)
		})
	}
}

func setBackMeanwhile(t *testing.T, sc scenario) {
	const runs, back = 3, 2 * time.Hour
	ctx := context.WithoutCancel(t.Context())
	b, folder := beginIn(t)
	far := newLedger()
	far.endless = true
	var late atomic.Bool
	sc.sweep = 100 * time.Millisecond
	sc.now = func() time.Time {
		if late.Load() {
			return time.Now().Add(-back)
		}
		return time.Now()
	}
	s, err := open(ctx, folder, sc, upstream.InProcess(far), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]atelier.RunID{}
	for i := range runs {
		run, err := s.start(ctx, b.cookie, key(i), b.asset)
		if err != nil {
			t.Fatal(err)
		}
		acknowledged[key(i)] = run.ID
	}
	// To the database, whose clock is the machine's, a clock that was set back is jobs that are due later than they were.
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	away, put := map[string]bool{}, 0 // runs whose next look has been put off, and which a sweep may have seen to meanwhile, or which a job is looking at
	// One job looks at a run for a minute before the next look waits.
	for deadline := time.Now().Add(3 * time.Minute); len(away) < runs || put == 0; <-tick.C {
		moved := putOff(t, s, back)
		put += len(moved)
		for _, run := range slices.Concat(moved, lookedAt(t, s)) {
			away[run] = true
		}
		if time.Now().After(deadline) {
			t.Fatalf("of %d runs %d were waiting to be looked at, or looked at, and %d were put off", runs, len(away), put)
		}
	}
	far.mu.Lock()
	far.endless = false
	far.mu.Unlock()
	late.Store(true)
	if err := s.settled(ctx); err != nil {
		t.Error(err)
	}
	problems, _ := audit(ctx, s, b.cookie, sc, far.book(), acknowledged, runs)
	for _, p := range problems {
		t.Error(p)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

// putOff moves the next look at each run that waits for one so far away, and gives the runs.
func putOff(t *testing.T, s *studio, by time.Duration) []string {
	t.Helper()
	rows, err := s.db.Write.QueryContext(t.Context(), `UPDATE river_job SET scheduled_at = datetime(scheduled_at, 'subsec', $1)
		WHERE kind = $2 AND state IN ('available', 'scheduled', 'retryable') AND scheduled_at < datetime('now', '+1 hour')
		RETURNING json_extract(args, '$.run')`, fmt.Sprintf("%d seconds", int(by.Seconds())), jobs.PollArgs{}.Kind())
	if err != nil {
		t.Fatal(err)
	}
	return runsOf(t, rows)
}

// lookedAt gives the runs that a job is looking at.
func lookedAt(t *testing.T, s *studio) []string {
	t.Helper()
	rows, err := s.db.Write.QueryContext(t.Context(), `SELECT json_extract(args, '$.run') FROM river_job WHERE kind = $1 AND state = 'running'`, jobs.PollArgs{}.Kind())
	if err != nil {
		t.Fatal(err)
	}
	return runsOf(t, rows)
}

func runsOf(t *testing.T, rows *sql.Rows) (runs []string) {
	t.Helper()
	for rows.Next() {
		var run string
		if err := rows.Scan(&run); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	return runs
}
