// Package jobs does what a run needs after the browser has its answer: hand it to the image service, find it again when an
// answer was lost, watch it, and bring every result home.
//
// The run table is the truth and a job only a hint. Every worker looks at the row first and may run twice; a sweep at start
// and each minute enqueues what has no job.
package jobs

import (
	"context"
	"crypto/cipher"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/catalog"
	"atelier/db"
	"atelier/upstream"
)

// Options of an Engine. DB, Account, Store and Publish are needed; durations, and HintRate, of 0 take the value in brackets.
type Options struct {
	DB      *db.DB
	Account *Account   // the current one: new runs go to it
	Former  []*Account // those with runs under way
	// Hold keeps runs waiting whose account is none of these. Else they are asked for at the current one, whose address may have changed.
	Hold   bool
	Store  *media.Store
	Agents func(name, version string) (catalog.Agent, bool)
	// Publish sends an event; it is called after the commit.
	Publish func(user atelier.UserID, typ atelier.EventType, key string, data any)
	// Preset is how browsers are told about a preset a user made.
	Preset func(db.Preset) atelier.Preset
	// Seal makes what is kept of requests readable for the studio alone; it takes no nonce. nil = their digests alone are kept.
	Seal cipher.AEAD
	Log  *slog.Logger
	Now  func() time.Time

	MaskByURL   bool // masks are uploaded and sent as customMaskUrl instead of customMask
	MaskPalette bool // masks go out as palette PNG instead of RGBA

	// Import makes a run of an execution that is not known here, of a task with that id and name.
	Import func(ctx context.Context, user atelier.UserID, id, name string, task upstream.Task, x upstream.Execution) (db.Run, error)
	// Ours says whether a run went out under that name from this studio.
	Ours func(name string) bool
	// Panicked is told of every panic, which ends nothing but the work it was in.
	Panicked func()

	// Poster and LastFrame take pictures out of videos that come without them; nil = such videos stay without.
	Poster, LastFrame media.Still

	// Search is the words a run is found by, given the names of its files; nil = those it was recorded with stay.
	Search func(ctx context.Context, run db.Run, files []string) (string, error)

	Watch    time.Duration // how long one job may keep watching a run (60 s)
	RetryMin time.Duration // wait before the first retry (1 s)
	RetryMax time.Duration // wait between later ones (60 s)
	GiveUp   time.Duration // for how long a definite but repeatable no is tried again (30 min)
	Sweep    time.Duration // between sweeps (1 min)
	Late     time.Duration // between two looks for runs that were accepted after they were given up (10 min)
	Due      time.Duration // how often the queue looks for jobs that have become due (1 s)
	HintRate rate.Limit    // how many such looks a second there may be altogether (2)
	Tidy     time.Duration // between two looks through the content store (24 h)
	Trash    time.Duration // how long a run stays in the trash (30 days)
}

// Engine runs the jobs of one process.
type Engine struct {
	o        Options
	accounts atomic.Pointer[accounts]
	river    *river.Client[*sql.Tx]
	log      *slog.Logger
	done     chan struct{} // closed when the engine stops: watchers go home
	stop     sync.Once
	wg       sync.WaitGroup
	past     past
	line     *line
	hints    hints
	seen     sightings
	tidy     tidy
	// layers are the places for layered files that come here.
	layers *semaphore.Weighted
	making making
	// stopping are the runs that are being stopped at the image service.
	stopping stopping
	// uploads are the files on their way to the image service, by their SHA-256.
	uploads turns
	clears  clears
	// regions are those results are scored by.
	regions regions
}

// Timeouts of single jobs. A job that was running when the process died starts again at once, so the rescue of stuck jobs is
// only for a program error and must wait longer than any job may take.
const (
	submitTimeout  = 6 * time.Minute
	archiveTimeout = 32 * time.Minute // a video or a layered file may take half an hour to come
	rescueAfter    = 45 * time.Minute
)

