package jobs

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"atelier/atelier"
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
