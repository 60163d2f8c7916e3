package bff_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
	"atelier/upstream"
)

// gate stands before the image service and answers in its place while a fault is set.
type gate struct {
	service http.RoundTripper
	fault   atomic.Pointer[fault]
	met     atomic.Int64
}

// fault is one way in which a service goes wrong.
type fault struct {
	name   string
	status int
	header map[string]string
	body   func() io.Reader
	err    error // instead of an answer
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	f := g.fault.Load()
	if f == nil {
		return g.service.RoundTrip(r)
	}
	g.met.Add(1)
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	h := http.Header{"Content-Type": {"application/json"}}
	for name, value := range f.header {
		h.Set(name, value)
	}
	return &http.Response{StatusCode: f.status, Header: h, Body: io.NopCloser(f.body()), ContentLength: -1, Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}, nil
}

// breaking is a body that ends in an error.
type breaking struct{ err error }

func (b breaking) Read([]byte) (int, error) { return 0, b.err }

// serviceFaults are those of F4.
func serviceFaults(t *testing.T) []fault {
	t.Helper()
	says := func(name string, status int, body string, header ...string) fault {
		f := fault{name: name, status: status, header: map[string]string{}, body: func() io.Reader { return strings.NewReader(body) }}
		for i := 0; i < len(header); i += 2 {
			f.header[header[i]] = header[i+1]
		}
		return f
	}
	breaks := func(name, first string, err error) fault {
		return fault{name: name, status: 200, body: func() io.Reader { return io.MultiReader(strings.NewReader(first), breaking{err}) }}
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := z.Write(make([]byte, 64<<20))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	no := `{"success":false,"code":50001,"msg":"canary of the inside: ` + testKey + `"}`
	list := []fault{
		says("429", 429, `{"success":false,"code":40005,"msg":"busy"}`), says("429 with a wait", 429, "", "Retry-After", "1"), says("429 with nonsense", 429, "", "Retry-After", "soon"),
		says("500", 500, no), says("500 of a proxy", 500, "<html>nginx</html>", "Content-Type", "text/html"), says("502", 502, "Bad Gateway"), says("503", 503, ""), says("503 with a wait", 503, "", "Retry-After", "1"), says("504", 504, ""),
		says("401", 401, `{"success":false,"code":40001,"msg":"key"}`), says("403", 403, `{"success":false,"code":40003}`), says("404", 404, `{"success":false,"code":40000,"msg":"gone"}`), says("404 of a proxy", 404, "not found"), says("408", 408, ""), says("418", 418, "{}"),
		says("301", 301, "", "Location", "https://evil.example/openapi/"), says("302", 302, "", "Location", "/elsewhere"), says("307", 307, "", "Location", "//evil.example"), says("308", 308, "{}", "Location", ""), says("304", 304, ""),
		{name: "reset", err: &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}},
		{name: "refused", err: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}},
		{name: "time runs out", err: os.ErrDeadlineExceeded},
		{name: "broken TLS", err: errors.New("tls: canary of the inside")},
		breaks("time runs out within the answer", `{"success":true,`, os.ErrDeadlineExceeded), breaks("reset within the answer", `{"success":true,"data":{`, syscall.ECONNRESET), breaks("cut off", ``, io.ErrUnexpectedEOF),
		says("truncated", 200, `{"success":true,"code":0,"data":{"taskId":`), says("garbage behind", 200, `{"success":true,"code":0,"data":{}}<html>`), says("two answers", 200, `{"success":true}{"success":false}`),
		says("another type", 200, `{"success":true,"code":0,"data":{}}`, "Content-Type", "image/png"), says("a page", 200, "<!doctype html>", "Content-Type", "text/html"), says("nothing", 200, ""), says("no content", 204, ""), says("null", 200, "null"), says("a list", 200, "[]"), says("a number", 200, "7"),
		says("packed", 200, bomb.String(), "Content-Encoding", "gzip"),
		{name: "100 MB", status: 200, body: func() io.Reader {
			return io.MultiReader(strings.NewReader(`{"success":true,"data":"`), io.LimitReader(endless{}, 100<<20))
		}},
		says("deep", 200, strings.Repeat(`{"data":`, 20000)), says("no UTF-8", 200, "{\"success\":true,\"code\":0,\"data\":{\"taskId\":\"\xff\xfe\"}}"), says("a null byte", 200, "{\"success\":true,\"data\":{\"taskId\":\"a\\u0000b\"}}"),
		says("a code as text", 500, `{"success":false,"code":"50001","msg":"no"}`), says("message for msg", 400, `{"success":false,"code":40000,"message":"no"}`), says("an error object", 400, `{"success":false,"error":{"code":"40000","message":"no","retryable":false}}`),
		says("data is true", 200, `{"success":true,"code":0,"data":true}`), says("data is missing", 200, `{"success":true,"code":"0"}`), says("data is a list", 200, `{"success":true,"code":0,"data":[1,{}]}`), says("success is text", 200, `{"success":"yes","code":0,"data":{}}`),
		says("an unknown status", 200, `{"success":true,"data":{"taskId":"t","executions":[{"executionId":"e","status":"Dreaming"}]}}`),
		says("a result that is missing", 200, `{"success":true,"data":{"taskId":"t","executions":[{"executionId":"e","status":"Success"}]}}`),
		says("the same twice", 200, `{"success":true,"data":{"taskId":"t","executions":[{"executionId":"e","status":"Success"},{"executionId":"e","status":"Failed"}],"taskId":"u"}}`),
		says("numbers beyond numbers", 200, `{"success":true,"code":1e999,"data":{"total":99999999999999999999,"id":-1e400}}`),
	}
	return list
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// F4: every fault of the image service at every route that asks it: an answer in our form, with a status that says whose fault it is,
// and nothing of the inside in it.
func TestF4WhateverTheServiceAnswersARouteAnswersInOurForm(t *testing.T) {
	t.Parallel()
	g := &gate{}
	var logs safeBuffer
	var s *studio
	s = &studio{estimates: true, change: func(c *bff.Config) {
		g.service = upstream.InProcess(s.service.Handler())
		client, err := upstream.New(upstream.Options{BaseURL: "https://images.example.com", Key: testKey, OnAnswer: bff.OnAnswer, Transport: g, Estimates: true})
		if err != nil {
			t.Fatal(err)
		}
		c.Upstream, c.Estimates, c.Logger = client, true, logs.logger()
	}}
	s.move(t)
	asset := s.upload(photo(90))
	own := func(kind string, id int64) {
		s.check(s.db.CreatePreset(t.Context(), db.Preset{Upstream: "embedded", Kind: kind, ID: id, UserID: "local", Name: "Mine", Cover: "https://images.example.com/x.png", Status: "complete"}, ""))
	}
	n := 0
	routes := []struct {
		method string
		path   func() string
		body   any
	}{
		{"GET", func() string { return fmt.Sprint("/api/agents/aimodel/presets?kind=locations&page=", n+2) }, nil},
		{"GET", func() string { return fmt.Sprint("/api/agents/aimodel/presets?kind=fashionModels&page=", n+2) }, nil},
		{"GET", func() string { return fmt.Sprint("/api/agents/removeBG/presets?kind=backgrounds&page=", n+2) }, nil},
		{"GET", func() string { return "/api/tasks?limit=5" }, nil},
		{"GET", func() string { return "/api/tasks/12345" }, nil},
		{"DELETE", func() string { return "/api/tasks/12345" }, nil},
		{"POST", func() string { return "/api/tasks/12345/import" }, nil},
		{"POST", func() string { return "/api/estimates" }, removal("", asset)},
		{"POST", func() string { return "/api/fashion-models" }, atelier.CreatePreset{Name: "x", Assets: []atelier.AssetID{asset.ID}}},
		{"POST", func() string { return "/api/locations" }, atelier.CreatePreset{Name: "x", Assets: []atelier.AssetID{asset.ID}}},
		{"DELETE", func() string {
			own("fashionModels", int64(800000+n))
			return fmt.Sprint("/api/fashion-models/", 800000+n)
		}, nil},
		{"DELETE", func() string { own("locations", int64(900000+n)); return fmt.Sprint("/api/locations/", 900000+n) }, nil},
		{"GET", func() string { return "/api/fashion-models" }, nil},
	}
	allowed := []int{502, 503, 504}
	asked := map[int]int64{}
	statuses := map[int]int{}
	for _, f := range serviceFaults(t) {
		for i, route := range routes {
			n++
			path := route.path()
			// One that goes well in between: the breaker is not what is tried here.
			s.json("GET", "/api/tasks", nil, http.StatusOK, nil)
			before := g.met.Load()
			g.fault.Store(&f)
			var body io.Reader
			if route.body != nil {
				raw, err := json.Marshal(route.body)
				s.check(err)
				body = bytes.NewReader(raw)
			}
			r := s.send(route.method, path, body, func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
			g.fault.Store(nil)
			asked[i] += g.met.Load() - before
			statuses[r.status]++
			what := fmt.Sprintf("%s at %s %s = %d %.200s", f.name, route.method, path, r.status, r.body)
			if r.status >= 500 && !slices.Contains(allowed, r.status) {
				t.Errorf("%s", what)
			}
			if r.status >= 400 {
				if e := r.error(t); e.Message == "" || e.RequestID == "" || e.Code == "" {
					t.Errorf("%s: the error is %+v", what, e)
				}
			}
			for _, inside := range []string{testKey, "images.example.com", "evil.example", "goroutine", ".go:", s.folder} {
				if strings.Contains(string(r.body), inside) && !strings.HasPrefix(path, "/api/fashion-models") {
					t.Errorf("%s: it shows %q", what, inside)
				}
			}
		}
	}
	for i, route := range routes {
		if asked[i] == 0 && route.path() != "/api/fashion-models" {
			t.Errorf("%s %s never asked the service", route.method, route.path())
		}
	}
	if log := logs.String(); strings.Contains(log, testKey) || strings.Contains(log, "panic") {
		t.Error("the log shows the key, or a panic")
	}
	if n < 320 {
		t.Errorf("%d cases, want at least 320", n)
	}
	t.Logf("%d cases, %d questions to the service; statuses %v", n, g.met.Load(), statuses)
}
