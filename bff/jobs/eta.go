package jobs

import (
	"context"
	"slices"
	"sync"
	"time"

	"atelier/atelier"
	"atelier/db"
)

// past remembers for a while how long runs of each agent took.
type past struct {
	mu     sync.Mutex
	agents map[string]memory
}

type memory struct {
	took []db.Took
	at   time.Time
}

const (
	memoryLife = 30 * time.Second
	minSamples = 3 // fewer say nothing
)

// Expect fills in what can be foretold of a run: how many are sent before it, while it waits, and how many seconds it has
// left, while it is under way. The latter needs runs like it (same agent, same number of results): half of them took as long.
// One that takes longer is measured against the slowest tenth, and one that is slower still has 0 seconds left: it takes
// longer than is usual. Without such runs there is no estimate.
func (e *Engine) Expect(ctx context.Context, run *db.Run) {
	if run.State == atelier.StateRecorded && run.Error != nil {
		ahead, err := e.o.DB.CountAhead(ctx, run.ID, inLine)
		if err != nil {
			e.log.WarnContext(ctx, "the place of a run is not known", "run", run.ID, "error", err)
			return
		}
		run.Queue = &ahead
	}
	if run.State != atelier.StateAccepted || run.Status.Terminal() || run.LastSentAt.IsZero() {
		return
	}
	took := e.tookLike(ctx, *run)
	if len(took) < minSamples {
		return
	}
	slices.Sort(took)
	elapsed := e.o.Now().Sub(run.LastSentAt)
	for _, p := range []time.Duration{took[len(took)/2], took[len(took)*9/10]} {
		if p > elapsed {
			seconds := int((p - elapsed + time.Second - 1) / time.Second)
			run.ETA = &seconds
			return
		}
	}
	run.ETA = new(int)
}

func (e *Engine) tookLike(ctx context.Context, run db.Run) (took []time.Duration) {
	now := e.o.Now()
	e.past.mu.Lock()
	m, ok := e.past.agents[run.Agent]
	e.past.mu.Unlock()
	if !ok || now.Sub(m.at) > memoryLife {
		all, err := e.o.DB.ListTook(ctx, run.Agent)
		if err != nil {
			e.log.WarnContext(ctx, "there is no estimate", "run", run.ID, "error", err)
			return nil
		}
		m = memory{all, now}
		e.past.mu.Lock()
		e.past.agents[run.Agent] = m
		e.past.mu.Unlock()
	}
	for _, t := range m.took {
		like := db.Run{Run: atelier.Run{Agent: run.Agent, Version: run.Version, Surface: run.Surface, Values: t.Values}}
		if e.expected(like) == e.expected(run) {
			took = append(took, t.Time)
		}
	}
	return took
}
