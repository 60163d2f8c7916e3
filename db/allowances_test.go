package db_test

import (
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// What was asked for counts within its month, once it may have reached the image service, and also when the run is deleted for good.
func TestWhatWasAskedForCountsUntilTheMonthEnds(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	now := time.Date(2026, 11, 30, 23, 59, 0, 0, time.Local)
	d.SetClock(func() time.Time { return now })
	ben, err := d.CreateAccount(t.Context(), "Ben", atelier.Designer, "hash")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	ask := func(results int) (atelier.RunID, error) {
		t.Helper()
		made++
		id, err := db.NewRunIDAt(now.Add(time.Duration(made) * time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = d.CreateRun(t.Context(), db.Run{
			Run:    atelier.Run{ID: id, IntentKey: "intent-" + string(id), Agent: "removeBG", Version: "v1.0", Title: "One", State: atelier.StateRecorded, Status: atelier.Pending},
			UserID: ben.ID, Tag: "tag-" + string(id),
		}, d.Ask(t.Context(), ben.ID, id, results))
		return id, err
	}
	left := func(want int) {
		t.Helper()
		a, err := d.Allowance(t.Context(), ben.ID)
		if err != nil || a == nil || a.Left() != want {
			t.Errorf("left is %+v, %v, want %d", a, err, want)
		}
	}
	fail := func(id atelier.RunID, step string) {
		t.Helper()
		if changed, err := d.SetState(t.Context(), id, atelier.StateFailed, step, &atelier.Error{Code: atelier.Refused, Message: "No."}); err != nil || !changed {
			t.Fatalf("SetState = %v, %v", changed, err)
		}
	}
	if _, err := ask(7); err != nil {
		t.Fatal(err)
	}
	if a, err := d.Allowance(t.Context(), ben.ID); err != nil || a != nil {
		t.Errorf("without a number of results a month the allowance is %+v, %v", a, err)
	}
	if u, err := d.SetMonthly(t.Context(), ben.ID, 10); err != nil || u.Monthly != 10 {
		t.Fatalf("SetMonthly = %+v, %v", u, err)
	}
	left(3)
	if _, err := ask(4); atelier.CodeOf(err) != atelier.Forbidden || err.Error() == "" {
		t.Errorf("four of three = %v", err)
	}
	refused, err := ask(3)
	if err != nil {
		t.Fatal(err)
	}
	left(0)
	if _, err := ask(1); atelier.CodeOf(err) != atelier.Forbidden {
		t.Errorf("one of none = %v", err)
	}
	fail(refused, "")
	left(3)
	doubted, err := ask(2)
	if err != nil {
		t.Fatal(err)
	}
	fail(doubted, db.StepDismissed)
	left(1)
	// One that the service took counts however it ended: some of its results may have been delivered.
	taken, err := ask(1)
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := d.Accept(t.Context(), taken, "execution", "task"); err != nil || !changed {
		t.Fatalf("Accept = %v, %v", changed, err)
	}
	fail(taken, "")
	left(0)
	for _, id := range []atelier.RunID{refused, doubted, taken} {
		if _, err := d.TrashRuns(t.Context(), ben.ID, []atelier.RunID{id}, true); err != nil {
			t.Fatal(err)
		}
		if _, err := d.DeleteRun(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		left(0)
	}
	if asked, err := d.AskedThisMonth(t.Context()); err != nil || len(asked) != 1 || asked[ben.ID] != 10 {
		t.Errorf("asked for this month: %v, %v", asked, err)
	}
	a, err := d.Allowance(t.Context(), ben.ID)
	if err != nil {
		t.Fatal(err)
	}
	now = a.Until.Add(-time.Millisecond)
	left(0)
	now = a.Until
	left(10)
	if asked, err := d.AskedThisMonth(t.Context()); err != nil || len(asked) != 0 {
		t.Errorf("asked for on the first: %v, %v", asked, err)
	}
	if !a.Until.Equal(time.Date(2026, 12, 1, 0, 0, 0, 0, time.Local)) {
		t.Errorf("the month ends %v", a.Until)
	}
	if _, err := d.SetMonthly(t.Context(), dbtest.User.ID, 1); atelier.CodeOf(err) != atelier.NotFound {
		t.Errorf("who has no account is given %v", err)
	}
}
