package service

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

// undertookRender is where the making of a picture begins.
var undertookRender = "undertook " + renderJob{}.Kind()

// files counts the stored contents.
func (w *world) files() int {
	w.t.Helper()
	n := 0
	err := filepath.WalkDir(filepath.Join(w.folder, "files"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Base(filepath.Dir(path)) != "tmp" {
			n++
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// count runs a counting query.
func (w *world) count(query string, args ...any) int {
	w.t.Helper()
	var n int
	if err := w.svc.db.Write.QueryRowContext(w.t.Context(), query, args...).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// results gives the paths of the results that are there, "" for those that are not.
func results(e upstream.Execution) []string {
	var out []string
	for _, item := range e.Result {
		_, path, _ := strings.Cut(item.Image, pathFiles)
		out = append(out, path)
	}
	return out
}

func TestRestartedWorkGoesOnAndIsNotDoneTwice(t *testing.T) {
	t.Parallel()
	work := newGate(t, undertookRender, 2)
	w := newWatchedWorld(t, func(cfg *Config) { cfg.Workers = 1 }, work.pass)
	execution := w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut("batchCount", 5))
	work.await(t)
	half := w.query(execution).Executions[0]
	w.svc.SetSwitches(Switches{Slow: time.Hour}) // the third picture is interrupted in its making
	work.open()
	w.restart()
	got := w.finish(execution)
	if got.Status != statusSuccess {
		t.Fatalf("execution = %+v", got)
	}
	if diff := cmp.Diff(results(half)[:2], results(got)[:2]); diff != "" {
		t.Errorf("finished items were made again (-before +after):\n%s", diff)
	}
	if n := w.count(`SELECT count(*) FROM file WHERE kind = 'result'`); n != 5 {
		t.Errorf("%d results are stored for 5 items", n)
	}
	if n := w.count(`SELECT max(attempts) FROM item`); n != 1 {
		t.Errorf("an orderly stop counts as a failed attempt: %d", n)
	}
}

func TestUnfinishedFilesAreRemovedAtTheNextStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.close()
	stale := filepath.Join(w.folder, "files", "tmp", "123")
	if err := os.WriteFile(stale, []byte("half a picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(stale, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	w.open()
	if _, err := os.Stat(stale); err != nil {
		t.Errorf("opening alone removed it: %v", err)
	}
	w.start()
	if _, err := os.Stat(stale); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestContentWithoutAnOwnerIsRemovedAfterAStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	w.close()
	orphan := filepath.Join(w.folder, "files", "ab", "cd", "abcd"+strings.Repeat("0", 60))
	if err := os.MkdirAll(filepath.Dir(orphan), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(orphan, []byte("a picture nobody recorded"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(orphan, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	path := source[strings.Index(source, pathFiles):]
	w.open()
	w.start()
	eventually(t, func() error { _, err := os.Stat(orphan); return err }, func(err error) bool { return errors.Is(err, fs.ErrNotExist) })
	if a := w.get(path, ""); a.status != http.StatusOK {
		t.Errorf("an upload that is owned is gone: status %d", a.status)
	}
}

func TestAnExecutionThatHasNotBegunBeginsAfterARestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.rest()
	execution := w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut())
	// Even when the job is lost: the row is the truth.
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `DELETE FROM river_job`); err != nil {
		t.Fatal(err)
	}
	w.restart()
	if got := w.finish(execution); got.Status != statusSuccess {
		t.Errorf("execution = %+v", got)
	}
}

func TestInterruptedPictureIsMadeAgainAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	execution := w.execute(w.task("expandimage", w.upload(testpics.JPEG(photo()))), map[string]any{"targetWidth": 530, "targetHeight": 570, "batchCount": 1})
	first := w.fetch(w.finish(execution).Result[0].Image).raw
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `UPDATE item SET status = 'Running', file_id = ''`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `UPDATE execution SET status = 'Running', ended_at = 0`); err != nil {
		t.Fatal(err)
	}
	w.restart()
	if second := w.fetch(w.finish(execution).Result[0].Image).raw; !bytes.Equal(first, second) {
		t.Error("the picture made again differs")
	}
}

func TestAnItemThatKeepsTakingTheServiceDownIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.rest()
	execution := w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut())
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `UPDATE item SET status = 'Running', attempts = ?`, maxAttempts); err != nil {
		t.Fatal(err)
	}
	w.restart()
	if got := w.finish(execution); got.Status != statusFailed || !strings.Contains(got.Result[0].Error, "interrupted") {
		t.Errorf("execution = %+v", got)
	}
}

func TestTaskDeletedAtWorkLeavesNothing(t *testing.T) {
	t.Parallel()
	work := newGate(t, undertookRender, 1)
	w := newWatchedWorld(t, func(cfg *Config) { cfg.Workers = 1 }, work.pass)
	source := w.upload(testpics.JPEG(photo()))
	before := w.files()
	task := w.task("removeBG", source)
	execution := w.execute(task, cutOut("batchCount", 3))
	work.await(t)
	if e := w.query(execution).Executions[0]; e.Result[0].Status != statusSuccess || e.Result[1].Status != statusRunning {
		t.Fatalf("at the second picture: %+v", e)
	}
	if a := w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": task}); !a.Success {
		t.Fatalf("delete: %s", a.raw)
	}
	work.open()
	eventually(t, func() int {
		return w.count(`SELECT count(*) FROM river_job WHERE state IN ('available', 'running', 'scheduled', 'retryable')`)
	}, func(n int) bool { return n == 0 })
	if n := w.files(); n != before {
		t.Errorf("%d contents are stored, %d before", n, before)
	}
	if n := w.count(`SELECT (SELECT count(*) FROM item) + (SELECT count(*) FROM execution) + (SELECT count(*) FROM file WHERE kind <> 'upload')`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestDeletingATaskInterruptsItsWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	task := w.task("removeBG", w.upload(testpics.JPEG(photo())))
	execution := w.execute(task, cutOut("batchCount", 2))
	eventually(t, func() upstream.Execution { return w.query(execution).Executions[0] },
		func(e upstream.Execution) bool { return e.Result[0].Status == statusRunning })
	if a := w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": task}); !a.Success {
		t.Fatalf("delete: %s", a.raw)
	}
	// Work that went on would take its hour.
	eventually(t, func() int {
		return w.count(`SELECT count(*) FROM river_job WHERE state IN ('available', 'running', 'scheduled', 'retryable')`)
	}, func(n int) bool { return n == 0 })
}

func TestTwoServicesOnOneSchemaVersionRefuseANewerOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`); err != nil {
		t.Fatal(err)
	}
	w.close()
	if svc, err := Open(t.Context(), w.cfg); err == nil {
		t.Error("a folder written by a newer version was opened", errors.Join(svc.Close()))
	}
}

// A visitor comes when a pile of another account is being worked on.
func TestPileDoesNotKeepOthersWaiting(t *testing.T) {
	t.Parallel()
	work := newGate(t, undertookRender, 0)
	w := newWatchedWorld(t, func(cfg *Config) { cfg.Workers = 1 }, work.pass)
	w.key = w.newKey("pile")
	source := w.upload(testpics.JPEG(photo()))
	task := w.task("removeBG", source)
	owners := map[string]string{}
	for range 4 {
		owners[w.execute(task, cutOut("batchCount", 4))] = "pile"
	}
	work.await(t)
	w.key = w.newKey("visitor")
	owners[w.execute(w.task("removeBG", source), cutOut("batchCount", 2))] = "visitor"
	work.open()
	if got := w.finishedOrder(owners); len(got) != 5 || slices.Index(got, "visitor") > 1 {
		t.Errorf("the visitor waited for the pile: %v", got)
	}
}
