package jobs

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"

	"atelier/atelier"
)

const sweepLimit = 5000

// The age at which sessions end: without use, and in any case.
const (
	SessionIdle     = 12 * time.Hour
	SessionAbsolute = 30 * 24 * time.Hour
)

func (e *Engine) sweeping(ctx context.Context) {
	ctx, cancel := e.untilStop(ctx)
	defer cancel()
	t, late := time.NewTicker(e.o.Sweep), time.NewTicker(e.o.Late)
	defer t.Stop()
	defer late.Stop()
	try := func(failed string, work func(context.Context) error) {
		if err := e.guarded(func() error { return work(ctx) }); err != nil && ctx.Err() == nil {
			e.log.Error(failed, "error", err)
		}
	}
	var day clock
	day.wentBack(e.o.Now())
	look := func() {
		try("runs that may have been accepted late cannot be looked for yet", e.findUndecided)
		try("runs of which nothing was seen cannot be looked at yet", e.findUnseen)
		try("runs that may have been made twice cannot be looked for yet", e.findDoubles)
		try("runs that no row speaks of cannot be looked for yet", e.findStrays)
	}
	look()
	for {
		try("runs that a restored backup did not know cannot be looked for yet", e.rebuild)
		try("runs of earlier versions cannot be found by all of their words yet", e.reindex)
		select {
		case <-e.done:
			return
		case <-late.C:
			look()
		case <-t.C:
			if day.wentBack(e.o.Now()) {
				e.log.Warn("the clock was set back; everything that waits is looked at now")
				try("jobs that wait for a time cannot be woken", e.wake)
			}
			try("the sweep failed and will be tried again", e.sweep)
		}
	}
}

// untilStop gives a context that ends when the engine stops.
func (e *Engine) untilStop(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-e.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// guarded makes an error of a panic, so that it does not end the process.
func (e *Engine) guarded(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			e.o.Panicked()
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return work()
}

// sweep enqueues what should have a job and may have none.
func (e *Engine) sweep(ctx context.Context) error {
	return e.guarded(func() error { return e.enqueueOpen(ctx) })
}

func (e *Engine) enqueueOpen(ctx context.Context) error {
	open, err := e.o.DB.ListOpenRuns(ctx, sweepLimit)
	if err != nil {
		return err
	}
	var args []river.JobArgs
	for _, r := range open {
		if r.State == atelier.StateAccepted {
			args = append(args, PollArgs{r.ID})
		} else {
			args = append(args, SubmitArgs{r.ID})
		}
	}
	exports, err := e.o.DB.ListOpenPSDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range exports {
		args = append(args, PSDArgs{id})
	}
	unstored, err := e.o.DB.ListUnstored(ctx)
	if err != nil {
		return err
	}
	for _, id := range unstored {
		args = append(args, ArchiveArgs{id})
	}
	for account := range e.accounts.Load().all {
		presets, err := e.o.DB.ListOpenPresets(ctx, account)
		if err != nil {
			return err
		}
		for _, p := range presets {
			args = append(args, PresetArgs{p.UserID, p.Kind, p.ID, account})
		}
		intents, err := e.o.DB.ListPresetIntents(ctx, account)
		if err != nil {
			return err
		}
		for _, id := range intents {
			args = append(args, PresetIntentArgs{id})
		}
	}
	now := e.o.Now()
	if err := e.o.DB.DeleteStaleSessions(ctx, now.Add(-SessionIdle), now.Add(-SessionAbsolute)); err != nil {
		return err
	}
	due, err := e.purgeDue(ctx)
	if err != nil {
		return err
	}
	if due {
		args = append(args, PurgeArgs{})
	}
	if len(args) == 0 {
		return nil
	}
	return e.o.DB.Enqueue(ctx, e.insert(args...))
}
