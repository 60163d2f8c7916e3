package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"atelier/imaging/parallel"
)

// scripted is an engine whose pictures fail in the order given, and then succeed.
type scripted struct {
	mu        sync.Mutex
	abilities Abilities
	probe     error
	failures  []error
	takes     time.Duration
	begun     []string
	jobs      []Job
	watched   []string
	cancelled []string
	working   atomic.Int64
	most      atomic.Int64
}

func (e *scripted) Probe(context.Context) (Abilities, error) { return e.abilities, e.probe }

func (e *scripted) Begin(_ context.Context, id string, job Job) (Handle, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.begun, e.jobs = append(e.begun, id), append(e.jobs, job)
	if !e.abilities.Resumable {
		return Handle{Job: job}, nil
	}
	return Handle{ID: "at server " + id}, nil
}

func (e *scripted) Watch(ctx context.Context, h Handle, progress func(float64)) ([]byte, error) {
	e.mu.Lock()
	e.watched = append(e.watched, h.ID)
	e.mu.Unlock()
	n := e.working.Add(1)
	defer e.working.Add(-1)
	e.most.Store(max(e.most.Load(), n))
	if err := sleep(ctx, e.takes); err != nil {
		return nil, err
	}
	progress(.5)
	if len(e.failures) > 0 {
		err := e.failures[0]
		e.failures = e.failures[1:]
		if err != nil {
			return nil, err
		}
	}
	return []byte("picture"), nil
}

func (e *scripted) Cancel(_ context.Context, h Handle) error {
	e.cancelled = append(e.cancelled, h.ID)
	return nil
}

// run makes one picture and gives what was stored about it.
func run(ctx context.Context, r *Runner, change func(w *Work)) (used int, stored []Sent, err error) {
	w := Work{
		Execution: "execution", Item: 2,
		Record: func(_ context.Context, s Sent) error { stored = append(stored, s); return nil },
		Job: func(_ context.Context, attempt int, scale float64) (Job, error) {
			return Job{Mode: Text, Seed: int64(attempt), Strength: scale}, nil
		},
		Use: func(context.Context, []byte) error { used++; return nil },
	}
	if change != nil {
		change(&w)
	}
	release, err := r.Acquire(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer release()
	err = r.Run(ctx, w)
	return used, stored, err
}

func TestRunnerRepeatsWhatMayBeRepeated(t *testing.T) {
	t.Parallel()
	unreachable, lost := &Error{Reason: Unreachable}, &Error{Reason: Lost}
	for name, tt := range map[string]struct {
		failures []error
		begins   int
		waited   time.Duration
		want     Reason // of the error; "" for success
	}{
		"no failure":              {nil, 1, 0, ""},
		"unreachable three times": {[]error{unreachable, unreachable, unreachable}, 4, 40 * time.Second, ""},
		"unreachable four times": {
			[]error{unreachable, unreachable, unreachable, unreachable},
			4,
			40 * time.Second, Unreachable,
		},
		"busy with a time": {[]error{&Error{Reason: Busy, After: 70 * time.Second}}, 2, 70 * time.Second, ""},
		"busy without, three times": {
			[]error{&Error{Reason: Busy}, &Error{Reason: Busy}, &Error{Reason: Busy}},
			4,
			14 * time.Second, "",
		},
		"out of memory once": {[]error{&Error{Reason: OutOfMemory}}, 2, 0, ""},
		"out of memory twice": {
			[]error{&Error{Reason: OutOfMemory}, &Error{Reason: OutOfMemory}},
			2, 0,
			OutOfMemory,
		},
		"lost twice":         {[]error{lost, lost}, 3, 0, ""},
		"lost three times":   {[]error{lost, lost, lost}, 3, 0, Lost},
		"refused":            {[]error{&Error{Reason: Refused}}, 1, 0, Refused},
		"declined":           {[]error{&Error{Reason: Declined}}, 1, 0, Declined},
		"failed":             {[]error{&Error{Reason: Failed}}, 1, 0, Failed},
		"the key is refused": {[]error{&Error{Reason: Unauthorized}}, 1, 0, Unauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := &scripted{failures: tt.failures}
				start := time.Now()
				used, stored, err := run(t.Context(), NewRunner(e, Options{}), nil)
				if ReasonOf(err) != tt.want || (err == nil) != (used == 1) || (err == nil) != (tt.want == "") {
					t.Errorf("the error is %v, the picture was used %d times", err, used)
				}
				if len(e.begun) != tt.begins || len(stored) != tt.begins {
					t.Errorf("begun %v, stored %v, want %d begins", e.begun, stored, tt.begins)
				}
				if got := time.Since(start); got != tt.waited {
					t.Errorf("waited %v, want %v", got, tt.waited)
				}
			})
		})
	}
}

