package bff_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
	"atelier/service"
	"atelier/upstream"
)

func overRuns(c *bff.Config) { c.Surface = "run" }

func TestARunIsNeitherLostNorDoubledWhenAnAnswerIsLost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		switches service.Switches
		change   func(*bff.Config)
		want     atelier.State
		made     int // executions at the service, as far as its list shows them
	}{
		{"the task was made", service.Switches{FailAfter: 1}, nil, atelier.StateDone, 1},
		{"the task was not made", service.Switches{FailBefore: 1}, nil, atelier.StateDone, 1},
		{"the execution was made", service.Switches{FailAfter: 2}, nil, atelier.StateDone, 1},
		{"the execution was not made", service.Switches{FailBefore: 2}, nil, atelier.StateDone, 1},
		{
			"the execution shows up late",
			service.Switches{FailAfter: 2, LateAcceptance: 300 * time.Millisecond},
			func(c *bff.Config) { c.Settle = 2 * time.Second }, atelier.StateDone, 1,
		},
		{"the run was made and is listed", service.Switches{FailAfter: 1}, overRuns, atelier.StateDone, 1},
		{"the run was made and is not listed", service.Switches{FailAfter: 1, RunsHidden: true}, overRuns, atelier.StateUnconfirmed, 0},
		{"the run was not made", service.Switches{FailBefore: 1}, overRuns, atelier.StateUnconfirmed, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStudio(t, tt.change)
			asset := s.upload(photo(20))
			s.service.SetSwitches(tt.switches)
			run := s.startRun(removal("lost", asset))
			got := s.untilState(run.ID, tt.want)
			if n := s.executions(); n != tt.made {
				t.Errorf("the image service shows %d executions, want %d", n, tt.made)
			}
			if tt.want != atelier.StateUnconfirmed {
				return
			}
			if got.Error == nil || got.Error.Message == "" {
				t.Error("nobody is told what may have happened")
			}
			// Never again by us: not by a sweep, not by a restart.
			s.restart()
			if now := s.run(run.ID); now.State != atelier.StateUnconfirmed {
				t.Errorf("after a restart the run is %s", now.State)
			}
			s.service.SetSwitches(service.Switches{})
			if n := s.executions(); n > 1 {
				t.Errorf("the run was sent again: %d executions", n)
			}
		})
	}
}

func TestWithIdempotencyALostRunIsAskedForAgain(t *testing.T) {
	t.Parallel()
	for name, switches := range map[string]service.Switches{"made": {FailAfter: 1, RunsHidden: true}, "not made": {FailBefore: 1, RunsHidden: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newIdleStudio(t, func(c *bff.Config) { c.Surface, c.Idempotency = "run", true })
			s.close()
			s.idempotent = true
			s.open()
			s.start()
			asset := s.upload(photo(21))
			s.service.SetSwitches(switches)
			run := s.startRun(removal("idempotent", asset))
			s.untilState(run.ID, atelier.StateDone)
			s.service.SetSwitches(service.Switches{})
			if n := s.executions(); n != 1 {
				t.Errorf("the image service worked %d times", n)
			}
		})
	}
}

