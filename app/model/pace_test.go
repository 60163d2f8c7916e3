package model

import (
	"testing"
	"time"
)

func TestPicturesAreNotAskedForWhileTheWallFlies(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var p Pace
	move := func(by float64, after time.Duration, want bool) {
		t.Helper()
		now = now.Add(after)
		p.Move(p.top+by, 900, now)
		if p.Hasty() != want {
			t.Errorf("%v px after %v: hasty %v", by, after, p.Hasty())
		}
	}
	move(900, 0, false)                    // the first there is
	move(900, time.Second, false)          // a page
	move(20, 16*time.Millisecond, false)   // a hand
	move(120, 16*time.Millisecond, true)   // a fling
	move(-400, 50*time.Millisecond, true)  // the bar
	move(40, 30*time.Millisecond, false)   // it slows down
	move(300, 16*time.Millisecond, true)   // and again
	move(900, 300*time.Millisecond, true)  // in frames that take long
	move(300, 400*time.Millisecond, false) // it slows down
	move(900, 300*time.Millisecond, false) // after a pause
	if p.Move(p.top+500, 900, now.Add(16*time.Millisecond)); !p.Hasty() {
		t.Fatal("a fling is not hasty")
	}
	if p.Stop(); p.Hasty() {
		t.Error("a wall that stands still is hasty")
	}
}
