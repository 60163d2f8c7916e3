package service

import (
	"sync/atomic"
	"time"
)

// The line of the pixel work. Each account lines its executions up one behind the other, an item taking one place, and the
// lines of all accounts are worked off side by side: whoever wants little waits for no one's pile, and nobody waits for
// ever, since a place once given is only approached. An account that has nothing open starts where the line has come to, so
// that idle time earns nothing.

// line remembers how far the work has come.
type line struct{ at atomic.Int64 }

// reached notes that the work standing at turn has begun.
func (l *line) reached(turn int64) {
	for at := l.at.Load(); turn > at; at = l.at.Load() {
		if l.at.CompareAndSwap(at, turn) {
			return
		}
	}
}

// now is where who comes now begins.
func (l *line) now() int64 { return l.at.Load() }

// The first few items of an execution come one after the other; the rest of a large batch lets as many items of others pass
// as a batch may have, so that a designer's single picture is not kept waiting by a colleague's sixteen.
const (
	smallBatch = 4
	tailYields = 16 // Task API, "Limits": batchCount
)

// turnOf is where an item stands in an execution that begins at start.
func turnOf(start, item int64) int64 {
	if item >= smallBatch {
		return start + item + tailYields
	}
	return start + item
}

// queueTime writes a turn as the time the job engine sorts by: jobs of one priority are taken oldest first. It lies in the
// past for the next hundred million items.
func queueTime(turn int64) string {
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(turn) * time.Second).Format("2006-01-02 15:04:05.000")
}
