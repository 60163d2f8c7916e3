package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"

	"atelier/internal/pace"
)

const (
	maxConnections  = 2048
	shutdownTimeout = 30 * time.Second
)

// granted is how long a client may hold on to a connection without sending its headers, and then its body, or taking the answer.
type granted struct {
	headers time.Duration
	pace.Limits
}

// ordinary is what the product grants.
var ordinary = granted{5 * time.Second, pace.Ordinary}

// server gives an HTTP server with limits on everything a client can hold on to.
func server(h http.Handler, g granted, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler: g.Handler(h), ReadHeaderTimeout: g.headers, IdleTimeout: 60 * time.Second, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
}

// listener is one address we serve at.
type listener struct {
	address string
	handler http.Handler
	tls     *tls.Config // nil = plain
	net.Listener
}

// open binds the address.
func (l *listener) open(ctx context.Context) error {
	bound, err := (&net.ListenConfig{}).Listen(ctx, "tcp", l.address)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("something else listens at %s already; choose another address with ATELIER_LISTEN", l.address)
		}
		return fmt.Errorf("listen at %s: %w", l.address, err)
	}
	l.Listener = netutil.LimitListener(bound, maxConnections)
	return nil
}

// serveAll serves until ctx ends; then it calls leave and lets requests in flight finish, those that do not take too long.
func serveAll(ctx context.Context, listeners []*listener, g granted, leave func(), logger *slog.Logger) error {
	failed := make(chan error, len(listeners))
	servers := make([]*http.Server, len(listeners))
	for i, l := range listeners {
		servers[i] = server(l.handler, g, logger)
		go func(s *http.Server) {
			if l.tls != nil {
				s.TLSConfig = l.tls.Clone() // each server adds to its own
				failed <- s.ServeTLS(l, "", "")
				return
			}
			failed <- s.Serve(l)
		}(servers[i])
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	servers[0].RegisterOnShutdown(leave)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	for _, s := range servers {
		serr := s.Shutdown(end)
		if errors.Is(serr, context.DeadlineExceeded) {
			logger.Warn("requests that had not ended were broken off", "after", shutdownTimeout)
			serr = s.Close()
		}
		if serr != nil {
			err = errors.Join(err, fmt.Errorf("let requests finish: %w", serr))
		}
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// debugHandler shows metrics and profiles, on a listener of its own that only this machine reaches, and no page that is open
// on it: neither under a name of its own (DNS rebinding) nor from another site.
func debugHandler(metrics prometheus.Gatherer) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := r.Header.Get("Sec-Fetch-Site")
		if !loopback(r.Host) || site != "" && site != "none" && site != "same-origin" {
			http.Error(w, "This is for the operator of this machine.", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
