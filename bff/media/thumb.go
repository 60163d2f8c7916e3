package media

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"

	"atelier/imaging"
)

// Widths are the sizes of smaller pictures, in px of their longer side.
var Widths = []int{160, 320, 640, 1280}

// WidthFor gives the size that serves a place w px wide: the smallest that is not smaller, or the largest there is.
func WidthFor(w int) int {
	i, _ := slices.BinarySearch(Widths, w)
	return Widths[min(i, len(Widths)-1)]
}

// Thumb opens the picture sha fitted into size px, one of Widths: made when it is asked for first, once however many ask.
// The caller closes the file.
func (s *Store) Thumb(ctx context.Context, sha string, size int) (*os.File, error) {
	name, err := thumbName(sha, size)
	if err != nil {
		return nil, err
	}
	return s.derived(ctx, name, func(ctx context.Context) ([]byte, error) { return s.thumb(ctx, sha, size) })
}

func (s *Store) thumb(ctx context.Context, sha string, size int) ([]byte, error) {
	data, err := s.largest(sha, size)
	if err != nil {
		return nil, err
	}
	small, err := imaging.Thumb(ctx, data, size, imaging.DefaultLimits)
	if err != nil {
		return nil, decodeError(err)
	}
	return small.Data, nil
}

// derived opens the file name, which stands for a picture made from a stored one. Where there is none, its bytes are made and
// kept, once however many ask at the same time.
func (s *Store) derived(ctx context.Context, name string, make func(context.Context) ([]byte, error)) (*os.File, error) {
	f, err := s.root.Open(name)
	if err == nil {
		return f, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open a smaller or converted picture: %w", err)
	}
	err = s.once(ctx, name, func(ctx context.Context) error {
		data, err := make(ctx)
		if err != nil {
			return err
		}
		return s.keepThumb(name, data)
	})
	if err != nil {
		return nil, err
	}
	f, err = s.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open a smaller or converted picture: %w", err)
	}
	return f, nil
}

// galleryWidth is the thumbnail that is made at once, while the picture is open anyway. Smaller ones are made from it.
const galleryWidth = 640

func (s *Store) keepGallery(sha string, data []byte) error {
	name, err := thumbName(sha, galleryWidth)
	if err != nil {
		return err
	}
	return s.keepThumb(name, data)
}

// largest gives what a thumbnail is made from: the one the gallery shows when it is large enough, or the picture itself.
func (s *Store) largest(sha string, size int) ([]byte, error) {
	if size < galleryWidth {
		name, err := thumbName(sha, galleryWidth)
		if err != nil {
			return nil, err
		}
		data, err := s.root.ReadFile(name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return s.Read(sha)
}

func (s *Store) keepThumb(name string, data []byte) (err error) {
	w, err := s.Writer()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Discard()) }()
	if _, err := w.Write(data); err != nil {
		return diskFull(fmt.Errorf("write thumbnail: %w", err))
	}
	return w.keepAs(name)
}

func thumbName(sha string, size int) (string, error) {
	blob, err := blobName(sha)
	if err != nil {
		return "", err
	}
	return path.Join(made, sha[:2], path.Base(blob)+"-"+strconv.Itoa(size)), nil
}

// keepAs moves the file to a name of our own making. It can be made again, so nothing is flushed.
func (w *Writer) keepAs(name string) error {
	if err := w.store.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return diskFull(fmt.Errorf("create a folder for thumbnails: %w", err))
	}
	if err := w.store.root.Rename(w.name, name); err != nil {
		return fmt.Errorf("keep thumbnail: %w", err)
	}
	err := w.file.Close()
	w.file = nil
	return err
}
