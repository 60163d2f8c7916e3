package service

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

// tally counts everything the service stores.
func (w *world) tally() map[string]int {
	w.t.Helper()
	got := map[string]int{"contents without a row": w.files() - w.count(`SELECT count(DISTINCT sha256) FROM file`)}
	for what, query := range map[string]string{
		"uploads":    `SELECT count(*) FROM file WHERE kind = 'upload'`,
		"masks":      `SELECT count(*) FROM file WHERE kind = 'mask'`,
		"results":    `SELECT count(*) FROM file WHERE kind = 'result'`,
		"exports":    `SELECT count(*) FROM file WHERE kind = 'psd'`,
		"presets":    `SELECT count(*) FROM file WHERE kind = 'preset'`,
		"deliveries": `SELECT count(*) FROM delivery`,
		"told":       `SELECT count(*) FROM delivery WHERE state = 'delivered'`,
		"finished":   `SELECT count(*) FROM item WHERE status = 'Success'`,
		"begun":      `SELECT coalesce(sum(attempts), 0) FROM item`,
		"refused":    `SELECT coalesce(sum(attempts), 0) FROM delivery`,
	} {
		got[what] = w.count(query)
	}
	return got
}

// Jobs are hints: each may run twice, at the same time or later.
func TestWorkersThatRunTwiceDoubleNothing(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(int) (int, string) { return http.StatusOK, "SUCCESS" })
	w := newWorld(t, func(cfg *Config) { cfg.CallbackHosts = []string{r.host()} })
	w.rest()
	source := w.upload(testpics.JPEG(photo()))
	execution := must[upstream.TaskExecuted](t, w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{
		TaskID: w.task("removeBG", source), Params: cutOut("batchCount", 2), CallbackURL: r.URL,
	})).ExecutionID
	preset := must[upstream.MyLocation](t, w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{
		Image: w.upload(testpics.JPEG(photoOf(2))), Name: "a name", AgentName: "aimodel", AgentVersion: "v1.0",
	})).LocationID

	// twice runs a worker three times, the first two at once.
	twice := func(what string, work func(ctx context.Context) error) {
		t.Helper()
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if err := work(t.Context()); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			})
		}
		both.Wait()
		before := w.tally()
		if err := work(t.Context()); err != nil {
			t.Errorf("%s, once more: %v", what, err)
		}
		if diff := cmp.Diff(before, w.tally()); diff != "" {
			t.Errorf("%s, once more, changes (-before +after):\n%s", what, diff)
		}
	}
	twice("segment", func(ctx context.Context) error { return w.svc.segment(ctx, segmentJob{Execution: execution}) })
	for n := range int64(2) {
		twice("render", func(ctx context.Context) error { return w.svc.render(ctx, renderJob{Execution: execution, Item: n}) })
	}
	twice("preset", func(ctx context.Context) error { return w.svc.preparePreset(ctx, presetJob{ID: preset}) })
	must[bool](t, w.post(upstream.PathPSDCreate, w.key, map[string]string{"executionId": execution}))
	twice("psd", func(ctx context.Context) error { return w.svc.buildPSD(ctx, psdJob{Execution: execution}) })
	for range 2 { // Running, Success
		waiting, err := w.svc.read().ListFirstWaitingDeliveries(t.Context())
		if err != nil || len(waiting) != 1 {
			t.Fatalf("waiting callbacks: %v, %v", waiting, err)
		}
		twice("delivery", func(ctx context.Context) error { return w.svc.deliver(ctx, deliveryJob{ID: waiting[0].ID}) })
	}
	want := map[string]int{
		"contents without a row": 0, "uploads": 2, "masks": 1, "results": 2, "exports": 1, "presets": 2, "deliveries": 2, "told": 2, "finished": 2, "begun": 2, "refused": 0,
	}
	if diff := cmp.Diff(want, w.tally()); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if n := len(r.posts()); n != 2 {
		t.Errorf("%d posts for 2 changes", n)
	}
	if got := w.query(execution).Executions[0].Status; got != statusSuccess {
		t.Errorf("the execution is %s", got)
	}
}