// Services forget keys. A run that may have been accepted is sent again under its key for some days only; after that, and when the
// service takes the key for another request's, it is looked for and its owner decides.
func TestAKeyIsNotTrustedForEver(t *testing.T) {
	t.Parallel()
	old := time.Now().Add(-7 * 24 * time.Hour)
	for _, tt := range []struct {
		name  string
		leave func(t *testing.T, s *studio, id atelier.RunID, sha string)
		sent  int
	}{
		{"its answer was lost a week ago", func(t *testing.T, s *studio, id atelier.RunID, _ string) {
			if ok, err := s.db.BeginStep(t.Context(), id, db.StepExecuting, old); err != nil || !ok {
				t.Fatalf("BeginStep = %v, %v", ok, err)
			}
		}, 0},
		{"it waits since a week to be sent again", func(t *testing.T, s *studio, id atelier.RunID, _ string) {
			if ok, err := s.db.BeginStep(t.Context(), id, db.StepExecuting, old); err != nil || !ok {
				t.Fatalf("BeginStep = %v, %v", ok, err)
			}
			if ok, err := s.db.SetState(t.Context(), id, atelier.StateRecorded, db.StepDoubted, nil); err != nil || !ok {
				t.Fatalf("SetState = %v, %v", ok, err)
			}
		}, 0},
		{"the second request would be another one", func(t *testing.T, s *studio, _ atelier.RunID, sha string) {
			afterTheFirst(t, s, sha, "UPDATE requests SET sealed = ''")
		}, 1},
		{"the second request would be another one, and the key is lost", func(t *testing.T, s *studio, _ atelier.RunID, sha string) {
			afterTheFirst(t, s, sha, "UPDATE requests SET sealed = 'c2VhbGVkIHdpdGggYW5vdGhlciBrZXk='")
		}, 1},
		{"the second request is another one", func(t *testing.T, s *studio, _ atelier.RunID, sha string) {
			afterTheFirst(t, s, sha, "DELETE FROM requests") // an earlier version sent the first one
		}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newIdleStudio(t, func(c *bff.Config) { c.Surface, c.Idempotency = "run", true })
			s.close()
			var sent atomic.Int64
			s.idempotent, s.sent = true, func(path, _ string) {
				if path == upstream.PathRuns {
					sent.Add(1)
				}
			}
			s.open()
			s.service.SetSwitches(service.Switches{RunsHidden: true})
			asset := s.upload(photo(29))
			run := s.startRun(removal("old key", asset))
			tt.leave(t, s, run.ID, asset.SHA256)
			s.start()
			got := s.until(run.ID, "decided", func(r atelier.Run) bool { return r.State.Final() })
			if got.State != atelier.StateUnconfirmed || int(sent.Load()) != tt.sent {
				t.Errorf("it is %s (%+v) and was sent %d times, want unconfirmed and %d", got.State, got.Error, sent.Load(), tt.sent)
			}
		})
	}
}

