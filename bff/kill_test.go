package bff_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/media"
	"atelier/db"
	"atelier/internal/killable"
	"atelier/internal/outbound"
	"atelier/service"
	"atelier/upstream"
)

// The process that is killed is this test program itself, started again with these variables.
const (
	childFolder   = "ATELIER_TEST_CHILD_FOLDER"
	childUpstream = "ATELIER_TEST_CHILD_UPSTREAM"
	childListen   = "ATELIER_TEST_CHILD_LISTEN"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		if err := child(folder, os.Getenv(childUpstream), os.Getenv(childListen)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is a studio in a process of its own. It says "ready" once it answers.
func child(folder, address, listen string) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	data, err := db.Open(ctx, filepath.Join(folder, "studio.db"))
	if err != nil {
		return err
	}
	store, err := media.OpenStore(filepath.Join(folder, "files"))
	if err != nil {
		return err
	}
	up, err := upstream.New(upstream.Options{BaseURL: "http://" + address, Key: testKey, OnAnswer: bff.OnAnswer})
	if err != nil {
		return err
	}
	s, err := bff.New(bff.Config{
		DB: data, Store: store, Upstream: up, UpstreamKind: "remote", UpstreamID: "http://" + address, CallbackKey: []byte("0123456789abcdef"), Hosts: []string{listen},
		Outbound: outbound.New(outbound.Policy{Hosts: []string{address}}), LaunchToken: fixedToken,
		AccountFile: filepath.Join(folder, "account.json"), Connect: connectTo,
		Settle: 1500 * time.Millisecond, Confirm: 500 * time.Millisecond, PollMin: 50 * time.Millisecond, PollMax: 200 * time.Millisecond,
	})
	if err != nil {
		return err
	}
	if err := s.Start(ctx); err != nil {
		return err
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println(killable.Ready)
	server := &http.Server{Handler: s.Handler(http.NotFoundHandler()), ReadHeaderTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		_ = server.Close() // the process ends
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return errors.Join(s.Close(), store.Close(), data.Close())
}

// victim is a studio that can be killed.
type victim struct {
	*killable.Process
	t       *testing.T
	address string
	browser *http.Client
}

// ask sends a request; ok is false when the studio was not there to answer.
func (v *victim) ask(method, path string, body []byte, kind string, out any) (ok bool) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, "http://"+v.address+path, bytes.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("X-Atelier", "1")
	req.Header.Set("Content-Type", kind)
	resp, err := v.browser.Do(req)
	if err != nil {
		return false
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return false
	}
	if resp.StatusCode >= 300 {
		v.t.Fatalf("%s %s = %d %s", method, path, resp.StatusCode, raw)
	}
	if err := json.Unmarshal(raw, out); err != nil {
		v.t.Fatal(err)
	}
	return true
}

// The studio is killed at random moments while runs are started and watched. Afterwards every run it has acknowledged is
// done, and the image service has worked exactly once for each. ATELIER_TEST_KILLS asks for more than a few kills.
func TestKilledAtAnyMomentTheStudioLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	kills, seed := killable.Kills(4), killable.Seed()
	random := rand.New(rand.NewPCG(seed, seed))
	background := context.WithoutCancel(t.Context())

	images, err := service.Open(background, service.Config{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	far := httptest.NewServer(images.Handler())
	t.Cleanup(func() {
		far.Close()
		if err := images.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := errors.Join(images.EnsureKey(background, testKey, "studio", "studio"), images.Start(background)); err != nil {
		t.Fatal(err)
	}
	listen := killable.Address(t)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &victim{
		t: t, address: listen, browser: &http.Client{Jar: jar, Timeout: time.Minute},
		Process: killable.New(t, childFolder+"="+t.TempDir(), childUpstream+"="+strings.TrimPrefix(far.URL, "http://"), childListen+"="+listen),
	}
	v.Start()
	token, err := json.Marshal(atelier.Login{Token: fixedToken})
	if err != nil {
		t.Fatal(err)
	}
	var session atelier.Session
	var asset atelier.Asset
	if !v.ask("POST", "/api/session", token, "application/json", &session) || !v.ask("POST", "/api/assets", photo(60), "image/jpeg", &asset) {
		t.Fatal("the studio does not answer")
	}

	acknowledged := map[string]atelier.RunID{} // by intent key
	submit := func(key string) {
		raw, err := json.Marshal(func() atelier.StartRun {
			start := removal(key, asset)
			start.IntentKey = intentKey(key)
			return start
		}())
		if err != nil {
			t.Fatal(err)
		}
		var body atelier.RunBody
		if v.ask("POST", "/api/runs", raw, "application/json", &body) {
			acknowledged[key] = body.Run.ID
		}
	}
	for i := range kills {
		for j := range 3 {
			submit(fmt.Sprintf("kill-%d-%d", i, j))
		}
		death := time.NewTimer(time.Duration(random.IntN(700)) * time.Millisecond)
		<-death.C
		v.Kill()
		v.Start()
	}

	deadline := time.NewTimer(time.Duration(300+kills) * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	recorded := map[atelier.RunID]atelier.State{}
	for open := true; open; {
		open = false
		for cursor := ""; ; {
			var page atelier.RunPage
			v.ask("GET", "/api/runs?limit=200&cursor="+cursor, nil, "", &page)
			for _, run := range page.Runs {
				recorded[run.ID] = run.State
				open = open || run.State != atelier.StateDone
				if run.State == atelier.StateFailed {
					t.Fatalf("run %s failed: %+v", run.IntentKey, run.Error)
				}
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("some runs never were done: %v", recorded)
		}
	}
	for key, id := range acknowledged {
		if recorded[id] == "" {
			t.Errorf("run %s was acknowledged and is lost", key)
		}
	}
	var tasks, executions int
	for cursor := ""; ; {
		var page atelier.TaskPage
		v.ask("GET", "/api/tasks?limit=20&cursor="+cursor, nil, "", &page)
		for _, task := range page.Tasks {
			tasks++
			executions += len(task.Executions)
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	t.Logf("seed %d, %d kills, %d runs acknowledged, %d recorded, %d tasks, %d executions", seed, kills, len(acknowledged), len(recorded), tasks, executions)
	if executions != len(recorded) {
		t.Errorf("%d runs are recorded, the image service worked %d times", len(recorded), executions)
	}
}
