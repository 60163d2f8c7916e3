package service

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"atelier/service/gen"
)

// cancelledSentence is the error of the items that were not made because their execution was stopped.
const cancelledSentence = "Cancelled"

// Stop ends the work on an execution of a key's account: what is not made yet fails with "Cancelled", what is made stays. An execution that
// has ended, or that the account does not have, stays as it is.
//
// ASSUMED [Cancelling an execution]: neither document has such a call, so none is served: only the program that the service is part of
// can stop work.
func (s *Service) Stop(ctx context.Context, key, execution string) error {
	ctx = detached(ctx)
	caller, err := s.read().FindKey(ctx, hashKey(key))
	if err != nil {
		return fmt.Errorf("find the key: %w", err)
	}
	stopped := false
	err = s.tx(ctx, func(q *gen.Queries, j inserter) error {
		stopped = false
		e, err := q.FindExecution(ctx, execution)
		if errors.Is(err, sql.ErrNoRows) || err == nil && (e.AccountID != caller.AccountID || ended(e.Status)) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := q.FailItems(ctx, gen.FailItemsParams{ExecutionID: e.ID, Error: cancelledSentence}); err != nil {
			return err
		}
		stopped = true
		return s.settle(ctx, q, j, e)
	})
	if err != nil {
		return fmt.Errorf("stop the execution: %w", err)
	}
	if stopped {
		s.bench.abandon(execution)
	}
	return nil
}
