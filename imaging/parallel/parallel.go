// Package parallel runs parts of one piece of pixel work side by side. A panic in any part comes out where the work is
// waited for, so that whoever guards one picture against a fault guards all of its goroutines: in a goroutine of its own
// the same panic would end the process.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Group is a sync.WaitGroup that carries panics to the one who waits. The zero value is ready; it must not be copied.
type Group struct {
	wait  sync.WaitGroup
	mu    sync.Mutex
	fault *PanicError
}

// Go runs do in a goroutine of its own. It must not be called at the same time as Wait.
func (g *Group) Go(do func()) {
	g.wait.Go(func() {
		defer g.note()
		do()
	})
}

// Wait returns when every part has ended. If one panicked, Wait then panics with a *PanicError: the first one's.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.fault != nil {
		panic(g.fault)
	}
}

func (g *Group) note() {
	p := recover()
	if p == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fault != nil {
		return
	}
	if inner, ok := p.(*PanicError); ok {
		g.fault = inner // of a group within the part: it knows the place
		return
	}
	g.fault = &PanicError{Value: p, Stack: debug.Stack()}
}

// PanicError is a panic of one part.
type PanicError struct {
	Value any    // what the part panicked with
	Stack []byte // of the part's goroutine, as debug.Stack writes it
}

// Error tells the value and where it happened.
func (f *PanicError) Error() string { return fmt.Sprintf("%v\n%s", f.Value, f.Stack) }

// Unwrap gives the value when it was an error, such as a runtime.Error.
func (f *PanicError) Unwrap() error {
	err, ok := f.Value.(error)
	if !ok {
		return nil
	}
	return err
}

// Spread splits 0 ≤ i < n into one range for each processor, of at least `least` numbers each, calls do for all of them at
// once and returns when all are done. What do makes must not depend on how the numbers are split.
func Spread(n, least int, do func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), max(n/max(least, 1), 1))
	if parts == 1 {
		do(0, n)
		return
	}
	var g Group
	for i := range parts {
		g.Go(func() { do(n*i/parts, n*(i+1)/parts) })
	}
	g.Wait()
}

// Together runs parts that have nothing to do with one another side by side, and returns when all have ended.
func Together(parts ...func()) {
	var g Group
	for _, part := range parts {
		g.Go(part)
	}
	g.Wait()
}

// Each calls do(0) … do(n-1) on as many processors as there are and returns when all have ended. No new part begins once
// ctx is done or a part has panicked. It gives ctx's error.
func Each(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	work := func() {
		whole := false
		defer func() {
			if !whole {
				next.Store(int64(n))
			}
		}()
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				break
			}
			do(i)
		}
		whole = true
	}
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		work()
		return ctx.Err()
	}
	var g Group
	for range workers {
		g.Go(work)
	}
	g.Wait()
	return ctx.Err()
}
