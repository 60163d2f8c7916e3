package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"atelier/catalog"
	"atelier/imaging/probe"
	"atelier/imaging/video"
	"atelier/service/gen"
	"atelier/service/render"
)

// workshop is where videos are made: a folder for each item, below one that is emptied at start.
func (s *Service) workshop() string { return filepath.Join(s.cfg.Folder, "workshop") }

// clearWorkshop removes what a dead process left.
func (s *Service) clearWorkshop() error {
	if err := errors.Join(os.RemoveAll(s.workshop()), os.MkdirAll(s.workshop(), 0o700)); err != nil {
		return fmt.Errorf("clear the folder of videos in the making: %w", err)
	}
	return nil
}

// makes says what an order makes.
func makes(a catalog.Agent, s catalog.Surface, in catalog.Input) string {
	return string(a.MakesIn(s, in))
}

// film says whether an execution makes a video.
func film(makes string) bool { return makes == string(catalog.MakesVideo) }

// renderFilm makes the video of an item and stores it.
func (s *Service) renderFilm(ctx context.Context, e gen.Execution, n int64, req render.Request, job render.VideoJob) (err error) {
	if job.Folder, err = os.MkdirTemp(s.workshop(), ""); err != nil {
		return fmt.Errorf("make a folder for a video: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(job.Folder)) }()
	report := req.Progress
	req.Progress = func(done float64) {
		report(done)
		s.moment("filming")
	}
	made, err := render.RenderVideo(ctx, req, job)
	if err != nil {
		return err
	}
	return s.storeFilm(ctx, e, n, made)
}

// storeFilm stores a video with what stands beside it: all of it or nothing.
func (s *Service) storeFilm(ctx context.Context, e gen.Execution, n int64, made render.VideoResult) (err error) {
	row := gen.CreateFileParams{AccountID: e.AccountID, Kind: kindResult, ExecutionID: e.ID}
	var files []content
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.draft.discard())
		}
	}()
	d, err := s.files.adopt(made.Path)
	if err != nil {
		return err
	}
	row.MediaType, row.Width, row.Height, row.Seconds = made.Format.MediaType(), int64(made.Width), int64(made.Height), made.Seconds
	files = append(files, content{draft: d, row: row, ending: made.Format.Extension()})
	done := gen.FinishItemParams{ExecutionID: e.ID, N: n}
	name := []*string{&done.FileID}
	for _, p := range []struct {
		path string
		to   *string
	}{{made.Poster, &done.PosterFile}, {made.LastFrame, &done.LastFrameFile}} {
		if p.path == "" {
			continue
		}
		if d, err = s.files.adopt(p.path); err != nil {
			return err
		}
		picture := content{draft: d, row: gen.CreateFileParams{AccountID: e.AccountID, Kind: kindResult, ExecutionID: e.ID}}
		files = append(files, picture)
		if err := describePicture(&files[len(files)-1]); err != nil {
			return err
		}
		name = append(name, p.to)
	}
	ctx = detached(ctx) // the video is there: an interruption must not cost it
	_, err = s.keepAll(ctx, files, func(q *gen.Queries, ids []string, j inserter) error {
		for i, id := range ids {
			*name[i] = id
		}
		finished, err := q.FinishItem(ctx, done)
		if err != nil {
			return err
		}
		if finished == 0 {
			return errGone
		}
		return s.settle(ctx, q, j, e)
	})
	return err
}

// describePicture fills in what a picture's bytes say of it.
func describePicture(c *content) error {
	data, err := c.draft.content()
	if err != nil {
		return err
	}
	facts, err := probe.Read(data, c.draft.size)
	if err != nil {
		return fmt.Errorf("read a picture of a video: %w", err)
	}
	c.row.MediaType, c.row.Width, c.row.Height = facts.Format.MediaType(), int64(facts.Width), int64(facts.Height)
	c.ending = facts.Format.Extension()
	return nil
}

// inFilmWords is what a failed video says of itself; "" for other failures.
func inFilmWords(err error) string {
	if errors.Is(err, video.ErrMissing) {
		return video.ErrMissing.Error()
	}
	if refused, ok := errors.AsType[*video.Error](err); ok {
		return refused.Message
	}
	return ""
}
