package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/service"
)

// unconfirmed is a run that was made at the service and that the studio cannot find there, with the id it has there.
func unconfirmed(t *testing.T, s *studio, key string, asset atelier.Asset) (run atelier.Run, execution string) {
	t.Helper()
	s.service.SetSwitches(service.Switches{FailAfter: 1, RunsHidden: true})
	run = s.untilState(s.startRun(removal(key, asset)).ID, atelier.StateUnconfirmed)
	s.service.SetSwitches(service.Switches{})
	var page atelier.TaskPage
	s.json("GET", "/api/tasks?limit=1", nil, http.StatusOK, &page)
	if len(page.Tasks) != 1 || len(page.Tasks[0].Executions) != 1 {
		t.Fatalf("the service shows %+v", page)
	}
	s.service.SetSwitches(service.Switches{RunsHidden: true})
	return run, page.Tasks[0].Executions[0].ID
}

func (s *studio) adopt(id atelier.RunID, execution string, want int) reply {
	s.t.Helper()
	return s.json("POST", "/api/runs/"+string(id)+"/adopt", atelier.AdoptRun{ExecutionID: execution}, want, nil)
}

// Who brings in the task of a run that is unconfirmed, or was dismissed, has that run and no second one; more of the task are runs of their own.
func TestBringingInATaskConfirmsItsRun(t *testing.T) {
	t.Parallel()
	s := newStudio(t, overRuns)
	asset := s.upload(photo(91))
	for _, dismissed := range []bool{false, true} {
		run, execution := unconfirmed(t, s, fmt.Sprint("bring in ", dismissed), asset)
		if dismissed {
			s.json("POST", "/api/runs/"+string(run.ID)+"/dismiss", nil, http.StatusOK, nil)
		}
		s.service.SetSwitches(service.Switches{})
		var tasks atelier.TaskPage
		s.json("GET", "/api/tasks?limit=1", nil, http.StatusOK, &tasks)
		var page atelier.RunPage
		s.json("POST", "/api/tasks/"+tasks.Tasks[0].ID+"/import", nil, http.StatusCreated, &page)
		if len(page.Runs) != 1 || page.Runs[0].ID != run.ID {
			t.Fatalf("brought in are %+v, want the run %s", page.Runs, run.ID)
		}
		if done := s.untilState(run.ID, atelier.StateDone); done.ExecutionID != execution || !done.Results[0].Stored || done.Error != nil {
			t.Errorf("the run is %+v", done)
		}
	}
	var page atelier.RunPage
	s.json("GET", "/api/runs", nil, http.StatusOK, &page)
	if len(page.Runs) != 2 {
		t.Errorf("%d runs are there, want two", len(page.Runs))
	}
}

func TestAnUnconfirmedRunTakesTheIdItsOwnerFound(t *testing.T) {
	t.Parallel()
	s := newStudio(t, overRuns)
	asset := s.upload(photo(90))
	run, execution := unconfirmed(t, s, "adopt one", asset)
	other, otherExecution := unconfirmed(t, s, "adopt two", asset)
	for name, bad := range map[string]string{
		"none": "", "blanks": "   ", "too long": strings.Repeat("x", 129), "a path": "../x", "a word with blanks": "an id",
		"an unknown id": "0190a0b0-0000-7000-8000-000000000000", "another run's": otherExecution,
	} {
		e := s.adopt(run.ID, bad, http.StatusBadRequest).error(t)
		if e.Fields["executionId"] == "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if now := s.run(run.ID); now.State != atelier.StateUnconfirmed || now.Error == nil {
		t.Errorf("refused ids changed the run: %+v", now)
	}
	s.adopt(run.ID, " "+execution+"\n", http.StatusOK)
	done := s.untilState(run.ID, atelier.StateDone)
	if done.ExecutionID != execution || !done.Results[0].Stored || done.Error != nil {
		t.Errorf("the run is %+v", done)
	}
	s.adopt(run.ID, execution, http.StatusConflict)
	if e := s.adopt(other.ID, execution, http.StatusBadRequest).error(t); !strings.Contains(e.Message, "another run") {
		t.Errorf("the id of a known run: %+v", e)
	}
	s.adopt("none", execution, http.StatusNotFound)
	// It can even be dismissed first.
	s.json("POST", "/api/runs/"+string(other.ID)+"/dismiss", nil, http.StatusOK, nil)
	s.adopt(other.ID, otherExecution, http.StatusOK)
	s.untilState(other.ID, atelier.StateDone)
	s.service.SetSwitches(service.Switches{})
	if n := s.executions(); n != 2 {
		t.Errorf("the service worked %d times for two runs", n)
	}
}

