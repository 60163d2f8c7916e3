package db_test

import (
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

var why = &atelier.Error{Code: atelier.Conflict, Message: "Cancelled.", Retryable: true}

// TestCancelRunFindsOnlyUnsentRuns brings a run to each point of its submission, where a cancel is taken or not; a run that was cancelled
// cannot be sent, and one that was not goes on.
func TestCancelRunFindsOnlyUnsentRuns(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	ctx := t.Context()
	state := func(state atelier.State, step string) func(atelier.RunID) (bool, error) {
		return func(id atelier.RunID) (bool, error) { return d.SetState(ctx, id, state, step, nil) }
	}
	begin := func(step string) func(atelier.RunID) (bool, error) {
		return func(id atelier.RunID) (bool, error) { return d.BeginStep(ctx, id, step, time.Now()) }
	}
	made := func(id atelier.RunID) (bool, error) { return d.SetTask(ctx, id, "task of "+string(id)) }
	type steps []func(atelier.RunID) (bool, error)
	n := 0
	for name, tt := range map[string]struct {
		steps  steps
		unsent bool
	}{
		"recorded":                        {nil, true},
		"its task being made":             {steps{begin(db.StepCreating)}, true},
		"its task made":                   {steps{begin(db.StepCreating), made}, true},
		"interrupted while it was made":   {steps{begin(db.StepCreating), state(atelier.StateAmbiguous, "")}, true},
		"being executed":                  {steps{begin(db.StepCreating), made, begin(db.StepExecuting)}, false},
		"refused for now":                 {steps{begin(db.StepExecuting), state(atelier.StateRecorded, db.StepNone)}, true},
		"maybe accepted":                  {steps{begin(db.StepExecuting), state(atelier.StateAmbiguous, "")}, false},
		"to be sent again under its key":  {steps{begin(db.StepExecuting), state(atelier.StateAmbiguous, ""), state(atelier.StateRecorded, db.StepDoubted)}, false},
		"unconfirmed":                     {steps{begin(db.StepExecuting), state(atelier.StateUnconfirmed, "")}, false},
		"accepted":                        {steps{begin(db.StepExecuting), func(id atelier.RunID) (bool, error) { return d.Accept(ctx, id, "of "+string(id), "") }}, false},
		"failed for a reason of its own":  {steps{state(atelier.StateFailed, "")}, false},
		"cancelled already":               {steps{state(atelier.StateFailed, db.StepCancelled)}, false},
		"done":                            {steps{state(atelier.StateDone, "")}, false},
		"sent, looked for, and not there": {steps{begin(db.StepExecuting), state(atelier.StateAmbiguous, ""), state(atelier.StateRecorded, db.StepNone)}, true},
	} {
		n++
		id := create(t, d, n).ID
		for i, step := range tt.steps {
			if ok, err := step(id); err != nil || !ok {
				t.Fatalf("%s: step %d = %v, %v", name, i, ok, err)
			}
		}
		if got, err := d.CancelRun(ctx, "somebody", id, why); err != nil || got {
			t.Errorf("%s: cancelled by somebody else: %v, %v", name, got, err)
		}
		before, err := d.LoadRun(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.CancelRun(ctx, dbtest.User.ID, id, why); err != nil || got != tt.unsent {
			t.Errorf("%s: cancelled = %v, %v, want %v", name, got, err, tt.unsent)
		}
		after, err := d.LoadRun(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if !tt.unsent {
			if after.State != before.State || after.Step != before.Step {
				t.Errorf("%s: the run is %s %s now, was %s %s", name, after.State, after.Step, before.State, before.Step)
			}
			continue
		}
		if after.State != atelier.StateFailed || !after.Cancelled {
			t.Errorf("%s: the cancelled run is %s %s", name, after.State, after.Step)
		}
		for _, step := range []string{db.StepCreating, db.StepExecuting} {
			if ok, err := d.BeginStep(ctx, id, step, time.Now()); err != nil || ok {
				t.Errorf("%s: %s begins with a cancelled run: %v, %v", name, step, ok, err)
			}
		}
		if ok, err := d.SetState(ctx, id, atelier.StateRecorded, "", nil); err != nil || ok {
			t.Errorf("%s: whoever was sending it records it again: %v, %v", name, ok, err)
		}
		restored, err := d.UncancelRun(ctx, dbtest.User.ID, id)
		if err != nil || !restored {
			t.Errorf("%s: restored = %v, %v", name, restored, err)
		}
		if after, err = d.LoadRun(ctx, id); err != nil || after.State != atelier.StateRecorded || after.Cancelled || after.Error != nil || after.Step == db.StepCreated != (after.TaskID != "") {
			t.Errorf("%s: the restored run is %+v, %v", name, after, err)
		}
	}
}

// TestCancelledRunThatWasMadeLateComesBack cancels a run that the studio had looked for in vain: it is still looked for, and taken when it
// turns up, since it was paid for. One that the service certainly refused is not.
func TestCancelledRunThatWasMadeLateComesBack(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	ctx := t.Context()
	lost, refused := create(t, d, 1), create(t, d, 2)
	for _, run := range []db.Run{lost, refused} {
		if ok, err := d.BeginStep(ctx, run.ID, db.StepExecuting, time.Now()); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	if _, err := d.SetState(ctx, lost.ID, atelier.StateAmbiguous, "", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := d.CountMiss(ctx, lost.ID); err != nil {
		t.Fatal(err)
	}
	for _, run := range []db.Run{lost, refused} {
		if _, err := d.SetState(ctx, run.ID, atelier.StateRecorded, "", nil); err != nil {
			t.Fatal(err)
		}
		if ok, err := d.CancelRun(ctx, dbtest.User.ID, run.ID, why); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	open, err := d.ListUndecided(ctx, time.Now().Add(-time.Hour), 10)
	if err != nil || len(open) != 1 || open[0].ID != lost.ID || !open[0].Undecided() {
		t.Fatalf("still looked for are %+v, %v", open, err)
	}
	if ok, err := d.Accept(ctx, lost.ID, "late", ""); err != nil || !ok {
		t.Errorf("taking it = %v, %v", ok, err)
	}
	if run, err := d.LoadRun(ctx, lost.ID); err != nil || run.State != atelier.StateAccepted || run.Cancelled || run.Error != nil {
		t.Errorf("the run that was made is %+v, %v", run, err)
	}
}
