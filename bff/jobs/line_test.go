package jobs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// waiting are runs that are recorded, oldest first.
func waiting(t *testing.T, d *db.DB, n int) []atelier.RunID {
	t.Helper()
	if err := d.EnsureUser(t.Context(), atelier.User{ID: "u", Name: "U"}); err != nil {
		t.Fatal(err)
	}
	ids := make([]atelier.RunID, n)
	for i := range ids {
		run, _, err := d.CreateRun(t.Context(), db.Run{UserID: "u", Tag: fmt.Sprint("tag", i), Run: atelier.Run{
			IntentKey: fmt.Sprint("key", i), State: atelier.StateRecorded, Status: atelier.Pending, Surface: atelier.TaskSurface,
		}})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = run.ID
	}
	if !slices.IsSorted(ids) {
		t.Fatal("ids do not tell who was first")
	}
	return ids
}

func recorded(id atelier.RunID) db.Run { return db.Run{Run: atelier.Run{ID: id}} }

func lined(d *db.DB) *Engine {
	return &Engine{o: Options{DB: d, Now: time.Now, RetryMin: time.Millisecond, RetryMax: 10 * time.Millisecond}, line: newLine()}
}

// A service that takes five at once is found out about, is never left idle for long, and everybody comes in order.
func TestTheLineFindsHowManyTheServiceTakes(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	e := lined(d)
	ids := waiting(t, d, 60)
	const bears = 5
	random := rand.New(rand.NewPCG(1, 1))
	var accepted, running []atelier.RunID
	refused, rounds, used := 0, 0, 0
	for ; len(accepted) < len(ids); rounds++ {
		if rounds > 2000 {
			t.Fatalf("after %d rounds %d of %d were sent", rounds, len(accepted), len(ids))
		}
		e.line.until = time.Time{} // waits are over
		for _, id := range ids {
			if slices.Contains(accepted, id) {
				continue
			}
			wait, err := e.enter(t.Context(), recorded(id))
			if err != nil {
				t.Fatal(err)
			}
			if wait > 0 {
				if len(accepted) == 0 && refused == 0 {
					t.Fatal("somebody waits although nothing was refused")
				}
				break
			}
			if len(running) >= bears {
				refused++
				if _, err := e.tooMany(t.Context(), 0); err != nil {
					t.Fatal(err)
				}
				e.line.leave(id)
				if after, err := e.enter(t.Context(), recorded(id)); err != nil || after == 0 {
					t.Fatalf("right after a refusal the wait is %v, %v", after, err)
				}
				break
			}
			if _, err := d.Accept(t.Context(), id, "e-"+string(id), "t"); err != nil {
				t.Fatal(err)
			}
			e.line.leave(id)
			e.line.taken()
			accepted, running = append(accepted, id), append(running, id)
		}
		used += len(running)
		i := random.IntN(len(running))
		if _, err := d.SetState(t.Context(), running[i], atelier.StateDone, "", nil); err != nil {
			t.Fatal(err)
		}
		running = slices.Delete(running, i, i+1)
	}
	if !slices.Equal(accepted, ids) {
		t.Error("they did not come in the order in which they were recorded")
	}
	if refused == 0 || refused > rounds/2 {
		t.Errorf("%d refusals in %d rounds", refused, rounds)
	}
	if mean := float64(used) / float64(rounds); mean < bears*.6 {
		t.Errorf("on average %.1f of %d places were used", mean, bears)
	}
	t.Logf("%d rounds, %d refusals, %.2f of %d places used", rounds, refused, float64(used)/float64(rounds), bears)
}

// A run that is tried again for a reason of its own has stepped out of the line: as long as it is not being sent, the others go past it.
func TestARunInTroubleHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	e := lined(d)
	e.line.limit = 1
	ids := waiting(t, d, 3)
	own := &atelier.Error{Code: atelier.UpstreamBusy, Message: "The image service did not accept a file. This run is retried automatically.", Retryable: true}
	if _, err := d.SetState(t.Context(), ids[0], atelier.StateRecorded, "", own); err != nil {
		t.Fatal(err)
	}
	enter := func(i int, may bool) {
		t.Helper()
		run, err := d.LoadRun(t.Context(), ids[i])
		if err != nil {
			t.Fatal(err)
		}
		if wait, err := e.enter(t.Context(), run); err != nil || (wait == 0) != may {
			t.Errorf("run %d waits %v, %v, may be sent: %t", i, wait, err, may)
		}
	}
	enter(2, false) // behind the second
	enter(1, true)
	enter(0, false) // the second is on its way
	e.line.leave(ids[1])
	enter(0, true)
	enter(1, false) // now the first is
	e.line.leave(ids[0])
	if err := d.StandInLine(t.Context(), ids[0], "", inLine()); err != nil {
		t.Fatal(err)
	}
	enter(1, false) // who has come back to the line has the old place
}

