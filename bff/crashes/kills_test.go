package crashes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/internal/killable"
	"atelier/upstream"
)

// The process that is killed is this test program itself, started again with these variables.
const (
	childFolder = "ATELIER_TEST_CHILD_FOLDER"
	childWire   = "ATELIER_TEST_CHILD_SERVICE"
	childListen = "ATELIER_TEST_CHILD_LISTEN"
	childRuns   = "ATELIER_TEST_CHILD_RUNS"  // not empty: everything goes over the run surface
	childFiles  = "ATELIER_TEST_CHILD_FILES" // how many files more it may open than when it is ready
)

func TestMain(m *testing.M) {
	for name, mode := range map[string]func(folder string) error{childFolder: child, childFlushes: countFlushes, childDisk: serveLossy, childMigration: migrate} {
		if folder := os.Getenv(name); folder != "" {
			if err := mode(folder); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	code := m.Run()
	if err := os.RemoveAll(begun); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// overTasks is where nothing may be left unconfirmed.
var overTasks = scenario{name: "over tasks", surface: "auto", killed: true}

// killed is what studios are killed over. Together they are killed as often as was asked for.
var killed = []scenario{
	overTasks,
	{name: "over runs, listed", surface: "run", killed: true},
	{name: "over runs, hidden", surface: "run", hidden: true, killed: true},
}

// child is a studio in a process of its own. It says "ready" once it answers.
func child(folder string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	sc := overTasks
	if os.Getenv(childRuns) != "" {
		sc.surface = "run"
	}
	s, err := open(ctx, folder, sc, to(os.Getenv(childWire)), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", os.Getenv(childListen))
	if err != nil {
		return err
	}
	if more, err := strconv.Atoi(os.Getenv(childFiles)); err == nil {
		if err := allowFiles(more); err != nil {
			return err
		}
	}
	fmt.Println(killable.Ready)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = address
		s.pages.ServeHTTP(w, r)
	})}
	go func() {
		<-ctx.Done()
		_ = server.Close() // the process ends
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return s.close()
}

// to carries every request to one server, over the network.
func to(server string) http.RoundTripper {
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	return tripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host = "http", server
		return transport.RoundTrip(r)
	})
}

// connections knows which connections a server has. One that the other side has closed is gone when what came by it is done.
type connections struct {
	mu   sync.Mutex
	open map[net.Conn]bool
}

func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		if c.open == nil {
			c.open = map[net.Conn]bool{}
		}
		c.open[conn] = true
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	}
}

// none waits until there is none.
func (c *connections) none(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		c.mu.Lock()
		n := len(c.open)
		c.mu.Unlock()
		if n == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%d connections of a process that has ended stay open", n)
		}
	}
}

// TestSlowRepeatedKills plays fault K2: a studio process is killed 200 times at random moments while runs are requested, over both
// surfaces. Afterwards every run was made once, or has failed and was never made, or, over the run surface, is uncertain because it cannot
// be found; every acknowledged run is there. ATELIER_TEST_KILLS and ATELIER_TEST_SEED choose another number and another sequence.
func TestSlowRepeatedKills(t *testing.T) {
	t.Parallel()
	repeatedKills(t, killable.Kills(200))
}

// TestK2F3RepeatedKills is the short form of TestSlowRepeatedKills: three kills in each scenario.
func TestK2F3RepeatedKills(t *testing.T) {
	t.Parallel()
	repeatedKills(t, 3*len(killed))
}

func repeatedKills(t *testing.T, kills int) {
	t.Helper()
	seed := killable.Seed()
	b, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	for i, sc := range killed {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			killAgainAndAgain(t, sc, b, (kills+i)/len(killed), seed+uint64(i))
		})
	}
}

func killAgainAndAgain(t *testing.T, sc scenario, b beginning, kills int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, seed))
	far := newLedger()
	far.hidden = sc.hidden
	var asked connections
	server := httptest.NewUnstartedServer(far)
	server.Config.ConnState = asked.note
	server.Start()
	t.Cleanup(server.Close)
	folder, listen := t.TempDir(), killable.Address(t)
	copyFolder(t, b.folder, folder)
	runs := ""
	if sc.surface == "run" {
		runs = "all"
	}
	p := killable.New(t, childFolder+"="+folder, childRuns+"="+runs, childWire+"="+strings.TrimPrefix(server.URL, "http://"), childListen+"="+listen)
	browser := &http.Client{Timeout: 10 * time.Second}
	acknowledged := map[string]atelier.RunID{}
	keys := 0
	ask := func(key string) {
		body, err := json.Marshal(startOf(key, b.asset))
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+listen+"/api/runs", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Atelier", "1")
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Cookie", b.cookie)
		resp, err := browser.Do(req)
		if err != nil {
			return // it is dead
		}
		raw, err := io.ReadAll(resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			return
		}
		var run atelier.RunBody
		if resp.StatusCode != http.StatusAccepted || json.Unmarshal(raw, &run) != nil {
			t.Fatalf("POST /api/runs = %d %s", resp.StatusCode, raw)
		}
		acknowledged[key] = run.Run.ID
	}
	for range kills {
		p.Start()
		death := time.AfterFunc(time.Duration(random.IntN(120))*time.Millisecond, p.Kill)
		// One run for every other life keeps the number of runs that are under way at once where people have it.
		for range random.IntN(2) {
			ask(key(keys))
			keys++
		}
		<-p.Ended()
		death.Stop()
		// That what the dead had asked comes late is what Settle is for; how late is not left to how busy this machine is.
		if err := asked.none(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.WithoutCancel(t.Context())
	s, err := open(ctx, folder, sc, upstream.InProcess(far), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for i := range keys {
		run, err := s.start(ctx, b.cookie, key(i), b.asset)
		if err != nil {
			t.Fatal(err)
		}
		if was := acknowledged[key(i)]; was != "" && was != run.ID {
			t.Errorf("run %s was acknowledged as %s and is %s", key(i), was, run.ID)
		}
	}
	if err := s.settled(ctx); err != nil {
		t.Error(err)
	}
	book := far.book()
	if len(book) < keys*3/4 {
		t.Errorf("%d of %d runs came to the service", len(book), keys)
	}
	problems, unconfirmed := audit(ctx, s, b.cookie, sc, book, acknowledged, keys)
	for _, problem := range problems {
		t.Error(problem)
	}
	if unconfirmed > keys/2 {
		t.Errorf("%d of %d runs are unconfirmed: only those that were being sent may be", unconfirmed, keys)
	}
	t.Logf("seed %d: %d kills, %d runs, %d of them acknowledged before, %d unconfirmed; %v from the last start to the last result", seed, kills, keys, len(acknowledged), unconfirmed, time.Since(began).Round(time.Millisecond))
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(folder, "files", "spool")); err != nil || len(left) > kills {
		t.Errorf("%d unfinished files, %v", len(left), err)
	}
}
