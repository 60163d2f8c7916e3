package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"atelier/catalog"
	"atelier/imaging/probe"
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