// What is being sent counts once against the room there is, wherever it stood in the line.
func TestTheLineKeepsToThePlaces(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	e := lined(d)
	e.line.limit = 2
	ids := waiting(t, d, 4)
	first := func(i int, waits bool) {
		t.Helper()
		if got, err := d.PlaceRun(t.Context(), ids[i], true); err != nil || got != waits {
			t.Fatalf("run %d waits %t, %v, want %t", i, got, err, waits)
		}
	}
	enter := func(i int, may bool) {
		t.Helper()
		if wait, err := e.enter(t.Context(), recorded(ids[i])); err != nil || (wait == 0) != may {
			t.Errorf("run %d waits %v, %v, may be sent: %t", i, wait, err, may)
		}
	}
	first(3, true)
	first(2, true)
	first(2, true) // again is the same
	enter(0, false)
	enter(3, true) // there is room for two, and one is before it
	if waits, err := e.place(t.Context(), ids[3], false); err != nil || waits {
		t.Errorf("a run that is being sent can be placed: %t, %v", waits, err)
	}
	enter(0, false)
	enter(2, true)
	enter(1, false)
	e.line.leave(ids[3])
	if _, err := d.Accept(t.Context(), ids[3], "e", "t"); err != nil {
		t.Fatal(err)
	}
	first(3, false)
	enter(0, false)
	e.line.leave(ids[2])
	if _, err := d.SetState(t.Context(), ids[2], atelier.StateFailed, "", nil); err != nil {
		t.Fatal(err)
	}
	enter(0, true)
}

func TestAServiceThatWantsAPauseGetsIt(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	e := lined(d)
	ids := waiting(t, d, 2)
	if wait, err := e.enter(t.Context(), recorded(ids[0])); err != nil || wait != 0 {
		t.Fatalf("the first waits %v, %v", wait, err)
	}
	wait, err := e.tooMany(t.Context(), time.Hour)
	if err != nil || wait < time.Hour {
		t.Errorf("asked for an hour, it is %v, %v", wait, err)
	}
	if wait, err := e.enter(t.Context(), recorded(ids[1])); err != nil || wait < 40*time.Minute {
		t.Errorf("the second waits %v, %v", wait, err)
	}
}

func TestPollsTogetherStayWithinTheirBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &Engine{o: Options{Watch: time.Minute}, line: newLine(), done: make(chan struct{})}
		e.Use(&Account{PollRate: 5})
		began := time.Now()
		asked := make(chan error)
		for range 50 {
			go func() { asked <- e.mayAsk(t.Context()) }()
		}
		for range 50 {
			if err := <-asked; err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took != 9*time.Second {
			t.Errorf("50 questions at 5 a second, 5 at once, took %v, want 9 s", took)
		}
		// Whoever would have to wait for very long goes back to the queue instead of holding a place, and takes no turn.
		late := 0
		for range 1000 {
			go func() { asked <- e.mayAsk(t.Context()) }()
		}
		for range 1000 {
			if <-asked != nil {
				late++
			}
		}
		if late < 600 || time.Since(began) > 9*time.Second+time.Minute+time.Second {
			t.Errorf("%d of 1000 went back to the queue after %v", late, time.Since(began))
		}
	})
}

func TestCallsAboutARunMakeFewLooks(t *testing.T) {
	t.Parallel()
	h := newHints(rate.Inf)
	now := time.Unix(1_000_000, 0)
	const gap = 5 * time.Second
	looks, later := 0, 0
	for i := range 1000 {
		wait, planned := h.mayLook("r", now.Add(time.Duration(i)*10*time.Millisecond), gap) // for ten seconds
		switch {
		case planned:
		case wait > 0:
			later++
		default:
			looks++
		}
	}
	if looks != 2 || later != 2 {
		t.Errorf("%d looks at once and %d later, want 2 and 2", looks, later)
	}
	if !h.called("r") || h.called("other") {
		t.Error("it is not known who was called about")
	}
	h.forget("r")
	if h.called("r") {
		t.Error("a run that is over is remembered")
	}
}
