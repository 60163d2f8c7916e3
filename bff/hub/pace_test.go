package hub

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"atelier/atelier"
)

// knock asks to be let in. Nobody stands behind it, so a socket that is let in ends at once.
func knock(ctx context.Context, h *Hub, user atelier.UserID, session string) error {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://studio.example/", nil)
	for name, value := range map[string]string{
		"Origin": "http://studio.example", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
	} {
		r.Header.Set(name, value)
	}
	return h.Serve(httptest.NewRecorder(), r, Join{User: user, Session: session, Origin: "http://studio.example"})
}

// However often one user knocks, or goes away again, the others are let in at once.
func TestOneUserDoesNotKeepOthersOut(t *testing.T) {
	t.Parallel()
	for name, stays := range map[string]bool{"waiting": true, "coming and going": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := New(Options{})
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				var all sync.WaitGroup
				for round := range 40 {
					again, leave := context.WithCancel(ctx)
					defer leave()
					for i := range 60 {
						all.Go(func() { _ = knock(again, h, ana, fmt.Sprint(round, i)) })
					}
					synctest.Wait()
					if !stays {
						leave()
						synctest.Wait()
					}
				}
				began := time.Now()
				if err := knock(ctx, h, "ben", "one"); err != nil {
					t.Errorf("another was refused: %v", err)
				}
				if waited := time.Since(began); waited > 0 {
					t.Errorf("another waited %v", waited)
				}
				stop()
				all.Wait()
			})
		})
	}
}

func TestWhoWaitsToBeLetInIsSentAwayWhenTheStudioEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := New(Options{Pace: 1})
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() { _ = knock(t.Context(), h, user(i*8), "one") })
		}
		synctest.Wait()
		if n := h.Count(); n != 9 {
			t.Errorf("%d wait, want 9 of 10", n)
		}
		began := time.Now()
		h.Close()
		all.Wait()
		if took := time.Since(began); took > 0 {
			t.Errorf("the end took %v", took)
		}
	})
}
