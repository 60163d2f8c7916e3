// Package e2e holds journeys: a real browser, the real server binary, the embedded service, real files.
package e2e

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"atelier/db"
	"atelier/internal/killable"
	"atelier/upstream"
)

// studio is a running server with its data folder. It can be killed and started again on the same port.
type studio struct {
	t      testing.TB
	data   string
	listen string
	cmd    *exec.Cmd
	url    string // the one-time address it printed
	env    []string
	exited chan error

	mu  sync.Mutex
	log strings.Builder
}

// startTimeout is more than any machine needs.
const startTimeout = 3 * time.Minute

// newStudio starts a server on a free port with an empty data folder; env says more about its configuration.
func newStudio(t testing.TB, env ...string) *studio {
	t.Helper()
	s := emptyStudio(t, env...)
	s.start()
	return s
}

// studioWith starts a server that has made these runs before.
func studioWith(t testing.TB, runs ...past) *studio {
	t.Helper()
	s := emptyStudio(t)
	s.stopped(func(d *db.DB, keep func(data []byte) db.Blob) { s.write(d, keep, runs) })
	s.start()
	return s
}

// emptyStudio is a server that is not started, on a free port, with an empty data folder.
func emptyStudio(t testing.TB, env ...string) *studio {
	t.Helper()
	s := &studio{t: t, data: t.TempDir(), listen: killable.Address(t), env: env}
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			s.mu.Lock()
			defer s.mu.Unlock()
			t.Logf("the server's log:\n%s", s.log.String())
		}
	})
	return s
}

// binary is the server under test, built by `make e2e`.
func binary(t testing.TB) string {
	t.Helper()
	path := os.Getenv("ATELIER_BINARY")
	if path == "" {
		t.Fatal("the browser tests run against the built server: use `make e2e`")
	}
	return path
}

// start runs the server and waits for the address it prints.
func (s *studio) start() {
	s.t.Helper()
	s.cmd = exec.Command(binary(s.t)) // ended by stop or kill, not by a context
	s.cmd.Env = append(os.Environ(), "ATELIER_LISTEN="+s.listen, "ATELIER_DATA="+s.data, "ATELIER_LOG=debug")
	s.cmd.Env = append(s.cmd.Env, s.env...)
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	s.cmd.Stderr = writer(func(p []byte) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.log.Write(p)
	})
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	printed := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if i := strings.Index(lines.Text(), "http://"); i >= 0 {
				select {
				case printed <- strings.Fields(lines.Text()[i:])[0]:
				default:
				}
			}
		}
	}()
	exited := make(chan error, 1)
	go func(c *exec.Cmd) { exited <- c.Wait() }(s.cmd)
	s.exited = exited
	select {
	case s.url = <-printed:
	case err := <-exited:
		s.cmd = nil // there is nothing left to stop
		s.t.Fatalf("the server ended at once: %v\n%s", err, s.log.String())
	case <-time.After(startTimeout):
		s.t.Fatal("the server printed no address")
	}
}

// kill ends the server as a power cut would.
func (s *studio) kill() {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	<-s.exited
	s.cmd = nil
}

// stop asks the server to end and waits.
func (s *studio) stop() {
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Error(err)
	}
	select {
	case <-s.exited:
	case <-time.After(2 * time.Minute):
		s.t.Error("the server did not end when asked")
		if err := s.cmd.Process.Kill(); err != nil {
			s.t.Error(err)
		}
		<-s.exited
	}
	s.cmd = nil
}

// service is a client of the embedded service with the studio's own key: what the service holds, seen from outside.
func (s *studio) service() *upstream.Client {
	s.t.Helper()
	key, err := os.ReadFile(filepath.Join(s.data, "service", "studio.key"))
	if err != nil {
		s.t.Fatal(err)
	}
	c, err := upstream.New(upstream.Options{BaseURL: "http://" + s.listen, Key: upstream.Secret(strings.TrimSpace(string(key)))})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// tasks lists every task the service has.
func (s *studio) tasks() []upstream.Task {
	s.t.Helper()
	var out []upstream.Task
	filter := upstream.TaskFilter{Limit: 20}
	for {
		page, err := s.service().ListTasks(s.t.Context(), filter)
		if err != nil {
			s.t.Fatal(err)
		}
		out = append(out, page.Tasks...)
		if !page.HasMore {
			return out
		}
		filter.Cursor = page.NextCursor
	}
}

// fetch gets a path of the studio with the given cookies.
func (s *studio) fetch(ctx context.Context, path string, cookies []*http.Cookie) ([]byte, http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.listen+path, http.NoBody)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range cookies {
		req.AddCookie(c)
	}
	resp, err := (&http.Client{}).Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("GET %s: %s: %.200s", path, resp.Status, b)
	}
	return b, resp.Header, nil
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}
