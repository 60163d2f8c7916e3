package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"atelier/service/gen"
)

// fileStore keeps bytes by their SHA-256 below one folder: written to tmp, synced, then renamed into place.
type fileStore struct {
	folder string
	// mu is held for reading from the moment content is in place until the row that names it is committed, and for writing
	// while content without a row is removed: so no row ever loses its content.
	mu sync.RWMutex
}

// tmp is the folder of what is being written.
func (f *fileStore) tmp() string { return filepath.Join(f.folder, "tmp") }

// open makes the folders.
func (f *fileStore) open() error {
	if err := os.MkdirAll(f.tmp(), 0o700); err != nil {
		return fmt.Errorf("create the folder of files: %w", err)
	}
	return nil
}

// tidy removes what earlier processes left unfinished: files last written before that time.
func (f *fileStore) tidy(before time.Time) error {
	left, err := os.ReadDir(f.tmp())
	if err != nil {
		return fmt.Errorf("look for unfinished files: %w", err)
	}
	for _, entry := range left {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) || (err == nil && !info.ModTime().Before(before)) {
			continue
		}
		if err == nil {
			err = os.Remove(filepath.Join(f.tmp(), entry.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an unfinished file: %w", err)
		}
	}
	return nil
}

func (f *fileStore) path(sum string) string {
	return filepath.Join(f.folder, sum[:2], sum[2:4], sum)
}

// draft is a file being written. The writer ends it with discard, which does nothing once it was put in place.
type draft struct {
	store *fileStore
	file  *os.File
	hash  hash.Hash
	size  int64
}

func (f *fileStore) draft() (*draft, error) {
	file, err := os.CreateTemp(f.tmp(), "")
	if err != nil {
		return nil, fmt.Errorf("create a file: %w", err)
	}
	return &draft{store: f, file: file, hash: sha256.New()}, nil
}

// Write appends; it is an io.Writer for copies and encoders.
func (d *draft) Write(p []byte) (int, error) {
	d.hash.Write(p)
	n, err := d.file.Write(p)
	d.size += int64(n)
	if err != nil {
		return n, fmt.Errorf("write a file: %w", err)
	}
	return n, nil
}

// content reads back what was written so far.
func (d *draft) content() ([]byte, error) {
	data := make([]byte, d.size)
	if _, err := d.file.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read back a file: %w", err)
	}
	return data, nil
}

// place syncs the file and moves it to where its content belongs. The caller holds the store's lock for reading.
func (d *draft) place() (sum string, err error) {
	if err := d.file.Sync(); err != nil {
		return "", fmt.Errorf("sync a file: %w", err)
	}
	sum = hex.EncodeToString(d.hash.Sum(nil))
	to := d.store.path(sum)
	if _, err := os.Stat(to); err == nil {
		return sum, nil // the same content again; discard removes this copy
	}
	folder := filepath.Dir(to)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("create a folder of files: %w", err)
	}
	if err := os.Rename(d.file.Name(), to); err != nil {
		return "", fmt.Errorf("put a file in place: %w", err)
	}
	return sum, syncFolder(folder)
}

func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return fmt.Errorf("sync a folder: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("sync a folder: %w", err)
	}
	return nil
}

// discard closes the draft and removes what was not put in place.
func (d *draft) discard() error {
	err := os.Remove(d.file.Name())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err := errors.Join(d.file.Close(), err); err != nil {
		return fmt.Errorf("discard a file: %w", err)
	}
	return nil
}

// contents gives the contents that were put in place before that time.
func (f *fileStore) contents(before time.Time, each func(sum string) error) error {
	err := filepath.WalkDir(f.folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case path == f.tmp():
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) || (err == nil && !info.ModTime().Before(before)) {
			return nil
		}
		if err != nil {
			return err
		}
		return each(entry.Name())
	})
	if err != nil {
		return fmt.Errorf("look through the files: %w", err)
	}
	return nil
}