// afterTheFirst has the answer to the first start of a run lost, its picture forgotten, so that it will have another address, and what
// is kept of it changed.
func afterTheFirst(t *testing.T, s *studio, sha, change string) {
	t.Helper()
	s.service.SetSwitches(service.Switches{FailAfter: 1, RunsHidden: true})
	var once sync.Once
	sent := s.sent
	s.sent = func(path, body string) {
		sent(path, body)
		if path == upstream.PathRuns {
			once.Do(func() {
				_, err := s.db.Write.ExecContext(s.background(), change)
				if err = errors.Join(err, s.db.DeleteUpload(s.background(), "embedded", sha)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Under one key only ever the same bytes go out, whatever has changed since: where the studio can be called, how masks are sent, where the
// service has the picture. What is kept of them meanwhile gives no proof away, and is let go of once it is known what became of them.
func TestARunIsSentAgainAsTheVerySameBytes(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(nil)
	closed.Close()
	var mu sync.Mutex
	var bodies []string
	s := (&studio{
		idempotent: true,
		sent: func(path, body string) {
			mu.Lock()
			defer mu.Unlock()
			if path == upstream.PathRuns {
				bodies = append(bodies, body)
			}
		},
		change: func(c *bff.Config) {
			c.Surface, c.Idempotency, c.PublicURL, c.Settle = "run", true, closed.URL, time.Hour
		},
		configure: func(c *service.Config) { c.CallbackHosts = []string{strings.TrimPrefix(closed.URL, "http://")} },
	}).move(t)
	s.start()
	asset := s.upload(photo(30))
	s.service.SetSwitches(service.Switches{FailAfter: 1, RunsHidden: true})
	run := s.untilState(s.startRun(removal("same bytes", asset)).ID, atelier.StateAmbiguous)
	s.close()
	proof := token(run.ID)[strings.LastIndexByte(token(run.ID), '.')+1:]
	raw, err := os.ReadFile(filepath.Join(s.folder, "studio.db"))
	if err != nil || bytes.Contains(raw, []byte(proof)) || !strings.Contains(bodies[0], proof) {
		t.Errorf("the database gives away the proof that went out: %v, %v", bytes.Contains(raw, []byte(proof)), err)
	}
	s.change = func(c *bff.Config) {
		c.Surface, c.Idempotency, c.PublicURL, c.MaskPNG = "run", true, "http://127.0.0.1:1", "palette"
	}
	s.open()
	s.check(s.db.DeleteUpload(t.Context(), "embedded", asset.SHA256))
	s.start()
	s.untilState(run.ID, atelier.StateDone)
	mu.Lock()
	sent := slices.Clone(bodies)
	mu.Unlock()
	if len(sent) != 2 || sent[0] != sent[1] {
		t.Errorf("%d requests went out, %q", len(sent), sent)
	}
	s.service.SetSwitches(service.Switches{})
	if n := s.executions(); n != 1 {
		t.Errorf("the image service worked %d times", n)
	}
	kept, err := s.db.FindRequest(t.Context(), run.ID)
	if sum := sha256.Sum256([]byte(sent[0])); err != nil || kept.Digest != hex.EncodeToString(sum[:]) || kept.Sealed != "" {
		t.Errorf("of what was sent is kept %+v, %v", kept, err)
	}
}

func TestTooManyAtOnceMeansWaitingNotFailing(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(22))
	s.service.SetSwitches(service.Switches{ConcurrencyLimit: 1, Slow: 100 * time.Millisecond})
	var runs []atelier.Run
	for _, key := range []string{"one", "two", "three"} {
		runs = append(runs, s.startRun(removal(key, asset)))
	}
	waited := s.until(runs[2].ID, "told to wait or done", func(r atelier.Run) bool { return r.Error != nil || r.State == atelier.StateDone })
	if waited.Error != nil && (waited.Error.Code != atelier.UpstreamBusy || waited.State == atelier.StateFailed) {
		t.Errorf("a run that waits is %+v", waited)
	}
	for _, r := range runs {
		if done := s.untilState(r.ID, atelier.StateDone); done.Error != nil {
			t.Errorf("a run that waited still shows %+v", done.Error)
		}
	}
	if n := s.executions(); n != 3 {
		t.Errorf("the image service worked %d times", n)
	}
}

func begin(t *testing.T, s *studio, id atelier.RunID, step string) {
	t.Helper()
	if ok, err := s.db.BeginStep(t.Context(), id, step, time.Now()); err != nil || !ok {
		t.Fatalf("BeginStep = %v, %v", ok, err)
	}
}

func create(t *testing.T, s *studio, run db.Run) string {
	t.Helper()
	a, err := s.db.FindAsset(t.Context(), "local", run.Asset.ID)
	s.check(err)
	f, err := s.store.Open(a.SHA256)
	s.check(err)
	up, err := s.upstream.UploadImage(t.Context(), upstream.TaskSurface, upstream.Upload{Name: "x.jpg", ContentType: "image/jpeg", Size: a.Bytes, Body: f})
	s.check(errors.Join(err, f.Close()))
	task, err := s.upstream.CreateTask(t.Context(), upstream.TaskCreate{
		AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"taskName": run.Tag, "originalImage": up.Image},
	})
	s.check(err)
	return task.TaskID
}

func execute(t *testing.T, s *studio, task string) {
	t.Helper()
	_, err := s.upstream.ExecuteTask(t.Context(), upstream.TaskExecute{TaskID: task, Params: map[string]any{
		"maskType": "autoSubjectSegment", "backgroundHex": "#FFEEDD", "batchCount": 1,
	}})
	s.check(err)
}

// A crash leaves the row as the last commit left it, and the service as the last call left it. Each case builds both.
func TestARunGoesOnFromEveryMomentACrashCanLeave(t *testing.T) {
	t.Parallel()
	moments := []struct {
		name  string
		leave func(t *testing.T, s *studio, run db.Run)
	}{
		{"recorded", func(*testing.T, *studio, db.Run) {}},
		{"about to create", func(t *testing.T, s *studio, run db.Run) { begin(t, s, run.ID, db.StepCreating) }},
		{"created, not written", func(t *testing.T, s *studio, run db.Run) {
			begin(t, s, run.ID, db.StepCreating)
			create(t, s, run)
		}},
		{"created and written", func(t *testing.T, s *studio, run db.Run) {
			begin(t, s, run.ID, db.StepCreating)
			if _, err := s.db.SetTask(t.Context(), run.ID, create(t, s, run)); err != nil {
				t.Fatal(err)
			}
		}},
		{"about to execute", func(t *testing.T, s *studio, run db.Run) {
			begin(t, s, run.ID, db.StepCreating)
			if _, err := s.db.SetTask(t.Context(), run.ID, create(t, s, run)); err != nil {
				t.Fatal(err)
			}
			begin(t, s, run.ID, db.StepExecuting)
		}},
		{"executed, not written", func(t *testing.T, s *studio, run db.Run) {
			begin(t, s, run.ID, db.StepCreating)
			task := create(t, s, run)
			if _, err := s.db.SetTask(t.Context(), run.ID, task); err != nil {
				t.Fatal(err)
			}
			begin(t, s, run.ID, db.StepExecuting)
			execute(t, s, task)
		}},
	}
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			s := newIdleStudio(t, nil)
			run := s.startRun(removal("crash", s.upload(photo(23))))
			row, err := s.db.LoadRun(t.Context(), run.ID)
			s.check(err)
			m.leave(t, s, row)
			s.start()
			s.untilState(run.ID, atelier.StateDone)
			if n := s.executions(); n != 1 {
				t.Errorf("the image service worked %d times", n)
			}
		})
	}
}

func TestARunThatWasMadeTwiceIsShownTwice(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	run := s.startRun(removal("twice", s.upload(photo(29))))
	row, err := s.db.LoadRun(t.Context(), run.ID)
	s.check(err)
	begin(t, s, run.ID, db.StepCreating)
	task := create(t, s, row)
	if _, err := s.db.SetTask(t.Context(), run.ID, task); err != nil {
		t.Fatal(err)
	}
	begin(t, s, run.ID, db.StepExecuting)
	execute(t, s, task)
	execute(t, s, task)
	socket := s.listen("")
	s.start()
	s.untilState(run.ID, atelier.StateDone)
	for {
		if e := s.event(socket); e.Type == atelier.EventNotice {
			break
		}
	}
	var page atelier.RunPage
	s.json("GET", "/api/runs", nil, http.StatusOK, &page)
	if len(page.Runs) != 2 || page.Runs[0].ExecutionID == page.Runs[1].ExecutionID || page.Runs[0].Title != "Red dress (made twice)" {
		t.Fatalf("the runs are %+v", page.Runs)
	}
	s.untilState(page.Runs[0].ID, atelier.StateDone)
	if asked, err := s.db.AskedThisMonth(t.Context()); err != nil || asked["local"] != 2 {
		t.Errorf("what was asked for is %v, %v, want two: both were made", asked, err)
	}
}

func TestAPictureTheServiceHasForgottenIsUploadedAgain(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*bff.Config){nil, overRuns} {
		s := newStudio(t, change)
		asset := s.upload(photo(61))
		s.check(s.db.SaveUpload(t.Context(), "embedded", asset.SHA256, "http://"+service.EmbeddedHost+"/openapi/files/forgotten.jpg"))
		run := s.startRun(removal("forgotten", asset))
		s.untilState(run.ID, atelier.StateDone)
	}
}