func TestRunnerAsksSmallerAfterOutOfMemory(t *testing.T) {
	t.Parallel()
	e := &scripted{abilities: Abilities{Resumable: true}, failures: []error{&Error{Reason: OutOfMemory}}}
	if used, _, err := run(t.Context(), NewRunner(e, Options{}), nil); err != nil || used != 1 {
		t.Fatal(used, err)
	}
	if len(e.jobs) != 2 || e.jobs[0].Strength != 1 || e.jobs[1].Strength != smaller || e.begun[0] == e.begun[1] {
		t.Errorf("the jobs are %+v under %v", e.jobs, e.begun)
	}
}

func TestRunnerRepeatsShiftedPictureOnce(t *testing.T) {
	t.Parallel()
	e := &scripted{}
	_, _, err := run(t.Context(), NewRunner(e, Options{}), func(w *Work) {
		w.Use = func(context.Context, []byte) error { return &Error{Reason: Shifted} }
	})
	if ReasonOf(err) != Shifted || len(e.jobs) != 2 || e.jobs[0].Seed == e.jobs[1].Seed {
		t.Errorf("%d jobs, %v", len(e.jobs), err)
	}
}

func TestRunnerNeverPaysTwice(t *testing.T) {
	t.Parallel()
	paid := Abilities{Paid: true}
	e := &scripted{abilities: paid, failures: []error{&Error{Reason: Unreachable, MaybeMade: true}}}
	used, _, err := run(t.Context(), NewRunner(e, Options{}), nil)
	if ReasonOf(err) != Unknown || used != 0 || len(e.begun) != 1 {
		t.Errorf("an answer that did not come: %v, begun %d times", err, len(e.begun))
	}
	e = &scripted{abilities: paid}
	_, _, err = run(t.Context(), NewRunner(e, Options{}), func(w *Work) { w.Sent.Attempt = 1 })
	if ReasonOf(err) != Unknown || len(e.begun) != 0 {
		t.Errorf("work that may have been sent: %v, begun %d times", err, len(e.begun))
	}
	synctest.Test(t, func(t *testing.T) {
		e := &scripted{abilities: paid, failures: []error{&Error{Reason: Unreachable}}}
		if used, _, err := run(
			t.Context(),
			NewRunner(e, Options{}),
			nil,
		); err != nil || used != 1 ||
			len(e.begun) != 2 {
			t.Errorf("a connection that was refused: %v, begun %d times", err, len(e.begun))
		}
	})
}

func TestRunnerTakesUpBegunWork(t *testing.T) {
	t.Parallel()
	e := &scripted{abilities: Abilities{Resumable: true}}
	_, _, err := run(
		t.Context(),
		NewRunner(e, Options{}),
		func(w *Work) { w.Sent = Sent{Attempt: 1, Handle: "begun before"} },
	)
	if err != nil || len(e.begun) != 0 || !slices.Equal(e.watched, []string{"begun before"}) {
		t.Errorf("begun %v, watched %v, %v", e.begun, e.watched, err)
	}
	// The process died before the answer: the id is the same, so that the server can be asked for it.
	_, _, err = run(t.Context(), NewRunner(e, Options{}), func(w *Work) { w.Sent = Sent{Attempt: 2} })
	if err != nil || !slices.Equal(e.begun, []string{IDOf("execution", 2, 2)}) {
		t.Errorf("begun %v, %v", e.begun, err)
	}
}

func TestRunnerWatchesAgainAfterBrokenConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &scripted{
			abilities: Abilities{Resumable: true},
			failures:  []error{&Error{Reason: Unreachable}, &Error{Reason: Lost}},
		}
		used, stored, err := run(t.Context(), NewRunner(e, Options{}), nil)
		id := IDOf("execution", 2, 1)
		if err != nil || used != 1 || !slices.Equal(e.begun, []string{id, id}) || len(e.watched) != 3 {
			t.Errorf("begun %v, watched %v, stored %v, %v", e.begun, e.watched, stored, err)
		}
	})
}

