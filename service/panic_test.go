package service

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"atelier/imaging/parallel"
	"atelier/imaging/testpics"
	"atelier/upstream"
)

// A strip of the work on a picture panics in a goroutine of its own.
func panicInAStrip() {
	var g parallel.Group
	g.Go(func() { panic("a strip that cannot be") })
	g.Wait()
}

func TestAPanicInTheWorkEndsThatWorkAlone(t *testing.T) {
	t.Parallel()
	var armed atomic.Pointer[string]
	w := newWatchedWorld(t, func(cfg *Config) { cfg.Logger = slog.New(slog.DiscardHandler) }, func(name string) {
		if at := armed.Load(); at != nil && *at == name {
			panicInAStrip()
		}
	})
	source := w.upload(testpics.JPEG(photo()))
	task := w.task("removeBG", source)
	good := w.execute(task, cutOut())
	w.finish(good)
	preset := func() string {
		l := must[upstream.MyLocation](t, w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{
			Image: source, Name: "a name", AgentName: "aimodel", AgentVersion: "v1.0",
		}))
		return w.waitForPreset("locationId", upstream.PathLocationQuery, l.LocationID)
	}
	export := func() string {
		must[bool](t, w.post(upstream.PathPSDCreate, w.key, map[string]string{"executionId": good}))
		return eventually(t, func() upstream.PSDJob {
			return must[upstream.PSDJob](t, w.post(upstream.PathPSDQuery, w.key, map[string]string{"executionId": good}))
		}, func(job upstream.PSDJob) bool { return ended(job.Status) }).Status
	}
	execute := func() string { return w.finish(w.execute(task, cutOut())).Status }
	tests := []struct {
		moment    string
		work      func() string
		bad, fine string
	}{
		{"placed mask", execute, statusFailed, statusSuccess},
		{"placed result", execute, statusFailed, statusSuccess},
		{"placed psd", export, statusFailed, statusSuccess},
		{"placed preset", preset, upstream.PresetFailed, upstream.PresetComplete},
	}
	for _, tt := range tests {
		armed.Store(&tt.moment)
		if got := tt.work(); got != tt.bad {
			t.Errorf("with a panic when it has %s, the work ends %q, want %q", tt.moment, got, tt.bad)
		}
		armed.Store(nil)
		if got := tt.work(); got != tt.fine {
			t.Errorf("after a panic when it has %s, the work ends %q, want %q", tt.moment, got, tt.fine)
		}
	}
	var said string
	for _, it := range w.query(good).Executions[0].Result {
		said += it.Error
	}
	if strings.Contains(said, "strip") {
		t.Errorf("a caller is told of the panic: %s", said)
	}
}

func TestAPanicInAPreparationLetsGoOfThoseWhoWaitForIt(t *testing.T) {
	t.Parallel()
	b := newBench(2, 1<<20)
	var waiters sync.WaitGroup
	for range 4 {
		waiters.Go(func() {
			_, err := b.take(t.Context(), "e", func(context.Context, *prepared) error {
				panicInAStrip()
				return nil
			})
			if err == nil || !strings.Contains(err.Error(), "a strip that cannot be") {
				t.Errorf("take = %v", err)
			}
		})
	}
	waiters.Wait()
	if len(b.entries) != 0 {
		t.Error("a preparation that failed stays")
	}
}