// A mask that the service has forgotten is found out when its task is made already.
func TestAMaskTheServiceHasForgottenIsUploadedAgain(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*bff.Config){func(*bff.Config) {}, overRuns} {
		s := newStudio(t, func(c *bff.Config) {
			change(c)
			c.MaskRoute = "url"
		})
		asset := s.upload(photo(63))
		s.untilState(s.startRun(removal("first", asset)).ID, atelier.StateDone)
		if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE uploads SET url = $1 WHERE sha256 <> $2",
			"http://"+service.EmbeddedHost+"/openapi/files/forgotten.png", asset.SHA256); err != nil {
			t.Fatal(err)
		}
		run := s.startRun(removal("second", asset))
		if done := s.untilState(run.ID, atelier.StateDone); !done.Results[0].Stored {
			t.Errorf("the run is %+v", done)
		}
	}
}

// The image service calls while the run is still looked for, or once that was given up: here it begins only then.
func TestACallbackConfirmsARunThatCannotBeFound(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"looked for": false, "given up": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &studio{asleep: late}
			s.change = func(c *bff.Config) { c.Surface, c.PublicURL = "run", s.http.URL }
			s.move(t)
			s.start()
			asset := s.upload(photo(62))
			s.service.SetSwitches(service.Switches{FailAfter: 1, RunsHidden: true})
			run := s.startRun(removal("confirmed", asset))
			if late {
				s.untilState(run.ID, atelier.StateUnconfirmed)
				s.check(s.service.Start(s.background()))
			}
			done := s.untilState(run.ID, atelier.StateDone)
			if !done.Results[0].Stored || done.Error != nil {
				t.Errorf("the run is %+v", done)
			}
		})
	}
}

