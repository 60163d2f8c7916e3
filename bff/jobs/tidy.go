package jobs

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"atelier/db"
)

// orphanAge is how long a file without a row is kept: the row of a file that was just stored comes a moment later.
const orphanAge = 24 * time.Hour

// secondLook is how soon files that had no row are looked at again: a studio that is restarted every day must come to it too.
const secondLook = time.Hour

// tidy is what is known of the content store.
type tidy struct {
	mu       sync.Mutex
	suspects map[string]bool // files that had no row when last looked
	stock    Stock
}

// Stock is what the content store held when it was last looked through.
type Stock struct {
	Files, Bytes int64
	Missing      int64 // files that rows speak of and that are not there
	At           time.Time
}

// Stock gives what was found when the content store was last looked through.
func (e *Engine) Stock() Stock {
	e.tidy.mu.Lock()
	defer e.tidy.mu.Unlock()
	return e.tidy.stock
}

// rest is how long the store is left alone after a look through it.
func (t *tidy) rest(usual time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.suspects) > 0 {
		return min(usual, secondLook)
	}
	return usual
}

// tidying looks for videos without their pictures and through the content store, at start and then once a day, sooner while there are
// files that may have to go.
func (e *Engine) tidying(ctx context.Context) {
	ctx, cancel := e.untilStop(ctx)
	defer cancel()
	for {
		if err := e.guarded(func() error { return e.enqueueStills(ctx) }); err != nil && !errors.Is(err, context.Canceled) {
			e.log.Error("videos without their pictures cannot be looked for and will be tomorrow", "error", err)
		}
		if err := e.guarded(func() error { return e.Tidy(ctx) }); err != nil && !errors.Is(err, context.Canceled) {
			e.log.Error("the content store could not be looked through and will be tomorrow", "error", err)
		}
		t := time.NewTimer(e.tidy.rest(e.o.Tidy))
		select {
		case <-e.done:
			t.Stop()
			return
		case <-t.C:
		}
	}
}

// Tidy compares rows and files: a file that no row has spoken of in two looks and that is a day old is removed; a row whose
// file is gone is fetched again where the image service may still have it.
func (e *Engine) Tidy(ctx context.Context) error {
	e.tidy.mu.Lock()
	before := e.tidy.suspects
	e.tidy.mu.Unlock()
	l := look{before: before, suspects: map[string]bool{}, stock: Stock{At: e.o.Now()}}
	// One part of the store after another: the names of all files of a long history would fill the memory.
	parts, err := e.o.DB.BlobParts(ctx)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := e.tidyPart(ctx, part, &l); err != nil {
			return err
		}
	}
	e.tidy.mu.Lock()
	e.tidy.suspects, e.tidy.stock = l.suspects, l.stock
	e.tidy.mu.Unlock()
	if l.removed > 0 {
		e.log.InfoContext(ctx, "files that nothing needs were removed", "files", l.removed)
	}
	return nil
}

// look is what one look through the content store finds.
type look struct {
	before, suspects map[string]bool
	stock            Stock
	removed          int
}

// tidyPart does Tidy for the files whose names begin with a prefix.
func (e *Engine) tidyPart(ctx context.Context, prefix string, l *look) error {
	blobs, err := e.o.DB.ListBlobs(ctx, prefix)
	if err != nil {
		return err
	}
	old, there := e.o.Now().Add(-orphanAge), make(map[string]bool, len(blobs))
	err = e.o.Store.Walk(ctx, prefix, func(sha string, bytes int64, put time.Time) error {
		if blobs[sha] != nil {
			there[sha] = true
		} else if put.Before(old) {
			if l.before[sha] {
				gone, err := e.o.Store.Remove(sha, old)
				if gone {
					l.removed++
					return err
				}
				if err != nil {
					return err
				}
			}
			l.suspects[sha] = true
		}
		l.stock.Files++
		l.stock.Bytes += bytes
		return nil
	})
	if err != nil {
		return err
	}
	var missing []string
	for sha := range blobs {
		// It may have come after the walk passed its place.
		if !there[sha] && !e.o.Store.Has(sha) {
			missing = append(missing, sha)
		}
	}
	l.stock.Missing += int64(len(missing))
	return e.bringBack(ctx, missing, blobs)
}

// bringBack asks the image service again for what rows speak of and is not there.
func (e *Engine) bringBack(ctx context.Context, missing []string, blobs db.Blobs) error {
	for _, sha := range missing {
		e.log.ErrorContext(ctx, "a stored file is missing", "sha256", sha, "named in", blobs[sha])
		var args []river.JobArgs
		if slices.Contains(blobs[sha], "results.sha256") {
			ids, err := e.o.DB.ForgetStored(ctx, sha)
			if err != nil {
				return err
			}
			for _, id := range ids {
				args = append(args, ArchiveArgs{id})
			}
		}
		if slices.Contains(blobs[sha], "runs.psd_sha256") {
			ids, err := e.o.DB.ForgetPSD(ctx, sha)
			if err != nil {
				return err
			}
			for _, id := range ids {
				args = append(args, PSDArgs{id})
			}
		}
		if err := e.o.DB.Enqueue(ctx, e.insert(args...)); err != nil {
			return err
		}
	}
	return nil
}