// remove deletes contents that inUse does not claim. It is called after the rows are gone.
func (f *fileStore) remove(sums []string, inUse func(sum string) (bool, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var problems []error
	for _, sum := range sums {
		used, err := inUse(sum)
		if err == nil && !used {
			err = os.Remove(f.path(sum))
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// The kinds of files.
const (
	kindUpload = "upload" // what a caller uploaded
	kindSource = "source" // our copy of a picture behind a foreign URL, for one execution
	kindMask   = "mask"   // the protected region an execution worked with
	kindResult = "result"
	kindPSD    = "psd"
	kindPreset = "preset" // pictures of custom fashion models and locations
)

// keep puts a draft in place and, in the same moment, runs record in a transaction that stores its row and whatever else
// must become true with it. row carries everything but id, content and time; its id ends in ending, such as ".png".
func (s *Service) keep(ctx context.Context, d *draft, row gen.CreateFileParams, ending string, record recorder) (id string, err error) {
	id, sum, err := s.place(ctx, d, row, ending, record)
	if err != nil && sum != "" {
		// What nobody recorded must not stay.
		err = errors.Join(err, s.forget(detached(ctx), []gen.File{{Sha256: sum}}))
	}
	return id, err
}

// recorder stores, within the transaction that stores a file's row, what becomes true with it; id is the file's.
type recorder func(q *gen.Queries, id string, j inserter) error

// place does keep's work under the store's lock. sum is set once the content is in place.
func (s *Service) place(ctx context.Context, d *draft, row gen.CreateFileParams, ending string, record recorder) (id, sum string, err error) {
	if id, err = newFileID(ending); err != nil {
		return "", "", err
	}
	s.files.mu.RLock()
	defer s.files.mu.RUnlock()
	if sum, err = d.place(); err != nil {
		return "", "", err
	}
	row.ID, row.Sha256, row.Bytes, row.CreatedAt = id, sum, d.size, s.now()
	err = s.tx(ctx, func(q *gen.Queries, j inserter) error {
		if err := q.CreateFile(ctx, row); err != nil {
			return fmt.Errorf("record a file: %w", err)
		}
		if record == nil {
			return nil
		}
		return record(q, id, j)
	})
	if err != nil {
		return "", sum, err
	}
	return id, sum, nil
}

// keepBytes is keep for content that is in memory.
func (s *Service) keepBytes(ctx context.Context, data []byte, row gen.CreateFileParams, ending string, record recorder) (id string, err error) {
	d, err := s.files.draft()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	if _, err := d.Write(data); err != nil {
		return "", err
	}
	return s.keep(ctx, d, row, ending, record)
}

// dropFile removes a file that nothing names.
func (s *Service) dropFile(ctx context.Context, id string) error {
	f, err := s.write().FindFile(ctx, id)
	if err != nil {
		return fmt.Errorf("find a file to remove: %w", err)
	}
	if err := s.write().DeleteFile(ctx, id); err != nil {
		return fmt.Errorf("remove a file: %w", err)
	}
	return s.forget(ctx, []gen.File{f})
}

// newFileID makes a name that cannot be guessed: 160 random bits.
func newFileID(ending string) (string, error) {
	random := make([]byte, 20)
	if _, err := rand.Read(random); err != nil {
		return "", fmt.Errorf("make a file name: %w", err)
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(random)) + ending, nil
}

// forget removes the contents of files whose rows are gone.
func (s *Service) forget(ctx context.Context, files []gen.File) error {
	sums := make([]string, len(files))
	for i, f := range files {
		sums[i] = f.Sha256
	}
	return s.files.remove(sums, s.contentInUse(ctx))
}

func (s *Service) contentInUse(ctx context.Context) func(sum string) (bool, error) {
	return func(sum string) (bool, error) {
		n, err := s.write().CountFilesOfContent(ctx, sum)
		return n > 0, err
	}
}

// removeOrphans removes contents whose row was never committed, because a process was killed between the two.
func (s *Service) removeOrphans(ctx context.Context) error {
	return s.files.contents(s.opened, func(sum string) error {
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

// openFile opens the content of a row.
func (s *Service) openFile(f gen.File) (*os.File, error) {
	file, err := os.Open(s.files.path(f.Sha256))
	if err != nil {
		return nil, fmt.Errorf("open file %s: %w", f.ID, err)
	}
	return file, nil
}

// readFile reads the content of a row whole.
func (s *Service) readFile(f gen.File) (data []byte, err error) {
	file, err := s.openFile(f)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	data = make([]byte, f.Bytes)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, fmt.Errorf("read file %s: %w", f.ID, err)
	}
	return data, nil
}
