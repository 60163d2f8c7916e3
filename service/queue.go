package service

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"atelier/service/gen"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// The queues: pixels and films are worked on at the places of the bench; callbacks and errands wait for networks.
const (
	queuePixels    = "pixels"
	queueFilms     = "films"
	queueCallbacks = "callbacks"
	queueErrands   = "errands"
)

const (
	pixelTime   = 10 * time.Minute // the longest one render may take, from when it is seated
	rescueAfter = 15 * time.Minute // more than the longest timeout of the engine's own
)

// FilmTime is the longest the making of one video may take, from when it is seated. A program that works on it needs no less.
const FilmTime = 2 * time.Hour

// Jobs name a row and nothing more: the row is the truth.
type (
	segmentJob struct {
		Execution string `json:"execution"`
		Ready     bool   `json:"ready,omitempty"` // its files from elsewhere have come
		turn      int64
		film      bool
	}
	renderJob struct {
		Execution string `json:"execution"`
		Item      int64  `json:"item"`
		turn      int64
		film      bool
	}
	psdJob struct {
		Execution string `json:"execution"`
		Asked     int64  `json:"asked"` // when: an export asked for again is not the job that failed and is perhaps still ending
		turn      int64
	}
	presetJob struct {
		ID int64 `json:"id"`
	}
	deliveryJob struct {
		ID string `json:"id"`
	}
)

func (segmentJob) Kind() string  { return "segment" }
func (renderJob) Kind() string   { return "render" }
func (psdJob) Kind() string      { return "psd" }
func (presetJob) Kind() string   { return "preset" }
func (deliveryJob) Kind() string { return "delivery" }

// unfinished are the states in which a second job for the same row would be one too many. A finished job must not stand in
// the way: the sweep queues again what its row says is undone.
var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
	rivertype.JobStateRetryable, rivertype.JobStateScheduled,
}

// lined are jobs that stand in the line of the pixel work.
type lined interface{ standsAt() int64 }

func (a segmentJob) standsAt() int64 { return a.turn }
func (a renderJob) standsAt() int64  { return a.turn }
func (a psdJob) standsAt() int64     { return a.turn }

// inLine is how pixel work is queued. The engine does not try it again by itself, which would cost it its place: the sweep
// does, as long as the row says that it is undone.
func inLine(film bool) river.InsertOpts {
	queue := queuePixels
	if film {
		queue = queueFilms
	}
	return river.InsertOpts{Queue: queue, MaxAttempts: 1, UniqueOpts: onceUnfinished}
}

var onceUnfinished = river.UniqueOpts{ByArgs: true, ByState: unfinished}

func (a segmentJob) InsertOpts() river.InsertOpts { return inLine(a.film) }
func (a renderJob) InsertOpts() river.InsertOpts  { return inLine(a.film) }
func (psdJob) InsertOpts() river.InsertOpts       { return inLine(false) }
func (presetJob) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueErrands, UniqueOpts: onceUnfinished}
}

func (deliveryJob) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueCallbacks, UniqueOpts: onceUnfinished}
}

// queue is the job engine of one service.
type queue struct {
	service *Service
	client  *river.Client[*sql.Tx]
}

func newQueue(s *Service) (*queue, error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker[segmentJob]{limit: unlimited, work: s.segment, moment: s.moment})
	river.AddWorker(workers, &worker[sourcesJob]{limit: unlimited, work: s.bringSources, moment: s.moment})
	river.AddWorker(workers, &worker[renderJob]{limit: unlimited, work: s.render, moment: s.moment})
	river.AddWorker(workers, &worker[psdJob]{limit: unlimited, work: s.buildPSD, moment: s.moment})
	river.AddWorker(workers, &worker[presetJob]{limit: unlimited, work: s.preparePreset, moment: s.moment})
	river.AddWorker(workers, &worker[deliveryJob]{limit: unlimited, work: s.deliver, moment: s.moment})
	// What is queued wakes its queue. Only callbacks wait for a moment, so only their queue is asked often besides.
	const seldom = 5 * time.Second
	client, err := river.NewClient(s.db.QueueDriver(), &river.Config{
		Queues: map[string]river.QueueConfig{
			queuePixels:    {MaxWorkers: s.cfg.Workers, FetchPollInterval: seldom},
			queueFilms:     {MaxWorkers: s.bench.mostFilms(), FetchPollInterval: seldom},
			queueCallbacks: {MaxWorkers: callbackWorkers},
			queueErrands:   {MaxWorkers: 8, FetchPollInterval: seldom},
			queueSources:   {MaxWorkers: sourceWorkers, FetchPollInterval: seldom},
		},
		Workers: workers,
		// A queue is woken at most once in this time. With the default of 100 ms, a job queued by a job falls into the pause
		// and waits up to a second for the next poll; there are too few jobs here for the writer to suffer.
		FetchCooldown:        20 * time.Millisecond,
		JobTimeout:           30 * time.Second,
		RescueStuckJobsAfter: rescueAfter,
		Logger:               slog.New(quiet{s.cfg.Logger.Handler()}),
	})
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	return &queue{service: s, client: client}, nil
}

