package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"golang.org/x/net/netutil"

	"atelier/internal/killable"
)

// F10 in a size for every day (ATELIER_TEST_ROUNDS asks for another): connections that send their headers a byte at a time, or nothing, hold nobody up and are
// closed within ten seconds.
func TestSlowConnectionsAreClosedAndHoldNobodyUp(t *testing.T) {
	t.Parallel()
	bound, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := server(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }), slog.New(slog.DiscardHandler))
	done := make(chan error, 1)
	go func() { done <- s.Serve(netutil.LimitListener(bound, maxConnections)) }()
	t.Cleanup(func() {
		if err := s.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	slow := killable.Rounds(100)
	began := time.Now()
	closed := make(chan time.Duration, slow)
	for i := range slow {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", bound.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if i%2 == 0 {
			if _, err := fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: studio\r\nX-%d: ", i); err != nil {
				t.Fatal(err)
			}
		}
		go func() {
			if err := c.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
				t.Error(err)
			}
			if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, net.ErrClosed) {
				t.Log(err) // reset is as good as closed; a deadline shows in the time
			}
			closed <- time.Since(began)
		}()
	}
	asked := 0
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for n := 0; n < slow; {
		select {
		case took := <-closed:
			n++
			if took > 25*time.Second {
				t.Fatalf("a slow connection lived for %v", took)
			}
		case <-tick.C:
			if got := status(t, http.MethodGet, "http://"+bound.Addr().String()+"/"); got != http.StatusNoContent {
				t.Fatalf("meanwhile the server answers %d", got)
			}
			asked++
		}
	}
	t.Logf("%d slow connections were closed within %v; %d requests were answered meanwhile", slow, time.Since(began), asked)
}

// R15: what a client may hold on to is limited.
func TestTheLimitsOfAServer(t *testing.T) {
	t.Parallel()
	s := server(http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	if s.ReadHeaderTimeout != 5*time.Second || s.IdleTimeout != time.Minute || s.MaxHeaderBytes != 16<<10 || maxConnections != 2048 {
		t.Errorf("limits: headers %v and %d bytes, idle %v, %d connections", s.ReadHeaderTimeout, s.MaxHeaderBytes, s.IdleTimeout, maxConnections)
	}
}
