package service

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"atelier/internal/sqldb"
	"atelier/service/gen"
	"atelier/upstream"
)

const psdNotStarted = "NotStart"

// createPSD is Task API, "Start PSD download". Asking again changes nothing while an export runs or is done.
func (s *Service) createPSD(r *http.Request, c caller) (reply, error) {
	e, err := s.psdExecution(r, c)
	if err != nil {
		return reply{}, err
	}
	if film(e.Makes) {
		return reply{}, refuse("executionId: this execution makes videos; only pictures have a layered file.")
	}
	items, err := s.read().ListItems(r.Context(), e.ID)
	if err != nil {
		return reply{}, fmt.Errorf("list items: %w", err)
	}
	if e.EndedAt == 0 {
		return reply{}, refuse("executionId: this execution is still %s; export it when it has ended.", e.Status)
	}
	if !anySucceeded(items) {
		return reply{}, refuse("executionId: this execution has no picture to export.")
	}
	ctx := detached(r.Context())
	err = s.tx(ctx, func(q *gen.Queries, j inserter) error {
		asked := s.now()
		n, err := q.StartPSD(ctx, gen.StartPSDParams{ExecutionID: e.ID, CreatedAt: asked})
		if err != nil || n == 0 {
			return err
		}
		return j(ctx, psdJob{Execution: e.ID, Asked: asked, turn: s.line.now()})
	})
	if err != nil {
		return reply{}, fmt.Errorf("start the export: %w", err)
	}
	return reply{data: true}, nil
}

func anySucceeded(items []gen.Item) bool {
	for _, it := range items {
		if it.Status == statusSuccess {
			return true
		}
	}
	return false
}

// psdExecution reads the body of both PSD endpoints and finds the execution it names.
func (s *Service) psdExecution(r *http.Request, c caller) (executionHead, error) {
	var body struct {
		ExecutionID string `json:"executionId"`
	}
	if err := readJSON(r, &body); err != nil {
		return executionHead{}, err
	}
	if body.ExecutionID == "" {
		return executionHead{}, refuse("executionId is missing.")
	}
	return s.view().executionHead(r.Context(), c.account, body.ExecutionID, s.now())
}

// queryPSD is Task API, "Query PSD download result".
func (s *Service) queryPSD(r *http.Request, c caller) (reply, error) {
	e, err := s.psdExecution(r, c)
	if err != nil {
		return reply{}, err
	}
	job := upstream.PSDJob{ExecutionID: e.ID, Status: psdNotStarted}
	row, err := s.read().FindPSD(r.Context(), e.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return reply{data: job}, nil
	}
	if err != nil {
		return reply{}, fmt.Errorf("find the export: %w", err)
	}
	job.Status = row.Status
	if row.Status == statusSuccess {
		base := c.base
		if s.cfg.DownloadURL != "" {
			base = s.cfg.DownloadURL
		}
		job.Result = &upstream.PSDResult{FileURL: fileURL(base, row.FileID)}
	}
	return reply{data: job}, nil
}

// buildPSD makes the file of an export, unless somebody does.
func (s *Service) buildPSD(ctx context.Context, job psdJob) error {
	work := piece{kind: job.Kind(), id: job.Execution}
	ctx, release, ok := s.bench.claim(ctx, work)
	if !ok {
		return nil
	}
	defer release()
	e, err := s.read().FindExecution(ctx, job.Execution)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the execution: %w", err)
	}
	row, err := s.read().FindPSD(ctx, e.ID)
	if errors.Is(err, sql.ErrNoRows) || err == nil && ended(row.Status) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the export: %w", err)
	}
	fail := func(ctx context.Context, cause error) error {
		release() // before the row says how it ended: who asks again after a failure finds it free
		_, err := s.write().FailPSD(detached(ctx), gen.FailPSDParams{ExecutionID: e.ID, Error: s.sentence(cause, e)})
		return err
	}
	results, leave, err := s.seatedToLayOut(ctx, e, row.Beginnings)
	switch {
	case err == nil:
	case errors.Is(err, errAfterFilm) || abandoned(ctx, err):
		return nil // the row is open: the sweep at the video's end queues it again
	case interrupted(ctx) || sqldb.IsDiskFull(err):
		return err // tried again later
	default:
		return fail(ctx, err)
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, pixelTime)
	defer cancel()
	return s.undertake(ctx, effort{
		piece:   work,
		begin:   func(ctx context.Context) (int64, error) { return s.write().BeginPSD(ctx, e.ID) },
		forgive: func(ctx context.Context) error { return s.write().ForgivePSD(ctx, e.ID) },
		do:      func(ctx context.Context) error { return s.layOut(ctx, e, results) },
		fail:    fail,
	})
}
