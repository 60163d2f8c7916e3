package service

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

func (w *world) runBody(change ...any) upstream.RunStart {
	w.t.Helper()
	return upstream.RunStart{
		Agent: upstream.RunAgent{Name: "removeBG", Version: "v1.0"},
		Input: map[string]any{"originalImage": w.upload(testpics.JPEG(photo()))}, Params: cutOut(change...),
	}
}

func TestRunsAreRefusedInTheirOwnEnvelope(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	good := w.runBody()
	tests := []struct {
		name string
		body any
		says string
	}{
		{"no agent", map[string]any{"input": good.Input, "params": good.Params}, "agent.name"},
		{"no version", map[string]any{"agent": map[string]any{"name": "removeBG"}, "input": good.Input, "params": good.Params}, "agent.version"},
		{"an unknown agent", map[string]any{"agent": map[string]any{"name": "x", "version": "v1.0"}, "input": good.Input, "params": good.Params}, "agent.name"},
		{"no input", map[string]any{"agent": good.Agent, "params": good.Params}, "input"},
		{"no params", map[string]any{"agent": good.Agent, "input": good.Input}, "params"},
		{"no picture", map[string]any{"agent": good.Agent, "input": map[string]any{}, "params": good.Params}, "originalImage"},
		{"a bad param", map[string]any{"agent": good.Agent, "input": good.Input, "params": map[string]any{"maskType": "none"}}, "maskType"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, path := range []string{upstream.PathRuns, upstream.PathEstimates} {
				a := w.post(path, w.key, tt.body)
				if a.status != http.StatusBadRequest || a.Success || a.Error.Code != "40000" || a.Error.Retryable || !strings.Contains(a.Error.Message, tt.says) {
					t.Errorf("%s: status %d, %s", path, a.status, a.raw)
				}
			}
		})
	}
	if a := w.get(upstream.PathRuns+"/none", w.key); a.status != http.StatusNotFound || a.Error.Message == "" || a.Error.Retryable {
		t.Errorf("an unknown run: status %d, %s", a.status, a.raw)
	}
}

func TestFilesAreReadFromParamsToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	body := w.runBody("originalImage", w.upload(testpics.PNG(photo())))
	body.Input = map[string]any{"taskName": "in params"}
	must[upstream.RunStarted](t, w.post(upstream.PathRuns, w.key, body))
}

func TestUnknownTopLevelFieldsAreIgnored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	b := w.runBody()
	must[upstream.RunStarted](t, w.post(upstream.PathRuns, w.key, map[string]any{
		"agent": b.Agent, "input": b.Input, "params": b.Params,
		"priority": "high", "client": map[string]any{"name": "x"},
	}))
}

func TestTheSameIdempotencyKeyStartsOneRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	body := w.runBody()
	var mu sync.Mutex
	seen := map[string]int{}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			started := must[upstream.RunStarted](t, w.post(upstream.PathRuns, w.key, body, idempotencyHeader, "intent-1"))
			mu.Lock()
			defer mu.Unlock()
			seen[started.ExecutionID+started.TaskID]++
		})
	}
	all.Wait()
	if len(seen) != 1 {
		t.Errorf("20 equal requests started %d runs", len(seen))
	}
	if page := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key)); len(page.Tasks) != 1 {
		t.Errorf("%d tasks are listed", len(page.Tasks))
	}
	other := body
	other.Params = cutOut("batchCount", 2)
	if a := w.post(upstream.PathRuns, w.key, other, idempotencyHeader, "intent-1"); a.status != http.StatusConflict || a.Success {
		t.Errorf("the key for another body: status %d, %s", a.status, a.raw)
	}
	first := must[upstream.RunStarted](t, w.post(upstream.PathRuns, w.key, body))
	second := must[upstream.RunStarted](t, w.post(upstream.PathRuns, w.key, body))
	if first.ExecutionID == second.ExecutionID {
		t.Error("without a key, equal requests share a run")
	}
	stranger := w.newKey("stranger")
	theirs := must[upstream.RunStarted](t, w.post(upstream.PathRuns, stranger, body, idempotencyHeader, "intent-1"))
	if seen[theirs.ExecutionID+theirs.TaskID] != 0 {
		t.Error("another account's key gives our run")
	}
	if a := w.post(upstream.PathRuns, w.key, body, idempotencyHeader, strings.Repeat("x", 256)); a.status != http.StatusBadRequest {
		t.Errorf("a key of 256 characters: status %d", a.status)
	}
}

func TestAnEstimateCountsThePicturesAndStartsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	got := must[upstream.Estimate](t, w.post(upstream.PathEstimates, w.key, w.runBody("batchCount", 3)))
	if got.TotalPower != 3 || !got.IsEstimated || got.PaidPowerNotEnough {
		t.Errorf("estimate = %+v", got)
	}
	if page := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key)); len(page.Tasks) != 0 {
		t.Errorf("the estimate left %d tasks", len(page.Tasks))
	}
}
