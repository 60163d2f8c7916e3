package bff

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/time/rate"
)

// Attempts under way count as failed until it is known how they end: a hundred at once are no more than ten in a row.
func TestAttemptsAtTheSameTimeAreNotFree(t *testing.T) {
	now := time.Unix(1e9, 0)
	l := newLimits(rate.Every(time.Minute), 10, func() time.Time { return now })
	begun := 0
	for range 100 {
		if l.begin("somewhere") {
			begun++
		}
	}
	if begun != 10 || !l.begin("elsewhere") {
		t.Errorf("%d of 100 attempts at once were let through, want 10, and those of others", begun)
	}
	for range begun {
		l.end("somewhere", false)
	}
	if !l.begin("somewhere") {
		t.Error("attempts that succeeded count")
	}
	l.end("somewhere", true)
	for range 9 {
		l.begin("somewhere")
		l.end("somewhere", true)
	}
	if l.begin("somewhere") {
		t.Error("ten failures are not too many")
	}
	now = now.Add(time.Minute)
	if !l.begin("somewhere") || l.begin("somewhere") {
		t.Error("after a minute one attempt is free, and one alone")
	}
}

// A name whose wait has grown is not forgotten because many other names are tried.
func TestManyNamesDoNotEndTheWaitOfOne(t *testing.T) {
	now := time.Unix(1e9, 0)
	g := newGuesses(func() time.Time { return now })
	for range freeGuesses + 1 {
		g.begin("ada")
		now = now.Add(2 * time.Minute)
	}
	for i := range 3 * maxLimits {
		g.begin(fmt.Sprint(i))
	}
	if len(g.names) > maxLimits {
		t.Errorf("%d names are remembered", len(g.names))
	}
	now = now.Add(-2 * time.Minute)
	if g.begin("ada") == 0 {
		t.Error("the wait of a name has ended early")
	}
}
