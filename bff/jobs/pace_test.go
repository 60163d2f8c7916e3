package jobs

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"atelier/atelier"

	"golang.org/x/time/rate"
)

// Calls about one run are a reason to look at it once in a while, and calls about however many runs are a reason for two looks a second:
// each run is looked at in its turn.
func TestCallsAreAReasonForTwoLooksASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const runs, gap = 20, 5 * time.Second
		h, began := newHints(2), time.Now()
		due, looked := map[atelier.RunID]time.Time{}, map[atelier.RunID]int{}
		for i := range runs {
			due[atelier.RunID(fmt.Sprint(i))] = began
		}
		for len(due) > 0 {
			for id, at := range due {
				if time.Now().Before(at) {
					continue
				}
				switch wait, planned := h.mayLook(id, time.Now(), gap); {
				case planned:
					t.Fatalf("nobody is to look at %s", id)
				case wait > 0:
					due[id] = time.Now().Add(wait)
					if _, planned := h.mayLook(id, time.Now(), gap); !planned { // the service calls again
						t.Errorf("two are to look at %s", id)
					}
				default:
					looked[id]++
					delete(due, id)
				}
			}
			<-time.After(10 * time.Millisecond)
		}
		if took := time.Since(began); len(looked) != runs || took < 8*time.Second || took > 40*time.Second {
			t.Errorf("%d of %d runs were looked at within %v, want two a second", len(looked), runs, took)
		}
	})
}

// The queue counts in whole ms, so that a look which waits may come a little early: it is made all the same, and those after it too.
func TestALookThatComesAMillisecondEarlyIsMade(t *testing.T) {
	t.Parallel()
	const gap = 5 * time.Second
	h, now := newHints(rate.Inf), time.Now()
	for range 3 {
		if wait, planned := h.mayLook("run", now, gap); wait > 0 || planned {
			t.Fatalf("mayLook = %v, %v, want a look", wait, planned)
		}
		wait, planned := h.mayLook("run", now, gap)
		if wait <= 0 || planned {
			t.Fatalf("mayLook = %v, %v, want to wait", wait, planned)
		}
		now = now.Add(wait - time.Millisecond)
	}
}
