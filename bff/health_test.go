package bff_test

import (
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

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
