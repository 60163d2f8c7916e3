package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"atelier/catalog"
	"atelier/imaging/probe"
	"atelier/internal/killable"
	"atelier/service/examples"
)

func TestExamplesAreDrawnOnceAndServed(t *testing.T) {
	var agents []catalog.Agent
	for _, name := range []string{"ai-logo-generator", "text-to-video"} {
		a, _ := catalog.Find(name, "")
		agents = append(agents, a)
	}
	folder := filepath.Join(t.TempDir(), "examples")
	g := newGallery(folder, agents, nil, slog.New(slog.NewTextHandler(t.Output(), nil)))
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, examplesPath+path, nil))
		return w
	}
	if w := get("ai-logo-generator.jpg"); w.Code != http.StatusNotFound || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("before it is drawn: %d %v", w.Code, w.Header())
	}
	if err := os.MkdirAll(filepath.Join(folder, "making-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := g.tidy(); err != nil {
		t.Fatal(err)
	}
	drawn := 0
	idle := func(ctx context.Context, do func(context.Context) error) error {
		drawn++
		return do(ctx)
	}
	g.fill(t.Context(), agents, idle)
	w := get("ai-logo-generator.jpg")
	facts, err := probe.Read(w.Body.Bytes(), int64(w.Body.Len()))
	if err != nil || w.Code != http.StatusOK || facts.Format != probe.JPEG || facts.Width != examples.Side || facts.Height != examples.Side {
		t.Errorf("the example is %d %+v, %v", w.Code, facts, err)
	}
	for _, path := range []string{"text-to-video.jpg", "none.jpg", "ai-logo-generator.png", "../examples.go", "1-ai-logo-generator.jpg"} {
		if w := get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	g.fill(t.Context(), agents[:1], idle)
	if drawn != 2 {
		t.Errorf("%d examples were begun, want each once", drawn)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

// With these variables the test program draws examples in a folder, and is killed by one of them, "" = none.
const (
	childExamples = "ATELIER_TEST_CHILD_EXAMPLES"
	childDeadly   = "ATELIER_TEST_CHILD_DEADLY"
)

// threeAgents have examples that are drawn soon.
func threeAgents() (agents []catalog.Agent) {
	for _, name := range []string{"ai-infographic-generator", "ai-logo-generator", "ai-flag-generator"} {
		if a, ok := catalog.Find(name, ""); ok {
			agents = append(agents, a)
		}
	}
	return agents
}

// deadly kills the process as soon as somebody asks whether to go on.
type deadly struct{ context.Context }

// Err is part of context.Context.
func (deadly) Err() error {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// drawThenDie draws the examples, of which one kills the process.
func drawThenDie(folder, agent string) {
	agents := threeAgents()
	g := newGallery(folder, agents, nil, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	for _, a := range agents {
		g.fill(context.Background(), []catalog.Agent{a}, func(ctx context.Context, do func(context.Context) error) error {
			if a.Name == agent {
				ctx = deadly{ctx}
			}
			return do(ctx)
		})
	}
}

// An example of which the process dies each time is left out in the end, and those after it are drawn.
func TestAnExampleThatEndsTheProcessEachTimeIsLeftOut(t *testing.T) {
	t.Parallel()
	agents := threeAgents()
	if len(agents) != 3 {
		t.Fatalf("%d agents", len(agents))
	}
	folder := filepath.Join(t.TempDir(), "examples")
	p := killable.New(t, childExamples+"="+folder, childDeadly+"="+agents[1].Name)
	has := func(a catalog.Agent) bool {
		_, err := os.Stat((&gallery{folder: folder}).path(a.Name))
		return err == nil
	}
	for death := range mostBeginnings {
		p.Start()
		<-p.Ended()
		if !has(agents[0]) || has(agents[1]) || has(agents[2]) {
			t.Fatalf("after %d deaths: %t, %t, %t", death+1, has(agents[0]), has(agents[1]), has(agents[2]))
		}
	}
	p.Start()
	<-p.Ended()
	if !has(agents[0]) || has(agents[1]) || !has(agents[2]) {
		t.Errorf("in the end: %t, %t, %t", has(agents[0]), has(agents[1]), has(agents[2]))
	}
	left, err := filepath.Glob(filepath.Join(folder, "begun-*"))
	if err != nil || len(left) != 1 {
		t.Errorf("what was begun: %v, %v", left, err)
	}
}
