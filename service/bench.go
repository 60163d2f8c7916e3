package service

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"

	"atelier/service/render"
)

// bench holds what the items of an execution share, decoded pictures and the protected region, while they are worked on, and
// seats those who work. What is prepared is a cache: what is not there is made again, to the same pixels.
type bench struct {
	mu      sync.Mutex
	entries map[string]*prepared
	order   []string                          // oldest first
	claimed map[piece]context.CancelCauseFunc // what is being worked on
	needs   map[string]need                   // of executions that are worked on
	workers int
	total   int64   // bytes of memory for all seats, and for what stays prepared
	seated  []*seat // who works
	waiting []*seat // who is seated next
}

// The bounds of what stays prepared: the workers take renders in order, so few executions are open at once. The newest
// stays however large it is.
const (
	benchEntries = 4
	benchBytes   = 192 << 20
	mostNeeds    = 1000
)

// piece is what one worker works on alone: the kind of its job, the id of its row and, for renders, the item.
type piece struct {
	kind string
	id   string
	item int64
}

// itemKey names an item.
type itemKey struct {
	execution string
	item      int64
}

// prepared is one execution, ready to be rendered once ready is closed.
type prepared struct {
	ready   chan struct{}
	request render.Request
	region  render.Segmentation
	film    render.VideoJob // of executions that make videos; without its folder
	err     error
	bytes   int64 // guarded by the bench's mutex
}

// size is the memory the pictures of p hold.
func (p *prepared) size() int64 {
	var n int
	for _, list := range p.request.Files {
		for _, img := range list {
			n += len(img.Pix)
		}
	}
	for _, img := range []*image.NRGBA{p.request.Location, p.request.FashionModel, p.request.Background} {
		if img != nil {
			n += len(img.Pix)
		}
	}
	return int64(n) + p.region.Bytes()
}

func newBench(workers int, memory int64) *bench {
	return &bench{
		entries: map[string]*prepared{}, claimed: map[piece]context.CancelCauseFunc{}, needs: map[string]need{},
		workers: workers, total: memory,
	}
}

// take gives the prepared execution, made by fill when it is not there. Callers at the same time share one filling.
func (b *bench) take(ctx context.Context, id string, fill func(context.Context, *prepared) error) (*prepared, error) {
	for {
		p, mine := b.entry(id)
		if mine {
			p.err = guarded(func() error { return fill(ctx, p) })
			if p.err != nil {
				b.drop(id, p)
			} else {
				b.weigh(p)
			}
			close(p.ready)
			return p, p.err
		}
		select {
		case <-p.ready:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the segmentation: %w", ctx.Err())
		}
		// The one who was filling gave up for a reason of its own; that is no verdict on the execution.
		if p.err != nil && (errors.Is(p.err, context.Canceled) || errors.Is(p.err, context.DeadlineExceeded)) && ctx.Err() == nil {
			continue
		}
		return p, p.err
	}
}

// entry finds or makes the entry; mine says that the caller has to fill it.
func (b *bench) entry(id string) (p *prepared, mine bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := b.entries[id]; ok {
		return p, false
	}
	p = &prepared{ready: make(chan struct{})}
	b.entries[id] = p
	b.order = append(b.order, id)
	b.trim()
	return p, true
}

// weigh notes how large p has become and makes room for it.
func (b *bench) weigh(p *prepared) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.bytes = p.size()
	b.trim()
}

// trim lets go of the oldest entries beyond the bounds; b.mu is held. Those who work with one keep it until they are done.
func (b *bench) trim() {
	var held int64
	for _, p := range b.entries {
		held += p.bytes
	}
	for len(b.order) > 1 && (len(b.order) > benchEntries || held > benchBytes) {
		held -= b.entries[b.order[0]].bytes
		b.remove(b.order[0])
	}
}

// claim takes a piece of work for the caller alone, until release, which does nothing when it is called again; ok is false when somebody has it. The context it gives
// ends with the cause errGone when the execution is abandoned.
func (b *bench) claim(ctx context.Context, k piece) (claimed context.Context, release func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.claimed[k] != nil {
		return nil, nil, false
	}
	ctx, cancel := context.WithCancelCause(ctx)
	b.claimed[k] = cancel
	return ctx, sync.OnceFunc(func() {
		cancel(nil)
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.claimed, k)
	}), true
}

// abandon ends the work on an execution that was deleted.
func (b *bench) abandon(execution string) {
	b.drop(execution, nil)
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, cancel := range b.claimed {
		if k.id == execution {
			cancel(errGone)
		}
	}
}

// forget drops the entry of an execution that has ended.
func (b *bench) forget(id string) { b.drop(id, nil) }

// drop removes the entry when it is p, or whatever is known of the execution when p is nil.
func (b *bench) drop(id string, p *prepared) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p == nil {
		delete(b.needs, id)
	}
	if have, ok := b.entries[id]; ok && (p == nil || have == p) {
		b.remove(id)
	}
}

// remove removes an entry; b.mu is held.
func (b *bench) remove(id string) {
	delete(b.entries, id)
	b.order = slices.DeleteFunc(b.order, func(other string) bool { return other == id })
}

// known gives what an execution takes when somebody has found it out before.
func (b *bench) known(execution string) (need, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok := b.needs[execution]
	return n, ok
}

func (b *bench) note(execution string, n need) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.needs) >= mostNeeds {
		clear(b.needs) // they are found out again
	}
	b.needs[execution] = n
}

// progressBoard holds how far the running items are. It is not stored: an item that begins again begins at 0.
type progressBoard struct {
	mu   sync.Mutex
	done map[itemKey]float64
}

// report never lets a value fall.
func (p *progressBoard) report(execution string, item int64, done float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == nil {
		p.done = map[itemKey]float64{}
	}
	k := itemKey{execution, item}
	p.done[k] = max(p.done[k], min(done, 0.99)) // 1 is for what is stored
}

func (p *progressBoard) of(execution string, item int64) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done[itemKey{execution, item}]
}

func (p *progressBoard) clear(execution string, item int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.done, itemKey{execution, item})
}
