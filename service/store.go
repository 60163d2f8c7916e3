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

	"atelier/internal/folder"
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

// open makes the folders. place flushes those below this one; that these are here must not be forgotten either.
func (f *fileStore) open() error {
	if err := errors.Join(folder.Make(f.folder), folder.Make(f.tmp())); err != nil {
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

// draftOf is a draft of content that is in memory.
func (f *fileStore) draftOf(data []byte) (*draft, error) {
	d, err := f.draft()
	if err != nil {
		return nil, err
	}
	if _, err := d.Write(data); err != nil {
		return nil, errors.Join(err, d.discard())
	}
	return d, nil
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
	near := filepath.Dir(to)
	if err := os.MkdirAll(near, 0o700); err != nil {
		return "", fmt.Errorf("create a folder of files: %w", err)
	}
	if _, err := os.Stat(to); err != nil { // of the same content again, discard removes this copy
		if err := os.Rename(d.file.Name(), to); err != nil {
			return "", fmt.Errorf("put a file in place: %w", err)
		}
	}
	// A power cut must not lose the names. Whoever made a folder or put the same content in place a moment ago may not have come
	// as far as this, so it is done in any case.
	above := filepath.Dir(near)
	return sum, errors.Join(folder.Sync(near), folder.Sync(above), folder.Sync(d.store.folder))
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

// content is a draft and the row that shall name it: everything but id, content and time. Its id ends in ending, such as
// ".png".
type content struct {
	draft  *draft
	row    gen.CreateFileParams
	ending string
}

// keep puts a draft in place and, in the same moment, runs record in a transaction that stores its row and whatever else
// must become true with it.
func (s *Service) keep(ctx context.Context, d *draft, row gen.CreateFileParams, ending string, record recorder) (id string, err error) {
	ids, err := s.keepAll(ctx, []content{{draft: d, row: row, ending: ending}}, func(q *gen.Queries, ids []string, j inserter) error {
		if record == nil {
			return nil
		}
		return record(q, ids[0], j)
	})
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// recorder stores, within the transaction that stores a file's row, what becomes true with it; id is the file's.
type recorder func(q *gen.Queries, id string, j inserter) error

// keepAll is keep for files that belong together: all are there or none.
func (s *Service) keepAll(ctx context.Context, files []content, record func(q *gen.Queries, ids []string, j inserter) error) (ids []string, err error) {
	ids, placed, err := s.place(ctx, files, record)
	if err != nil && len(placed) > 0 {
		// What nobody recorded must not stay.
		err = errors.Join(err, s.forget(detached(ctx), placed))
	}
	return ids, err
}

// place does keepAll's work under the store's lock. placed are the contents that are in place.
func (s *Service) place(ctx context.Context, files []content, record func(q *gen.Queries, ids []string, j inserter) error) (ids []string, placed []gen.File, err error) {
	s.files.mu.RLock()
	defer s.files.mu.RUnlock()
	for i := range files {
		f := &files[i]
		if f.row.ID, err = newFileID(f.ending); err != nil {
			return nil, placed, err
		}
		if f.row.Sha256, err = f.draft.place(); err != nil {
			return nil, placed, err
		}
		placed = append(placed, gen.File{Sha256: f.row.Sha256})
		f.row.Bytes, f.row.CreatedAt = f.draft.size, s.now()
		ids = append(ids, f.row.ID)
	}
	s.moment("placed " + files[0].row.Kind)
	err = s.tx(ctx, func(q *gen.Queries, j inserter) error {
		for _, f := range files {
			if err := q.CreateFile(ctx, f.row); err != nil {
				return fmt.Errorf("record a file: %w", err)
			}
		}
		return record(q, ids, j)
	})
	if err != nil {
		return nil, placed, err
	}
	s.moment("recorded " + files[0].row.Kind)
	return ids, placed, nil
}

// keepBytes is keep for content that is in memory.
func (s *Service) keepBytes(ctx context.Context, data []byte, row gen.CreateFileParams, ending string, record recorder) (err error) {
	d, err := s.files.draftOf(data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	_, err = s.keep(ctx, d, row, ending, record)
	return err
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

// openFile opens the content of a row.
func (s *Service) openFile(f gen.File) (*os.File, error) {
	file, err := os.Open(s.files.path(f.Sha256))
	if err != nil {
		return nil, fmt.Errorf("open content %s: %w", f.Sha256, err)
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
		return nil, fmt.Errorf("read content %s: %w", f.Sha256, err)
	}
	return data, nil
}
