package bff_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/media"
)

// concrete makes a path of a pattern.
func concrete(pattern string) (method, path string) {
	method, path, _ = strings.Cut(pattern, " ")
	return method, strings.NewReplacer("{id}", "0190a0b0-0000-7000-8000-000000000000", "{name}", "aimodel", "{token}", "x.y").Replace(path)
}

func TestOnlyOpenRoutesAnswerWithoutASession(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.browser = s.newBrowser()
	open := 0
	for _, route := range s.bff.Routes() {
		method, path := concrete(route.Pattern)
		r := s.send(method, path, nil, nil)
		if route.Open {
			open++
			continue
		}
		if r.status != http.StatusUnauthorized || r.error(t).Code != atelier.Unauthorized {
			t.Errorf("%s without a session = %d %s", route.Pattern, r.status, r.body)
		}
	}
	if open != 15 {
		t.Errorf("%d routes are open, want healthz, readyz, callback, its probe, shared videos, login, link, entry, setup and the six of review links", open)
	}
}

func TestR10NothingChangesWithoutTheStudiosOwnPage(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	spoil := []struct {
		name string
		edit func(*http.Request)
	}{
		{"no header of ours", func(r *http.Request) { r.Header.Del("X-Atelier") }},
		{"another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		{"the same site, another port", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }},
		{"another origin", func(r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "http://evil.example")
		}},
		{"no origin at all", func(r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "null")
		}},
	}
	for _, route := range s.bff.Routes() {
		method, path := concrete(route.Pattern)
		if method == http.MethodGet || strings.HasPrefix(path, "/callbacks/") {
			continue
		}
		for _, x := range spoil {
			r := s.send(method, path, strings.NewReader("{}"), func(r *http.Request) {
				r.Header.Set("Content-Type", "application/json")
				x.edit(r)
			})
			if r.status != http.StatusForbidden {
				t.Errorf("%s with %s = %d", route.Pattern, x.name, r.status)
			}
		}
	}
	// Reading from another page is refused as well: pictures are nobody else's business.
	if r := s.send("GET", "/api/runs", nil, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }); r.status != http.StatusForbidden {
		t.Errorf("reading from another page = %d", r.status)
	}
	for _, method := range []string{"OPTIONS", "HEAD"} {
		if r := s.send(method, "/api/session", nil, func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }); r.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s allows another origin", method)
		}
	}
}

func TestR9D4OtherNamesOfTheHostAreNotAnswered(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	_, port, _ := strings.Cut(s.host(), ":")
	for _, host := range []string{"evil.example", "evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "localhost:" + port, s.host() + ".", "127.0.0.1.evil.example:" + port} {
		for _, path := range []string{"/", "/api/session", "/healthz", "/callbacks/v1/x.y"} {
			r := s.send("GET", path, nil, func(r *http.Request) { r.Host = host })
			if r.status != http.StatusMisdirectedRequest {
				t.Errorf("host %s%s = %d", host, path, r.status)
			}
		}
	}
}

// R22: whoever reads the number on a screen finds every line about that request.
func TestEveryLineOfTheLogNamesItsRequest(t *testing.T) {
	t.Parallel()
	var logs safeBuffer
	s := newIdleStudio(t, func(c *bff.Config) { c.Logger = logs.logger() })
	began := len(logs.String())
	r := s.send("GET", "/api/session", nil, func(r *http.Request) { r.Host = "evil.example" })
	lines := strings.Split(strings.TrimSpace(logs.String()[began:]), "\n")
	for _, line := range lines {
		var l struct{ Msg, Request string }
		s.check(json.Unmarshal([]byte(line), &l))
		if l.Request == "" || l.Request != r.header.Get("X-Request-Id") {
			t.Errorf("the line %s is not of request %s", line, r.header.Get("X-Request-Id"))
		}
	}
	if len(lines) != 2 {
		t.Errorf("%d lines tell of a request that was refused and ended, want 2: %q", len(lines), lines)
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	asset := s.upload(photo(30))
	for _, path := range []string{"/", "/healthz", "/readyz", "/api/session", "/api/agents", "/api/none", "/api/runs/none", asset.File, asset.Thumb, "/callbacks/v1/x.y"} {
		r := s.send("GET", path, nil, nil)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "X-Frame-Options": "DENY", "Strict-Transport-Security": "",
		} {
			if got := r.header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if csp := r.header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
			t.Errorf("%s: the policy is %q", path, csp)
		}
		if r.header.Get("X-Request-Id") == "" {
			t.Errorf("%s: no request id", path)
		}
		if strings.HasPrefix(path, "/api/") && r.header.Get("Content-Type") == "application/json" && r.header.Get("Cache-Control") == "" {
			t.Errorf("%s: no word about caching", path)
		}
	}
}

