package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
)

var first = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// shotOf is result n of a run that was started so many minutes after the first.
func shotOf(minute, n int) Shot {
	run := atelier.RunID(fmt.Sprintf("r%02d", minute))
	return Listed(atelier.ListedResult{
		Result: atelier.Result{ID: atelier.ResultID(fmt.Sprintf("%s.%d", run, n)), RunID: run, Index: n, Stored: true},
		Run:    atelier.RunRef{ID: run, Agent: "aimodel", CreatedAt: first.Add(time.Duration(minute) * time.Minute)},
	})
}

func keys(shots []Shot) string {
	out := make([]string, len(shots))
	for i, s := range shots {
		out[i] = s.Key()
	}
	return strings.Join(out, " ")
}

func TestAListGrowsAtBothEnds(t *testing.T) {
	var l Listing
	l.Append(shotOf(5, 0), shotOf(5, 1), shotOf(4, 0))
	l.Append(shotOf(4, 0), shotOf(3, 0)) // pages may overlap
	if got := keys(l.Shots); got != "r05.0 r05.1 r04.0 r03.0" {
		t.Fatalf("pages: %s", got)
	}
	// The part above comes oldest first.
	if n := l.Insert(true, shotOf(6, 0), shotOf(6, 1), shotOf(7, 0)); n != 3 || l.Lead != 3 {
		t.Errorf("%d are new, %d stand above", n, l.Lead)
	}
	if got := keys(l.Shots); got != "r07.0 r06.0 r06.1 r05.0 r05.1 r04.0 r03.0" {
		t.Errorf("above: %s", got)
	}
	if n := l.Insert(false, shotOf(4, 1), shotOf(2, 0)); n != 2 || l.Lead != 3 {
		t.Errorf("%d are new, %d stand above", n, l.Lead)
	}
	if got := keys(l.Shots); got != "r07.0 r06.0 r06.1 r05.0 r05.1 r04.0 r04.1 r03.0 r02.0" {
		t.Errorf("within: %s", got)
	}
	l.Remove(func(s Shot) bool { return s.Run.ID == "r06" })
	if l.Lead != 1 || l.Find("r06.0") >= 0 || l.Find("r02.0") != len(l.Shots)-1 {
		t.Errorf("after taking a run off: %s, %d above", keys(l.Shots), l.Lead)
	}
}

func TestNewsOfAResultKeepItsPlace(t *testing.T) {
	var l Listing
	l.Append(shotOf(5, 0), shotOf(4, 0))
	if !l.Update(atelier.Result{ID: "r04.0", RunID: "r04", Stored: true, Rating: 5}) || l.Shots[1].Result.Rating != 5 {
		t.Error("the rating is lost")
	}
	if l.Update(atelier.Result{ID: "r04.0", RunID: "r04", Status: atelier.Running}); !l.Shots[1].Result.Stored {
		t.Error("an old event takes a stored picture away")
	}
	if l.Update(atelier.Result{ID: "other"}) {
		t.Error("a result of another list was taken in")
	}
	// A run that waits has one tile, and gives it to its results.
	l.Insert(false, Shot{Run: atelier.Run{ID: "r09", CreatedAt: first.Add(9 * time.Minute)}})
	run := atelier.Run{ID: "r09", CreatedAt: first.Add(9 * time.Minute), State: atelier.StateAccepted, Results: []atelier.Result{{ID: "a", RunID: "r09"}}}
	if l.UpdateRun(run) || l.Find("r09") >= 0 {
		t.Errorf("the waiting tile stays: %s", keys(l.Shots))
	}
}

func TestARunIsStoodForByItsBest(t *testing.T) {
	run := atelier.Run{ID: "r", State: atelier.StateDone, Results: []atelier.Result{
		{ID: "failed", RunID: "r"}, {ID: "plain", RunID: "r", Stored: true}, {ID: "best", RunID: "r", Index: 2, Stored: true, Rating: 5}, {ID: "picked", RunID: "r", Stored: true, Pick: atelier.PickYes},
	}}
	var l Listing
	l.Append(Covers([]atelier.Run{run})...)
	if got := l.Shots[0]; got.Result.ID != "picked" || got.Key() != "r" {
		t.Errorf("%s stands for the run, as %s", got.Result.ID, got.Key())
	}
	l.Update(atelier.Result{ID: "best", RunID: "r", Stored: true, Rating: 4, Pick: atelier.PickYes})
	if got := l.Shots[0].Result.ID; got != "best" {
		t.Errorf("after it was picked too, %s stands for the run", got)
	}
}

func TestChoosing(t *testing.T) {
	var l Listing
	for i := range 6 {
		l.Append(shotOf(9-i, 0))
	}
	var s Selection
	s.Toggle("r08.0")
	s.Range(&l, "r06.0")
	if got := strings.Join(s.Keys(&l), " "); got != "r08.0 r07.0 r06.0" {
		t.Errorf("a range down: %s", got)
	}
	s.Range(&l, "r09.0") // the range turns around where it began
	if got := strings.Join(s.Keys(&l), " "); got != "r09.0 r08.0" {
		t.Errorf("a range up: %s", got)
	}
	former := s.Keys(&l)
	s.Set(former, "r05.0", "r04.0")
	s.Set(former, "r05.0")
	if s.Len() != 3 || !s.Has("r05.0") || s.Has("r04.0") {
		t.Errorf("dragged over: %v", s.Keys(&l))
	}
	s.All(&l)
	l.Remove(func(shot Shot) bool { return shot.Key() == "r04.0" })
	s.Keep(&l)
	if s.Len() != 5 {
		t.Errorf("%d are chosen of 5", s.Len())
	}
	s.Toggle("r09.0")
	if s.Has("r09.0") || s.Len() != 4 {
		t.Error("a second click does not take it back")
	}
	s.Clear()
	if s.Len() != 0 || s.Shots(&l) != nil {
		t.Error("something is still chosen")
	}
}
