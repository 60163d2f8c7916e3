package bff_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/words"
	"atelier/service"
	"atelier/upstream"
)

// stoppable lets a studio stop its service, as the server does with the embedded one.
func (s *studio) stoppable() *studio {
	s.change = func(c *bff.Config) {
		c.Stop = func(ctx context.Context, execution string) error { return s.service.Stop(ctx, testKey, execution) }
	}
	return s
}

func (s *studio) cancel(id atelier.RunID) atelier.Run {
	s.t.Helper()
	var body atelier.RunBody
	s.json("POST", "/api/runs/"+string(id)+"/cancel", nil, http.StatusOK, &body)
	return body.Run
}

func (s *studio) uncancel(id atelier.RunID) atelier.Run {
	s.t.Helper()
	var body atelier.RunBody
	s.json("POST", "/api/runs/"+string(id)+"/uncancel", nil, http.StatusOK, &body)
	return body.Run
}

// refused wants a request to be refused as a conflict with a sentence.
func (s *studio) refused(path, sentence string) {
	s.t.Helper()
	if got := s.json("POST", path, nil, http.StatusConflict, nil).error(s.t); got.Message != sentence {
		s.t.Errorf("POST %s says %q, want %q", path, got.Message, sentence)
	}
}

func isCancelled(r atelier.Run) bool {
	return r.State == atelier.StateFailed && r.Cancelled && r.ExecutionID == "" && r.Error != nil && r.Error.Message == words.EndedCancelled
}

func TestCancelledRunIsNotSent(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	asset := s.upload(photo(22))
	run, other := s.startRun(removal("cancelled", asset)), s.startRun(removal("other", asset))
	for range 2 { // once more is the same
		if got := s.cancel(run.ID); !isCancelled(got) {
			t.Fatalf("the cancelled run is %+v, %+v", got, got.Error)
		}
	}
	if again := s.startRun(removal("cancelled", asset)); again.ID != run.ID || !isCancelled(again) {
		t.Errorf("the same key gives %+v", again)
	}
	s.start()
	s.untilState(other.ID, atelier.StateDone)
	s.restart()
	s.untilNoJobs("submit")
	if got := s.run(run.ID); !isCancelled(got) {
		t.Errorf("after a restart the run is %+v", got)
	}
	if n := s.executions(); n != 1 {
		t.Errorf("the service made %d runs, want that of the other alone", n)
	}
	if got := s.uncancel(run.ID); got.State.Final() || got.Cancelled {
		t.Errorf("the run is %+v after the undo", got)
	}
	if got := s.untilState(run.ID, atelier.StateDone); got.Error != nil || got.Cancelled {
		t.Errorf("the run is %+v, %+v", got, got.Error)
	}
	s.uncancel(run.ID) // it was done before: nothing happens
	s.refused("/api/runs/"+string(run.ID)+"/cancel", words.RunEnded)
	if n := s.executions(); n != 2 {
		t.Errorf("the service made %d runs, want 2", n)
	}
}

// A batch that waits is cancelled by one press, is back in line in its order by another, and what the service has goes on.
func TestCancelledBatchComesBackInItsOrder(t *testing.T) {
	t.Parallel()
	s := (&studio{asleep: true}).move(t)
	asset := s.upload(photo(22))
	s.service.SetSwitches(service.Switches{ConcurrencyLimit: 1})
	s.start()
	holder := s.untilState(s.startRun(removal("holder", asset)).ID, atelier.StateAccepted)
	var batch atelier.ChosenRuns
	batch.IDs = append(batch.IDs, holder.ID)
	for i := range 3 {
		batch.IDs = append(batch.IDs, s.startRun(removal(fmt.Sprint("waits ", i), asset)).ID)
	}
	last := s.startRun(removal("last", asset))
	place := func(id atelier.RunID, place int) {
		t.Helper()
		s.until(id, fmt.Sprintf("in place %d", place), func(r atelier.Run) bool { return r.Queue != nil && *r.Queue == place })
	}
	place(last.ID, 3)
	var done atelier.CancelledRuns
	s.json("POST", "/api/runs/cancel", batch, http.StatusOK, &done)
	if !slices.Equal(done.IDs, batch.IDs[1:]) || !slices.Equal(done.Kept, batch.IDs[:1]) || done.Reason != words.RunNotCancellable {
		t.Errorf("cancelling the batch did %+v", done)
	}
	place(last.ID, 0)
	s.restart()
	s.json("POST", "/api/runs/uncancel", atelier.ChosenRuns{IDs: done.IDs}, http.StatusOK, &done)
	for i, id := range batch.IDs[1:] {
		place(id, i)
	}
	place(last.ID, 3)
	s.check(s.service.Start(s.background()))
	for _, id := range append(batch.IDs, last.ID) {
		if got := s.untilState(id, atelier.StateDone); got.Cancelled || got.Error != nil {
			t.Errorf("a run is %+v, %+v", got, got.Error)
		}
	}
	if n := s.executions(); n != 5 {
		t.Errorf("the service made %d runs, want 5", n)
	}
}

