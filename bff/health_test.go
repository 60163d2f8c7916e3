package bff_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
)

// /readyz tells of a database and of a store that cannot be written, and of their recovery, within a second; it looks no more
// often. /healthz goes on.
func TestReadyMeansThatDatabaseAndStoreCanBeWritten(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	s := newIdleStudio(t, func(c *bff.Config) {
		c.Now = func() time.Time { return time.Unix(1_800_000_000, ahead.Load()) }
	})
	wants := func(what string, want int) {
		t.Helper()
		if got := s.send("GET", "/readyz", nil, nil); got.status != want {
			t.Errorf("%s: /readyz = %d %s, want %d", what, got.status, got.body, want)
		}
		if got := s.send("GET", "/healthz", nil, nil); got.status != http.StatusOK {
			t.Errorf("%s: /healthz = %d", what, got.status)
		}
	}
	later := func() { ahead.Add(int64(1001 * time.Millisecond)) }
	query := func(pragma string) {
		t.Helper()
		_, err := s.db.Write.ExecContext(t.Context(), pragma)
		s.check(err)
	}
	move := func(name, to string) {
		t.Helper()
		s.check(os.Rename(filepath.Join(s.folder, "files", name), filepath.Join(s.folder, "files", to)))
	}
	wants("at first", http.StatusOK)
	for what, breaks := range map[string][2]func(){
		"the database cannot be written":      {func() { query(`PRAGMA query_only = ON`) }, func() { query(`PRAGMA query_only = OFF`) }},
		"no file can be taken in":             {func() { move("spool", "elsewhere") }, func() { move("elsewhere", "spool") }},
		"no file can be put where it belongs": {func() { move("blobs", "elsewhere") }, func() { move("elsewhere", "blobs") }},
	} {
		breaks[0]()
		wants(what+", within the second", http.StatusOK)
		later()
		wants(what, http.StatusServiceUnavailable)
		breaks[1]()
		wants("no more that "+what+", within the second", http.StatusServiceUnavailable)
		later()
		wants("no more that "+what, http.StatusOK)
	}
	if left, err := os.ReadDir(filepath.Join(s.folder, "files", "blobs")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// F13: where nothing can be written, whatever would change something says so with 503; nothing says that something went wrong
// which nobody knows of, and reading goes on.
func TestAStudioThatCannotWriteSaysSo(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	s := newTeam(t, func(c *bff.Config) {
		c.Estimates, c.Now = true, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	})
	s.start()
	o := belongings(t, s, s.browser)
	start := removal("cannot-be-written", o.asset)
	if _, err := s.db.Write.ExecContext(t.Context(), `PRAGMA query_only = ON`); err != nil {
		t.Fatal(err)
	}
	ahead.Store(int64(10 * time.Minute)) // that sessions are in use would have to be written down again
	if r := s.send("GET", "/api/runs", nil, nil); r.status != http.StatusOK {
		t.Errorf("reading after ten minutes: %d %s", r.status, r.body)
	}
	told := 0
	judge := func(what string, r reply, otherwise int) {
		t.Helper()
		switch r.status {
		case http.StatusServiceUnavailable:
			told++
			if e := r.error(t); !strings.Contains(e.Message, "files") || !e.Retryable || r.header.Get("Retry-After") == "" {
				t.Errorf("%s: %+v", what, e)
			}
		case otherwise: // it writes nothing, or is refused anyway
		default:
			t.Errorf("%s = %d %s, want 503 or %d", what, r.status, r.body, otherwise)
		}
	}
	for _, route := range s.bff.Routes() {
		switch route.Pattern {
		case "GET /readyz": // which looks itself, and has words of its own
		case "DELETE /api/tasks/{id}": // which is the image service's
		default:
			judge(route.Pattern, s.visit(route.Pattern, o), matrix[route.Pattern].owner)
		}
	}
	judge("a run", s.try("/api/runs", start), 0)
	judge("a sign-in", s.try("/api/session", atelier.Login{Name: "Ada", Password: goodPassword}), 0)
	if told < 25 {
		t.Errorf("%d answers told of it", told)
	}
	if _, err := s.db.Write.ExecContext(t.Context(), `PRAGMA query_only = OFF`); err != nil {
		t.Fatal(err)
	}
	s.startRun(start)
}
