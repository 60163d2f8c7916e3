package service

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"runtime/debug"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/internal/sqldb"
	"atelier/service/gen"
	"atelier/service/render"
)

// errGone means the row is not there any more, or has ended otherwise: the task was deleted, or another did the work.
var errGone = errors.New("nobody waits for this any more")

// segment prepares an execution, finds the protected region and lets the items begin, unless somebody does.
func (s *Service) segment(ctx context.Context, job segmentJob) error {
	ctx, release, ok := s.bench.claim(ctx, piece{kind: job.Kind(), id: job.Execution})
	if !ok {
		return nil
	}
	defer release()
	if !job.Ready {
		if waits, err := s.awaitsSources(ctx, job.Execution); err != nil || waits {
			return err
		}
	}
	e, err := s.read().FindExecution(ctx, job.Execution)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (ended(e.Status) || e.SegmentedAt != 0) {
		return nil // deleted, or done
	}
	if err != nil {
		return fmt.Errorf("find the execution: %w", err)
	}
	ctx, leave, err := s.seated(ctx, e, e.Turn, e.Attempts)
	switch {
	case err == nil:
		defer leave()
		return s.segmentSeated(ctx, job)
	case errors.Is(err, errAfterFilm) || abandoned(ctx, err):
		return nil // the sweep at the video's end queues it again
	case interrupted(ctx) || sqldb.IsDiskFull(err):
		return err
	}
	return s.failAll(ctx, e, s.sentence(err, e))
}

func (s *Service) segmentSeated(ctx context.Context, job segmentJob) error {
	var e gen.Execution
	segmented := false
	err := s.undertake(ctx, effort{
		piece: piece{kind: job.Kind(), id: job.Execution},
		begin: func(ctx context.Context) (n int64, err error) {
			e, err = s.write().BeginSegmentation(ctx, job.Execution)
			return e.Attempts, err
		},
		forgive: func(ctx context.Context) error { return s.write().ForgiveSegmentation(ctx, job.Execution) },
		do: func(ctx context.Context) error {
			s.line.reached(e.Turn)
			if err := s.tellSegmenting(ctx, e); err != nil {
				return err
			}
			p, err := s.prepared(ctx, e)
			if err != nil {
				return err
			}
			err = s.storeRegion(ctx, e, p.region.Mask)
			segmented = err == nil
			return err
		},
		fail: func(ctx context.Context, cause error) error { return s.failAll(ctx, e, s.sentence(cause, e)) },
	})
	if err != nil || !segmented {
		return err
	}
	// The first picture at once, without a detour through the queue; its job finds it taken or done.
	return s.renderFirst(ctx, renderJob{Execution: e.ID})
}

// tellSegmenting moves an execution on whose source is looked at now; until then it was only queued.
func (s *Service) tellSegmenting(ctx context.Context, e gen.Execution) error {
	o, err := s.orderOf(ctx, e)
	if err != nil || !segments(o.agent, catalog.Surface(o.task.Surface), o.in) {
		return err
	}
	return s.tx(ctx, func(q *gen.Queries, j inserter) error { return s.move(ctx, q, j, e, statusSegmenting) })
}

