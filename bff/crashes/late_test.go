package crashes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/internal/killable"
	"atelier/upstream"
)

// late carries requests to a ledger. The first one that starts each run is answered with an error at once and is acted on
// later, when nobody waits for it any more.
type late struct {
	far   *ledger
	when  func(run string) (delay time.Duration, is bool)
	mu    sync.Mutex
	begun map[string]chan struct{} // closed when a run was sent again
	over  chan struct{}            // closed when every run is done or given up
	wg    sync.WaitGroup
}

// afterAll is the delay of what is acted on only after it was sent again, or given up.
const afterAll = time.Duration(-1)

// RoundTrip answers, or says that the connection broke.
func (l *late) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != upstream.PathRuns && r.URL.Path != upstream.PathTaskExecute {
		return upstream.InProcess(l.far).RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	again := r.Clone(context.WithoutCancel(r.Context()))
	again.Body = io.NopCloser(bytes.NewReader(body))
	run := l.far.about(r.URL.Path, body)
	l.mu.Lock()
	sentAgain, known := l.begun[run]
	delay, isLate := l.when(run)
	if !known {
		sentAgain = make(chan struct{})
		l.begun[run] = sentAgain
	}
	l.mu.Unlock()
	if known || !isLate {
		if known {
			defer close(sentAgain)
		}
		return upstream.InProcess(l.far).RoundTrip(again)
	}
	l.wg.Go(func() {
		if delay == afterAll {
			select {
			case <-sentAgain:
			case <-l.over:
			}
		} else {
			<-time.After(delay)
		}
		l.far.ServeHTTP(httptest.NewRecorder(), again)
	})
	return nil, errors.New("the connection broke")
}

// TestSlowLateAcceptance plays fault K4: the image service acts on requests up to a multiple of the time after which they count as lost.
// Over the task surface such a run is sent again, so that it may be made twice: then both are shown, and one is marked as a duplicate.
// Over the run surface nothing is sent twice. ATELIER_TEST_ROUNDS chooses another number of such runs over each surface.
func TestSlowLateAcceptance(t *testing.T) {
	t.Parallel()
	lateAcceptance(t, killable.Rounds(20))
}

// TestK4LateAcceptance is the short form of TestSlowLateAcceptance.
func TestK4LateAcceptance(t *testing.T) {
	t.Parallel()
	lateAcceptance(t, 3)
}

// lateAcceptance plays fault K4 with each late runs, and as many others, over each surface.
func lateAcceptance(t *testing.T, each int) {
	t.Helper()
	const longest = 600 * time.Millisecond // runs are given up after 100 ms at the earliest
	for _, sc := range []scenario{scenarios[0], scenarios[2], scenarios[4]} {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			sc.sweep = 200 * time.Millisecond
			ctx := context.WithoutCancel(t.Context())
			b, folder := beginIn(t)
			far := newLedger()
			far.hidden = sc.hidden
			var looks atomic.Int64
			far.moment = func(_ context.Context, name string) {
				if strings.HasSuffix(name, upstream.PathTaskList) {
					looks.Add(1)
				}
			}
			delays := map[string]time.Duration{}
			for i := range each {
				// Every other one, or the service would be taken for broken and left alone.
				delays[label(key(2*i))] = longest * time.Duration(i) / time.Duration(each)
				if i%2 == 0 {
					delays[label(key(2*i))] = afterAll
				}
			}
			wire := &late{far: far, begun: map[string]chan struct{}{}, over: make(chan struct{}), when: func(run string) (time.Duration, bool) {
				delay, is := delays[strings.Split(run, "~")[0]]
				return delay, is
			}}
			s, err := open(ctx, folder, sc, wire, nil, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			for i := range 2 * each {
				if _, err := s.start(ctx, b.cookie, key(i), b.asset); err != nil {
					t.Fatal(err)
				}
			}
			// The last one may still be acted on; whatever it made is found when the tasks are looked through the next time.
			var doubles, unconfirmed int
			var problems []string
			ended := func() bool {
				if s.settled(ctx) != nil {
					return false
				}
				doubles, unconfirmed, problems = lateAudit(ctx, s, sc, far.book())
				return len(problems) == 0
			}
			if err := s.settled(ctx); err != nil {
				t.Fatal(err)
			}
			tick, deadline := time.NewTicker(50*time.Millisecond), time.After(time.Minute)
			defer tick.Stop()
			// Those that were given up have been looked for in vain before they are acted on.
			for vain := looks.Load() + 4; sc.surface == "run" && looks.Load() < vain; {
				<-tick.C
			}
			close(wire.over)
			wire.wg.Wait()
			for !ended() {
				select {
				case <-tick.C:
					continue
				case <-deadline:
					t.Errorf("%d problems remain, the first ones: %q", len(problems), problems[:min(len(problems), 5)])
				}
				break
			}
			if least := each / 2; sc.surface == "auto" && doubles < least {
				t.Errorf("%d runs were made twice, want at least %d", doubles, least)
			}
			t.Logf("%d runs acted on late, %d made twice and shown, %d unconfirmed", each, doubles, unconfirmed)
			if err := s.close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// lateAudit compares the runs here with the book: every execution is here exactly once, and where there are two of one run the
// second one says so.
func lateAudit(ctx context.Context, s *studio, sc scenario, book map[string][]string) (doubles, unconfirmed int, problems []string) {
	here := map[string]string{}
	for name, executions := range book {
		for _, id := range executions {
			var run db.Run
			for _, tag := range []string{name, name + "+" + id} {
				if found, err := s.db.FindRunByTag(ctx, tag); err == nil && found.ExecutionID == id {
					run = found
				}
			}
			switch {
			case run.ID == "" && sc.hidden: // it is unconfirmed, which is counted below
			case run.ID == "":
				problems = append(problems, "execution "+id+" of "+name+" is not here")
			case run.State != atelier.StateDone:
				problems = append(problems, "execution "+id+" is "+string(run.State))
			case here[id] != "":
				problems = append(problems, "execution "+id+" is here twice")
			case run.Tag != name && !strings.HasSuffix(run.Title, "(made twice)"):
				problems = append(problems, "execution "+id+" is not said to be double: "+run.Title)
			}
			here[id] = name
		}
		if len(executions) > 1 {
			if doubles++; sc.surface == "run" {
				problems = append(problems, name+" was sent twice over the run surface")
			}
		}
	}
	left, err := s.db.ListUndecided(ctx, time.Time{}, 1000)
	if err != nil {
		problems = append(problems, err.Error())
	}
	if unconfirmed = len(left); unconfirmed > 0 && !sc.hidden {
		problems = append(problems, fmt.Sprint(unconfirmed, " runs that can be found are undecided"))
	}
	return doubles, unconfirmed, problems
}
