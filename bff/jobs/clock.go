package jobs

import (
	"context"
	"fmt"
	"time"
)

// Jobs that wait are due at a time of day. When the clock is set back, they would wait for as long as it was set back.

// setBack is by how much a clock must have gone back to count: less is what clocks are corrected by all the time.
const setBack = 5 * time.Second

// clock notices that the time of day went back.
type clock struct {
	day  time.Time // without the monotonic reading
	then time.Time // with it
}

// wentBack says whether the time of day fell behind the time that has passed since it was last asked. now is the time of day.
func (c *clock) wentBack(now time.Time) bool {
	day, then := now.Round(0), time.Now()
	back := !c.day.IsZero() && then.Sub(c.then)-day.Sub(c.day) > setBack
	c.day, c.then = day, then
	return back
}

// wake makes every job that waits due: whatever is early waits once more.
func (e *Engine) wake(ctx context.Context) error {
	_, err := e.o.DB.Write.ExecContext(ctx, `UPDATE river_job SET scheduled_at = datetime('now', 'subsec')
		WHERE state IN ('available', 'scheduled', 'retryable') AND scheduled_at > datetime('now', 'subsec')`)
	if err != nil {
		return fmt.Errorf("wake jobs that wait: %w", err)
	}
	return nil
}
