package jobs

import (
	"testing"
	"time"
)

// A file without a row goes at its second look. A studio that is restarted every day comes to that only when it is soon.
func TestFilesWithoutARowAreLookedAtAgainSoon(t *testing.T) {
	const day = 24 * time.Hour
	var store tidy
	if got := store.rest(day); got != day {
		t.Errorf("with nothing to go the store rests for %s, want %s", got, day)
	}
	store.suspects = map[string]bool{"a": true}
	if got := store.rest(day); got > 2*time.Hour {
		t.Errorf("with a file that may have to go the store rests for %s, want two hours at most", got)
	}
	if got := store.rest(time.Minute); got != time.Minute {
		t.Errorf("a rest of a minute became %s", got)
	}
}