func TestAnUnconfirmedRunIsDismissedOrRunAgain(t *testing.T) {
	t.Parallel()
	s := newStudio(t, overRuns)
	asset := s.upload(photo(91))
	run, _ := unconfirmed(t, s, "dismiss", asset)
	path := "/api/runs/" + string(run.ID)
	var body atelier.RunBody
	s.json("POST", path+"/dismiss", nil, http.StatusOK, &body)
	if body.Run.State != atelier.StateFailed || body.Run.Error == nil || !strings.Contains(body.Run.Error.Message, "dismissed") {
		t.Errorf("dismissed: %+v", body.Run)
	}
	s.json("POST", path+"/dismiss", nil, http.StatusConflict, nil)
	s.json("POST", "/api/runs/none/dismiss", nil, http.StatusNotFound, nil)
	// Its owner thinks better of it, once; and dismisses it all the same.
	s.json("DELETE", path+"/dismiss", nil, http.StatusOK, &body)
	if body.Run.State != atelier.StateUnconfirmed || body.Run.Error == nil || strings.Contains(body.Run.Error.Message, "dismissed") {
		t.Errorf("no longer dismissed: %+v", body.Run)
	}
	s.json("DELETE", path+"/dismiss", nil, http.StatusConflict, nil)
	s.json("POST", path+"/dismiss", nil, http.StatusOK, nil)

	again, _ := unconfirmed(t, s, "again", asset)
	s.json("POST", "/api/runs/"+string(again.ID)+"/retry", nil, http.StatusAccepted, &body)
	if second := s.untilState(body.Run.ID, atelier.StateDone); second.ID == again.ID {
		t.Error("the same run was sent once more")
	}
	first := s.run(again.ID)
	if first.State != atelier.StateFailed || first.Error == nil || !strings.Contains(first.Error.Message, "again") {
		t.Errorf("the one that was run again: %+v", first)
	}
	s.json("DELETE", "/api/runs/"+string(again.ID)+"/dismiss", nil, http.StatusConflict, nil) // its second would be one too many
}

// What was given up comes back when the service calls about it.
func TestADismissedRunComesBackWhenItWasMade(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.close()
	s.change = func(c *bff.Config) { c.Surface = "run" }
	s.open()
	s.start()
	run, execution := unconfirmed(t, s, "comes back", s.upload(photo(92)))
	s.json("POST", "/api/runs/"+string(run.ID)+"/dismiss", nil, http.StatusOK, nil)
	if status := s.deliver(token(run.ID), `{"data":{"executions":[{"executionId":"`+execution+`"}]}}`, somebody); status != http.StatusOK {
		t.Fatalf("the callback = %d", status)
	}
	if done := s.untilState(run.ID, atelier.StateDone); done.Error != nil || !done.Results[0].Stored {
		t.Errorf("the run is %+v", done)
	}
}

// The studio dies between keeping the answer to a paid call and acting on it, or the answer breaks off behind the id. The run is
// listed nowhere and nobody calls: what was kept is all there is, and it suffices.
func TestAnAnswerThatWasKeptIsReadByTheNextLife(t *testing.T) {
	t.Parallel()
	for name, kept := range map[string]string{"as it came": "body", "broken off": "substr(body, 1, instr(body, 'executionId') + 52)"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := (&studio{change: overRuns, asleep: true}).move(t)
			s.service.SetSwitches(service.Switches{RunsHidden: true})
			s.start()
			sent := s.untilState(s.startRun(removal("kept", s.upload(photo(93)))).ID, atelier.StateAccepted)
			s.close()
			s.open()
			for _, as := range []string{
				"UPDATE runs SET state = 'submitting', step = 'executing', execution_id = '', task_id = '' WHERE id = $1",
				"UPDATE answers SET body = " + kept + " WHERE run_id = $1",
				"DELETE FROM river_job WHERE $1 <> '' AND kind = 'poll'", // there never was one
			} {
				if _, err := s.db.Write.ExecContext(t.Context(), as, string(sent.ID)); err != nil {
					t.Fatal(err)
				}
			}
			answers, err := s.db.ListAnswers(t.Context(), sent.ID)
			if err != nil || len(answers) != 1 || !strings.Contains(answers[0].Body, `"`+sent.ExecutionID+`"`) || (name != "as it came") == json.Valid([]byte(answers[0].Body)) {
				t.Fatalf("kept: %+v, %v", answers, err)
			}
			s.check(s.service.Start(s.background()))
			s.start()
			done := s.until(sent.ID, "decided", func(r atelier.Run) bool { return r.State.Final() || r.State == atelier.StateUnconfirmed })
			if done.State != atelier.StateDone || done.ExecutionID != sent.ExecutionID {
				t.Errorf("the run is %+v, want %s done", done, sent.ExecutionID)
			}
			s.service.SetSwitches(service.Switches{})
			if n := s.executions(); n != 1 {
				t.Errorf("the service worked %d times", n)
			}
		})
	}
}
