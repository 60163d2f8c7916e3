package service

import (
	"bytes"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
	"atelier/upstream"
)

func TestOnlyUploadsThatNothingWasMadeFromEnd(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Now()}
	w := newWorld(t, func(cfg *Config) { cfg.Now = c.now })
	picture := func(n uint64) string { return w.upload(testpics.JPEG(photoOf(n))) }
	m := mask.New(520, 560)
	for y := range 560 {
		clear(m.Row(y))
		for x := range 260 {
			m.Row(y)[x] = 255
		}
	}
	unused, used, again, shown := picture(1), picture(2), picture(3), picture(4)
	same := picture(1) // the content of the unused one, uploaded once more and used
	masked := w.upload(mask.EncodeRGBA(m))
	task := w.task("removeBG", used)
	w.finish(w.execute(task, map[string]any{"maskType": "custom", "customMaskUrl": masked, "backgroundHex": "#204060", "batchCount": 1}))
	w.task("removeBG", same)
	run := w.post(upstream.PathRuns, w.key, upstream.RunStart{
		Agent: upstream.RunAgent{Name: "removeBG", Version: "v1.0"}, Input: map[string]any{"originalImage": again}, Params: cutOut(),
	})
	w.finish(run.Meta.ExecutionID)
	place := must[upstream.MyLocation](t, w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{
		Image: shown, Name: "a name", AgentName: "aimodel", AgentVersion: "v1.0",
	}))
	w.waitForPreset("locationId", upstream.PathLocationQuery, place.LocationID)

	check := func(when string, want map[string]int) {
		t.Helper()
		if err := w.svc.upkeep(t.Context(), w.svc.opened); err != nil {
			t.Fatal(err)
		}
		for url, status := range want {
			if got := w.fetch(url).status; got != status {
				t.Errorf("%s: %s answers %d, want %d", when, url, got, status)
			}
		}
	}
	all := map[string]int{unused: 200, used: 200, again: 200, shown: 200, same: 200, masked: 200}
	c.pass(keepUploads - time.Hour)
	check("before the time is over", all)
	c.pass(2 * time.Hour)
	all[unused] = http.StatusNotFound
	check("after it", all)
	if a := w.post(upstream.PathTaskCreate, w.key, upstream.TaskCreate{
		AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": unused},
	}); a.Success || !strings.Contains(a.said(), "Upload") {
		t.Errorf("a task of an upload that has ended: %s", a.raw)
	}
	if a := w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": task}); !a.Success {
		t.Fatalf("delete: %s", a.raw)
	}
	all[used], all[masked] = http.StatusNotFound, http.StatusNotFound
	check("after the task was deleted", all)
}

func TestUploadsFromBeforeTheirUseWasRecordedStay(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Now()}
	w := newWorld(t, func(cfg *Config) { cfg.Now = c.now })
	source := w.upload(testpics.JPEG(photo()))
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `UPDATE file SET created_at = created_at - 100000`); err != nil {
		t.Fatal(err)
	}
	c.pass(2 * keepUploads)
	if err := w.svc.upkeep(t.Context(), w.svc.opened); err != nil {
		t.Fatal(err)
	}
	if got := w.fetch(source).status; got != http.StatusOK {
		t.Errorf("it answers %d", got)
	}
}

func TestLostContentIsReported(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var log bytes.Buffer
	w := newWorld(t, func(cfg *Config) {
		cfg.Logger = slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return log.Write(p)
		}), nil))
	})
	for n := range uint64(3) {
		w.upload(testpics.JPEG(testpics.Photo(520, 560, n)))
	}
	if err := w.svc.reportMissing(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	if strings.Contains(log.String(), "missing") {
		t.Errorf("nothing is lost, and the log says %s", log.String())
	}
	mu.Unlock()
	lost, err := filepath.Glob(filepath.Join(w.folder, "files", "[0-9a-f][0-9a-f]", "*", "*"))
	if err != nil || len(lost) != 3 {
		t.Fatalf("contents: %v, %v", lost, err)
	}
	if err := os.Remove(lost[0]); err != nil {
		t.Fatal(err)
	}
	if err := w.svc.reportMissing(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(log.String(), "missing=1") {
		t.Errorf("the log says %q", log.String())
	}
}

// writerFunc is an io.Writer of one function.
type writerFunc func(p []byte) (int, error)

// Write implements io.Writer.
func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestContentWithoutAnOwnerIsRemovedWhileTheServiceRunsOnceItIsOld(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	content := func(name string, age time.Duration) string {
		path := filepath.Join(w.folder, "files", name[:2], name[2:4], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old := content("abcd"+strings.Repeat("0", 60), 2*orphanAge)
	// Perhaps its row is being stored. The look at the start of the service, which may be under way, leaves what is younger than that.
	young := content("abcd"+strings.Repeat("1", 60), 0)
	if err := w.svc.removeOrphans(t.Context(), time.Now().Add(-orphanAge)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("content that is two days old and has no row is still there")
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("content that is just there is gone: %v", err)
	}
}
