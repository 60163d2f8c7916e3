package jobs

import (
	"context"
	"maps"
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
	took map[int][]time.Duration // by the number of results, the shortest first
	at   time.Time
}

const (
	memoryLife = 30 * time.Second
	minSamples = 3 // fewer say nothing
)

// forget has the runs of an agent read again, because there is one more.
func (p *past) forget(agent string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.agents, agent)
}

// usual is what half of the runs of so many results took at most, and what nine of ten did.
func (m memory) usual(results int) (half, most time.Duration, known bool) {
	took := m.took[results]
	if len(took) < minSamples {
		return 0, 0, false
	}
	return took[len(took)/2], took[len(took)*9/10], true
}

// Usual says how long runs of an agent usually take, whoever asked for them.
func (e *Engine) Usual(ctx context.Context, agent string) ([]atelier.Usual, error) {
	m, err := e.remember(ctx, agent)
	if err != nil {
		return nil, err
	}
	list := []atelier.Usual{}
	for _, results := range slices.Sorted(maps.Keys(m.took)) {
		if half, most, known := m.usual(results); known {
			list = append(list, atelier.Usual{Results: results, Half: seconds(half), Most: seconds(most)})
		}
	}
	return list, nil
}

// seconds rounds up, as people wait.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Expect fills in what can be foretold of a run: how many are sent before it, while it waits, and how many seconds it has
// left, while it is under way. The latter needs runs like it (same agent, same number of results): half of them took as long.
// One that takes longer is measured against the slowest tenth, and one that is slower still has 0 seconds left: it takes
// longer than is usual. Without such runs there is no estimate.
func (e *Engine) Expect(ctx context.Context, run *db.Run) {
	if run.State == atelier.StateRecorded && run.Error != nil {
		ahead, err := e.ahead(ctx, run.ID)
		if err != nil {
			e.log.WarnContext(ctx, "the place of a run is not known", "run", run.ID, "error", err)
			return
		}
		run.Queue = &ahead
	}
	if run.State != atelier.StateAccepted || run.Status.Terminal() || run.LastSentAt.IsZero() {
		return
	}
	m, err := e.remember(ctx, run.Agent)
	if err != nil {
		e.log.WarnContext(ctx, "there is no estimate", "run", run.ID, "error", err)
		return
	}
	half, most, known := m.usual(e.expected(*run))
	if !known {
		return
	}
	elapsed := e.o.Now().Sub(run.LastSentAt)
	for _, p := range []time.Duration{half, most} {
		if p > elapsed {
			left := seconds(p - elapsed)
			run.ETA = &left
			return
		}
	}
	run.ETA = new(int)
}

// remember gives how long the last runs of an agent took.
func (e *Engine) remember(ctx context.Context, agent string) (memory, error) {
	now := e.o.Now()
	e.past.mu.Lock()
	m, ok := e.past.agents[agent]
	e.past.mu.Unlock()
	if ok && now.Sub(m.at) <= memoryLife {
		return m, nil
	}
	all, err := e.o.DB.ListTook(ctx, agent)
	if err != nil {
		return memory{}, err
	}
	m = memory{map[int][]time.Duration{}, now}
	for _, t := range all {
		results := e.expected(db.Run{Run: atelier.Run{Agent: agent, Version: t.Version, Surface: t.Surface, Values: t.Values}})
		m.took[results] = append(m.took[results], t.Time)
	}
	for _, took := range m.took {
		slices.Sort(took)
	}
	e.past.mu.Lock()
	e.past.agents[agent] = m
	e.past.mu.Unlock()
	return m, nil
}
