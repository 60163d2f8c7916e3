package jobs

import (
	"context"
	"sync"
)

// turns lets one at a time work on what has a key.
type turns struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // closed when the turn is over
}

// take waits for the turn of a key; end gives it back. The only error is the context's.
func (t *turns) take(ctx context.Context, key string) (end func(), err error) {
	for {
		t.mu.Lock()
		over, taken := t.busy[key]
		if !taken {
			if t.busy == nil {
				t.busy = map[string]chan struct{}{}
			}
			mine := make(chan struct{})
			t.busy[key] = mine
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				delete(t.busy, key)
				t.mu.Unlock()
				close(mine)
			}, nil
		}
		t.mu.Unlock()
		select {
		case <-over:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
