package media

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"
)

// Walk calls fn for each stored file whose name begins with prefix, "" or two digits, with its name, length and when it was last
// put here, until fn fails or ctx ends. Files that come or go meanwhile may be left out.
func (s *Store) Walk(ctx context.Context, prefix string, fn func(sha string, bytes int64, put time.Time) error) error {
	return fs.WalkDir(s.root.FS(), path.Join(blobs, prefix), func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || d.IsDir() {
			return gone(err)
		}
		info, err := d.Info()
		if err != nil {
			return gone(err)
		}
		return fn(path.Base(name), info.Size(), info.ModTime())
	})
}

// gone forgives that a file was removed while somebody looked at it.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Remove deletes a stored file that was last put here before the given time, and says whether it did. Bytes that are put
// again at the same moment stay.
func (s *Store) Remove(sha string, before time.Time) (removed bool, err error) {
	name, err := blobName(sha)
	if err != nil {
		return false, err
	}
	s.placing.Lock()
	defer s.placing.Unlock()
	info, err := s.root.Stat(name)
	if err != nil {
		return false, gone(err)
	}
	if !info.ModTime().Before(before) {
		return false, nil
	}
	if err := s.root.Remove(name); err != nil {
		return false, fmt.Errorf("remove a stored file: %w", err)
	}
	return true, nil
}

// again says whether the bytes are here, and if so makes them as young as if they had been put now.
func (s *Store) again(sha string) bool {
	name, err := blobName(sha)
	if err != nil {
		return false
	}
	now := time.Now()
	return s.root.Chtimes(name, now, now) == nil
}

// Probe writes, flushes and removes a small file, makes and removes a folder where files are kept, and so says whether the store can be
// written.
func (s *Store) Probe() error {
	place := path.Join(blobs, "probe")
	if err := s.root.Mkdir(place, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return diskFull(fmt.Errorf("write to the content store: %w", err))
	}
	if err := s.root.Remove(place); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write to the content store: %w", err)
	}
	w, err := s.Writer()
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte("probe")); err != nil {
		return errors.Join(diskFull(fmt.Errorf("write to the content store: %w", err)), w.Discard())
	}
	return errors.Join(diskFull(w.file.Sync()), w.Discard())
}
