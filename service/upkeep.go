package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"atelier/service/gen"
)

// keepUploads is how long an upload stays that no task and no custom preset was made from.
// ASSUMED [Life of uploads]: uploads that something was made from stay as long as that; the documents name no end of an upload's life.
const keepUploads = 30 * 24 * time.Hour

// orphanAge is how old content without a row must be before a running service removes it.
const orphanAge = 24 * time.Hour

// upkeepPage is how many rows are looked at together.
const upkeepPage = 500

// usesSince names the setting that holds since when the uses of files are recorded: what was uploaded before may be in use
// without a trace, and stays.
const usesSince = "file_uses_since"

// upkeepEachDay looks after the files at once and then each day.
func (s *Service) upkeepEachDay(ctx context.Context) {
	tick := time.NewTicker(24 * time.Hour)
	defer tick.Stop()
	for before := s.opened; ; {
		// What was there when this process opened the folder can get no row any more.
		if err := s.guarded(func() error { return s.upkeep(ctx, before) }); err != nil && ctx.Err() == nil {
			s.cfg.Logger.Error("look after the files", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			before = now.Add(-orphanAge)
		}
	}
}

// upkeep removes uploads that nobody used and contents that were put in place before that time without ever getting a row,
// and reports rows whose content is lost.
func (s *Service) upkeep(ctx context.Context, before time.Time) error {
	return errors.Join(s.removeUnusedUploads(ctx), s.removeOrphans(ctx, before), s.reportMissing(ctx))
}

// removeOrphans removes contents whose row was never committed, because a process was killed between the two.
func (s *Service) removeOrphans(ctx context.Context, before time.Time) error {
	return s.files.contents(before, func(sum string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		// Most have their row: they are passed without the lock.
		if n, err := s.read().CountFilesOfContent(ctx, sum); err != nil || n > 0 {
			return err
		}
		return s.files.remove([]string{sum}, s.contentInUse(ctx))
	})
}

func (s *Service) removeUnusedUploads(ctx context.Context) error {
	kept, err := s.read().FindSetting(ctx, usesSince)
	if err != nil {
		return fmt.Errorf("read since when uses are recorded: %w", err)
	}
	since, err := strconv.ParseInt(kept, 10, 64)
	if err != nil {
		return fmt.Errorf("read since when uses are recorded: %w", err)
	}
	for {
		var unused []gen.File
		// Looked for and removed in one transaction: a task that is made now either finds the file or keeps it.
		err := s.tx(ctx, func(q *gen.Queries, _ inserter) error {
			unused, err = q.ListUnusedUploads(ctx, gen.ListUnusedUploadsParams{
				Since: since, Before: s.now() - keepUploads.Milliseconds(), PageSize: upkeepPage,
			})
			if err != nil {
				return err
			}
			for _, f := range unused {
				if err := q.DeleteFile(ctx, f.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("remove unused uploads: %w", err)
		}
		if err := s.forget(ctx, unused); err != nil {
			return fmt.Errorf("remove unused uploads: %w", err)
		}
		if len(unused) < upkeepPage {
			return nil
		}
	}
}

// reportMissing tells the log of rows whose content is not there: a backup that was put back in part, a disk that lost files.
func (s *Service) reportMissing(ctx context.Context) error {
	missing, example := 0, ""
	for after := ""; ; {
		rows, err := s.read().ListFiles(ctx, gen.ListFilesParams{After: after, PageSize: upkeepPage})
		if err != nil {
			return fmt.Errorf("list the files: %w", err)
		}
		for _, f := range rows {
			_, err := os.Stat(s.files.path(f.Sha256))
			if err == nil {
				continue
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("look for content %s: %w", f.Sha256, err)
			}
			// Asked again: it may have been removed in order since the rows were read.
			if n, err := s.read().CountFilesOfContent(ctx, f.Sha256); err != nil {
				return fmt.Errorf("look for content %s: %w", f.Sha256, err)
			} else if n > 0 {
				missing, example = missing+1, f.Sha256
			}
		}
		if len(rows) < upkeepPage {
			break
		}
		after = rows[len(rows)-1].ID
	}
	if missing > 0 {
		s.cfg.Logger.Error("files are missing from the folder of files", "missing", missing, "one", example)
	}
	return nil
}
