package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"atelier/imaging"
	"atelier/imaging/probe"
)

// Conversion says how a stored picture is handed out.
type Conversion struct {
	Format        probe.Format // PNG, JPEG or WebP; "" = as it is
	Quality       int          // 1 to 100 for JPEG and WebP; 0 takes 90
	Width, Height int          // px to fit into; 0 = as it is
	Pad           bool         // on white of exactly that size; else a picture that is smaller stays so
}

// convertedMark stands in the names of converted pictures, to tell them from thumbnails.
const convertedMark = "-as-"

// of is the one form of all that come to the same for a picture of a format; zero where the picture is that already.
func (c Conversion) of(have probe.Format) Conversion {
	if c.Format == "" {
		c.Format = have
	}
	if c.Format == probe.PNG {
		c.Quality = 0
	}
	switch {
	case c.Format == have && c.Width == 0 && c.Quality == 0:
		return Conversion{}
	case c.Format != probe.PNG && c.Quality == 0:
		c.Quality = 90
	}
	return c
}

func (c Conversion) name(sha string) (string, error) {
	blob, err := blobName(sha)
	if err != nil {
		return "", err
	}
	shape := "fit"
	if c.Pad {
		shape = "pad"
	}
	return path.Join(made, sha[:2], fmt.Sprintf("%s%s%s-%d-%s%dx%d", path.Base(blob), convertedMark, c.Format, c.Quality, shape, c.Width, c.Height)), nil
}

// Converted opens a picture the way c asks for it: made when it is asked for first, once however many ask. The caller
// closes it.
func (s *Store) Converted(ctx context.Context, sha string, c Conversion) (*os.File, error) {
	f, err := s.Open(sha)
	if err != nil {
		return nil, err
	}
	var head [16]byte
	if _, err := f.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("read a picture: %w", err), f.Close())
	}
	if c = c.of(probe.Sniff(head[:])); c == (Conversion{}) {
		return f, nil
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	name, err := c.name(sha)
	if err != nil {
		return nil, err
	}
	return s.derived(ctx, name, func(ctx context.Context) ([]byte, error) {
		data, err := s.Read(sha)
		if err != nil {
			return nil, err
		}
		if data, err = c.apply(ctx, data); err != nil {
			return nil, err
		}
		return data, s.makeRoom(int64(len(data)))
	})
}

// apply makes the file.
func (c Conversion) apply(ctx context.Context, data []byte) ([]byte, error) {
	img, _, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return nil, decodeError(err)
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, c.resize(img), imaging.EncodeOptions{Format: c.Format, Quality: c.Quality}); err != nil {
		return nil, fmt.Errorf("convert a picture: %w", err)
	}
	return b.Bytes(), nil
}

// Size is that of what comes out for a picture of w × h pixels.
func (c Conversion) Size(w, h int) (int, int) {
	switch fw, fh := imaging.FitSize(w, h, c.Width, c.Height); {
	case c.Width == 0:
		return w, h
	case c.Pad:
		return c.Width, c.Height
	case fw >= w:
		return w, h
	default:
		return fw, fh
	}
}

func (c Conversion) resize(img *image.NRGBA) *image.NRGBA {
	w, h := c.Size(img.Rect.Dx(), img.Rect.Dy())
	if !c.Pad || c.Width == 0 {
		if w == img.Rect.Dx() && h == img.Rect.Dy() {
			return img
		}
		return imaging.Resize(img, w, h)
	}
	w, h = imaging.FitSize(img.Rect.Dx(), img.Rect.Dy(), c.Width, c.Height)
	out := image.NewNRGBA(image.Rect(0, 0, c.Width, c.Height))
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	small := imaging.Flatten(imaging.Resize(img, w, h), 255, 255, 255)
	draw.Draw(out, small.Rect.Add(image.Pt((c.Width-w)/2, (c.Height-h)/2)), small, image.Point{}, draw.Src)
	return out
}

// convertedBytes is how much converted pictures take together: the same one can be asked for in a hundred qualities.
const convertedBytes = 8 << 30

// convertedRoom counts what converted pictures take.
type convertedRoom struct {
	mu    sync.Mutex
	bytes int64 // -1 = to be counted
	most  int64
}

// makeRoom is called before a converted picture of n bytes is kept. Where there is no room, the oldest go until a quarter is free.
func (s *Store) makeRoom(n int64) error {
	room := &s.converted
	room.mu.Lock()
	defer room.mu.Unlock()
	if room.bytes >= 0 && room.bytes+n <= room.most {
		room.bytes += n
		return nil
	}
	type file struct {
		name string
		info fs.FileInfo
	}
	var files []file
	total := n
	err := s.eachConverted(func(name string, info fs.FileInfo) error {
		files, total = append(files, file{name, info}), total+info.Size()
		return nil
	})
	if err != nil {
		return fmt.Errorf("count converted pictures: %w", err)
	}
	if total > room.most {
		slices.SortFunc(files, func(a, b file) int { return a.info.ModTime().Compare(b.info.ModTime()) })
		for _, f := range files {
			if total <= room.most/4*3 {
				break
			}
			if err := gone(s.root.Remove(f.name)); err != nil {
				return fmt.Errorf("remove an old converted picture: %w", err)
			}
			total -= f.info.Size()
		}
	}
	room.bytes = total
	return nil
}

// recount makes the next converted picture count what is there.
func (s *Store) recount() {
	s.converted.mu.Lock()
	defer s.converted.mu.Unlock()
	s.converted.bytes = -1
}

// eachConverted calls fn for each converted picture.
func (s *Store) eachConverted(fn func(name string, info fs.FileInfo) error) error {
	return fs.WalkDir(s.root.FS(), made, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(name, convertedMark) {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return gone(err)
		}
		return fn(name, info)
	})
}

// SweepConverted deletes converted pictures that were made before a moment: they can be made again.
func (s *Store) SweepConverted(before time.Time) error {
	defer s.recount()
	return s.eachConverted(func(name string, info fs.FileInfo) error {
		if !info.ModTime().Before(before) {
			return nil
		}
		return gone(s.root.Remove(name))
	})
}

// RemoveMade deletes every picture that was made of a stored one.
func (s *Store) RemoveMade(sha string) error {
	if _, err := blobName(sha); err != nil {
		return err
	}
	defer s.recount()
	files, err := fs.ReadDir(s.root.FS(), path.Join(made, sha[:2]))
	if err != nil {
		return gone(err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), sha+"-") {
			if err := gone(s.root.Remove(path.Join(made, sha[:2], f.Name()))); err != nil {
				return fmt.Errorf("remove what was made of a picture: %w", err)
			}
		}
	}
	return nil
}
