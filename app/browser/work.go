package browser

import (
	"context"
	"time"
)

// slice is how long long work runs before the browser has its turn.
const slice = 8 * time.Millisecond

// Work calls step with a budget until it reports that the work is over, and lets the browser have its turn in between; after is
// called after every step, to show how far it is. It must not run on the page's own goroutine. When the context ends it returns the
// context's error: the work is then not over, and to be cancelled.
func Work(ctx context.Context, step func(budget time.Duration) (over bool), after func()) error {
	for {
		over := step(slice)
		if after != nil {
			after()
		}
		if over {
			return nil
		}
		if err := Pause(ctx); err != nil {
			return err
		}
	}
}