// New makes an engine; Start sets it going.
func New(o Options) (*Engine, error) {
	standard(&o.Watch, time.Minute)
	standard(&o.RetryMin, time.Second)
	standard(&o.RetryMax, time.Minute)
	standard(&o.GiveUp, 30*time.Minute)
	standard(&o.Sweep, time.Minute)
	standard(&o.Late, 10*time.Minute)
	standard(&o.Due, time.Second)
	standard(&o.Tidy, 24*time.Hour)
	standard(&o.Trash, 30*24*time.Hour)
	if o.HintRate == 0 {
		o.HintRate = 2
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Agents == nil {
		o.Agents = catalog.Find
	}
	if o.Preset == nil {
		o.Preset = func(p db.Preset) atelier.Preset {
			return atelier.Preset{Kind: p.Kind, ID: p.ID, Name: p.Name, Type: "Yours", Status: p.Status}
		}
	}
	if o.Panicked == nil {
		o.Panicked = func() {}
	}
	e := &Engine{o: o, log: o.Log, done: make(chan struct{}), past: past{agents: map[string]memory{}}, line: newLine(), hints: newHints(o.HintRate), seen: newSightings()}
	e.layers = semaphore.NewWeighted(layersAtOnce)
	e.Use(o.Account, o.Former...)
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker[SubmitArgs]{e: e, timeout: submitTimeout, work: e.workSubmit})
	river.AddWorker(workers, &worker[PollArgs]{e: e, timeout: o.Watch + 2*time.Minute, work: e.workPoll})
	river.AddWorker(workers, &worker[HintArgs]{e: e, timeout: 2 * time.Minute, work: e.workHint})
	river.AddWorker(workers, &worker[ArchiveArgs]{e: e, timeout: archiveTimeout, work: e.workArchive})
	river.AddWorker(workers, &worker[ScoreArgs]{e: e, timeout: 2 * time.Minute, work: e.workScore})
	river.AddWorker(workers, &worker[StillsArgs]{e: e, timeout: archiveTimeout, work: e.workStills})
	river.AddWorker(workers, &worker[PSDArgs]{e: e, timeout: archiveTimeout, work: e.workPSD})
	river.AddWorker(workers, &worker[PurgeArgs]{e: e, timeout: archiveTimeout, work: e.workPurge})
	river.AddWorker(workers, &worker[PresetArgs]{e: e, timeout: 2 * time.Minute, work: e.workPreset})
	river.AddWorker(workers, &worker[PresetIntentArgs]{e: e, timeout: 2 * time.Minute, work: e.workPresetIntent})
	// What is queued wakes its queue. Nothing in these has to be done at a certain moment, so they are seldom asked besides:
	// to ask an empty queue costs as much as to change a row.
	idle := 5 * e.o.Due
	client, err := river.NewClient(o.DB.QueueDriver(), &river.Config{
		Logger: slog.New(quiet{o.Log.Handler()}),
		Queues: map[string]river.QueueConfig{
			queueSubmit: {MaxWorkers: 16}, queuePoll: {MaxWorkers: 500}, queueArchive: {MaxWorkers: 4},
			queueWatch: {MaxWorkers: 100, FetchPollInterval: idle}, queueSlow: {MaxWorkers: 2, FetchPollInterval: idle}, queueScore: {MaxWorkers: 1, FetchPollInterval: idle},
		},
		// A queue is woken at most once in FetchCooldown. With the default of 100 ms, a job queued by a job falls into the
		// pause and waits for the next poll: a finished picture would be shown a second late.
		FetchPollInterval: o.Due, FetchCooldown: min(o.Due, 20*time.Millisecond),
		Workers: workers, JobTimeout: 30 * time.Second, RescueStuckJobsAfter: rescueAfter,
		CompletedJobRetentionPeriod: time.Hour, SoftStopTimeout: 0,
	})
	if err != nil {
		return nil, fmt.Errorf("make the job queue: %w", err)
	}
	e.river = client
	return e, nil
}

func standard(d *time.Duration, v time.Duration) {
	if *d == 0 {
		*d = v
	}
}

// Start takes up what an earlier process left and works until Stop.
func (e *Engine) Start(ctx context.Context) error {
	// One process owns the file, so a job that is "running" now belongs to a process that died.
	_, err := e.o.DB.Write.ExecContext(ctx, `UPDATE river_job SET state = 'available', attempt = CASE WHEN attempt > 0 THEN attempt - 1 ELSE 0 END WHERE state = 'running'`)
	if err != nil {
		return fmt.Errorf("take up interrupted jobs: %w", err)
	}
	if err := e.o.DB.DoubtInterrupted(ctx); err != nil { // nor is anything being sent
		return err
	}
	if err := e.o.DB.BindOpenRuns(ctx, e.Account(ctx).ID); err != nil {
		return err
	}
	if err := e.wake(ctx); err != nil {
		return err
	}
	if err := e.takeUpGivenUp(ctx); err != nil {
		return err
	}
	if err := e.sweep(ctx); err != nil {
		return err
	}
	if err := e.lostFirst(ctx); err != nil {
		return err
	}
	// The queue must outlive the caller's context: Stop ends it in order.
	if err := e.river.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	e.wg.Go(func() { e.sweeping(context.WithoutCancel(ctx)) })
	e.wg.Go(func() { e.tidying(context.WithoutCancel(ctx)) })
	return nil
}