// seated waits for the place and the memory that the work on an execution takes. The time the work may take counts from then
// on: who waits for others must not fail for it.
func (s *Service) seated(ctx context.Context, e gen.Execution, turn, interruptions int64) (timed context.Context, leave func(), err error) {
	var n need
	err = s.guarded(func() (err error) {
		n, err = s.needOf(ctx, e)
		return err
	})
	if err != nil {
		return ctx, nil, err
	}
	at, limit := pictureAt, pixelTime
	if film(e.Makes) {
		at, limit = filmAt, FilmTime
	}
	rise, err := s.bench.sit(ctx, &seat{at: at, turn: turn, memory: n.memory, execution: e.ID, alone: interruptions >= trusted})
	if err != nil {
		return ctx, nil, err
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	return timed, func() {
		cancel()
		rise()
		if at == filmAt {
			s.sweepSoon() // for whoever was told errAfterFilm
		}
	}, nil
}

// interrupted says whether the service is stopping, as opposed to a job that took too long.
func interrupted(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// abandoned says whether nobody waits for the work any more.
func abandoned(ctx context.Context, err error) bool {
	return errors.Is(err, errGone) || errors.Is(context.Cause(ctx), errGone)
}

// storeRegion keeps the mask, when there is one, and releases the items in the same moment.
func (s *Service) storeRegion(ctx context.Context, e gen.Execution, m mask.Plane) error {
	if len(m.Pix) == 0 {
		return s.tx(ctx, func(q *gen.Queries, j inserter) error { return s.release(ctx, q, j, e, "") })
	}
	row := gen.CreateFileParams{
		AccountID: e.AccountID, Kind: kindMask, ExecutionID: e.ID, MediaType: "image/png",
		Width: int64(m.W), Height: int64(m.H),
	}
	err := s.keepBytes(ctx, mask.EncodePalette(m), row, ".png", func(q *gen.Queries, id string, j inserter) error {
		return s.release(ctx, q, j, e, id)
	})
	return err
}

// release marks an execution segmented and queues its items.
func (s *Service) release(ctx context.Context, q *gen.Queries, j inserter, e gen.Execution, maskFile string) error {
	n, err := q.SetExecutionSegmented(ctx, gen.SetExecutionSegmentedParams{ID: e.ID, SegmentedAt: s.now(), MaskFile: maskFile})
	if err != nil {
		return err
	}
	if n == 0 {
		return errGone
	}
	items, err := q.ListItems(ctx, e.ID)
	if err != nil {
		return err
	}
	for _, it := range items {
		if ended(it.Status) {
			continue
		}
		if err := j(ctx, renderJob{Execution: e.ID, Item: it.N, turn: turnOf(e.Turn, it.N), film: film(e.Makes)}); err != nil {
			return err
		}
	}
	return nil
}

// failAll ends an execution before any item could begin.
func (s *Service) failAll(ctx context.Context, e gen.Execution, sentence string) error {
	ctx = detached(ctx)
	return s.tx(ctx, func(q *gen.Queries, j inserter) error {
		if _, err := q.FailItems(ctx, gen.FailItemsParams{ExecutionID: e.ID, Error: sentence}); err != nil {
			return err
		}
		return s.settle(ctx, q, j, e)
	})
}

// render makes one item, unless somebody does.
func (s *Service) render(ctx context.Context, job renderJob) error {
	ctx, release, ok := s.bench.claim(ctx, piece{kind: job.Kind(), id: job.Execution, item: job.Item})
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
	it, err := s.read().FindItem(ctx, gen.FindItemParams{ExecutionID: e.ID, N: job.Item})
	if errors.Is(err, sql.ErrNoRows) || err == nil && ended(it.Status) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the item: %w", err)
	}
	ctx, leave, err := s.seated(ctx, e, turnOf(e.Turn, job.Item), it.Attempts)
	switch {
	case err == nil:
		defer leave()
		return s.renderSeated(ctx, job)
	case errors.Is(err, errAfterFilm) || abandoned(ctx, err):
		return nil
	case interrupted(ctx) || sqldb.IsDiskFull(err):
		return err
	}
	return s.failItem(ctx, e, job.Item, s.sentence(err, e))
}

// renderFirst is render for who is seated.
func (s *Service) renderFirst(ctx context.Context, job renderJob) error {
	ctx, release, ok := s.bench.claim(ctx, piece{kind: job.Kind(), id: job.Execution, item: job.Item})
	if !ok {
		return nil
	}
	defer release()
	return s.renderSeated(ctx, job)
}

func (s *Service) renderSeated(ctx context.Context, job renderJob) error {
	var e gen.Execution
	return s.undertake(ctx, effort{
		piece: piece{kind: job.Kind(), id: job.Execution, item: job.Item},
		begin: func(ctx context.Context) (n int64, err error) {
			e, n, err = s.beginItem(ctx, job)
			return n, err
		},
		forgive: func(ctx context.Context) error {
			return s.write().ForgiveItem(ctx, gen.ForgiveItemParams{ExecutionID: job.Execution, N: job.Item})
		},
		do: func(ctx context.Context) error {
			defer s.progress.clear(e.ID, job.Item)
			s.line.reached(turnOf(e.Turn, job.Item))
			return s.renderItem(ctx, e, job.Item)
		},
		fail: func(ctx context.Context, cause error) error {
			return s.failItem(ctx, e, job.Item, s.sentence(cause, e))
		},
	})
}

// beginItem marks the item as running and counts its beginnings, this one too.
func (s *Service) beginItem(ctx context.Context, job renderJob) (e gen.Execution, beginnings int64, err error) {
	err = s.tx(ctx, func(q *gen.Queries, j inserter) error {
		if e, err = q.FindExecution(ctx, job.Execution); err != nil {
			return gone(err)
		}
		if beginnings, err = q.StartItem(ctx, gen.StartItemParams{ExecutionID: job.Execution, N: job.Item}); err != nil {
			return gone(err)
		}
		return s.move(ctx, q, j, e, statusRunning)
	})
	return e, beginnings, err
}

func gone(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return errGone
	}
	return err
}

