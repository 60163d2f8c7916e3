package service

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"atelier/catalog"
	"atelier/service/gen"

	"github.com/riverqueue/river"
)

// Files at foreign addresses are fetched before the pixel work, in a line of their own: whoever's server is slow keeps nobody else's
// pictures waiting.

// queueSources is where executions wait for files from elsewhere.
const queueSources = "sources"

const (
	sourceWorkers = 16
	// How long the files of one execution may take to come, pictures alone and with videos or sounds among them.
	// ASSUMED [Pictures at foreign addresses]: the documents give no limit.
	picturesTime = 5 * time.Minute
	mediaTime    = 30 * time.Minute
)

type sourcesJob struct {
	Execution string `json:"execution"`
}

func (sourcesJob) Kind() string { return "sources" }

func (sourcesJob) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueSources, UniqueOpts: onceUnfinished}
}

// source is a file that an execution is made from, at an address that is not ours.
type source struct {
	field catalog.File
	url   string
}

// missingSources are the files from elsewhere that an execution is made from and of which there is no copy yet.
func (s *Service) missingSources(ctx context.Context, e gen.Execution, o accepted) (missing []source, err error) {
	look := func(field catalog.File, url string) error {
		if _, own := s.ownFile(url, e.BaseUrl); own {
			return nil
		}
		_, err := s.read().FindSource(ctx, gen.FindSourceParams{ExecutionID: e.ID, Origin: url})
		if errors.Is(err, sql.ErrNoRows) {
			missing = append(missing, source{field, url})
			return nil
		}
		return err
	}
	for _, f := range o.agent.Files {
		for _, u := range o.in.Files[f.Name] {
			if err := look(f, u); err != nil {
				return nil, fmt.Errorf("look for a copy of %s: %w", f.Name, err)
			}
		}
	}
	if u := maskAddress(o.in.Values); u != "" {
		const field = "customMaskUrl"
		if err := look(catalog.File{Name: field, Media: catalog.Image}, u); err != nil {
			return nil, fmt.Errorf("look for a copy of %s: %w", field, err)
		}
	}
	return missing, nil
}

// maskAddress is where the mask of a request lies, "" when it has none or brings it along.
// ASSUMED [customMask and customMaskUrl together]: of both, customMask wins.
func maskAddress(v catalog.Values) string {
	if inline, _ := v["customMask"].(string); v["maskType"] != "custom" || inline != "" {
		return ""
	}
	u, _ := v["customMaskUrl"].(string)
	return u
}

// awaitsSources sends an execution into the line for files from elsewhere, and says whether it had to.
func (s *Service) awaitsSources(ctx context.Context, id string) (bool, error) {
	e, err := s.read().FindExecution(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find the execution: %w", err)
	}
	o, err := s.orderOf(ctx, e)
	if err != nil {
		return false, nil // the work itself says it better
	}
	missing, err := s.missingSources(ctx, e, o)
	if err != nil || len(missing) == 0 {
		return false, err
	}
	return true, s.tx(ctx, func(_ *gen.Queries, j inserter) error { return j(ctx, sourcesJob{id}) })
}

// bringSources fetches the files from elsewhere that an execution is made from, and lets it begin.
func (s *Service) bringSources(ctx context.Context, job sourcesJob) error {
	work := piece{kind: job.Kind(), id: job.Execution}
	ctx, release, ok := s.bench.claim(ctx, work)
	if !ok {
		return nil
	}
	defer release()
	e, err := s.read().FindExecution(ctx, job.Execution)
	if errors.Is(err, sql.ErrNoRows) || err == nil && ended(e.Status) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the execution: %w", err)
	}
	leave, err := s.apart(ctx, e.Attempts)
	if err != nil {
		return err
	}
	defer leave()
	return s.undertake(ctx, effort{
		piece: work,
		begin: func(ctx context.Context) (int64, error) {
			begun, err := s.write().BeginSegmentation(ctx, e.ID)
			return begun.Attempts, err
		},
		forgive: func(ctx context.Context) error { return s.write().ForgiveSegmentation(ctx, e.ID) },
		do: func(ctx context.Context) error {
			if err := s.fetchAll(ctx, e); err != nil {
				return err
			}
			return s.tx(ctx, func(q *gen.Queries, j inserter) error {
				if err := q.ForgiveSegmentation(ctx, e.ID); err != nil {
					return err
				}
				return j(ctx, segmentJob{Execution: e.ID, Ready: true, turn: e.Turn, film: film(e.Makes)})
			})
		},
		fail: func(ctx context.Context, cause error) error { return s.failAll(ctx, e, s.sentence(cause, e)) },
	})
}

func (s *Service) fetchAll(ctx context.Context, e gen.Execution) error {
	o, err := s.orderOf(ctx, e)
	if err != nil {
		return err
	}
	missing, err := s.missingSources(ctx, e, o)
	if err != nil {
		return err
	}
	limit := picturesTime
	for _, m := range missing {
		if m.field.Media != catalog.Image {
			limit = mediaTime
		}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, m := range missing {
		if m.field.Media != catalog.Image {
			_, err = s.fetchMedium(ctx, e, m.field, m.url)
		} else {
			_, err = s.sourcePicture(ctx, e, m.field.Name, m.url)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
