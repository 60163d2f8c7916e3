package upstream_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"atelier/upstream"
)

// inside makes a client of a handler in the same bubble of time.
func inside(t *testing.T, h http.Handler, change ...func(*upstream.Options)) *upstream.Client {
	t.Helper()
	o := upstream.Options{BaseURL: "http://service", Key: canary, Transport: upstream.InProcess(h)}
	for _, c := range change {
		c(&o)
	}
	c, err := upstream.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAServiceInTroubleIsLeftAloneForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		var healthy atomic.Bool
		c := inside(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			if healthy.Load() {
				says(200, `{"success":true,"data":{}}`).ServeHTTP(w, r)
				return
			}
			says(500, "<html>").ServeHTTP(w, r)
		}))
		for range 10 {
			if _, err := c.Run(t.Context(), "e"); upstream.KindOf(err) == upstream.Busy {
				t.Fatalf("left alone after %d failures", asked.Load())
			}
		}
		_, err := c.StartRun(t.Context(), upstream.RunStart{}, "")
		e := failure(t, err)
		if e.Kind != upstream.Busy || e.Sent || !e.Retryable || e.RetryAfter <= 0 || asked.Load() != 10 {
			t.Errorf("after ten failures: %+v and %d requests, want busy, not sent, and 10", e, asked.Load())
		}
		healthy.Store(true)
		<-time.After(e.RetryAfter + time.Second)
		for range 20 {
			if _, err := c.Run(t.Context(), "e"); err != nil {
				t.Fatalf("healthy again: %v", err)
			}
		}
	})
}

func TestEveryWayOfBeingInTroubleCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, h := range map[string]http.Handler{
			"faults":            says(502, ``),
			"system codes":      says(500, `{"success":false,"code":"50001","msg":"oops"}`),
			"too many":          says(429, ``),
			"too many, by code": says(500, `{"success":false,"code":"40005"}`),
			"silence":           http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
			"panics":            http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		} {
			c := inside(t, h)
			var err error
			for range 11 {
				err = c.DeleteTask(t.Context(), "t")
			}
			if e := failure(t, err); e.Sent || e.Kind != upstream.Busy {
				t.Errorf("%s: after many the answer is %v, want busy without asking", name, e)
			}
		}
	})
}

func TestRefusalsAndCancelledCallsAreNotTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refusing := inside(t, says(200, `{"success":false,"code":40000,"msg":"no"}`))
		missing := inside(t, says(404, `{"success":false,"code":40000,"msg":"no such run"}`))
		strange := inside(t, says(500, `{"success":false,"code":"40000","msg":"bad parameter"}`))
		silent := inside(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		for range 40 {
			if _, err := refusing.Run(t.Context(), "e"); upstream.KindOf(err) != upstream.Refused {
				t.Fatalf("refusing: %v", err)
			}
			if _, err := missing.Run(t.Context(), "e"); upstream.KindOf(err) != upstream.Refused {
				t.Fatalf("missing: %v", err)
			}
			if _, err := strange.StartRun(t.Context(), upstream.RunStart{}, ""); upstream.KindOf(err) != upstream.Refused {
				t.Fatalf("refusing with HTTP 500: %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			if _, err := silent.Run(ctx, "e"); upstream.KindOf(err) != upstream.Broken {
				t.Fatalf("silent: %v", err)
			}
		}
	})
}

func TestRequestsLeaveNoFasterThanAllowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := inside(t, says(200, `{"success":true,"data":{}}`), func(o *upstream.Options) { o.Rate = 2 })
		began := time.Now()
		for range 8 { // two at once, then one every half second
			if _, err := c.Run(t.Context(), "e"); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("eight requests at two a second took %s, want 3s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := c.StartRun(ctx, upstream.RunStart{}, ""); upstream.KindOf(err) != upstream.NotSent {
			t.Errorf("no room before the deadline: %v, want not sent", err)
		}
	})
}

func TestACallThatTakesTooLongEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := inside(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		for _, op := range operations()[:7] {
			began := time.Now()
			failure(t, op.call(t.Context(), c))
			want := time.Minute
			if op.name == "upload image" {
				want = 3 * time.Minute
			}
			if took := time.Since(began); took != want {
				t.Errorf("%s gave up after %s, want %s", op.name, took, want)
			}
		}
	})
}

func BenchmarkPollInProcess(b *testing.B) {
	c, err := upstream.New(upstream.Options{BaseURL: "http://service", Key: canary, Transport: upstream.InProcess(says(200,
		`{"success":true,"data":{"agentName":"aimodel","agentVersion":"v1.0","initParams":{"taskName":"x"},"executions":[{"executionId":"e","status":"Running","params":{},"result":[{"status":"Running","image":"","progress":"0.5"}]}]}}`))})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Run(b.Context(), "e"); err != nil {
			b.Fatal(err)
		}
	}
}
