package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"atelier/imaging/parallel"
)

// errTooLong is the cause with which the context of a picture ends after Options.Timeout.
var errTooLong = &Error{Reason: TooLong}

// Options are a Runner's bounds; the zero value of a field means its default.
type Options struct {
	// Timeout is how long one picture may take, from when it is handed over, waits between tries included; 10 minutes.
	Timeout time.Duration
	// Concurrency is how many pictures are made at once; 1 on this machine, 4 on another.
	Concurrency int64
}

// The runner's waits and bounds: chosen so that a restart of the server is outlasted and a refused key knocks once a
// minute.
const (
	usualTimeout      = 10 * time.Minute
	remoteConcurrency = 4
	knockAgain        = time.Minute // after a refused key or an empty plan
	longestBusy       = time.Minute
	firstBusy         = 2 * time.Second
	cancelTime        = 10 * time.Second
	smaller           = 0.7 // of each side, after the server ran out of memory
	lostTries         = 2   // begins of work that the server lost
	medianOf          = 20  // pictures whose times estimate the next one's
	probeAgain        = 30 * time.Second
)

// unreachablePauses are the waits before the tries after an unanswered one.
var unreachablePauses = []time.Duration{2 * time.Second, 8 * time.Second, 30 * time.Second}

// Runner carries out jobs on one engine. It repeats what may be repeated, gives up what may not, and estimates
// progress where the server tells none. Its methods may be called from any goroutine.
type Runner struct {
	engine  Engine
	o       Options
	mu      sync.Mutex
	probed  Abilities
	known   bool      // whether probed holds an answer
	problem error     // of the last probe
	asked   time.Time // when the server was last probed
	closed  error     // what all work fails of until opens
	opens   time.Time
	took    []time.Duration // the last medianOf pictures
	seats   *semaphore.Weighted
}

// NewRunner makes a runner. It does not speak to the server yet.
func NewRunner(e Engine, o Options) *Runner {
	if o.Timeout == 0 {
		o.Timeout = usualTimeout
	}
	return &Runner{engine: e, o: o}
}

// Abilities gives what the server can do, asking it when that is not known yet. A failure is remembered for half a
// minute.
func (r *Runner) Abilities(ctx context.Context) (Abilities, error) {
	r.mu.Lock()
	known, a, problem, asked := r.known, r.probed, r.problem, r.asked
	r.mu.Unlock()
	if known || problem != nil && time.Since(asked) < probeAgain {
		return a, problem
	}
	a, err := r.engine.Probe(ctx)
	if ctx.Err() != nil {
		return Abilities{}, fmt.Errorf("probe the image engine: %w", context.Cause(ctx))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked, r.problem = time.Now(), err
	if err != nil {
		return Abilities{}, fmt.Errorf("probe the image engine: %w", err)
	}
	r.probed, r.known = a, true
	return a, nil
}

// Problem gives what keeps the engine from working, nil when nothing is known to.
func (r *Runner) Problem() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed != nil && time.Now().Before(r.opens) {
		return r.closed
	}
	return r.problem
}

// Sent is what is stored about a picture that was handed to the engine. The zero value means that none was.
type Sent struct {
	Attempt int    // counts from 1
	Handle  string // Handle.ID, "" until the server has answered
}

// Work is one picture to be made by an engine.
type Work struct {
	// Execution and Item name the picture: the ids of its attempts follow from them.
	Execution string
	Item      int64
	// Sent is what Record stored before the process was started.
	Sent Sent
	// Record stores how far the work is. It returns once that is safe.
	Record func(ctx context.Context, s Sent) error
	// Job makes the job of an attempt, which counts from 1, with sides of scale times the usual ones.
	Job func(ctx context.Context, attempt int, scale float64) (Job, error)
	// Use takes the file that the engine made. An *Error with the reason Shifted has the picture made once more.
	Use func(ctx context.Context, file []byte) error
	// Progress hears the fraction done, 0 to 1, never falling.
	Progress func(float64)
	// Unwanted is the cause with which the context of Run ends once the picture is not needed: Run then cancels it at
	// the server. With any other cause the process is about to end, and resumable work goes on there.
	Unwanted error
}

// Acquire waits until the engine has room for a picture more; release gives it back.
func (r *Runner) Acquire(ctx context.Context) (release func(), err error) {
	a, err := r.Abilities(ctx)
	if err != nil {
		return nil, err
	}
	seats := r.seatsFor(a)
	if err := seats.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("wait for the image engine: %w", context.Cause(ctx))
	}
	return func() { seats.Release(1) }, nil
}

// Run makes a picture and waits until it was used; the caller has called Acquire. It fails with an *Error of the
// engine's, with errTooLong, with an error of the work's own functions, or with the cause of ctx's end.
func (r *Runner) Run(ctx context.Context, w Work) error {
	if err := r.Problem(); ReasonOf(err) == Unauthorized || ReasonOf(err) == Unpaid {
		return err
	}
	a, err := r.Abilities(ctx)
	if err != nil {
		return err
	}
	if w.Sent.Attempt > 0 && a.Paid && !a.Resumable {
		return &Error{Reason: Unknown}
	}
	timed, cancel := context.WithTimeoutCause(ctx, r.o.Timeout, errTooLong)
	defer cancel()
	t := try{r: r, a: a, w: w, attempt: max(w.Sent.Attempt, 1), scale: 1, handle: w.Sent.Handle}
	err = t.untilUsed(timed)
	if errors.Is(context.Cause(timed), errTooLong) && ctx.Err() == nil {
		return errTooLong
	}
	r.note(err)
	return err
}

