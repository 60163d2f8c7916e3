package jobs

import (
	"context"
	"errors"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/db"
)

// A video that came while nothing here could take pictures out of it, before ffmpeg was installed or under an earlier version, gets its
// poster and its last frame later: at start and once a day those that lack one are looked for.

// StillsArgs asks for the pictures that a stored video lacks.
type StillsArgs struct {
	Result atelier.ResultID `json:"result"`
}

// Kind names the job.
func (StillsArgs) Kind() string { return "stills" }

// InsertOpts chooses queue and uniqueness. A video whose pictures cannot be had today is tried again tomorrow.
func (StillsArgs) InsertOpts() river.InsertOpts {
	o := once(queueSlow)
	o.MaxAttempts = 3
	return o
}

// stillsAtOnce is how many videos are looked up, and enqueued, at a time.
const stillsAtOnce = 500

// enqueueStills enqueues the videos that lack a picture, where pictures can be taken out of videos.
func (e *Engine) enqueueStills(ctx context.Context) error {
	if e.o.Poster == nil && e.o.LastFrame == nil {
		return nil
	}
	for last := atelier.ResultID(""); ; {
		ids, err := e.o.DB.ListWithoutStills(ctx, last, stillsAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		args := make([]river.JobArgs, len(ids))
		for i, id := range ids {
			args[i] = StillsArgs{id}
		}
		if err := e.o.DB.Enqueue(ctx, e.insert(args...)); err != nil {
			return err
		}
		last = ids[len(ids)-1]
	}
}

// workStills takes out of a stored video what it lacks. What could be had is kept, also when the other could not.
func (e *Engine) workStills(ctx context.Context, args StillsArgs) error {
	r, err := e.o.DB.LoadResult(ctx, args.Result)
	if err != nil || !r.Stored || r.Kind != "video" {
		return err
	}
	has := db.Stored{Blob: db.Blob{SHA256: r.SHA256}, PosterSHA: r.PosterSHA, Preview: r.Preview, LastSHA: r.LastSHA}
	got := has
	failed := errors.Join(e.takePoster(ctx, &got), e.takeLastFrame(ctx, &got))
	if got == has {
		return failed
	}
	if err := e.o.DB.SetStills(ctx, r.ID, got); err != nil {
		return errors.Join(failed, err)
	}
	fresh, err := e.o.DB.LoadResult(ctx, r.ID)
	if err != nil {
		return errors.Join(failed, err)
	}
	e.o.Publish(fresh.UserID, atelier.EventResult, string(fresh.ID), fresh.Result)
	return failed
}

// takePoster takes a poster out of a stored video that has none.
func (e *Engine) takePoster(ctx context.Context, stored *db.Stored) error {
	if stored.PosterSHA != "" || e.o.Poster == nil {
		return nil
	}
	sha, preview, err := e.o.Store.PosterOf(ctx, stored.SHA256, e.o.Poster)
	if err == nil {
		stored.PosterSHA, stored.Preview = sha, preview
	}
	return err
}

// takeLastFrame takes the last frame out of a stored video that has none.
func (e *Engine) takeLastFrame(ctx context.Context, stored *db.Stored) error {
	if stored.LastSHA != "" || e.o.LastFrame == nil {
		return nil
	}
	sha, err := e.o.Store.StillOf(ctx, stored.SHA256, e.o.LastFrame)
	if err == nil {
		stored.LastSHA = sha
	}
	return err
}
