package upstream

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"
)

// wire carries requests: budget, breaker, transport. It re-sends nothing and follows nothing.
type wire struct {
	transport http.RoundTripper
	budget    *budget // nil = no limit
	breaker   *gobreaker.TwoStepCircuitBreaker[struct{}]
}

// The breaker opens after a run of failures that are the service's own, so that a service in trouble is left alone.
const (
	breakerFailures = 10
	breakerOpen     = 15 * time.Second
)

func newWire(transport http.RoundTripper, control dialControl, limit rate.Limit) *wire {
	if transport == nil {
		transport = hardened(control)
	}
	w := &wire{
		transport: transport,
		breaker: gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
			Name: "image service", MaxRequests: 2, Timeout: breakerOpen,
			ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= breakerFailures },
			// What the caller ended says nothing about the service.
			IsExcluded: func(err error) bool { return errors.Is(err, context.Canceled) },
		}),
	}
	if limit > 0 {
		w.budget = newBudget(limit)
	}
	return w
}

// dialControl is Options.Control.
type dialControl = func(ctx context.Context, network, address string, conn syscall.RawConn) error

// hardened is a transport for one trusted host: no proxy, no compression, bounded waits and headers.
func hardened(control dialControl) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, ControlContext: control}
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    32,
		MaxConnsPerHost:        64,
		IdleConnTimeout:        60 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

func (w *wire) closeIdle() {
	if t, ok := w.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// passage is how far a request got.
type passage struct {
	traced atomic.Bool // the transport tells us
	left   atomic.Bool // the head of the request left
}

// sent says whether the request may have reached the service. A transport that tells nothing gets no benefit of the doubt.
func (p *passage) sent() bool { return p.left.Load() || !p.traced.Load() }

// trace makes a context in which the transport reports to p.
func (p *passage) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { p.traced.Store(true) },
		WroteHeaders:         func() { p.left.Store(true) },
		WroteRequest:         func(httptrace.WroteRequestInfo) { p.left.Store(true) },
		GotFirstResponseByte: func() { p.left.Store(true) },
	})
}

// admit waits for the budget and asks the breaker; its error means that nothing left. outcome must be called once
// with what came of the request.
func (w *wire) admit(ctx context.Context) (outcome func(error), err error) {
	if w.budget != nil {
		if err := w.budget.wait(ctx); err != nil {
			return nil, err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return w.breaker.Allow()
}

// trouble says whether an answer should be held against the service: its own faults and too many requests, but not what it
// rightly refuses, whatever the status it puts on that.
func trouble(status int, body []byte) bool {
	if status == http.StatusTooManyRequests {
		return true
	}
	if status < http.StatusInternalServerError {
		return false
	}
	a, err := readAnswer(body)
	if err != nil || a.verdict(status) != declined {
		return true
	}
	code, err := strconv.Atoi(a.code())
	return err != nil || code < CodeParameter || code >= CodeSystem || code == CodeTooMany
}