func (s *Service) failItem(ctx context.Context, e gen.Execution, n int64, sentence string) error {
	ctx = detached(ctx)
	return s.tx(ctx, func(q *gen.Queries, j inserter) error {
		if _, err := q.FailItem(ctx, gen.FailItemParams{ExecutionID: e.ID, N: n, Error: sentence}); err != nil {
			return err
		}
		return s.settle(ctx, q, j, e)
	})
}

// renderItem makes the picture and stores it; the caller is seated.
func (s *Service) renderItem(ctx context.Context, e gen.Execution, n int64) (err error) {
	p, err := s.prepared(ctx, e)
	if err != nil {
		return err
	}
	if slow := s.switches.Load().Slow; slow > 0 {
		if err := wait(ctx, slow); err != nil {
			return err
		}
	}
	req := p.request
	req.Item = int(n)
	req.Progress = func(done float64) { s.progress.report(e.ID, n, done) }
	if film(e.Makes) {
		return s.renderFilm(ctx, e, n, req, p.film)
	}
	img, err := render.Render(ctx, req, p.region)
	if err != nil {
		return err
	}
	return s.storeResult(ctx, e, n, img, req.Values)
}

func (s *Service) storeResult(ctx context.Context, e gen.Execution, n int64, img *image.NRGBA, v catalog.Values) (err error) {
	d, err := s.files.draft()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	ending, mediaType, err := encodeResult(d, img, v)
	if err != nil {
		return err
	}
	ctx = detached(ctx) // the picture is there: an interruption must not cost it
	_, err = s.keep(ctx, d, gen.CreateFileParams{
		AccountID: e.AccountID, Kind: kindResult, ExecutionID: e.ID, MediaType: mediaType,
		Width: int64(img.Rect.Dx()), Height: int64(img.Rect.Dy()),
	}, ending,
		func(q *gen.Queries, id string, j inserter) error {
			done, err := q.FinishItem(ctx, gen.FinishItemParams{ExecutionID: e.ID, N: n, FileID: id})
			if err != nil {
				return err
			}
			if done == 0 {
				return errGone
			}
			return s.settle(ctx, q, j, e)
		})
	return err
}

// prepared gives the execution's pictures and protected region, ready to render from; the caller is seated.
func (s *Service) prepared(ctx context.Context, e gen.Execution) (*prepared, error) {
	return s.bench.take(ctx, e.ID, func(ctx context.Context, p *prepared) error {
		o, err := s.orderOf(ctx, e)
		if err != nil {
			return err
		}
		n, err := s.needOf(ctx, e)
		if err != nil {
			return err
		}
		p.film = render.VideoJob{Tool: s.cfg.Video, Shape: render.ShapeOf(o.agent), Sparse: s.cfg.SparseFilms}
		if p.film.Videos, p.film.Audios, err = s.gatherMedia(ctx, e, &o); err != nil {
			return err
		}
		if p.request, err = s.request(ctx, e, o, n.most); err != nil {
			return err
		}
		if film(e.Makes) {
			return nil // each frame is looked into when it is drawn
		}
		p.region, err = render.Segment(ctx, p.request)
		return err
	})
}

// accepted is an order as it was stored.
type accepted struct {
	task  gen.Task
	agent catalog.Agent
	in    catalog.Input
}

// effective is the order without the values that do nothing in it: what the work goes by.
func (o accepted) effective() catalog.Input {
	return catalog.Effective(o.agent, catalog.Surface(o.task.Surface), o.in)
}

func (s *Service) orderOf(ctx context.Context, e gen.Execution) (o accepted, err error) {
	o.task, err = s.read().FindTask(ctx, gen.FindTaskParams{ID: e.TaskID, AccountID: e.AccountID})
	if err != nil {
		return o, fmt.Errorf("find the task: %w", err)
	}
	o.agent, o.in, err = s.decodeOrder(o.task, e)
	return o, err
}

