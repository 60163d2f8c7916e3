package service

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"time"

	"atelier/catalog"
	"atelier/service/gen"

	"github.com/riverqueue/river"
)

// The states of a delivery.
const (
	deliveryDone    = "delivered"
	deliveryGivenUp = "given_up"
)

// callbackAnswer is what a receiver says to end a delivery (Task API, "Events"), after exactly which nothing may follow.
const callbackAnswer = "SUCCESS"

const callbackPosts = 3 // the first and two retries

// checkCallback refuses a callbackUrl that could never be posted to.
func (s *Service) checkCallback(rawURL string) error {
	if rawURL == "" {
		return nil
	}
	if err := s.hooks.Check(rawURL); err != nil {
		return refuse("callbackUrl must be a full http or https URL whose host can be reached from the public internet: %v.", err)
	}
	return nil
}

// announce records that an execution changed its status, for its callback, within a transaction.
func (s *Service) announce(ctx context.Context, q *gen.Queries, j inserter, e gen.Execution, status string) error {
	if e.CallbackUrl == "" || s.switches.Load().DropCallbacks {
		return nil
	}
	id, err := newID()
	if err != nil {
		return err
	}
	if err := q.CreateDelivery(ctx, gen.CreateDeliveryParams{ID: id, ExecutionID: e.ID, Status: status, CreatedAt: s.now()}); err != nil {
		return fmt.Errorf("record a callback: %w", err)
	}
	return j(ctx, deliveryJob{ID: id})
}

// deliver posts one callback: the query's answer as it is now, so that a late retry never tells of the past.
// ASSUMED: the whole envelope of the surface the execution was started on.
func (s *Service) deliver(ctx context.Context, job deliveryJob) error {
	d, err := s.read().FindDelivery(ctx, job.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find a callback: %w", err)
	}
	if d.Attempts >= callbackPosts {
		return s.endDelivery(ctx, d.ID, deliveryGivenUp)
	}
	e, body, err := s.callbackBody(ctx, d.ExecutionID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // deleted
	}
	if err != nil {
		return err
	}
	attempts, err := s.write().TryDelivery(ctx, d.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // it has ended
	}
	if err != nil {
		return fmt.Errorf("count a callback: %w", err)
	}
	status, answer, err := s.hooks.Post(ctx, e.CallbackUrl, "application/json", body, int64(len(callbackAnswer))+1)
	if err == nil && status == http.StatusOK && string(answer) == callbackAnswer {
		return s.endDelivery(ctx, d.ID, deliveryDone)
	}
	s.cfg.Logger.Info("callback not taken", "execution", e.ID, "attempt", attempts, "status", status, "error", err)
	if attempts >= callbackPosts {
		return s.endDelivery(ctx, d.ID, deliveryGivenUp)
	}
	return river.JobSnooze(s.cfg.CallbackRetries[attempts-1])
}

func (s *Service) endDelivery(ctx context.Context, id, state string) error {
	ctx, cancel := context.WithTimeout(detached(ctx), 5*time.Second)
	defer cancel()
	if err := s.write().EndDelivery(ctx, gen.EndDeliveryParams{ID: id, State: state, EndedAt: s.now()}); err != nil {
		return fmt.Errorf("end a callback: %w", err)
	}
	return nil
}

// callbackBody gives an execution and what a callback about it says.
func (s *Service) callbackBody(ctx context.Context, id string) (e gen.Execution, body []byte, err error) {
	err = s.look(ctx, "", func(v view) error {
		if e, err = v.q.FindExecution(ctx, id); err != nil {
			return fmt.Errorf("find the execution of a callback: %w", err)
		}
		task, err := v.q.FindTask(ctx, gen.FindTaskParams{ID: e.TaskID, AccountID: e.AccountID})
		if err != nil {
			return fmt.Errorf("find the task of a callback: %w", err)
		}
		v.base = e.BaseUrl
		data, err := v.describe(ctx, task, []gen.Execution{e})
		if err != nil {
			return err
		}
		form := taskEnvelope
		if task.Surface == string(catalog.Run) {
			form = runEnvelope
		}
		body, err = encodeJSON(form(s, reply{data: data, executionID: e.ID}, nil))
		return err
	})
	return e, body, err
}
