package media

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"io/fs"
	"os"
	"path"
	"strings"
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
	name, err := c.name(sha)
	if err != nil {
		return nil, err
	}
	return s.derived(ctx, name, func(ctx context.Context) ([]byte, error) {
		data, err := s.Read(sha)
		if err != nil {
			return nil, err
		}
		return c.apply(ctx, data)
	})
}

// apply makes the file. What has its format and size already stays as it is.
func (c Conversion) apply(ctx context.Context, data []byte) ([]byte, error) {
	have := probe.Sniff(data)
	if c.Format == "" {
		c.Format = have
	}
	if c.Format == have && c.Width == 0 && (c.Quality == 0 || have == probe.PNG) {
		return data, nil
	}
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

func (c Conversion) resize(img *image.NRGBA) *image.NRGBA {
	if c.Width == 0 {
		return img
	}
	w, h := imaging.FitSize(img.Rect.Dx(), img.Rect.Dy(), c.Width, c.Height)
	if !c.Pad {
		if w >= img.Rect.Dx() {
			return img
		}
		return imaging.Resize(img, w, h)
	}
	out := image.NewNRGBA(image.Rect(0, 0, c.Width, c.Height))
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	small := imaging.Flatten(imaging.Resize(img, w, h), 255, 255, 255)
	draw.Draw(out, small.Rect.Add(image.Pt((c.Width-w)/2, (c.Height-h)/2)), small, image.Point{}, draw.Src)
	return out
}

// SweepConverted deletes converted pictures that were made before a moment: they can be made again.
func (s *Store) SweepConverted(before time.Time) error {
	return fs.WalkDir(s.root.FS(), made, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(name, convertedMark) {
			return err
		}
		info, err := e.Info()
		if err != nil || !info.ModTime().Before(before) {
			return gone(err)
		}
		return gone(s.root.Remove(name))
	})
}

// RemoveMade deletes every picture that was made of a stored one.
func (s *Store) RemoveMade(sha string) error {
	if _, err := blobName(sha); err != nil {
		return err
	}
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
