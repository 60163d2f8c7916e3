package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/internal/killable"
	"atelier/internal/pace"
)

// requests is a log that remembers how requests ended.
type requests struct {
	mu    sync.Mutex
	ended []ended
}

// ended is a line of the log.
type ended struct {
	Path      string
	Bytes, MS int64
}

// Write takes one line.
func (r *requests) Write(p []byte) (int, error) {
	var e ended
	if json.Unmarshal(p, &e) == nil && e.Path != "" {
		r.mu.Lock()
		r.ended = append(r.ended, e)
		r.mu.Unlock()
	}
	return len(p), nil
}

// of gives the requests of an address that have ended.
func (r *requests) of(path string) (list []ended) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.ended {
		if e.Path == path {
			list = append(list, e)
		}
	}
	return list
}

// slowStudio is a whole studio that grants slow clients so much, somebody who is signed in there, and its log.
func slowStudio(t *testing.T, g granted) (*visitor, *requests) {
	t.Helper()
	cfg, err := loadConfig(env(map[string]string{
		"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": t.TempDir(), "ATELIER_LAUNCH_TOKEN": testToken, "ATELIER_LOG": "info,json",
		"ATELIER_UPSTREAM_URL": "http://" + killable.Address(t), "ATELIER_API_KEY": "nobody-answers-there",
	}))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Granted = g
	log := &requests{}
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := serve(ctx, cfg, newLogger(cfg, log), w, halves{studio: true})
		_ = w.CloseWithError(err)
		done <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	return visit(t, cfg.Listen), log
}

// hasty grants so little that a test sees the end of it soon.
var hasty = granted{time.Second, pace.Limits{Grace: time.Second, Rate: 16 << 10, Rest: time.Second, Take: time.Second}}

// patience bounds the wait for a connection to be closed: other tests may have the machine.
const patience = 2 * time.Minute

// F10 in a size for every day: connections that send their headers or a body a byte at a time, or nothing, or take nothing of
// an answer, hold nobody up, and none is there when its time is over. With ATELIER_TEST_ROUNDS, of which there are so many of
// each kind, they are granted what the product grants.
func TestF10SlowConnectionsAreClosedAndHoldNobodyUp(t *testing.T) {
	t.Parallel()
	grants := hasty
	if os.Getenv("ATELIER_TEST_ROUNDS") != "" {
		grants = ordinary
	}
	v, log := slowStudio(t, grants)
	var asset atelier.Asset
	// More than any socket holds on to.
	if err := v.send("POST", "/api/assets?name=large.png", "image/png", testpics.PadTo(testpics.PNG(testpics.Photo(520, 520, 1)), 10<<20), &asset); err != nil {
		t.Fatal(err)
	}
	site, err := url.Parse(v.base)
	if err != nil {
		t.Fatal(err)
	}
	cookie := v.http.Jar.Cookies(site)[0].String()
	head := func(line, rest string) string {
		return line + " HTTP/1.1\r\nHost: " + site.Host + "\r\nCookie: " + cookie + "\r\nX-Atelier: 1\r\n" + rest
	}
	const announced = "Content-Type: image/png\r\nContent-Length: 1000000\r\n\r\n"
	for _, kind := range []struct {
		name  string
		says  string
		drips bool
		takes bool   // what is answered
		told  string // how that begins
	}{
		{"no headers", "", false, true, ""},
		{"endless headers", head("GET /", "X-Endless: "), true, true, ""},
		{"a body that does not come", head("POST /api/assets?name=x.png", announced), false, true, "HTTP/1.1 400 "},
		{"a body that drips", head("POST /api/assets?name=x.png", announced), true, true, "HTTP/1.1 400 "},
		{"a body that nobody wants", head("PUT /api/none", announced), true, true, "HTTP/1.1 404 "},
		{"an answer that nobody takes", head("GET "+asset.File, "\r\n"), false, false, ""},
	} {
		t.Run(kind.name, func(t *testing.T) {
			slow := killable.Rounds(20)
			closed := make(chan time.Duration, slow)
			for range slow {
				c := dialSlowly(t, site.Host)
				if _, err := io.WriteString(c, kind.says); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if kind.drips {
					go func() {
						tick := time.NewTicker(200 * time.Millisecond)
						defer tick.Stop()
						for err := error(nil); err == nil; _, err = io.WriteString(c, "x") {
							<-tick.C
						}
					}()
				}
				if kind.takes {
					go func() {
						said, _ := io.ReadAll(c) // ends with the connection, whichever way that is closed
						if !strings.HasPrefix(string(said), kind.told) {
							t.Errorf("the answer is %q, want %s", said, kind.told)
						}
						closed <- time.Since(began)
					}()
				}
			}
			path, _, _ := strings.Cut(asset.File, "?")
			asked, last := 0, time.Duration(0)
			tick, late := time.NewTicker(20*time.Millisecond), time.After(patience)
			defer tick.Stop()
			for gone := 0; gone < slow; {
				select {
				case took := <-closed:
					gone++
					last = max(last, took)
				case <-late:
					t.Fatalf("after %v, %d of %d are still there", patience, slow-gone, slow)
				case <-tick.C:
					if err := v.send("GET", "/api/session", "", nil, nil); err != nil {
						t.Fatalf("meanwhile: %v", err)
					}
					asked++
					if !kind.takes {
						gone = len(log.of(path))
					}
				}
			}
			if !kind.takes {
				for _, e := range log.of(path) {
					last = max(last, time.Duration(e.MS)*time.Millisecond)
					if e.Bytes >= 10<<20 {
						t.Errorf("%d bytes were taken by nobody", e.Bytes)
					}
				}
			}
			t.Logf("%d closed after %v at most; %d requests were answered meanwhile", slow, last.Round(100*time.Millisecond), asked)
		})
	}
}

// dialSlowly opens a connection that holds few bytes, until the test ends.
func dialSlowly(t *testing.T, address string) net.Conn {
	t.Helper()
	d := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		var set error
		err := raw.Control(func(fd uintptr) { set = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) })
		return errors.Join(err, set)
	}}
	c, err := d.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// R15: what a client may hold on to is limited.
func TestR15TheLimitsOfAServer(t *testing.T) {
	t.Parallel()
	cfg, err := loadConfig(env(map[string]string{"ATELIER_DATA": t.TempDir()}))
	if err != nil {
		t.Fatal(err)
	}
	want := granted{5 * time.Second, pace.Limits{Grace: 10 * time.Second, Rate: 16 << 10, Rest: 2 * time.Second, Take: time.Minute}}
	if cfg.Granted != want {
		t.Errorf("slow clients are granted %+v, want %+v", cfg.Granted, want)
	}
	s := server(http.NotFoundHandler(), cfg.Granted, slog.New(slog.DiscardHandler))
	if s.ReadHeaderTimeout != 5*time.Second || s.IdleTimeout != time.Minute || s.MaxHeaderBytes != 16<<10 || maxConnections != 2048 {
		t.Errorf("limits: headers %v and %d bytes, idle %v, %d connections", s.ReadHeaderTimeout, s.MaxHeaderBytes, s.IdleTimeout, maxConnections)
	}
}
