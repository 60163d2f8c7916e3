package upstream_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"atelier/upstream"
)

func TestWhatNeverLeftIsNotSent(t *testing.T) {
	const nobody = "http://127.0.0.1:1" // a port that no system gives out by itself
	untrusted := httptest.NewUnstartedServer(says(200, `{}`))
	untrusted.Config.ErrorLog = quiet()
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	plain := httptest.NewServer(says(200, `{}`))
	t.Cleanup(plain.Close)
	unknown := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "api.example", IsNotFound: true}
	}}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()

	tests := []struct {
		name string
		ctx  context.Context
		o    upstream.Options
	}{
		{"nobody listens", t.Context(), upstream.Options{BaseURL: nobody}},
		{"no such host", t.Context(), upstream.Options{BaseURL: "https://api.example", Transport: unknown}},
		{"a certificate that is not trusted", t.Context(), upstream.Options{BaseURL: untrusted.URL}},
		{"TLS to a server without", t.Context(), upstream.Options{BaseURL: "https" + plain.URL[len("http"):]}},
		{"already cancelled", cancelled, upstream.Options{BaseURL: plain.URL}},
		{"already cancelled, in process", cancelled, upstream.Options{BaseURL: "http://service", Transport: upstream.InProcess(says(200, `{}`))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Key, tt.o.Estimates = canary, true
			c, err := upstream.New(tt.o)
			if err != nil {
				t.Fatal(err)
			}
			defer c.CloseIdle()
			for _, op := range operations()[:9] {
				e := failure(t, op.call(tt.ctx, c))
				if e.Kind != upstream.NotSent || !e.Retryable || e.Sent {
					t.Errorf("%s: %s, retryable %v, sent %v, want notSent, true, false: %v", op.name, e.Kind, e.Retryable, e.Sent, e)
				}
			}
		})
	}
}

// TestATransportThatTellsNothingGetsNoBenefitOfTheDoubt: without a trace nobody knows whether the request left.
func TestATransportThatTellsNothingGetsNoBenefitOfTheDoubt(t *testing.T) {
	c, err := upstream.New(upstream.Options{BaseURL: "https://api.example", Key: canary, Transport: failing{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.StartRun(t.Context(), upstream.RunStart{}, ""); upstream.KindOf(err) != upstream.Ambiguous {
		t.Errorf("got %v, want ambiguous", err)
	}
}

type failing struct{}

func (failing) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, errors.Join(errors.New("something went wrong"), r.Body.Close())
}

// TestNothingIsSentTwice lets the server read every request whole and hang up on a connection that was used before: the
// case in which Go's transport re-sends what it holds to be safe.
func TestNothingIsSentTwice(t *testing.T) {
	for _, idempotent := range []bool{false, true} {
		var starts, warm atomic.Int64
		c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				t.Error(err)
			}
			if r.Method == http.MethodGet {
				warm.Add(1)
				says(200, `{"success":true,"data":{}}`).ServeHTTP(w, r)
				return
			}
			starts.Add(1)
			reset(w)
		}), func(o *upstream.Options) { o.Idempotency = idempotent })
		const calls = 8 // fewer than open the breaker
		for range calls {
			if _, err := c.Run(t.Context(), "e"); err != nil { // leaves a connection to be used again
				t.Fatal(err)
			}
			if _, err := c.StartRun(t.Context(), upstream.RunStart{}, "intent"); upstream.KindOf(err) != upstream.Ambiguous {
				t.Errorf("got %v, want ambiguous", err)
			}
		}
		if starts.Load() != calls || warm.Load() != calls {
			t.Errorf("idempotency %v: the service saw %d starts and %d polls for %d calls of each", idempotent, starts.Load(), warm.Load(), calls)
		}
	}
}

// TestAConnectionClosedWhileIdleLosesNothing: the transport may go to a new connection, as nothing was written. A connection
// that was never used before it was closed it gives up, and says that nothing was sent.
func TestAConnectionClosedWhileIdleLosesNothing(t *testing.T) {
	var got atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got.Add(1)
		says(200, `{"success":true,"meta":{"executionId":"e"}}`).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	c, err := upstream.New(upstream.Options{BaseURL: server.URL, Key: canary})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdle)
	const calls = 30
	for range calls {
		// Ambiguous is allowed: the server may hang up while the request is on its way. Sent twice is not, and what is said not to
		// have been sent was not.
		before := got.Load()
		_, err := c.StartRun(t.Context(), upstream.RunStart{}, "")
		if kind := upstream.KindOf(err); err != nil && kind != upstream.Ambiguous && (kind != upstream.NotSent || got.Load() != before) {
			t.Fatalf("the service saw %d starts: %v", got.Load()-before, err)
		}
		server.CloseClientConnections()
	}
	if n := got.Load(); n > calls {
		t.Errorf("the service saw %d starts for %d calls", n, calls)
	}
}

func TestACancelledCallSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := client(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		cancel()
		<-r.Context().Done()
	}), func(o *upstream.Options) { o.Timeout = time.Minute })
	_, err := c.StartRun(ctx, upstream.RunStart{}, "")
	if e := failure(t, err); e.Kind != upstream.Ambiguous || !errors.Is(e, context.Canceled) {
		t.Errorf("got %v, want ambiguous, because cancelled", e)
	}
}