func TestAnInterruptedJobIsTakenUpAtOnce(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	run := s.startRun(removal("interrupted", s.upload(photo(24))))
	// As a killed process leaves it.
	if _, err := s.db.Write.ExecContext(t.Context(), `UPDATE river_job SET state = 'running', attempt = 1, attempted_at = CURRENT_TIMESTAMP`); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.untilState(run.ID, atelier.StateDone) // the queue itself would take it up in twenty minutes
}

func TestAResultWhoseAddressHasExpiredIsStillBroughtHome(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(25))
	s.service.SetSwitches(service.Switches{ResultExpiry: time.Nanosecond})
	run := s.startRun(removal("expired", asset))
	s.until(run.ID, "fetched in vain", func(r atelier.Run) bool {
		if len(r.Results) == 0 {
			return false
		}
		res, err := s.db.LoadResult(t.Context(), r.Results[0].ID)
		s.check(err)
		return res.Attempts > 0
	})
	s.service.SetSwitches(service.Switches{})
	if done := s.untilState(run.ID, atelier.StateDone); !done.Results[0].Stored {
		t.Errorf("the run is %+v", done)
	}
}

func TestARunThatIsDeletedBeforeItBeganIsNeverPaid(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	run := s.startRun(removal("changed mind", s.upload(photo(26))))
	s.json("DELETE", "/api/runs/"+string(run.ID), nil, http.StatusNoContent, nil)
	s.start()
	s.untilState(run.ID, atelier.StateFailed)
	if n := s.executions(); n != 0 {
		t.Errorf("the image service worked %d times", n)
	}
}

// A run whose picture or mask is lost ends with the reason instead of being tried for ever.
func TestARunWhoseFilesAreLostEnds(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	lose := func(sha string) {
		t.Helper()
		if gone, err := s.store.Remove(sha, time.Now().Add(time.Hour)); err != nil || !gone {
			t.Fatalf("Remove = %v, %v", gone, err)
		}
	}
	picture := s.startRun(removal("picture lost", s.upload(photo(73))))
	asset, err := s.db.FindAsset(t.Context(), "local", picture.Asset.ID)
	s.check(err)
	lose(asset.Sent.SHA256)
	masked := s.startRun(removal("mask lost", s.upload(photo(74))))
	run, err := s.db.LoadRun(t.Context(), masked.ID)
	s.check(err)
	lose(run.MaskSHA256)
	s.start()
	for id, word := range map[atelier.RunID]string{picture.ID: "Upload it again", masked.ID: "Paint it again"} {
		if failed := s.untilState(id, atelier.StateFailed); failed.Error == nil || !strings.Contains(failed.Error.Message, word) {
			t.Errorf("the run says %+v, want %q", failed.Error, word)
		}
	}
	if n := s.executions(); n != 0 {
		t.Errorf("the image service worked %d times", n)
	}
}

func TestRawAnswersOfPaidCallsAreKept(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	run := s.startRun(removal("answers", s.upload(photo(27))))
	s.untilState(run.ID, atelier.StateDone)
	answers, err := s.db.ListAnswers(t.Context(), run.ID)
	s.check(err)
	if len(answers) != 2 {
		t.Errorf("%d answers are kept: %v", len(answers), answers)
	}
}

func TestEveryReadingOfTheDocumentsWorks(t *testing.T) {
	t.Parallel()
	for name, switches := range map[string]service.Switches{
		"codes as strings": {CodeAsString: true}, "message for msg": {MessageField: true}, "results for result": {ResultsField: true},
	} {
		for surface, change := range map[string]func(*bff.Config){"task": nil, "run": overRuns} {
			t.Run(name+" over "+surface, func(t *testing.T) {
				t.Parallel()
				s := newStudio(t, change)
				s.service.SetSwitches(switches)
				run := s.startRun(removal("quirk", s.upload(photo(28))))
				if done := s.untilState(run.ID, atelier.StateDone); !done.Results[0].Stored || string(done.Surface) != surface {
					t.Errorf("the run is %+v", done)
				}
			})
		}
	}
}