// A run whose submission is refused for now while its batch is cancelled is cancelled with the others, in its place.
func TestBatchCancelWaitsForRefusedSubmission(t *testing.T) {
	t.Parallel()
	s := (&studio{asleep: true}).move(t)
	asset := s.upload(photo(22))
	s.service.SetSwitches(service.Switches{ConcurrencyLimit: 1})
	var (
		body     []byte
		watching atomic.Bool
		answer   = make(chan reply, 1)
		asked    = make(chan struct{}, 3)
		recorded = make(chan struct{})
	)
	s.db.OnMoment(func(name string) {
		switch {
		case name == "after: cancel run":
			select {
			case asked <- struct{}{}:
			default:
			}
		case name == "after: begin executing" && watching.CompareAndSwap(true, false):
			<-recorded
			go func() {
				answer <- s.send("POST", "/api/runs/cancel", bytes.NewReader(body), func(r *http.Request) {
					r.Header.Set("Content-Type", "application/json")
				})
			}()
			for range 3 { // the run that is being submitted is asked for once more
				select {
				case <-asked:
				case <-t.Context().Done():
				}
			}
		}
	})
	s.start()
	s.untilState(s.startRun(removal("holder", asset)).ID, atelier.StateAccepted)
	watching.Store(true)
	first, second := s.startRun(removal("first", asset)), s.startRun(removal("second", asset))
	ids := []atelier.RunID{first.ID, second.ID}
	var err error
	body, err = json.Marshal(atelier.ChosenRuns{IDs: ids})
	s.check(err)
	close(recorded)
	got := <-answer
	var done atelier.CancelledRuns
	if err = json.Unmarshal(got.body, &done); err != nil || !slices.Equal(done.IDs, ids) || len(done.Kept) > 0 {
		t.Errorf("cancelling the batch did %d %s, %v", got.status, got.body, err)
	}
}

// A run is cancelled at each moment of its submission: before the call that costs money it is never sent, after it the service has it.
func TestCancelDuringSubmission(t *testing.T) {
	t.Parallel()
	for _, surface := range []string{"auto", "run"} {
		for _, tt := range []struct {
			moment string
			sent   bool
		}{
			{"before: begin creating", false},
			{"after: begin creating", false},
			{"before: set task", false},
			{"after: set task", false},
			{"before: begin executing", false},
			{"after: begin executing", true},
			{"before: accept run", true},
			{"after: accept run", true},
		} {
			if surface == "run" && (strings.HasSuffix(tt.moment, "creating") || strings.HasSuffix(tt.moment, "task")) {
				continue
			}
			for _, stops := range []bool{false, true} {
				t.Run(fmt.Sprint(surface, " ", tt.moment, " stops ", stops), func(t *testing.T) {
					t.Parallel()
					cancelDuring(t, surface, tt.moment, tt.sent, stops)
				})
			}
		}
	}
}

func cancelDuring(t *testing.T, surface, moment string, sent, stops bool) {
	t.Helper()
	s := &studio{}
	if stops {
		s.stoppable()
	}
	stop := s.change
	s.change = func(c *bff.Config) {
		c.Surface = surface
		if stop != nil {
			stop(c)
		}
	}
	s.move(t)
	s.service.SetSwitches(service.Switches{Slow: time.Hour})
	run := s.startRun(removal("raced", s.upload(photo(22))))
	answer := make(chan reply, 1)
	var passed atomic.Bool
	s.db.OnMoment(func(name string) {
		if name != moment || passed.Swap(true) {
			return
		}
		if !sent {
			answer <- s.send("POST", "/api/runs/"+string(run.ID)+"/cancel", nil, nil)
			return
		}
		// Where the service is stopped the cancel waits until the submission is through.
		go func() { answer <- s.send("POST", "/api/runs/"+string(run.ID)+"/cancel", nil, nil) }()
	})
	s.start()
	got := <-answer
	switch {
	case !sent:
		if got.status != http.StatusOK || !isCancelled(s.run(run.ID)) {
			t.Errorf("the answer is %d %s, the run %+v", got.status, got.body, s.run(run.ID))
		}
		s.untilNoJobs("submit")
		if n := s.executions(); n != 0 {
			t.Errorf("the service made %d runs of a cancelled one", n)
		}
	case stops:
		after := s.run(run.ID)
		if got.status != http.StatusOK || after.State != atelier.StateFailed || after.Status != atelier.Failed || !after.Cancelled {
			t.Errorf("the answer is %d %s, the run %+v", got.status, got.body, after)
		}
		if n := s.executions(); n != 1 {
			t.Errorf("the service made %d runs, want 1", n)
		}
	default:
		if got.status != http.StatusConflict {
			t.Errorf("the answer is %d %s", got.status, got.body)
		}
		s.service.SetSwitches(service.Switches{})
		s.until(run.ID, "with the service", func(r atelier.Run) bool { return r.State == atelier.StateAccepted && !r.Cancelled })
	}
}

