package bff_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
	"atelier/internal/sqldb"
)

// K8: the studio goes back to a backup. What was made since comes back, what was about to be sent is not sent twice, and
// what was never sent is sent. The service knows each run once.
func TestARestoredStudioFindsWhatCameAfterItsBackup(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*bff.Config){"over tasks": nil, "over runs": overRuns} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newIdleStudio(t, change)
			asset := s.upload(photo(97))
			s.start()
			before := s.untilState(s.startRun(removal("before", asset)).ID, atelier.StateDone)
			s.stopJobs()
			waiting := s.startRun(removal("waiting", asset)) // recorded and not sent when the backup is taken
			backup := filepath.Join(t.TempDir(), "studio.db")
			takenAt := time.Now()
			s.check(sqldb.Snapshot(t.Context(), filepath.Join(s.folder, "studio.db"), backup))

			s.startJobs()
			waiting = s.untilState(waiting.ID, atelier.StateDone)
			after := s.untilState(s.startRun(removal("after", asset)).ID, atelier.StateDone)
			made := s.executions()

			s.close()
			for _, suffix := range []string{"", "-wal", "-shm"} {
				if err := os.Remove(filepath.Join(s.folder, "studio.db"+suffix)); err != nil && suffix == "" {
					t.Fatal(err)
				}
			}
			s.check(os.Rename(backup, filepath.Join(s.folder, "studio.db")))
			restored, err := db.Open(t.Context(), filepath.Join(s.folder, "studio.db"))
			s.check(err)
			s.check(restored.MakeRestored(t.Context(), takenAt))
			s.check(restored.Close())
			s.open()
			s.browser = s.newBrowser()
			s.login()
			s.start()

			again := s.untilState(waiting.ID, atelier.StateDone)
			if again.ExecutionID != waiting.ExecutionID {
				t.Errorf("the run that waited is execution %s, was %s", again.ExecutionID, waiting.ExecutionID)
			}
			ids := map[string]int{}
			s.eventually("everything is back", func() bool {
				var page atelier.RunPage
				s.json("GET", "/api/runs", nil, 200, &page)
				clear(ids)
				for _, r := range page.Runs {
					ids[r.ExecutionID]++
					if r.State != atelier.StateDone {
						return false
					}
				}
				return len(page.Runs) == 3
			})
			for _, want := range []string{before.ExecutionID, waiting.ExecutionID, after.ExecutionID} {
				if ids[want] != 1 {
					t.Errorf("execution %s is there %d times: %v", want, ids[want], ids)
				}
			}
			if n := s.executions(); n != made {
				t.Errorf("the service worked %d times, %d before the backup was restored", n, made)
			}
			s.eventually("nothing is looked for any more", func() bool {
				mark, err := s.db.FindMark(t.Context(), db.MarkRebuild)
				s.check(err)
				return mark.IsZero()
			})
		})
	}
}
