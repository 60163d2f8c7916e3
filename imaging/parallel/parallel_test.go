package parallel_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"atelier/imaging/parallel"
)

// caught runs do and gives what it panicked with.
func caught(do func()) (value any) {
	defer func() { value = recover() }()
	do()
	return nil
}

func partThatFails() { panic("a bad strip") }

func TestAPanicInAPartComesOutWhereItIsWaitedFor(t *testing.T) {
	t.Parallel()
	var others atomic.Int64
	value := caught(func() {
		var g parallel.Group
		for range 5 {
			g.Go(func() { others.Add(1) })
		}
		g.Go(partThatFails)
		g.Wait()
	})
	fault, ok := value.(*parallel.PanicError)
	if !ok {
		t.Fatalf("Wait panicked with %v", value)
	}
	if fault.Value != "a bad strip" || !strings.Contains(fault.Error(), "partThatFails") {
		t.Errorf("the fault does not say what happened where: %v", fault)
	}
	if n := others.Load(); n != 5 {
		t.Errorf("Wait did not wait: %d of 5 other parts had ended", n)
	}
}

func TestAFaultInAGroupWithinAGroupKeepsItsPlace(t *testing.T) {
	t.Parallel()
	value := caught(func() {
		var outer parallel.Group
		outer.Go(func() {
			var inner parallel.Group
			inner.Go(partThatFails)
			inner.Wait()
		})
		outer.Wait()
	})
	fault, ok := value.(*parallel.PanicError)
	if !ok || fault.Value != "a bad strip" || !strings.Contains(string(fault.Stack), "partThatFails") {
		t.Errorf("Wait panicked with %v", value)
	}
}

func TestARuntimeErrorCanBeToldFromOthers(t *testing.T) {
	t.Parallel()
	var none []int
	value := caught(func() {
		var g parallel.Group
		g.Go(func() { none[3]++ })
		g.Wait()
	})
	err, _ := value.(error)
	var fault runtime.Error
	if !errors.As(err, &fault) {
		t.Errorf("Wait panicked with %v", value)
	}
}

func TestTogetherEndsAfterAllItsParts(t *testing.T) {
	t.Parallel()
	var ended atomic.Int64
	part := func() { ended.Add(1) }
	parallel.Together()
	parallel.Together(part, part, part)
	if n := ended.Load(); n != 3 {
		t.Errorf("%d of 3 parts had ended", n)
	}
	if value := caught(func() { parallel.Together(part, partThatFails, part) }); value == nil || ended.Load() != 5 {
		t.Errorf("a part panicked: %v, and %d of 5 others had ended", value, ended.Load())
	}
}

func TestSpreadCoversEveryNumberOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 7, 31, 32, 33, 1000} {
		for _, least := range []int{0, 1, 32} {
			seen := make([]atomic.Int64, n)
			parallel.Spread(n, least, func(from, to int) {
				for i := from; i < to; i++ {
					seen[i].Add(1)
				}
			})
			for i := range seen {
				if times := seen[i].Load(); times != 1 {
					t.Fatalf("of %d with at least %d: number %d was given %d times", n, least, i, times)
				}
			}
		}
	}
}

func TestAPanicInSpreadReachesTheCaller(t *testing.T) {
	t.Parallel()
	value := caught(func() {
		parallel.Spread(1000, 1, func(from, _ int) {
			if from == 0 {
				partThatFails()
			}
		})
	})
	if value == nil {
		t.Error("the panic is lost")
	}
}

func TestEachGivesEveryPartOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 5, 1000} {
		seen := make([]atomic.Int64, n)
		if err := parallel.Each(t.Context(), n, func(i int) { seen[i].Add(1) }); err != nil {
			t.Fatal(err)
		}
		for i := range seen {
			if times := seen[i].Load(); times != 1 {
				t.Fatalf("of %d, part %d was done %d times", n, i, times)
			}
		}
	}
}

func TestEachBeginsNothingAfterTheEndOfItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int64
	err := parallel.Each(ctx, 1000, func(int) {
		cancel()
		done.Add(1)
	})
	if !errors.Is(err, context.Canceled) || done.Load() > int64(runtime.GOMAXPROCS(0)) {
		t.Errorf("%d parts were done after the end, %v", done.Load(), err)
	}
}

func TestAPanicInEachReachesTheCallerAndEndsTheRest(t *testing.T) {
	t.Parallel()
	var done atomic.Int64
	value := caught(func() {
		_ = parallel.Each(t.Context(), 1_000_000, func(i int) {
			if i == 0 {
				partThatFails()
			}
			done.Add(1)
		})
	})
	if value == nil {
		t.Error("the panic is lost")
	}
	if done.Load() == 999_999 {
		t.Error("all the other parts were done for a picture that is lost")
	}
}