func TestCancelStopsEmbeddedService(t *testing.T) {
	t.Parallel()
	s := (&studio{}).stoppable().move(t)
	s.service.SetSwitches(service.Switches{Slow: time.Hour})
	s.start()
	start := removal("stopped", s.upload(photo(22)))
	start.Values["batchCount"] = 4
	run := s.startRun(start)
	s.until(run.ID, "at work", func(r atelier.Run) bool { return r.Status == atelier.Running })
	cancelled := s.cancel(run.ID)
	if !cancelled.Cancelled || cancelled.State != atelier.StateFailed || cancelled.Status != atelier.Failed || cancelled.Error.Message != words.EndedCancelled {
		t.Errorf("the run is %+v, %+v", cancelled, cancelled.Error)
	}
	task, err := s.upstream.QueryTask(t.Context(), upstream.TaskQuery{ExecutionID: cancelled.ExecutionID})
	if err != nil || task.Executions[0].Status != string(atelier.Failed) || task.Executions[0].Result[3].Error != "Cancelled" {
		t.Errorf("the service says %+v, %v", task, err)
	}
	s.refused("/api/runs/"+string(run.ID)+"/uncancel", words.RunNotRestorable)
	s.service.SetSwitches(service.Switches{})
	var again atelier.RunBody
	s.json("POST", "/api/runs/"+string(run.ID)+"/retry", nil, http.StatusAccepted, &again)
	s.untilState(again.Run.ID, atelier.StateDone)
}

func TestCancelIsRefusedOnceAnAccountHasTheRun(t *testing.T) {
	t.Parallel()
	s := newStudio(t, func(c *bff.Config) { c.UpstreamKind = "remote" })
	s.service.SetSwitches(service.Switches{Slow: 200 * time.Millisecond})
	run := s.startRun(removal("sent", s.upload(photo(22))))
	s.until(run.ID, "with the service", func(r atelier.Run) bool { return r.State == atelier.StateAccepted })
	s.refused("/api/runs/"+string(run.ID)+"/cancel", words.RunNotCancellable)
	if got := s.untilState(run.ID, atelier.StateDone); got.Cancelled || len(got.Results) != 1 {
		t.Errorf("the run is %+v", got)
	}
}

func TestCancelGivesAllowanceBack(t *testing.T) {
	t.Parallel()
	s := (&studio{unsigned: true, change: func(c *bff.Config) { c.Team, c.LaunchToken = true, "" }}).move(t)
	s.json("POST", "/api/setup", atelier.Setup{Code: setupCode(t, s), Name: "Ada", Password: goodPassword}, http.StatusOK, nil)
	account, member := s.member("Mia", atelier.Designer)
	monthly := 2
	s.json("PATCH", "/api/users/"+string(account.ID), atelier.UpdateAccount{Monthly: &monthly}, http.StatusOK, nil)
	s.browser = member
	asset := s.upload(photo(22))
	left := func() int {
		t.Helper()
		a, err := s.db.Allowance(t.Context(), account.ID)
		s.check(err)
		return a.Left()
	}
	pair := removal("pair", asset)
	pair.Values["batchCount"] = 2
	run := s.startRun(pair)
	if got := left(); got != 0 {
		t.Fatalf("%d are left after a run of two", got)
	}
	s.cancel(run.ID)
	if got := left(); got != 2 {
		t.Errorf("%d are left after the run was cancelled, want 2", got)
	}
	s.startRun(removal("single", asset))
	s.json("POST", "/api/runs/"+string(run.ID)+"/uncancel", nil, http.StatusForbidden, nil)
	if got := s.run(run.ID); !isCancelled(got) || left() != 1 {
		t.Errorf("the run that is too much is %+v, %d are left", got, left())
	}
	var done atelier.CancelledRuns
	s.json("POST", "/api/runs/uncancel", atelier.ChosenRuns{IDs: []atelier.RunID{run.ID}}, http.StatusOK, &done)
	if len(done.IDs) != 0 || len(done.Kept) != 1 || done.Reason == "" {
		t.Errorf("restoring it in a batch did %+v", done)
	}
}

// A run that was run again instead is not recorded a second time.
func TestUncancelIsRefusedAfterRetry(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	run := s.startRun(removal("twice", s.upload(photo(22))))
	s.cancel(run.ID)
	s.json("POST", "/api/runs/"+string(run.ID)+"/retry", nil, http.StatusAccepted, nil)
	s.refused("/api/runs/"+string(run.ID)+"/uncancel", words.RunNotRestorable)
}
