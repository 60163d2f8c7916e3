package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/service"
)

// Whoever waits because the image service has too much to do sees how many are sent before, and sees that become fewer.
func TestThePlaceInLineIsSeenAndBecomesSmaller(t *testing.T) {
	t.Parallel()
	s := (&studio{asleep: true}).move(t)
	asset := s.upload(photo(22))
	s.service.SetSwitches(service.Switches{ConcurrencyLimit: 1, Slow: 700 * time.Millisecond})
	s.start()
	holder := s.untilState(s.startRun(removal("holder", asset)).ID, atelier.StateAccepted)
	waiting := make([]atelier.Run, 3)
	for i := range waiting {
		waiting[i] = s.startRun(removal(fmt.Sprint("waits ", i), asset))
	}
	for i, run := range waiting {
		s.until(run.ID, fmt.Sprintf("in place %d", i), func(r atelier.Run) bool { return r.Queue != nil && *r.Queue == i })
	}
	socket := s.listen("")
	s.check(s.service.Start(s.background())) // the holder's work begins, and ends
	last := waiting[2].ID
	var places []int
	s.eventOf(socket, atelier.EventRun, func(data json.RawMessage) bool {
		var run atelier.Run
		s.check(json.Unmarshal(data, &run))
		if run.ID == last && run.Queue != nil {
			places = append(places, *run.Queue)
		}
		return run.ID == last && run.State == atelier.StateDone
	})
	before := 2
	for _, place := range places {
		if place > before {
			t.Errorf("the places were %v: it went back", places)
		}
		before = place
	}
	// Places that follow each other closely are published as one, so that the last one may be missing.
	if before == 2 {
		t.Errorf("the places were %v, and then it was sent", places)
	}
	for _, run := range append(waiting, holder) {
		if done := s.untilState(run.ID, atelier.StateDone); done.Queue != nil || done.Error != nil {
			t.Errorf("a run that is done shows %v, %+v", done.Queue, done.Error)
		}
	}
}

// Of three that wait for the image service, the one that is to be sent next goes before the others; taken back, it has its turn again. Only
// one's own can be moved, and only while it waits.
func TestAWaitingRunIsSentNext(t *testing.T) {
	t.Parallel()
	s := (&studio{asleep: true, unsigned: true, change: func(c *bff.Config) { c.Team, c.LaunchToken = true, "" }}).move(t)
	s.json("POST", "/api/setup", atelier.Setup{Code: setupCode(t, s), Name: "Ada", Password: goodPassword}, http.StatusOK, nil)
	admin := s.browser
	_, owner := s.member("Olga", atelier.Designer)
	_, other := s.member("Ben", atelier.Designer)
	s.browser = owner
	asset := s.upload(photo(22))
	s.service.SetSwitches(service.Switches{ConcurrencyLimit: 1})
	s.start()
	holder := s.untilState(s.startRun(removal("holder", asset)).ID, atelier.StateAccepted)
	waiting := make([]atelier.Run, 3)
	for i := range waiting {
		waiting[i] = s.startRun(removal(fmt.Sprint("waits ", i), asset))
	}
	placed := func(i, place int) {
		t.Helper()
		s.until(waiting[i].ID, fmt.Sprintf("in place %d", place), func(r atelier.Run) bool { return r.Queue != nil && *r.Queue == place })
	}
	places := func(of ...int) {
		t.Helper()
		for i, place := range of {
			placed(i, place)
		}
	}
	next := func(i int) string { return "/api/runs/" + string(waiting[i].ID) + "/next" }
	places(0, 1, 2)
	s.json("POST", next(1), nil, http.StatusNoContent, nil)
	places(1, 0, 2)
	s.json("DELETE", next(1), nil, http.StatusNoContent, nil)
	places(0, 1, 2)
	s.as(other, func() { s.json("POST", next(1), nil, http.StatusNotFound, nil) })
	s.json("POST", next(1), nil, http.StatusNoContent, nil)
	s.as(admin, func() { s.json("POST", next(2), nil, http.StatusNotFound, nil) })
	s.json("POST", next(2), nil, http.StatusNoContent, nil) // again is the same
	places(2, 1, 0)
	s.check(s.service.Start(s.background()))
	done := make([]time.Time, 3)
	for i, run := range waiting {
		s.untilState(run.ID, atelier.StateDone)
		sent, err := s.db.LoadRun(t.Context(), run.ID)
		s.check(err)
		done[i] = sent.LastSentAt
	}
	if !done[2].Before(done[1]) || !done[2].Before(done[0]) { // once it is through there is room for both of the others
		t.Errorf("they were sent at %v, want the third before the others", done)
	}
	for _, run := range append(waiting, holder) {
		for _, method := range []string{"POST", "DELETE"} {
			s.json(method, "/api/runs/"+string(run.ID)+"/next", nil, http.StatusConflict, nil)
		}
	}
}

// Half of the runs like it took as long as the first estimate says. One that takes longer is measured against the slowest tenth, and one
// that is slower still takes longer than is usual: 0 s are left.
func TestTheEstimateFollowsHowLongRunsLikeItTook(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	run := s.startRun(removal("eta", s.upload(photo(53))))
	if _, err := s.db.Accept(t.Context(), run.ID, "e-now", "t"); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	begun := func(seconds int) int64 { return now.Add(-time.Duration(seconds) * time.Second).UnixMilli() }
	for i, took := range []int{20, 22, 24, 26, 28, 400, 600, 700, 800, 1000} { // p50 400 s, p90 1000 s
		old := s.startRun(removal(fmt.Sprint("old ", i), *run.Asset))
		_, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET state = 'done', last_sent_at = $2, checked_at = $3 WHERE id = $1", string(old.ID), begun(5000), begun(5000-took))
		s.check(err)
	}
	for _, tt := range []struct{ elapsed, least, most int }{{100, 200, 300}, {500, 400, 500}, {1100, 0, 0}} {
		_, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET last_sent_at = $2 WHERE id = $1", string(run.ID), begun(tt.elapsed))
		s.check(err)
		var body atelier.RunBody
		s.json("GET", "/api/runs/"+string(run.ID), nil, http.StatusOK, &body)
		if eta := body.Run.ETA; eta == nil || *eta < tt.least || *eta > tt.most {
			t.Errorf("after %d s the estimate is %v, want %d to %d s", tt.elapsed, eta, tt.least, tt.most)
		}
	}
}
