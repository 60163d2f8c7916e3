package bff_test

import (
	"database/sql"
	"testing"
	"time"

	"atelier/atelier"
)

// What the image service has said about a run, word by word, is kept for a week after it came, and for as long as the run is not over.
func TestWhatWasSaidAboutARunThatIsOverIsForgotten(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	asset := s.upload(photo(31))
	kept := map[string]bool{"over": false, "over since today": true, "under way": true, "unconfirmed": true}
	ids := map[string]atelier.RunID{}
	old := time.Now().Add(-8 * 24 * time.Hour).UnixMilli()
	for name := range kept {
		run := s.startRun(removal(name, asset))
		ids[name] = run.ID
		s.check(s.db.SaveAnswer(t.Context(), run.ID, "start run", []byte("yes")))
		s.check(s.db.SaveCallback(t.Context(), run.ID, "sha", "done", "127.0.0.1", func(*sql.Tx) error { return nil }))
		for _, statement := range []string{"UPDATE answers SET at = $1 WHERE run_id = $2", "UPDATE inbox SET at = $1 WHERE run_id = $2"} {
			if name == "over since today" {
				break
			}
			_, err := s.db.Write.ExecContext(t.Context(), statement, old, string(run.ID))
			s.check(err)
		}
	}
	for name, state := range map[string]atelier.State{"over": atelier.StateFailed, "over since today": atelier.StateFailed, "unconfirmed": atelier.StateUnconfirmed} {
		if ok, err := s.db.SetState(t.Context(), ids[name], state, "", nil); err != nil || !ok {
			t.Fatalf("SetState = %v, %v", ok, err)
		}
	}
	s.check(s.bff.Jobs().Purge(t.Context()))
	for name, want := range kept {
		answers, err := s.db.ListAnswers(t.Context(), ids[name])
		s.check(err)
		calls, err := s.db.ListCallbacks(t.Context(), ids[name])
		s.check(err)
		if len(calls) != 1 { // the same call again is known by its row
			t.Fatalf("%s: %d calls", name, len(calls))
		}
		if got := len(answers) == 1 && calls[0].Body != ""; got != want || (len(answers) == 1) != want {
			t.Errorf("%s: %d answers and the call %q are kept, want them %v", name, len(answers), calls[0].Body, want)
		}
	}
}