// quiet lets warnings and errors through: the engine tells of every start and stop.
type quiet struct{ slog.Handler }

// Enabled is part of slog.Handler.
func (q quiet) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && q.Handler.Enabled(ctx, l)
}

// WithAttrs is part of slog.Handler.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

// WithGroup is part of slog.Handler.
func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }

// start takes back the jobs a dead process left running: one process owns the file, so nobody else works on them. They are queued anew
// when their rows allow it (see interruptions.go); pixel work lines up anew, in the order of its rows.
func (q *queue) start(ctx context.Context) error {
	const left = `DELETE FROM river_job WHERE state = 'running' OR queue IN ('` + queuePixels + `', '` + queueFilms + `')`
	if _, err := q.service.db.Write.ExecContext(ctx, left); err != nil {
		return fmt.Errorf("take back interrupted jobs: %w", err)
	}
	first, err := q.service.read().FirstOpenTurn(ctx)
	if err != nil {
		return fmt.Errorf("find the head of the line: %w", err)
	}
	q.service.line.reached(first)
	if err := q.service.sweep(ctx); err != nil {
		return err
	}
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	return nil
}

// close interrupts what runs and waits until it has let go.
func (q *queue) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := q.client.StopAndCancel(ctx); err != nil {
		return fmt.Errorf("stop the job queue: %w", err)
	}
	return nil
}

// worker hands jobs to a method of the service. An interrupted job is free to be taken at the next start.
type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	limit  time.Duration
	work   func(ctx context.Context, args T) error
	moment func(name string)
}

// unlimited is the limit of jobs that wait to be seated, and are timed from then on.
const unlimited = -1

// Timeout is part of river.Worker.
func (w *worker[T]) Timeout(*river.Job[T]) time.Duration { return w.limit }

// Work is part of river.Worker.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	w.moment("began " + job.Kind)
	err := w.work(ctx, job.Args)
	w.moment("ended " + job.Kind)
	if err != nil && context.Cause(ctx) != nil && ctx.Err() == context.Canceled {
		return river.JobSnooze(0)
	}
	return err
}

// inserter queues jobs within the transaction that stores the rows they serve.
type inserter func(ctx context.Context, args river.JobArgs) error

// tx runs fn in one write transaction; jobs queued through j become visible when it commits.
func (s *Service) tx(ctx context.Context, fn func(q *gen.Queries, j inserter) error) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		return fn(gen.New(tx), func(ctx context.Context, args river.JobArgs) error {
			queued, err := s.jobs.client.InsertTx(ctx, tx, args, nil)
			if err != nil {
				return fmt.Errorf("queue a %s job: %w", args.Kind(), err)
			}
			job, inLine := args.(lined)
			if !inLine || queued.UniqueSkippedAsDuplicate {
				return nil
			}
			// Asked for a time, the engine would hold the job back until its scheduler comes round.
			if _, err := tx.ExecContext(ctx, `UPDATE river_job SET scheduled_at = $1 WHERE id = $2`, queueTime(job.standsAt()), queued.Job.ID); err != nil {
				return fmt.Errorf("line up a %s job: %w", args.Kind(), err)
			}
			return nil
		})
	})
}