func TestUnknownAddressesAndMethodsAreToldInOurForm(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	tests := []struct {
		method, path string
		want         int
	}{
		{"GET", "/api/none", http.StatusNotFound},
		{"GET", "/api", http.StatusNotFound},
		{"POST", "/api/none", http.StatusNotFound},
		{"PUT", "/api/runs", http.StatusMethodNotAllowed},
		{"DELETE", "/api/agents", http.StatusMethodNotAllowed},
		{"GET", "/callbacks/v1/x.y", http.StatusMethodNotAllowed},
		{"TRACE", "/api/runs", http.StatusMethodNotAllowed},
		{"GET", "/api/runs/not-an-id", http.StatusNotFound},
		{"GET", "/api/runs?limit=0", http.StatusBadRequest},
		{"GET", "/api/runs?limit=201", http.StatusBadRequest},
		{"GET", "/api/runs?cursor=x", http.StatusBadRequest},
		{"GET", "/api/runs?starred=maybe", http.StatusBadRequest},
		{"GET", "/api/runs?from=yesterday", http.StatusBadRequest},
		{"GET", "/api/agents/none/presets?kind=locations", http.StatusNotFound},
		{"GET", "/api/agents/aimodel/presets?kind=none", http.StatusBadRequest},
		{"GET", "/api/agents/aimodel/presets?kind=locations&pageSize=101", http.StatusBadRequest},
		{"GET", "/api/tasks?limit=21", http.StatusBadRequest},
		{"GET", "/api/tasks?createdAfter=2026-01-02&createdBefore=2026-01-01", http.StatusBadRequest},
	}
	for _, tt := range tests {
		r := s.send(tt.method, tt.path, nil, nil)
		if r.status != tt.want {
			t.Errorf("%s %s = %d %s, want %d", tt.method, tt.path, r.status, r.body, tt.want)
			continue
		}
		if e := r.error(t); e.Message == "" || e.RequestID == "" {
			t.Errorf("%s %s: %+v", tt.method, tt.path, e)
		}
	}
}

func TestABodyThatIsNotWhatARouteTakesIsRefused(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	tests := []struct {
		name, kind, body string
		want             int
	}{
		{"an unknown field", "application/json", `{"name":"x","admin":true}`, http.StatusBadRequest},
		{"two values", "application/json", `{"name":"x"}{"name":"y"}`, http.StatusBadRequest},
		{"cut short", "application/json", `{"name":`, http.StatusBadRequest},
		{"another type", "application/json", `{"name":7}`, http.StatusBadRequest},
		{"a form", "application/x-www-form-urlencoded", `name=x`, http.StatusUnsupportedMediaType},
		{"text", "text/plain", `{"name":"x"}`, http.StatusUnsupportedMediaType},
		{"too much", "application/json", `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, http.StatusRequestEntityTooLarge},
		{"no name", "application/json", `{"name":"  "}`, http.StatusBadRequest},
		{"a name", "application/json", `{"name":"Spring"}`, http.StatusCreated},
		{"the same name", "application/json", `{"name":"Spring"}`, http.StatusConflict},
	}
	for _, tt := range tests {
		r := s.send("POST", "/api/boards", strings.NewReader(tt.body), func(r *http.Request) { r.Header.Set("Content-Type", tt.kind) })
		if r.status != tt.want {
			t.Errorf("%s = %d %s, want %d", tt.name, r.status, r.body, tt.want)
		}
		if tt.want == http.StatusRequestEntityTooLarge && !strings.Contains(r.error(t).Message, "larger than 1 MiB") {
			t.Errorf("%s is refused with %s", tt.name, r.body)
		}
	}
}

func TestR22PanicsAndSecretsStayInside(t *testing.T) {
	t.Parallel()
	var logs safeBuffer
	s := newIdleStudio(t, func(c *bff.Config) { c.Logger = logs.logger() })
	s.close()
	s.open()
	registry := prometheus.NewPedanticRegistry()
	s.check(registry.Register(s.bff.Collector()))
	if n, _ := measured(t, registry, "atelier_panics_total"); n != 0 {
		t.Errorf("%v panics before any", n)
	}
	store := s.store
	s.check(store.Close()) // whatever touches files fails now
	r := s.send("POST", "/api/assets", bytes.NewReader(photo(37)), func(r *http.Request) { r.Header.Set("Content-Type", "image/jpeg") })
	e := r.error(t)
	if r.status != http.StatusInternalServerError || strings.Contains(string(r.body), s.folder) || e.RequestID == "" || !strings.Contains(logs.String(), e.RequestID) {
		t.Errorf("a broken store = %d %s", r.status, r.body)
	}
	var err error
	s.store, err = media.OpenStore(s.folder + "/files")
	s.check(err)
	// A handler that panics ends nothing but its own request.
	pages := s.front.handler
	s.front.handler = s.bff.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("canary of a panic") }))
	r = s.send("GET", "/gallery", nil, nil)
	if e := r.error(t); r.status != http.StatusInternalServerError || strings.Contains(string(r.body), "canary") || !strings.Contains(logs.String(), "canary of a panic") || !strings.Contains(logs.String(), e.RequestID) {
		t.Errorf("a panic = %d %s", r.status, r.body)
	}
	if n, _ := measured(t, registry, "atelier_panics_total"); n != 1 {
		t.Errorf("%v panics are counted, want 1", n)
	}
	s.front.handler = pages
	if got := s.send("GET", "/healthz", nil, nil).status; got != http.StatusOK {
		t.Errorf("after a panic the studio answers %d", got)
	}
	s.send("POST", "/callbacks/v1/secret-part-of-an-address.x", nil, nil)
	for _, secret := range []string{testKey, fixedToken, "secret-part-of-an-address"} {
		if strings.Contains(logs.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}
