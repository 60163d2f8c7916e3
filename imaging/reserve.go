package imaging

import (
	"context"
	"fmt"
)

// Reserve counts work on pictures that are open already, bytes in all, against the memory every decoder of the process shares.
// It waits until there is room; release gives it back. The only error is the context's. Whoever holds a reservation must not
// decode: two of them could wait for each other for ever.
func Reserve(ctx context.Context, bytes int64) (release func(), err error) {
	weight := min(bytes, memoryTotal)
	if err := memory.Acquire(ctx, weight); err != nil {
		return nil, fmt.Errorf("wait for memory: %w", err)
	}
	return func() { memory.Release(weight) }, nil
}
