package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"path/filepath"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/video/container"
)

// Medium is a video or a sound that was taken in.
type Medium struct {
	Facts     container.Facts
	SHA256    string
	Bytes     int64
	PosterSHA string // the picture that stands for a video; "" = none could be made
	Preview   string // data: URI of the poster
}

// Kind is the word for what an asset is: video or audio.
func (m Medium) Kind() string {
	if m.Facts.HasVideo() {
		return "video"
	}
	return "audio"
}

// Still takes one picture out of the video at path.
type Still func(ctx context.Context, path string) (*image.NRGBA, error)

// TakeMedium reads one video or sound from body, at most limit bytes of it, and stores it. declared is the length the sender
// announced, -1 when it did not. poster may be nil. Everything wrong with the file is an *atelier.Error with a sentence about
// the field file; nothing is kept then. At no time more than a few kilobytes of the file are in memory.
func (s *Store) TakeMedium(ctx context.Context, body io.Reader, declared, limit int64, poster Still) (m Medium, err error) {
	if declared > limit {
		return Medium{}, mediumTooLarge(declared, limit)
	}
	w, err := s.Writer()
	if err != nil {
		return Medium{}, err
	}
	defer func() { err = errors.Join(err, w.Discard()) }()
	if _, err := io.Copy(w, io.LimitReader(reader{ctx, body}, limit+1)); err != nil {
		return Medium{}, interrupted(diskFull(err))
	}
	if w.Len() > limit {
		return Medium{}, mediumTooLarge(max(w.Len(), declared), limit)
	}
	if declared >= 0 && w.Len() != declared {
		return Medium{}, interrupted(io.ErrUnexpectedEOF)
	}
	m.Facts, err = container.Read(w.file, w.Len())
	if err != nil {
		return Medium{}, damaged(err)
	}
	if m.Facts.Seconds <= 0 || m.Facts.HasVideo() && (m.Facts.Width <= 0 || m.Facts.Height <= 0) {
		return Medium{}, damaged(errors.New("neither length nor size"))
	}
	if m.Facts.HasVideo() && poster != nil {
		if m.PosterSHA, m.Preview, err = s.posterOf(ctx, w.path(), poster); err != nil {
			return Medium{}, err
		}
	}
	m.SHA256, m.Bytes, err = w.Commit()
	return m, err
}

// posterOf makes and stores the poster of a video. A video no picture can be read from is damaged, unless there was no time to.
func (s *Store) posterOf(ctx context.Context, path string, poster Still) (sha, preview string, err error) {
	done, err := s.opening(ctx)
	if err != nil {
		return "", "", err
	}
	defer done()
	img, err := poster(ctx, path)
	if err != nil {
		if ctx.Err() != nil {
			return "", "", interrupted(ctx.Err())
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return "", "", &atelier.Error{
				Code: atelier.UpstreamBusy, Message: words.UploadVideoSlow, Fields: map[string]string{"file": words.UploadVideoSlow}, Retryable: true, Err: err,
			}
		}
		return "", "", damaged(err)
	}
	small, err := imaging.ThumbOf(img, galleryWidth)
	if err != nil {
		return "", "", fmt.Errorf("look at a video: %w", err)
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.JPEG}); err != nil {
		return "", "", fmt.Errorf("keep the picture of a video: %w", err)
	}
	if sha, _, err = s.Put(ctx, &b); err != nil {
		return "", "", err
	}
	return sha, small.Preview, s.keepGallery(sha, small.Data)
}

// PosterOf makes and stores the picture that stands for a video that is stored here, and its preview.
func (s *Store) PosterOf(ctx context.Context, video string, poster Still) (sha, preview string, err error) {
	name, err := blobName(video)
	if err != nil {
		return "", "", err
	}
	return s.posterOf(ctx, s.pathOf(name), poster)
}

// StillOf takes a picture out of a video that is stored here and stores it as it is.
func (s *Store) StillOf(ctx context.Context, video string, take Still) (sha string, err error) {
	name, err := blobName(video)
	if err != nil {
		return "", err
	}
	done, err := s.opening(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	img, err := take(ctx, s.pathOf(name))
	if err != nil {
		return "", fmt.Errorf("take a picture out of a video: %w", err)
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.PNG, Speed: imaging.Fast}); err != nil {
		return "", fmt.Errorf("keep a picture of a video: %w", err)
	}
	sha, _, err = s.Put(ctx, &b)
	return sha, err
}

// pathOf is where a file of the store lies.
func (s *Store) pathOf(name string) string {
	return filepath.Join(s.root.Name(), filepath.FromSlash(name))
}

// path is where the file lies while it is written.
func (w *Writer) path() string { return w.store.pathOf(w.name) }

func damaged(err error) error {
	return &atelier.Error{Code: atelier.Invalid, Message: words.UploadVideoDamaged, Fields: map[string]string{"file": words.UploadVideoDamaged}, Err: err}
}

func mediumTooLarge(size, limit int64) error {
	sentence := words.UploadMediumLarge((size+1<<20-1)>>20, limit>>20)
	return &atelier.Error{Code: atelier.TooLarge, Message: sentence, Fields: map[string]string{"file": sentence}}
}
