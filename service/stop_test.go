package service

import (
	"os"
	"strings"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/imaging/video/videotest"
	"atelier/upstream"
)

// atRest says whether nobody works or waits for a place, and nothing stays prepared of an execution.
func (b *bench) atRest(execution string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, prepared := b.entries[execution]
	return len(b.seated)+len(b.waiting)+len(b.claimed) == 0 && !prepared
}

// stopped stops an execution whose work has begun and wants it failed at once and its work ended.
func (w *world) stopped(execution string) {
	w.t.Helper()
	asked := time.Now()
	if err := w.svc.Stop(w.t.Context(), w.key, execution); err != nil {
		w.t.Fatal(err)
	}
	got := w.query(execution).Executions[0]
	if got.Status != statusFailed {
		w.t.Errorf("after Stop the execution is %s", got.Status)
	}
	for i, item := range got.Result {
		if item.Status != statusFailed || item.Error != cancelledSentence {
			w.t.Errorf("item %d is %s: %q", i, item.Status, item.Error)
		}
	}
	eventually(w.t, func() bool { return w.svc.bench.atRest(execution) }, func(rest bool) bool { return rest })
	took := time.Since(asked)
	w.t.Logf("the work ended %v after it was stopped", took)
	if took > time.Minute {
		w.t.Errorf("the work went on for %v", took)
	}
	if again := w.query(execution).Executions[0]; again.Status != statusFailed || again.Result[0].Image != "" {
		w.t.Errorf("after the work has ended the execution is %+v", again)
	}
}

func TestStopEndsPictureWorkAndFreesItsPlace(t *testing.T) {
	t.Parallel()
	large, _ := testpics.Person(1800, 2400, 3)
	for name, tt := range map[string]struct {
		agent, moment string
		params        map[string]any
	}{
		"while the subject is found": {"removeBG", "undertook segment", map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#204060", "batchCount": 4}},
		"while a canvas is filled":   {"expandimage", "undertook render", map[string]any{"targetWidth": 3600, "targetHeight": 4000, "batchCount": 4}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begun := make(chan struct{}, 100)
			w := newWatchedWorld(t, nil, func(name string) {
				if strings.HasPrefix(name, tt.moment) {
					begun <- struct{}{}
				}
			})
			id := w.execute(w.task(tt.agent, w.upload(testpics.JPEG(large))), tt.params)
			<-begun
			w.stopped(id)
			// Its place is free: what is asked for next is made.
			if got := w.finish(w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut())); got.Status != statusSuccess {
				t.Errorf("the next one is %+v", got)
			}
		})
	}
}

func TestStopEndsVideoWorkWithItsProcess(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	filming := make(chan struct{}, 10_000)
	w := newWatchedWorld(t, func(cfg *Config) { cfg.Video = tool }, func(name string) {
		if name == "filming" {
			filming <- struct{}{}
		}
	})
	id := w.startRun("text-to-video", map[string]any{"textDescription": "calm", "duration": "15s"})
	<-filming
	w.stopped(id)
	// The folder that ffmpeg writes to is removed once the process has ended.
	if left, err := os.ReadDir(w.svc.workshop()); err != nil || len(left) != 0 {
		t.Errorf("the folder of videos holds %v, %v", left, err)
	}
}

func TestStopEndsOnlyOpenWorkOfItsAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	done := w.execute(w.task("removeBG", source), cutOut())
	w.finish(done)
	w.svc.SetSwitches(Switches{Slow: time.Hour})
	open := w.execute(w.task("removeBG", source), cutOut())
	eventually(t, func() upstream.Task { return w.query(open) }, func(task upstream.Task) bool { return task.Executions[0].Status == statusRunning })
	for name, tt := range map[string]struct{ key, execution, want string }{
		"one that has ended":     {w.key, done, statusSuccess},
		"one of another account": {w.newKey("somebody"), open, statusRunning},
		"an unknown one":         {w.key, "none", ""},
	} {
		if err := w.svc.Stop(t.Context(), tt.key, tt.execution); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if tt.want == "" {
			continue
		}
		if got := w.query(tt.execution).Executions[0]; got.Status != tt.want || got.Result[0].Status != tt.want {
			t.Errorf("%s is %+v, want %s", name, got, tt.want)
		}
	}
	for range 2 {
		w.stopped(open)
	}
}
