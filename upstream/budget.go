package upstream

import (
	"context"
	"errors"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// budget bounds how many requests a second may leave. It gives way when the service says that there are too many (429, or
// 503 with a time to wait): the rate is halved and nothing leaves before that time; each answer that is none of these lets
// the rate grow again by a fiftieth of what was configured.
type budget struct {
	full    rate.Limit
	limiter *rate.Limiter

	mu    sync.Mutex
	until time.Time
}

// slowest is what is always allowed: one request in two seconds.
const slowest rate.Limit = .5

// patience is how long a request is held back rather than turned away while the service wants to be left alone.
const patience = 2 * time.Second

// errAsked says that the service has asked for a pause that is longer than patience.
var errAsked = errors.New("the image service has asked for a pause")

func newBudget(full rate.Limit) *budget {
	return &budget{full: full, limiter: rate.NewLimiter(full, max(1, int(math.Ceil(float64(full)))))}
}

// wait lets a request leave when its time has come.
func (b *budget) wait(ctx context.Context) error {
	b.mu.Lock()
	pause := time.Until(b.until)
	b.mu.Unlock()
	if pause > patience {
		return errAsked
	}
	if pause > 0 {
		t := time.NewTimer(pause)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return b.limiter.Wait(ctx)
}

// pause is how long the service still wants to be left alone.
func (b *budget) pause() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, time.Until(b.until))
}

// learn takes in an answer.
func (b *budget) learn(status int, asked time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.limiter.Limit()
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable && asked > 0 {
		b.limiter.SetLimit(max(now/2, min(slowest, b.full)))
		if until := time.Now().Add(asked); until.After(b.until) {
			b.until = until
		}
		return
	}
	if now < b.full {
		b.limiter.SetLimit(min(b.full, now+b.full/50))
	}
}
