package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/video/container"
)

// File is something the image service made that is now stored here.
type File struct {
	SHA256        string
	Format        probe.Format
	Bytes         int64
	Width, Height int     // px; 0 where the file does not say
	Seconds       float64 // of a video
	Preview       string  // data: URI; "" for what is no picture
}

// Kind says what a download must turn out to be, and how much of it is taken.
type Kind struct {
	Name     string // for the log
	Formats  []probe.Format
	MaxBytes int64
}

func (k Kind) tooLarge() error {
	return atelier.Refuse(atelier.TooLarge, words.FileLarge(k.MaxBytes>>20))
}

// The kinds of downloads.
var (
	Image = Kind{"picture", []probe.Format{probe.PNG, probe.JPEG, probe.WebP}, 192 << 20}
	Video = Kind{"video", []probe.Format{probe.MP4, probe.MOV, probe.WEBM}, 2 << 30}
	PSD   = Kind{"PSD", []probe.Format{probe.PSD, probe.PSB}, 1 << 30}
	// Made is a picture or a video.
	Made = Kind{"result", slices.Concat(Image.Formats, Video.Formats), Video.MaxBytes}
)

// ErrWrongKind is in the chain when a download is not what it should be.
var ErrWrongKind = errors.New("the file is of another type than expected")

// Keep stores a download. length is what the other side announced, -1 when it did not: a download that ends early is an
// error. The type is told by the bytes alone, and a picture is opened once, so nothing damaged is ever kept.
func (s *Store) Keep(ctx context.Context, r io.Reader, length int64, kind Kind) (f File, err error) {
	w, err := s.Writer()
	if err != nil {
		return File{}, err
	}
	defer func() { err = errors.Join(err, w.Discard()) }()
	if _, err := io.Copy(w, io.LimitReader(reader{ctx, r}, kind.MaxBytes+1)); err != nil {
		return File{}, diskFull(fmt.Errorf("download a %s: %w", kind.Name, err))
	}
	switch {
	case w.Len() > kind.MaxBytes:
		return File{}, kind.tooLarge()
	case length >= 0 && w.Len() != length:
		return File{}, fmt.Errorf("download a %s: %d of %d bytes came: %w", kind.Name, w.Len(), length, io.ErrUnexpectedEOF)
	}
	head := make([]byte, min(w.Len(), 4096))
	if _, err := w.file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return File{}, fmt.Errorf("read back a %s: %w", kind.Name, err)
	}
	f.Format = probe.Sniff(head)
	if !slices.Contains(kind.Formats, f.Format) {
		return File{}, fmt.Errorf("%w: %s in place of a %s", ErrWrongKind, f.Format, kind.Name)
	}
	var thumb []byte
	if slices.Contains(Image.Formats, f.Format) {
		if w.Len() > Image.MaxBytes { // it is opened as a whole, which a video never is
			return File{}, Image.tooLarge()
		}
		if thumb, err = f.look(ctx, w); err != nil {
			return File{}, err
		}
	}
	if f.Format == probe.MP4 || f.Format == probe.MOV {
		// A video that was paid for is kept even when its outline is one we cannot read.
		if facts, err := container.Read(w.file, w.Len()); err == nil {
			f.Width, f.Height, f.Seconds = facts.Width, facts.Height, facts.Seconds
		}
	}
	if f.SHA256, f.Bytes, err = w.Commit(); err != nil || thumb == nil {
		return f, err
	}
	return f, s.keepGallery(f.SHA256, thumb)
}

func (f *File) look(ctx context.Context, w *Writer) (thumb []byte, err error) {
	done, err := w.store.opening(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	data, err := w.Bytes()
	if err != nil {
		return nil, err
	}
	facts, err := imaging.Inspect(data, imaging.DefaultLimits)
	if err != nil {
		return nil, fmt.Errorf("look at a picture: %w", err)
	}
	small, err := imaging.Thumb(ctx, data, galleryWidth, imaging.DefaultLimits)
	if err != nil {
		return nil, fmt.Errorf("look at a picture: %w", err)
	}
	f.Width, f.Height, f.Preview = facts.Width, facts.Height, small.Preview
	return small.Data, nil
}