func TestRunnerCancelsWhatIsNotWanted(t *testing.T) {
	t.Parallel()
	unwanted := errors.New("deleted")
	for name, tt := range map[string]struct {
		cause  error
		cancel int
	}{
		"the task is deleted": {unwanted, 1}, "the process ends": {nil, 0},
		"the process ends with a cause": {errors.New("stopped"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := &scripted{abilities: Abilities{Resumable: true}, takes: time.Minute}
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(tt.cause) })
				_, _, err := run(ctx, NewRunner(e, Options{}), func(w *Work) { w.Unwanted = unwanted })
				if !errors.Is(err, context.Cause(ctx)) || len(e.cancelled) != tt.cancel {
					t.Errorf("%v, cancelled %v", err, e.cancelled)
				}
			})
		})
	}
	t.Run("it takes too long", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			e := &scripted{abilities: Abilities{Resumable: true}, takes: time.Hour}
			start := time.Now()
			_, _, err := run(t.Context(), NewRunner(e, Options{Timeout: time.Minute}), nil)
			if ReasonOf(err) != TooLong || len(e.cancelled) != 1 || time.Since(start) != time.Minute {
				t.Errorf("%v after %v, cancelled %v", err, time.Since(start), e.cancelled)
			}
		})
	})
}

// A hundred pictures against a refused key knock once a minute.
func TestRunnerPausesAfterRefusedKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		refused := &Error{Reason: Unauthorized}
		e := &scripted{failures: []error{refused, refused}}
		r := NewRunner(e, Options{})
		for range 100 {
			if _, _, err := run(t.Context(), r, nil); ReasonOf(err) != Unauthorized {
				t.Fatal(err)
			}
		}
		if len(e.begun) != 1 || r.Problem() == nil {
			t.Errorf("the engine was asked %d times, the problem is %v", len(e.begun), r.Problem())
		}
		if err := sleep(t.Context(), knockAgain); err != nil {
			t.Fatal(err)
		}
		if _, _, err := run(t.Context(), r, nil); ReasonOf(err) != Unauthorized {
			t.Error(err)
		}
		if len(e.begun) != 2 {
			t.Errorf("after a minute the engine was asked %d times", len(e.begun))
		}
	})
}

func TestRunnerBoundsConcurrency(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		remote bool
		most   int64
	}{"on this machine": {false, 1}, "on another": {true, remoteConcurrency}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := &scripted{abilities: Abilities{Remote: tt.remote}, takes: time.Second}
				r := NewRunner(e, Options{})
				errs := make(chan error, 10)
				for range cap(errs) {
					go func() {
						_, _, err := run(t.Context(), r, nil)
						errs <- err
					}()
				}
				for range cap(errs) {
					if err := <-errs; err != nil {
						t.Error(err)
					}
				}
				if got := e.most.Load(); got != tt.most {
					t.Errorf("%d pictures were made at once, want %d", got, tt.most)
				}
			})
		})
	}
}

func TestRunnerEstimatesProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &scripted{takes: 10 * time.Second}
		r := NewRunner(e, Options{})
		for i := range 2 {
			var told []float64
			_, _, err := run(t.Context(), r, func(w *Work) { w.Progress = func(f float64) { told = append(told, f) } })
			if err != nil || !slices.IsSorted(told) {
				t.Fatal(told, err)
			}
			if i == 1 && (len(told) < 8 || told[0] > .11) {
				t.Errorf("the second picture tells %v", told)
			}
		}
	})
}

func TestRunnerGivesPanicsBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := NewRunner(&scripted{takes: 10 * time.Second}, Options{})
		if _, _, err := run(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if p, ok := recover().(*parallel.PanicError); !ok || p.Value != "a bad event" {
				t.Errorf("what came back is %v", p)
			}
		}()
		_, _, err := run(t.Context(), r, func(w *Work) {
			w.Progress = func(f float64) {
				if f < .2 { // of the estimate, beside the request
					panic("a bad event")
				}
			}
		})
		t.Errorf("a panic while progress is told ended as %v", err)
	})
}

func TestRunnerProbesAgainAfterHalfAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &scripted{probe: &Error{Reason: Unreachable}}
		r := NewRunner(e, Options{})
		if _, err := r.Abilities(t.Context()); ReasonOf(err) != Unreachable || r.Problem() == nil {
			t.Errorf("the error is %v, the problem %v", err, r.Problem())
		}
		e.probe = nil
		if _, err := r.Abilities(t.Context()); err == nil {
			t.Error("the engine was asked again at once")
		}
		if err := sleep(t.Context(), probeAgain); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Abilities(t.Context()); err != nil || r.Problem() != nil {
			t.Errorf("after half a minute the error is %v, the problem %v", err, r.Problem())
		}
	})
}
