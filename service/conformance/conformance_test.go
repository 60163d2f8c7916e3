// Package conformance holds the service to the documents: every case of the hand-written suite, over a real socket, with
// real pictures, each exchange compared with the service's own description; and clients that know the documents alone.
package conformance

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/service"
	"atelier/upstream/upstreamtest"
)

func TestTheServiceKeepsEveryPromiseOfTheDocuments(t *testing.T) {
	hooks := newReceiver(t)
	svc, srv := newService(t, func(cfg *service.Config) { cfg.CallbackHosts = []string{hooks.host(), "receiver.example"} })
	seen := &witness{description: describe(t, srv.URL), next: http.DefaultTransport, answered: map[string]int{}, unsaid: map[string]int{}}
	upstreamtest.Run(t, upstreamtest.Target{
		BaseURL: srv.URL, Transport: seen, Paid: true, Costly: true, Wait: time.Minute, Poll: 20 * time.Millisecond,
		Key: newKey(t, svc, "studio"), OtherKey: newKey(t, svc, "stranger"), SecondKey: newKey(t, svc, "studio"),
		Callbacks: func(t *testing.T, h http.Handler) string {
			hooks.handler.Store(&h)
			t.Cleanup(func() { hooks.handler.Store(nil) })
			return hooks.server.URL + "/callbacks"
		},
	})
	seen.report(t)
}

// newService starts a service in a folder of the test's own behind a real listener.
func newService(t *testing.T, change func(*service.Config)) (*service.Service, *httptest.Server) {
	t.Helper()
	cfg := service.Config{
		Folder:          t.TempDir(),
		CallbackRetries: [2]time.Duration{time.Millisecond, time.Millisecond},
		Logger:          slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	if change != nil {
		change(&cfg)
	}
	svc, err := service.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := svc.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := svc.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(svc.Handler())
	t.Cleanup(srv.Close)
	return svc, srv
}

func newKey(t *testing.T, svc *service.Service, account string) string {
	t.Helper()
	raw, _, err := svc.CreateKey(context.WithoutCancel(t.Context()), account, "conformance")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// receiver is a server that callbacks reach; what it does may change.
type receiver struct {
	server  *httptest.Server
	handler atomic.Pointer[http.Handler]
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if h := r.handler.Load(); h != nil {
			(*h).ServeHTTP(w, req)
		}
	}))
	t.Cleanup(r.server.Close)
	return r
}

func (r *receiver) host() string { return strings.TrimPrefix(r.server.URL, "http://") }