// Stop lets requests that are under way finish and stops; when ctx ends first, they are cancelled.
func (e *Engine) Stop(ctx context.Context) error {
	e.stop.Do(func() { close(e.done) })
	e.wg.Wait()
	if err := e.river.Stop(ctx); err != nil {
		if cerr := e.river.StopAndCancel(context.WithoutCancel(ctx)); cerr != nil {
			return fmt.Errorf("stop the job queue: %w", errors.Join(err, cerr))
		}
	}
	return nil
}

// insert enqueues jobs in a transaction; those that wait or run already are not enqueued again.
func (e *Engine) insert(args ...river.JobArgs) db.Then {
	return func(tx *sql.Tx) error {
		if len(args) == 0 {
			return nil
		}
		many := make([]river.InsertManyParams, len(args))
		for i, a := range args {
			many[i] = river.InsertManyParams{Args: a}
		}
		if _, err := e.river.InsertManyTx(context.Background(), tx, many); err != nil {
			return fmt.Errorf("enqueue: %w", err)
		}
		return nil
	}
}

// Submit enqueues the submission of a run.
func (e *Engine) Submit(id atelier.RunID) db.Then { return e.insert(SubmitArgs{id}) }

// Hint enqueues a look at a run about which the image service has said something with that SHA-256, unless one is to come anyway.
func (e *Engine) Hint(id atelier.RunID, call string) db.Then {
	return func(tx *sql.Tx) error {
		if e.hints.planned(id) {
			return nil
		}
		return e.insert(HintArgs{id, call})(tx)
	}
}

// Watch enqueues the watching of a run that is accepted.
func (e *Engine) Watch(id atelier.RunID) db.Then { return e.insert(PollArgs{id}) }

// WatchPSD enqueues the wait for a layered export.
func (e *Engine) WatchPSD(id atelier.RunID) db.Then { return e.insert(PSDArgs{id}) }

// publishRun tells the owner's browsers how a run stands.
func (e *Engine) publishRun(ctx context.Context, id atelier.RunID) {
	run, err := e.o.DB.LoadRun(ctx, id)
	if err != nil {
		e.log.ErrorContext(ctx, "a run cannot be published", "run", id, "error", err)
		return
	}
	e.Expect(ctx, &run)
	e.o.Publish(run.UserID, atelier.EventRun, string(id), run.Run)
}

// retryIn says how long to wait for something that began at since: longer the longer it takes, with jitter.
func (e *Engine) retryIn(since time.Time, atLeast time.Duration) time.Duration {
	wait := min(max(e.o.Now().Sub(since)/4, e.o.RetryMin, atLeast), max(e.o.RetryMax, atLeast))
	return jitter(wait)
}

// jitter spreads a wait by ±20 %.
func jitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (.8 + .4*rand.Float64()))
}

// pause waits and says whether the work may go on.
func (e *Engine) pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
	case <-e.done:
	}
	return false
}

// worker adapts a method to River and keeps a panic from ending the process.
type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	e       *Engine
	timeout time.Duration
	work    func(ctx context.Context, args T) error
}

// Timeout bounds one job.
func (w *worker[T]) Timeout(*river.Job[T]) time.Duration { return w.timeout }

// NextRetry spaces retries after an error of ours: 2, 4, 8 … seconds, 5 minutes at most.
func (w *worker[T]) NextRetry(job *river.Job[T]) time.Time {
	return time.Now().Add(jitter(min(time.Second<<min(job.Attempt, 9), 5*time.Minute)))
}

// Work does one job.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	err := w.e.guarded(func() error { return w.work(ctx, job.Args) })
	if atelier.CodeOf(err) == atelier.NotFound {
		w.e.log.InfoContext(ctx, "a job has nothing to work on any more", "job", job.Kind, "reason", err)
		return nil
	}
	if _, snooze := errors.AsType[*rivertype.JobSnoozeError](err); err != nil && !snooze {
		w.e.log.ErrorContext(ctx, "a job failed and will be tried again", "job", job.Kind, "args", job.Args, "attempt", job.Attempt, "error", err)
	}
	return err
}

// quiet lets only the queue's warnings through: its failures are logged where they happen.
type quiet struct{ slog.Handler }

// Enabled is true from warnings on.
func (q quiet) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && q.Handler.Enabled(ctx, l)
}
