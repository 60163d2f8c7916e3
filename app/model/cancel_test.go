package model

import (
	"slices"
	"testing"

	"atelier/atelier"
)

func TestRunsOfOnePressAreCancelledTogether(t *testing.T) {
	t.Parallel()
	press, other := NewIntentKey(), NewIntentKey()
	run := func(id, key string, state atelier.State, status atelier.Status) atelier.Run {
		return atelier.Run{ID: atelier.RunID(id), IntentKey: key, State: state, Status: status}
	}
	runs := Runs{
		run("waits", BatchKey(press, 3), atelier.StateRecorded, atelier.Pending),
		run("elsewhere", BatchKey(other, 0), atelier.StateRecorded, atelier.Pending),
		run("goes out", BatchKey(press, 2), atelier.StateSubmitting, atelier.Pending),
		run("runs", BatchKey(press, 1), atelier.StateAccepted, atelier.Running),
		run("is saved", BatchKey(press, 0), atelier.StateAccepted, atelier.Success),
		run("alone", press, atelier.StateRecorded, atelier.Pending),
		run("again", "retry:0191:0", atelier.StateRecorded, atelier.Pending),
	}
	for _, tt := range []struct {
		of    int
		stops bool
		want  []atelier.RunID
	}{
		{0, false, []atelier.RunID{"waits", "goes out"}},
		{0, true, []atelier.RunID{"waits", "goes out", "runs"}},
		{4, false, []atelier.RunID{"waits", "goes out"}},
		{1, true, []atelier.RunID{"elsewhere"}},
		{5, true, []atelier.RunID{"alone"}},
		{6, true, []atelier.RunID{"again"}},
	} {
		if got := runs.Batch(runs[tt.of]).Cancellable(tt.stops); !slices.Equal(got, tt.want) {
			t.Errorf("with %s (stops %v) %v are cancelled, want %v", runs[tt.of].ID, tt.stops, got, tt.want)
		}
	}
	if key := BatchKey(NewIntentKey(), 99); len(key) < 16 || len(key) > 64 {
		t.Errorf("the key %q is refused by the server", key)
	}
}