// request gathers everything an execution works with. Pictures of more than most pixels are scaled down as they are read.
func (s *Service) request(ctx context.Context, e gen.Execution, o accepted, most int64) (render.Request, error) {
	agent, in, values := o.agent, o.in, o.effective().Values
	req := render.Request{
		Agent: agent.Model(), Version: agent.Version, Values: values, Files: map[string][]*image.NRGBA{},
		Seed: seed(e.ID), Count: catalog.Results(agent, catalog.Surface(o.task.Surface), values),
	}
	source, _ := agent.Source()
	for _, f := range agent.Files {
		if f.Media != catalog.Image {
			continue
		}
		for i, u := range in.Files[f.Name] {
			img, err := s.picture(ctx, e, f.Name, u)
			if err != nil {
				return req, err
			}
			size := img.Rect.Size()
			isSource := f.Name == source.Name && i == 0
			if isSource {
				img, req.Values = asWorkedOn(img, values, most)
			} else {
				img = imaging.FitPixels(img, most)
			}
			req.Files[f.Name] = append(req.Files[f.Name], img)
			if !isSource {
				continue
			}
			req.Original, req.OriginalSize, in.SourceWidth, in.SourceHeight = img, size, size.X, size.Y
			if req.CustomMask, err = s.customMask(ctx, e, in.Values, size); err != nil {
				return req, err
			}
			if m := req.CustomMask; m != nil && m.Rect() != img.Rect {
				*m = m.Fitted(img.Rect.Dx(), img.Rect.Dy()).Run()
			}
		}
	}
	// Once more, now that the size of the source is known for certain.
	if problems := catalog.Refusals(catalog.Check(agent, catalog.Surface(o.task.Surface), in)); len(problems) > 0 {
		return req, refuse("%s", inWords(problems))
	}
	return req, s.addPresets(ctx, e, &req)
}

// decodeOrder reads what was stored when the execution was accepted.
func (s *Service) decodeOrder(task gen.Task, e gen.Execution) (catalog.Agent, catalog.Input, error) {
	surface := catalog.Surface(task.Surface)
	agent, err := s.findAgent(task.Agent, task.Version, surface)
	if err != nil {
		return agent, catalog.Input{}, err
	}
	input, err := parseObject(task.Input)
	if err != nil {
		return agent, catalog.Input{}, err
	}
	params, err := parseObject(e.Params)
	if err != nil {
		return agent, catalog.Input{}, err
	}
	in, problems := readOrder(agent, surface, input, params)
	if len(problems) > 0 {
		return agent, in, refuse("%s", inWords(problems))
	}
	return agent, in, nil
}

// seed depends on the execution alone, so that work done again after an interruption gives the same pictures.
func seed(executionID string) int64 {
	sum := sha256.Sum256([]byte(executionID))
	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

// guarded turns a panic in fn, or in a part it runs side by side, into an error: one bad picture must not end the process.
func guarded(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack())
		}
	}()
	return fn()
}

// errPanic is in the chain of what guarded makes of a panic.
var errPanic = errors.New("panic")

// guarded does fn and counts a panic in it.
func (s *Service) guarded(fn func() error) error { return s.counted(guarded(fn)) }

// counted tells whoever counts of an error that was a panic.
func (s *Service) counted(err error) error {
	if errors.Is(err, errPanic) {
		s.cfg.Panicked()
	}
	return err
}

// sentence is what an item's error says. What was not meant for a reader goes to the log.
func (s *Service) sentence(err error, e gen.Execution) string {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.message
	}
	if u, ok := errors.AsType[*render.UnseenError](err); ok {
		return u.Error()
	}
	for _, known := range []error{render.ErrInvalid, render.ErrMissingInput, render.ErrUnknownAgent} {
		if errors.Is(err, known) {
			return err.Error()
		}
	}
	if words := inFilmWords(err); words != "" {
		s.cfg.Logger.Warn("make a video", "execution", e.ID, "error", err)
		return words
	}
	s.cfg.Logger.Error("make a result", "execution", e.ID, "makes", e.Makes, "error", err)
	what, remedy := "picture", "A smaller size may help."
	if film(e.Makes) {
		what, remedy = "video", "A shorter one or a lower resolution may help."
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "This " + what + " took too long and was given up. " + remedy
	}
	return "The " + what + " could not be made because of a fault in the service."
}
