package upstream_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"atelier/upstream"
)

func TestRequestsStayWithinTheirBudgetAndGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		var busy atomic.Bool
		c := inside(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			if busy.Load() {
				says(429, "", "Retry-After", "1").ServeHTTP(w, r)
				return
			}
			says(200, `{"success":true,"data":{}}`).ServeHTTP(w, r)
		}), func(o *upstream.Options) { o.Rate = 10 })
		many := func(n int) time.Duration {
			began := time.Now()
			for range n {
				_, _ = c.Run(t.Context(), "e")
			}
			return time.Since(began)
		}
		if took := many(110).Round(time.Millisecond); took != 10*time.Second {
			t.Errorf("110 requests at 10 a second took %v, want 10 s", took)
		}
		busy.Store(true)
		if took := many(3); took < 2*time.Second {
			t.Errorf("three answers of 429 with a second to wait took %v", took)
		}
		busy.Store(false)
		slow := many(20)
		if slow < 4*time.Second {
			t.Errorf("after three answers of 429, 20 requests took only %v", slow)
		}
		many(100)
		if took := many(100); took > 11*time.Second {
			t.Errorf("the rate did not come back: 100 requests took %v", took)
		}
	})
}

func TestALongPauseIsSaidRatherThanWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		c := inside(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				says(429, "", "Retry-After", "60").ServeHTTP(w, r)
				return
			}
			says(200, `{"success":true,"data":{}}`).ServeHTTP(w, r)
		}), func(o *upstream.Options) { o.Rate = 10 })
		_, err := c.Run(t.Context(), "e")
		if e := failure(t, err); !e.TooMany() {
			t.Errorf("429 is %v", e)
		}
		began := time.Now()
		_, err = c.StartRun(t.Context(), upstream.RunStart{}, "")
		e := failure(t, err)
		if e.Kind != upstream.Busy || e.Sent || e.TooMany() || e.RetryAfter < 55*time.Second || time.Since(began) > time.Second || asked.Load() != 1 {
			t.Errorf("during the pause: %+v after %v, %d requests", e, time.Since(began), asked.Load())
		}
		<-time.After(e.RetryAfter)
		if _, err := c.Run(t.Context(), "e"); err != nil {
			t.Errorf("after the pause: %v", err)
		}
	})
}

func TestEveryCallIsHeardOfWithItsOutcome(t *testing.T) {
	var heard []string
	c := client(t, says(500, `{"success":false,"code":50001,"msg":"oops"}`), func(o *upstream.Options) {
		o.OnCall = func(op string, took time.Duration, failure *upstream.Error) {
			if took <= 0 || failure == nil || failure.Code != "50001" {
				t.Errorf("%s took %v: %v", op, took, failure)
			}
			heard = append(heard, op)
		}
	})
	want := 0
	for _, op := range operations() {
		if op.name == "openapi" || op.name == "estimate power" {
			continue // not part of any run
		}
		want++
		if err := op.call(t.Context(), c); err == nil && op.name != "poll run" {
			t.Errorf("%s succeeded", op.name)
		}
		if want == 9 {
			break // the breaker opens after ten
		}
	}
	if len(heard) != want {
		t.Errorf("heard of %v, want %d", heard, want)
	}
}
