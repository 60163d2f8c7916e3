package model

import (
	"math"
	"time"
)

// Pace is how fast a wall is scrolled.
type Pace struct {
	top   float64
	at    time.Time
	hasty bool
}

// A wall that shows another part of itself within crossing is too fast for its pictures to be seen; what comes after a pause is
// a step, however long it is. While it flies no pause is one, for frames may take as long as that: there Stop says when it stands.
const (
	crossing = 400 * time.Millisecond
	pause    = 200 * time.Millisecond
)

// Move tells where a wall, of which so much is seen, is scrolled to, CSS px.
func (p *Pace) Move(top, height float64, now time.Time) {
	passed := now.Sub(p.at)
	if passed > 0 || p.at.IsZero() {
		p.hasty = (p.hasty || passed < pause) && math.Abs(top-p.top)*float64(crossing) > height*float64(passed)
		p.top, p.at = top, now
	}
}

// Stop says that the wall stands still.
func (p *Pace) Stop() { p.hasty = false }

// Hasty says whether the wall is too fast for its pictures to be seen.
func (p *Pace) Hasty() bool { return p.hasty }
