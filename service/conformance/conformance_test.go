// Package conformance holds the service to the documents: every case of the hand-written suite, over a real socket, with
// real pictures.
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
	var handler atomic.Pointer[http.Handler]
	hooks := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if h := handler.Load(); h != nil {
			(*h).ServeHTTP(rw, r)
		}
	}))
	defer hooks.Close()
	svc, err := service.Open(t.Context(), service.Config{
		Folder:          t.TempDir(),
		CallbackHosts:   []string{strings.TrimPrefix(hooks.URL, "http://")},
		CallbackRetries: [2]time.Duration{time.Millisecond, time.Millisecond},
		Logger:          slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
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
	target := upstreamtest.Target{
		BaseURL: srv.URL, Paid: true, Wait: time.Minute, Poll: 20 * time.Millisecond,
		Callbacks: func(t *testing.T, h http.Handler) string {
			handler.Store(&h)
			t.Cleanup(func() { handler.Store(nil) })
			return hooks.URL + "/callbacks"
		},
	}
	target.Key, target.OtherKey = newKey(t, svc, "studio"), newKey(t, svc, "stranger")
	upstreamtest.Run(t, target)
}

func newKey(t *testing.T, svc *service.Service, account string) string {
	t.Helper()
	raw, _, err := svc.CreateKey(context.WithoutCancel(t.Context()), account, "conformance")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
