package bff_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
	"atelier/upstream"
)

// How a run was left. They take turns.
const (
	leftAccepted = iota
	leftSent     // its answer was lost
	leftCreating // over the task surface: the answer to the making of its task was lost
	leftUnsent   // it was about to be sent, and never came to the service
	leftRecorded
	waysToLeave
)

// recovery is a studio whose service is asleep: it takes runs and makes nothing of them.
type recovery struct {
	*studio
	runs  []atelier.RunID
	asked atomic.Int64 // requests to the service
	lists atomic.Int64 // of them for a page of its list
}

// atDeath is a studio as a death with n open runs leaves it.
func atDeath(t testing.TB, n int, change func(*bff.Config), keys bool) *recovery {
	t.Helper()
	r := &recovery{runs: make([]atelier.RunID, n)}
	r.studio = &studio{asleep: true, idempotent: keys, sent: func(path, _ string) {
		r.asked.Add(1)
		if path == upstream.PathTaskList {
			r.lists.Add(1)
		}
	}}
	r.change = func(c *bff.Config) {
		change(c)
		c.Idempotency, c.PollMin, c.PollMax = keys, time.Hour, time.Hour
	}
	r.move(t)
	asset := r.upload(photo(40))
	record := func(came bool) {
		for i := range n {
			if way := i % waysToLeave; came == (way != leftUnsent && way != leftRecorded) {
				r.runs[i] = r.startRun(removal(fmt.Sprintf("open-%d", i), asset)).ID
			}
		}
	}
	record(true)
	r.start()
	r.eventually("the service has taken what came to it", func() bool {
		return r.count(atelier.StateRecorded, atelier.StateSubmitting, atelier.StateAmbiguous) == 0
	})
	r.close()
	r.open()
	record(false)
	background := r.background()
	alter := func(statement string, args ...any) {
		if _, err := r.db.Write.ExecContext(background, statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	for i, id := range r.runs {
		overTasks := r.run(id).Surface == atelier.TaskSurface
		switch way := i % waysToLeave; {
		case way == leftUnsent:
			step := db.StepExecuting
			if overTasks {
				step = db.StepCreating
			}
			if ok, err := r.db.BeginStep(background, id, step, time.Now()); err != nil || !ok {
				t.Fatalf("BeginStep = %v, %v", ok, err)
			}
		case way == leftCreating && overTasks:
			alter("UPDATE runs SET state = 'submitting', step = 'creating', execution_id = '', task_id = '' WHERE id = $1", string(id))
		case way == leftSent, way == leftCreating:
			alter("UPDATE runs SET state = 'submitting', step = 'executing', execution_id = '', task_id = CASE WHEN surface = 'run' THEN '' ELSE task_id END WHERE id = $1", string(id))
		}
	}
	// The death was a minute ago, and took the answers with it that were not kept yet.
	alter("UPDATE runs SET first_sent_at = first_sent_at - 60000, last_sent_at = last_sent_at - 60000 WHERE first_sent_at > 0")
	alter("DELETE FROM answers WHERE run_id IN (SELECT id FROM runs WHERE state = 'submitting')")
	alter("DELETE FROM river_job WHERE state <> 'available'") // the next life finds them in the rows alone
	r.close()
	r.asked.Store(0)
	r.lists.Store(0)
	r.change = func(c *bff.Config) {
		change(c)
		c.Idempotency = keys
	}
	return r
}

// count says how many runs are in one of the states.
func (s *studio) count(states ...atelier.State) (n int) {
	s.t.Helper()
	open, err := s.db.CountOpenRuns(s.background())
	s.check(err)
	for _, state := range states {
		n += open[state]
	}
	return n
}

// known waits until every open run is where it belongs: with the service, or with its owner to decide.
func (r *recovery) known() {
	r.t.Helper()
	r.eventually("every run is known again", func() bool {
		return r.count(atelier.StateRecorded, atelier.StateSubmitting, atelier.StateAmbiguous) == 0
	})
}

var recoveries = []struct {
	name        string
	change      func(*bff.Config)
	keys        bool
	unconfirmed bool // what never came to the service is its owner's to decide
}{
	{"over tasks", func(*bff.Config) {}, false, false},
	{"over runs", overRuns, false, true},
	{"over runs under keys", overRuns, true, false},
}

// K2: after a death every open run is taken up, however it was left. None is lost, none is made twice, and the service's list is gone
// through for many of them at once.
func TestEveryOpenRunIsTakenUpAfterADeath(t *testing.T) {
	t.Parallel()
	for _, tt := range recoveries {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const each = 4
			const n = each * waysToLeave
			r := atDeath(t, n, tt.change, tt.keys)
			r.open()
			r.start()
			r.known()
			// By itself each that has to be looked for would go through the list, and each that never came twice.
			if lists := r.lists.Load(); lists >= 2*each {
				t.Errorf("%d pages of the list were asked for, for %d open runs", lists, n)
			}
			made, ids := 0, []string{}
			for i, id := range r.runs {
				run, want := r.run(id), atelier.StateAccepted
				if i%waysToLeave == leftUnsent && tt.unconfirmed {
					want = atelier.StateUnconfirmed
				} else {
					made++
				}
				if run.State != want {
					t.Errorf("run %d is %s (%+v), want %s", i, run.State, run.Error, want)
				}
				if run.ExecutionID != "" {
					ids = append(ids, run.ExecutionID)
				}
			}
			slices.Sort(ids)
			if worked := r.executions(); worked != made || len(slices.Compact(ids)) != made {
				t.Errorf("the service worked %d times, %d executions are known here, want %d", worked, len(ids), made)
			}
			if tt.keys || tt.unconfirmed {
				return
			}
			r.check(r.service.Start(r.background()))
			for _, id := range r.runs {
				if done := r.untilState(id, atelier.StateDone); !done.Results[0].Stored {
					t.Errorf("%+v", done)
				}
			}
		})
	}
}

// BenchmarkAStartWithAThousandOpenRuns tells how long a studio takes that died with 1,000 open runs: until it answers, until none is in
// doubt that may have been accepted, and until those that never came to the service are sent too. The service is the embedded one and makes
// nothing of them meanwhile.
func BenchmarkAStartWithAThousandOpenRuns(b *testing.B) {
	for _, tt := range recoveries {
		b.Run(strings.ReplaceAll(tt.name, " ", "-"), func(b *testing.B) {
			var answers, certain, known time.Duration
			var asked int64
			for range b.N {
				b.StopTimer()
				r := atDeath(b, 1000, tt.change, tt.keys)
				change := r.change
				r.change = func(c *bff.Config) { // as where the service is embedded
					change(c)
					c.Settle, c.Confirm, c.PollMin, c.PollMax, c.RetryMin, c.Due = 0, 0, 0, 0, 0, 0
				}
				b.StartTimer()
				began := time.Now()
				r.open()
				r.start()
				answers += time.Since(began)
				r.eventually("no run is in doubt", func() bool { return r.count(atelier.StateAmbiguous) == 0 })
				certain += time.Since(began)
				r.known()
				known += time.Since(began)
				b.StopTimer()
				asked += r.asked.Load()
				r.close()
				b.StartTimer()
			}
			b.ReportMetric(answers.Seconds()/float64(b.N), "s-until-it-answers")
			b.ReportMetric(certain.Seconds()/float64(b.N), "s-until-none-is-in-doubt")
			b.ReportMetric(known.Seconds()/float64(b.N), "s-until-all-are-sent")
			b.ReportMetric(float64(asked)/float64(b.N), "requests")
			b.ReportMetric(0, "ns/op")
		})
	}
}
