package bff_test

import (
	"net/http"
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
			row, err := s.db.LoadRun(t.Context(), after.ID)
			s.check(err)
			row.Tag = row.Tag[:len(row.Tag)-3] + "zzz" // of the same form, and another studio's with this account
			execute(t, s, create(t, s, row))
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
			var page atelier.RunPage
			if s.json("GET", "/api/runs", nil, http.StatusOK, &page); len(page.Runs) != 3 {
				t.Errorf("%d runs are there: another studio's with them", len(page.Runs))
			}
		})
	}
}

// Rows can be lost without a restored backup, when somebody copies a database by hand. What went out from here comes back by itself;
// what another studio sent, and what was deleted for good, does not.
func TestRunsWhoseRowsAreLostComeBackByThemselves(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, func(c *bff.Config) { c.Late = 100 * time.Millisecond })
	asset := s.upload(photo(98))
	copied := filepath.Join(t.TempDir(), "studio.db")
	s.start()
	gone := s.untilState(s.startRun(removal("deleted", asset)).ID, atelier.StateDone)
	s.json("DELETE", "/api/runs/"+string(gone.ID), nil, http.StatusNoContent, nil)
	age(t, s, 31*24*time.Hour, gone.ID)
	s.check(s.bff.Jobs().Purge(t.Context()))
	s.check(sqldb.Snapshot(t.Context(), filepath.Join(s.folder, "studio.db"), copied))
	lost := s.untilState(s.startRun(removal("lost", asset)).ID, atelier.StateDone)
	row, err := s.db.LoadRun(t.Context(), lost.ID)
	s.check(err)
	foreign := row
	foreign.Tag = row.Tag[:len(row.Tag)-3] + "zzz" // of the same form, and made elsewhere
	execute(t, s, create(t, s, foreign))
	s.close()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(s.folder, "studio.db"+suffix)); err != nil && suffix == "" {
			t.Fatal(err)
		}
	}
	s.check(os.Rename(copied, filepath.Join(s.folder, "studio.db")))
	s.open()
	s.start()
	var page atelier.RunPage
	s.eventually("the lost run is back", func() bool {
		s.json("GET", "/api/runs", nil, http.StatusOK, &page)
		return len(page.Runs) > 0 && page.Runs[0].State == atelier.StateDone
	})
	s.eventually("the service was looked through to its end", func() bool {
		mark, err := s.db.FindMark(t.Context(), db.MarkSeen)
		s.check(err)
		return !mark.IsZero()
	})
	s.json("GET", "/api/runs", nil, http.StatusOK, &page)
	if len(page.Runs) != 1 || page.Runs[0].ExecutionID != lost.ExecutionID {
		t.Errorf("there are %+v, want execution %s alone", page.Runs, lost.ExecutionID)
	}
	if asked, err := s.db.AskedThisMonth(t.Context()); err != nil || asked["local"] != 2 {
		t.Errorf("what was asked for is %v, %v, want two: what was deleted and what is back", asked, err)
	}
}
