// Package media keeps the bytes of pictures: a store addressed by content, the intake that refuses what the image service
// would refuse, and smaller pictures made on demand.
package media

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"

	"atelier/atelier"
	"atelier/internal/folder"
)

// Store keeps files by the SHA-256 of their bytes below one folder: blobs/aa/bb/<sha256>. Once Put has returned, the bytes
// survive a power cut. It is safe for concurrent use, and no name from outside ever becomes a path.
type Store struct {
	root  *os.Root
	cores *semaphore.Weighted
	// looking bounds how many pictures are analysed at a time.
	looking *semaphore.Weighted
	// known are the pixels of stored pictures that were analysed, by SHA-256.
	knownMu sync.Mutex
	known   map[string]pixels
	large   *semaphore.Weighted // of one: pictures larger than the image service takes, which are in memory whole while they are converted
	// making holds what is being made of stored pictures, by its name.
	makingMu sync.Mutex
	making   map[string]*making
	// converted is the room for converted pictures.
	converted convertedRoom
	// placing is held while a file gets or loses its name, so that nobody removes what somebody else relies on at that moment.
	placing sync.Mutex
	// moment hears of each step of storing a file; tests stop there. nil = nobody listens.
	moment func(name string)
}

const (
	blobs = "blobs"
	made  = "made" // pictures made from blobs: they may be deleted at any time
	spool = "spool"
)

// spoolAge is how old a left-over upload must be before a start removes it.
const spoolAge = time.Hour

// OpenStore opens or creates a store in the folder dir and removes uploads that a crash left behind.
func OpenStore(dir string) (*Store, error) {
	if err := folder.Make(dir); err != nil {
		return nil, fmt.Errorf("create the content store: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the content store: %w", err)
	}
	for _, name := range []string{blobs, made, spool} {
		if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, errors.Join(fmt.Errorf("create the content store: %w", err), root.Close())
		}
	}
	cores := int64(runtime.GOMAXPROCS(0))
	s := &Store{
		root: root, cores: semaphore.NewWeighted(cores), looking: semaphore.NewWeighted(max(1, cores-1)), known: map[string]pixels{},
		large: semaphore.NewWeighted(1), making: map[string]*making{}, converted: convertedRoom{bytes: -1, most: convertedBytes},
	}
	// Whoever flushes a file flushes the folders below this one. That these are here must not be forgotten either.
	if err := s.syncDir("."); err != nil {
		return nil, errors.Join(fmt.Errorf("flush the content store: %w", err), root.Close())
	}
	if err := s.sweepSpool(time.Now().Add(-spoolAge)); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

// opening waits for a processor to open a picture with. Decoders work against the clock, so that no file can keep one busy;
// with more of them at work than there are processors, good files would run out of time too. Who waits holds no picture in
// memory: it is read after.
func (s *Store) opening(ctx context.Context) (done func(), err error) {
	if err := s.cores.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("wait to open a picture: %w", err)
	}
	return func() { s.cores.Release(1) }, nil
}

// Close lets go of the folder.
func (s *Store) Close() error { return s.root.Close() }

func (s *Store) sweepSpool(before time.Time) error {
	files, err := fs.ReadDir(s.root.FS(), spool)
	if err != nil {
		return fmt.Errorf("list unfinished uploads: %w", err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.ModTime().Before(before) {
			continue
		}
		if err := s.root.Remove(path.Join(spool, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an unfinished upload: %w", err)
		}
	}
	return nil
}

// Put stores all of r and gives the SHA-256 in hex and the length. Bytes that are there already are not written again.
func (s *Store) Put(ctx context.Context, r io.Reader) (sha string, n int64, err error) {
	w, err := s.Writer()
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, w.Discard()) }()
	if _, err := io.Copy(w, reader{ctx, r}); err != nil {
		return "", 0, diskFull(fmt.Errorf("write to the content store: %w", err))
	}
	return w.Commit()
}

// Open opens a stored file for reading. The error wraps fs.ErrNotExist when it is not there.
func (s *Store) Open(sha string) (*os.File, error) {
	name, err := blobName(sha)
	if err != nil {
		return nil, err
	}
	f, err := s.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open stored file: %w", err)
	}
	return f, nil
}

// Read reads a stored file whole.
func (s *Store) Read(sha string) ([]byte, error) {
	name, err := blobName(sha)
	if err != nil {
		return nil, err
	}
	data, err := s.root.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read stored file: %w", err)
	}
	return data, nil
}

