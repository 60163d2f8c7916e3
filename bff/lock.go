package bff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging"
	"atelier/imaging/fidelity"
	"atelier/imaging/probe"
)

// pixelWork is how many pieces of work on many pixels a request may ask for run side by side: each takes processors and memory.
const pixelWork = 2

// lockResult puts the original's protected pixels back over a result, as a new result of its run. The same one again gives the one
// that is there.
func (s *Server) lockResult(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.result(r, who)
	if err != nil {
		return err
	}
	run, err := s.c.DB.LoadRun(r.Context(), res.RunID)
	if err != nil {
		return err
	}
	switch {
	case res.Trashed || run.Trashed:
		return atelier.Refuse(atelier.Conflict, words.LockTrashed)
	case res.Kind != "image":
		return atelier.Refuse(atelier.Conflict, words.LockVideo)
	case res.LockedFrom != "":
		return atelier.Refuse(atelier.Conflict, words.LockDone)
	case !run.State.Final():
		return atelier.Refuse(atelier.Conflict, words.RunUnderWay)
	}
	known, err := s.c.DB.FindLocked(r.Context(), res)
	if err == nil && known.Trashed {
		// It was thrown away since: who asks for it again has it back.
		changed, runs, err := s.c.DB.TrashResults(r.Context(), who.User.ID, []atelier.ResultID{known.ID}, false)
		if err != nil {
			return err
		}
		if err := s.publishResults(r.Context(), who.User.ID, changed, runs); err != nil {
			return err
		}
		known.Trashed = false
	}
	if err == nil {
		return writeJSON(w, http.StatusCreated, known.Result)
	}
	if atelier.CodeOf(err) != atelier.NotFound {
		return err
	}
	// Who leaves meanwhile finds it later.
	ctx := context.WithoutCancel(r.Context())
	if err := s.heavy.Acquire(r.Context(), 1); err != nil {
		return fmt.Errorf("wait to put pixels back: %w", err)
	}
	defer s.heavy.Release(1)
	stored, err := s.lock(ctx, run, res)
	if err != nil {
		return err
	}
	made, created, err := s.c.DB.AddLocked(ctx, res, stored, s.jobs.Score)
	if err != nil {
		return err
	}
	if created {
		s.hub.Publish(who.User.ID, atelier.EventResult, string(made.ID), made.Result)
		fresh, err := s.c.DB.LoadRun(ctx, run.ID)
		if err != nil {
			return err
		}
		s.publishRun(fresh.Run, who.User.ID)
	}
	return writeJSON(w, http.StatusCreated, made.Result)
}

// lock makes the picture and stores it.
func (s *Server) lock(ctx context.Context, run db.Run, res db.Result) (db.Stored, error) {
	source, keep, err := s.jobs.Protected(ctx, run)
	if why, ok := errors.AsType[*fidelity.NotComparableError](err); ok {
		return db.Stored{}, atelier.Refuse(atelier.Conflict, why.Reason)
	}
	if err != nil {
		return db.Stored{}, fmt.Errorf("open what run %s protects: %w", run.ID, err)
	}
	img, err := s.picture(ctx, res.SHA256)
	if err != nil {
		return db.Stored{}, err
	}
	out, err := fidelity.Lock(source, keep, img)
	if why, ok := errors.AsType[*fidelity.NotComparableError](err); ok {
		return db.Stored{}, atelier.Refuse(atelier.Conflict, why.Reason)
	}
	if err != nil {
		return db.Stored{}, fmt.Errorf("put pixels back into result %s: %w", res.ID, err)
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, out, imaging.EncodeOptions{Format: probe.PNG}); err != nil {
		return db.Stored{}, fmt.Errorf("write a picture: %w", err)
	}
	f, err := s.c.Store.Keep(ctx, &b, int64(b.Len()), media.Image)
	if err != nil {
		return db.Stored{}, err
	}
	return db.Stored{
		Blob: db.Blob{SHA256: f.SHA256, Format: string(f.Format), Bytes: f.Bytes}, Kind: "image", Width: f.Width, Height: f.Height, Preview: f.Preview,
	}, nil
}
