package bff_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
)

func (s *studio) usual(agent string) []atelier.Usual {
	s.t.Helper()
	var list atelier.UsualList
	s.json("GET", "/api/agents/"+agent+"/usual", nil, http.StatusOK, &list)
	return list.Usual
}

// Before a run is asked for it is told how long such runs took, whoever asked for them: by agent and number of results, without those that
// failed, and nothing where too few say anything.
func TestHowLongRunsUsuallyTakeIsToldByAgentAndNumberOfResults(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	_, ben := s.member("Ben", atelier.Designer)
	asset := s.upload(photo(53))
	var others atelier.Asset
	s.as(ben, func() { others = s.upload(photo(54)) })
	if got := s.usual("image-to-video"); got == nil || len(got) != 0 {
		t.Errorf("without a history: %v, want an empty list", got)
	}
	now := time.Now()
	took := func(results, seconds int, of atelier.Asset, state atelier.State) {
		old := removal(fmt.Sprint(results, " took ", seconds), of)
		old.Values["batchCount"] = results
		run := s.startRun(old)
		_, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET state = $2, last_sent_at = $3, checked_at = $4 WHERE id = $1",
			string(run.ID), string(state), now.Add(-time.Hour).UnixMilli(), now.Add(-time.Hour+time.Duration(seconds)*time.Second).UnixMilli())
		s.check(err)
	}
	for _, seconds := range []int{28, 20, 26, 24, 22} {
		took(1, seconds, asset, atelier.StateDone)
		took(1, seconds+600, asset, atelier.StateFailed)
	}
	s.as(ben, func() {
		for _, seconds := range []int{1000, 400, 800, 600, 700} {
			took(1, seconds, others, atelier.StateDone)
		}
	})
	for _, seconds := range []int{90, 91, 92} {
		took(4, seconds, asset, atelier.StateDone)
	}
	for _, seconds := range []int{300, 301} { // too few
		took(16, seconds, asset, atelier.StateDone)
	}
	want := []atelier.Usual{{Results: 1, Half: 400, Most: 1000}, {Results: 4, Half: 91, Most: 92}}
	if diff := cmp.Diff(want, s.usual("removeBG")); diff != "" {
		t.Errorf("of runs with a history (-want +got):\n%s", diff)
	}
	s.json("GET", "/api/agents/nobody/usual", nil, http.StatusNotFound, nil)
}

// The run that makes the history long enough is told of as soon as it is done.
func TestHowLongRunsTakeIsKnownOnceTheyAreDone(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(55))
	for i := range 3 {
		if got := s.usual("removeBG"); len(got) != 0 {
			t.Errorf("after %d runs: %v", i, got)
		}
		s.untilState(s.startRun(removal(fmt.Sprint("known ", i), asset)).ID, atelier.StateDone)
	}
	if got := s.usual("removeBG"); len(got) != 1 || got[0].Results != 1 || got[0].Half < 1 || got[0].Most < got[0].Half {
		t.Errorf("after three runs: %v", got)
	}
}