// Has says whether the bytes are here.
func (s *Store) Has(sha string) bool {
	name, err := blobName(sha)
	if err != nil {
		return false
	}
	_, err = s.root.Stat(name)
	return err == nil
}

// Writer is a file on its way into the store. Either Commit or Discard ends it; Discard after Commit does nothing.
type Writer struct {
	store *Store
	file  *os.File
	name  string
	hash  hash.Hash
	n     int64
}

// Writer starts a file whose hash is not known yet.
func (s *Store) Writer() (*Writer, error) {
	name := path.Join(spool, rand.Text())
	f, err := s.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, diskFull(fmt.Errorf("create a file in the content store: %w", err))
	}
	return &Writer{store: s, file: f, name: name, hash: sha256.New()}, nil
}

// Write appends to the file.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	w.hash.Write(p[:n])
	w.n += int64(n)
	return n, diskFull(err)
}

// Len is how many bytes were written.
func (w *Writer) Len() int64 { return w.n }

// Bytes reads back what was written.
func (w *Writer) Bytes() ([]byte, error) {
	data := make([]byte, w.n)
	if _, err := w.file.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read back a file: %w", err)
	}
	return data, nil
}

// Rewrite puts other bytes in the place of what was written.
func (w *Writer) Rewrite(data []byte) error {
	if err := w.file.Truncate(0); err != nil {
		return fmt.Errorf("rewrite a file: %w", err)
	}
	if _, err := w.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("rewrite a file: %w", err)
	}
	w.hash.Reset()
	w.n = 0
	_, err := w.Write(data)
	return err
}

// Reader reads what was written from its beginning, until the file is discarded.
func (w *Writer) Reader() io.Reader { return io.NewSectionReader(w.file, 0, w.n) }

// Commit makes the file part of the store, durably, and gives its name and length.
func (w *Writer) Commit() (sha string, n int64, err error) {
	sha = hex.EncodeToString(w.hash.Sum(nil))
	name, err := blobName(sha)
	if err != nil {
		return "", 0, err
	}
	w.store.at("file written")
	if err := w.file.Sync(); err != nil {
		return "", 0, diskFull(fmt.Errorf("flush a stored file: %w", err))
	}
	w.store.at("file flushed")
	dir := path.Dir(name)
	if err := w.store.root.MkdirAll(dir, 0o700); err != nil {
		return "", 0, diskFull(fmt.Errorf("create a folder in the content store: %w", err))
	}
	there, err := w.place(sha, name)
	if err != nil {
		return "", 0, err
	}
	if there {
		err = w.Discard()
	} else {
		w.store.at("file named")
		err = w.file.Close()
		w.file = nil
	}
	// The folders as well, or the name of the file could be lost although its bytes are on the disk. Also when it was there
	// already: whoever gave it its name may not have come as far as this.
	for d := dir; d != "."; d = path.Dir(d) {
		err = errors.Join(err, w.store.syncDir(d))
	}
	if err != nil {
		return "", 0, fmt.Errorf("flush the content store: %w", err)
	}
	return sha, w.n, nil
}

// place gives the file its name, unless the bytes are there already.
func (w *Writer) place(sha, name string) (there bool, err error) {
	w.store.placing.Lock()
	defer w.store.placing.Unlock()
	if w.store.again(sha) {
		return true, nil
	}
	if err := w.store.root.Rename(w.name, name); err != nil {
		return false, fmt.Errorf("move a file into the content store: %w", err)
	}
	return false, nil
}

// OnMoment makes fn hear of each step of storing a file. It is set before the store is used.
func (s *Store) OnMoment(fn func(name string)) { s.moment = fn }

func (s *Store) at(name string) {
	if s.moment != nil {
		s.moment(name)
	}
}

// Discard throws the file away.
func (w *Writer) Discard() error {
	if w.file == nil {
		return nil
	}
	err := errors.Join(w.file.Close(), w.store.root.Remove(w.name))
	w.file = nil
	return err
}

// syncDir flushes a folder of the store.
func (s *Store) syncDir(name string) error {
	d, err := s.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// blobName gives the path of a blob and refuses what is no SHA-256.
func blobName(sha string) (string, error) {
	if len(sha) != 2*sha256.Size || strings.Trim(sha, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is no name of a stored file: %w", sha, fs.ErrNotExist)
	}
	return path.Join(blobs, sha[:2], sha[2:4], sha), nil
}

// diskFull gives the sentence for a disk with no space left; other errors stay as they are.
func diskFull(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return atelier.Wrap(atelier.DiskFull, err, atelier.NoRoom)
	}
	return err
}

// reader ends with the context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