func (r *Runner) seatsFor(a Abilities) *semaphore.Weighted {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seats == nil {
		n := r.o.Concurrency
		if n == 0 && a.Remote {
			n = remoteConcurrency
		}
		r.seats = semaphore.NewWeighted(max(n, 1))
	}
	return r.seats
}

// note remembers failures that all work would meet.
func (r *Runner) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch ReasonOf(err) {
	case Unauthorized, Unpaid:
		r.closed, r.opens = err, time.Now().Add(knockAgain)
	case Unreachable:
		r.known, r.problem, r.asked = false, err, time.Now() // another version may come up
	case "":
		if err == nil {
			r.closed = nil
		}
	}
}

// try is one Run.
type try struct {
	r       *Runner
	a       Abilities
	w       Work
	attempt int
	scale   float64
	handle  string // of work that an earlier process began
	reached float64
}

// untilUsed makes attempts until one was used or none may follow.
func (t *try) untilUsed(ctx context.Context) error {
	unreachable, busy, lost := 0, firstBusy, 0
	for {
		file, err := t.make(ctx)
		if err == nil {
			if err = t.w.Use(ctx, file); err == nil {
				return nil
			}
		}
		failure, _ := errors.AsType[*Error](err)
		var pause time.Duration
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("make a picture with the image engine: %w", context.Cause(ctx))
		case failure == nil:
			return err
		case failure.Reason == Shifted && t.attempt == 1:
			t.attempt, t.handle = t.attempt+1, ""
		case t.a.Paid && failure.MaybeMade:
			return &Error{Reason: Unknown, Host: failure.Host, Full: failure.Full}
		case failure.Reason == Unreachable && unreachable < len(unreachablePauses):
			pause = unreachablePauses[unreachable]
			unreachable++
		case failure.Reason == Busy:
			pause = failure.After
			if pause == 0 {
				pause = busy
				busy = min(2*busy, longestBusy)
			}
		case failure.Reason == OutOfMemory && t.scale == 1:
			t.attempt, t.scale, t.handle = t.attempt+1, smaller, ""
		case failure.Reason == Lost && lost < lostTries:
			lost++
			t.handle = ""
		default:
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// make begins an attempt, or takes up what was begun, and waits for its file.
func (t *try) make(ctx context.Context) (file []byte, err error) {
	began := time.Now()
	h := Handle{ID: t.handle}
	if h.ID == "" || !t.a.Resumable {
		if h, err = t.begin(ctx); err != nil {
			return nil, err
		}
	}
	stop := t.estimate(ctx, began)
	file, err = t.r.engine.Watch(ctx, h, t.progress)
	stop()
	if err == nil {
		t.r.timed(time.Since(began))
		return file, nil
	}
	cause := context.Cause(ctx)
	if cause != nil && (errors.Is(cause, errTooLong) || t.w.Unwanted != nil && errors.Is(cause, t.w.Unwanted)) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer cancel()
		err = errors.Join(err, t.r.engine.Cancel(ctx, h))
	}
	return nil, err
}

func (t *try) begin(ctx context.Context) (Handle, error) {
	job, err := t.w.Job(ctx, t.attempt, t.scale)
	if err != nil {
		return Handle{}, err
	}
	if err := t.w.Record(ctx, Sent{Attempt: t.attempt}); err != nil {
		return Handle{}, err
	}
	h, err := t.r.engine.Begin(ctx, IDOf(t.w.Execution, t.w.Item, t.attempt), job)
	if err != nil {
		return Handle{}, err
	}
	if h.ID != "" {
		err = t.w.Record(ctx, Sent{Attempt: t.attempt, Handle: h.ID})
	}
	t.handle = h.ID
	return h, err
}

// progress passes on what is more than was told before.
func (t *try) progress(done float64) {
	t.r.mu.Lock()
	more := done > t.reached
	t.reached = max(t.reached, done)
	t.r.mu.Unlock()
	if more && t.w.Progress != nil {
		t.w.Progress(done)
	}
}

// estimate tells progress by the time of earlier pictures while the server tells none.
func (t *try) estimate(ctx context.Context, began time.Time) (stop func()) {
	usual := t.r.usual()
	if t.a.Progress || usual == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var ticking parallel.Group
	ticking.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				t.progress(min(float64(time.Since(began))/float64(usual), 1))
			}
		}
	})
	return func() {
		cancel()
		ticking.Wait()
	}
}

// timed notes how long a picture took.
func (r *Runner) timed(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took = append(r.took, d)
	if len(r.took) > medianOf {
		r.took = r.took[1:]
	}
}

// usual is the median of the last pictures' times, 0 when there are none.
func (r *Runner) usual() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.took) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(r.took))[len(r.took)/2]
}

// IDOf names an attempt at a picture, a UUID that follows from its arguments alone: work that is handed over again
// after a crash has the id that it had before.
func IDOf(execution string, item int64, attempt int) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s/%d/%d", execution, item, attempt)).String()
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for the image engine: %w", context.Cause(ctx))
	}
}
