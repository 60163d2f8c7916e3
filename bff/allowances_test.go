package bff_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"atelier/atelier"
)

// An administrator says how many results somebody may ask for in a month: it holds at once, for every way to ask, also for what is asked at
// the same time, and they stay signed in.
func TestNobodyAsksForMoreThanAllowed(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	ada := s.browser
	ben, his := s.member("Ben", atelier.Designer)
	allow := func(n, want int) {
		t.Helper()
		s.as(ada, func() {
			s.json("PATCH", "/api/users/"+string(ben.ID), atelier.UpdateAccount{Monthly: &n}, want, nil)
		})
	}
	listed := func() (a atelier.Account) {
		t.Helper()
		var list atelier.AccountList
		s.as(ada, func() { s.json("GET", "/api/users", nil, http.StatusOK, &list) })
		for _, a := range list.Accounts {
			if a.ID == ben.ID {
				return a
			}
		}
		t.Fatal("Ben is not listed")
		return a
	}
	if a := listed(); a.Monthly != atelier.AnyNumber || a.Asked != 0 {
		t.Errorf("a new account is %+v", a)
	}
	s.browser = his
	session := func() *atelier.Allowance {
		t.Helper()
		var session atelier.Session
		s.json("GET", "/api/session", nil, http.StatusOK, &session)
		return session.Allowance
	}
	if a := session(); a != nil {
		t.Errorf("who may ask for any number is told %+v", a)
	}
	asset := s.upload(photo(1))
	ask := func(key string, results int) reply {
		t.Helper()
		start := removal(intentKey(key), asset)
		start.Values["batchCount"] = results
		raw, err := json.Marshal(start)
		s.check(err)
		return s.send("POST", "/api/runs", strings.NewReader(string(raw)), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
	}
	if r := ask("allow-any", 3); r.status != http.StatusAccepted {
		t.Fatalf("any number = %d %s", r.status, r.body)
	}
	events := s.listen("")
	heard := func(want *atelier.Allowance) {
		t.Helper()
		s.eventOf(events, atelier.EventAllowance, func(data json.RawMessage) bool {
			var a *atelier.Allowance
			s.check(json.Unmarshal(data, &a))
			return (a == nil) == (want == nil) && (a == nil || a.Monthly == want.Monthly && a.Asked == want.Asked)
		})
	}
	for _, bad := range []int{-2, atelier.MaxMonthly + 1} {
		allow(bad, http.StatusBadRequest)
	}
	for _, good := range []int{0, 1, atelier.MaxMonthly, 10} {
		allow(good, http.StatusOK)
		heard(&atelier.Allowance{Monthly: good, Asked: 3})
	}
	if a := listed(); a.Monthly != 10 || a.Asked != 3 {
		t.Errorf("Ben is listed as %+v", a)
	}
	r := ask("allow-eight", 8)
	if e := r.error(t); r.status != http.StatusForbidden || e.Message != "This makes 8 results, and 7 are left of your 10 this month. An administrator can allow more." {
		t.Errorf("eight of seven = %d %+v", r.status, e)
	}
	// A number out of range is replaced by the default, and so counted.
	if r := ask("allow-default", 17); r.status != http.StatusAccepted {
		t.Fatalf("17 results = %d %s", r.status, r.body)
	}
	if a := session(); a == nil || a.Left() != 3 {
		t.Errorf("after four more the session says %+v", a)
	}
	heard(&atelier.Allowance{Monthly: 10, Asked: 7})
	var body, again atelier.RunBody
	three := ask("allow-three", 3)
	s.check(json.Unmarshal(three.body, &body))
	if three.status != http.StatusAccepted {
		t.Fatalf("three of three = %d %s", three.status, three.body)
	}
	// The same wish again is the same run.
	r = ask("allow-three", 3)
	s.check(json.Unmarshal(r.body, &again))
	if r.status != http.StatusAccepted || again.Run.ID != body.Run.ID || session().Asked != 10 {
		t.Errorf("the same again = %d, run %s, want %s; %+v", r.status, again.Run.ID, body.Run.ID, session())
	}
	// A run that was not taken is given back, and running it again counts as any.
	if changed, err := s.db.SetState(t.Context(), body.Run.ID, atelier.StateFailed, "", &atelier.Error{Code: atelier.Refused, Message: "No."}); err != nil || !changed {
		t.Fatalf("SetState = %v, %v", changed, err)
	}
	if a := session(); a.Left() != 3 {
		t.Errorf("after the failure the session says %+v", a)
	}
	allow(9, http.StatusOK)
	if r := s.send("POST", "/api/runs/"+string(body.Run.ID)+"/retry", nil, nil); r.status != http.StatusForbidden {
		t.Errorf("three again of two = %d %s", r.status, r.body)
	}
	// Twelve who ask at the same time for one each get the two that are left.
	var group sync.WaitGroup
	statuses := make([]int, 12)
	for i := range statuses {
		group.Go(func() { statuses[i] = ask("allow-crowd-"+string(rune('a'+i)), 1).status })
	}
	group.Wait()
	taken := 0
	for _, status := range statuses {
		switch status {
		case http.StatusAccepted:
			taken++
		case http.StatusForbidden:
		default:
			t.Errorf("one of them was answered %d", status)
		}
	}
	if taken != 2 || session().Left() != 0 {
		t.Errorf("%d were taken, want 2; %+v", taken, session())
	}
	allow(atelier.AnyNumber, http.StatusOK)
	heard(nil)
	if r := ask("allow-free", 16); r.status != http.StatusAccepted {
		t.Errorf("any number again = %d %s", r.status, r.body)
	}
}
