package service

import (
	"context"
	"fmt"
	"time"

	"atelier/service/gen"

	"github.com/riverqueue/river"
)

// rememberFor is how long idempotency keys and ended callbacks are kept.
const rememberFor = 7 * 24 * time.Hour

func (s *Service) sweepEachMinute(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.wake:
		}
		if ctx.Err() == nil {
			if err := s.guarded(func() error { return s.sweep(ctx) }); err != nil && ctx.Err() == nil {
				s.cfg.Logger.Error("sweep for work without a job", "error", err)
			}
		}
	}
}

// sweepSoon asks for a sweep before its minute is over.
func (s *Service) sweepSoon() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// sweep queues a job for everything undone that has none; uniqueness makes it harmless for what has one.
func (s *Service) sweep(ctx context.Context) error {
	wanted, err := s.undone(ctx)
	if err != nil {
		return fmt.Errorf("look for work without a job: %w", err)
	}
	return s.tx(ctx, func(q *gen.Queries, j inserter) error {
		for _, args := range wanted {
			if err := j(ctx, args); err != nil {
				return err
			}
		}
		old := s.now() - rememberFor.Milliseconds()
		if err := q.DeleteOldDeliveries(ctx, old); err != nil {
			return fmt.Errorf("forget old callbacks: %w", err)
		}
		if err := q.DeleteOldIdempotency(ctx, old); err != nil {
			return fmt.Errorf("forget old idempotency keys: %w", err)
		}
		return nil
	})
}

func (s *Service) undone(ctx context.Context) ([]river.JobArgs, error) {
	var wanted []river.JobArgs
	q := s.read()
	executions, err := q.ListOpenExecutions(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range executions {
		if e.SegmentedAt == 0 {
			if s.heldBack(e.Attempts) {
				continue
			}
			wanted = append(wanted, segmentJob{Execution: e.ID, turn: e.Turn, film: film(e.Makes)})
			continue
		}
		items, err := q.ListItems(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			if !ended(it.Status) && !s.heldBack(it.Attempts) {
				wanted = append(wanted, renderJob{Execution: e.ID, Item: it.N, turn: turnOf(e.Turn, it.N), film: film(e.Makes)})
			}
		}
	}
	psds, err := q.ListOpenPSDs(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range psds {
		if s.heldBack(p.Beginnings) {
			continue
		}
		wanted = append(wanted, psdJob{Execution: p.ExecutionID, Asked: p.CreatedAt, turn: s.line.now()})
	}
	presets, err := q.ListOpenPresets(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range presets {
		if !s.heldBack(p.Beginnings) {
			wanted = append(wanted, presetJob{ID: p.ID})
		}
	}
	deliveries, err := q.ListFirstWaitingDeliveries(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range deliveries {
		if !s.heldBack(d.Beginnings) {
			wanted = append(wanted, deliveryJob{ID: d.ID})
		}
	}
	return wanted, nil
}
