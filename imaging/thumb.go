package imaging

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"time"

	"atelier/imaging/probe"
)

// Thumbnail is a small copy of a picture as a file.
type Thumbnail struct {
	Data    []byte
	Format  probe.Format // JPEG, or WebP for a picture with transparency
	Width   int
	Height  int
	Preview string // what Preview makes of the picture
}

// Thumb makes a thumbnail whose longer side is at most maxSide pixels, upright
// and without metadata. Smaller pictures keep their size. The file passes the
// same guard as in Decode, but the large picture is never unfolded: the
// decoder's planes are averaged where they are.
func Thumb(ctx context.Context, data []byte, maxSide int, lim Limits) (Thumbnail, error) {
	lim = lim.orDefault()
	facts, plan, err := inspect(data, lim)
	if err != nil {
		return Thumbnail{}, err
	}
	var small *image.NRGBA
	w, h := thumbSize(facts.Width, facts.Height, maxSide)
	if facts.Orientation >= 5 {
		w, h = h, w
	}
	colours := coloursOf(data, facts)
	small, err = thumbReduced(ctx, data, facts, w, h, lim.Deadline)
	switch {
	case err == nil:
		colours.pixels(small)
	case errors.Is(err, errOtherJPEG):
		err = unfold(ctx, facts, plan, lim.Deadline, func(img image.Image, facts probe.Facts) {
			if colours.direct(img) {
				small = filter(reduce(colours.convert(img), reduced(facts.RawWidth, w), reduced(facts.RawHeight, h)), w, h)
				return
			}
			small = filter(shrink(img, facts, w, h), w, h)
			colours.pixels(small)
		})
	}
	if err != nil {
		return Thumbnail{}, err
	}
	return encodeThumb(turn(small, facts.Orientation))
}

// thumbReduced makes a picture of w × h, not yet turned, of a JPEG that can be opened no larger than that needs.
func thumbReduced(ctx context.Context, data []byte, facts probe.Facts, w, h int, deadline time.Duration) (*image.NRGBA, error) {
	n := jpegScale(max(facts.RawWidth, facts.RawHeight), max(w, h))
	if facts.Format != probe.JPEG || n == jpegBlock {
		return nil, errOtherJPEG
	}
	weight := min(reducedMemory(len(data), facts.Pixels(), n), memoryTotal)
	if err := memory.Acquire(ctx, weight); err != nil {
		return nil, fmt.Errorf("wait for memory to decode: %w", err)
	}
	defer memory.Release(weight)
	img, err := reducedJPEG(ctx, data, n, time.Now().Add(deadline))
	switch {
	case errors.Is(err, errDeadline):
		return nil, tooSlow(facts.Format, errDeadline)
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("decode: %w", ctx.Err())
	case err != nil:
		return nil, err
	}
	return filterPlanes(img, w, h), nil
}

// ThumbOf is Thumb for a picture that is open already.
func ThumbOf(img *image.NRGBA, maxSide int) (Thumbnail, error) {
	w, h := thumbSize(img.Rect.Dx(), img.Rect.Dy(), maxSide)
	return encodeThumb(Resize(img, w, h))
}

func thumbSize(w, h, maxSide int) (int, int) {
	if max(w, h) <= maxSide {
		return w, h
	}
	return FitSize(w, h, maxSide, maxSide)
}

// shrink averages the decoded picture down to somewhat above w × h.
func shrink(img image.Image, facts probe.Facts, w, h int) *image.NRGBA {
	w, h = reduced(facts.RawWidth, w), reduced(facts.RawHeight, h)
	if w < facts.RawWidth || h < facts.RawHeight {
		switch src := img.(type) {
		case *image.YCbCr:
			return reducePlanes(src, nil, w, h, facts.Format == probe.WebP)
		case *image.NYCbCrA:
			return reducePlanes(&src.YCbCr, src, w, h, true)
		}
	}
	return reduce(toNRGBA(img, facts.Format), w, h)
}

func encodeThumb(img *image.NRGBA) (Thumbnail, error) {
	t := Thumbnail{Format: probe.JPEG, Width: img.Rect.Dx(), Height: img.Rect.Dy()}
	if !img.Opaque() {
		t.Format = probe.WebP
	}
	var b bytes.Buffer
	if err := Encode(&b, img, EncodeOptions{Format: t.Format, Quality: 82}); err != nil {
		return Thumbnail{}, fmt.Errorf("thumbnail: %w", err)
	}
	t.Data = b.Bytes()
	preview, err := Preview(img)
	if err != nil {
		return Thumbnail{}, err
	}
	t.Preview = preview
	return t, nil
}

// previewSide is the longer side of a preview in pixels.
const previewSide = 12

// Preview is a data URI of at most 500 bytes with the picture in a few soft
// colours, to be shown enlarged while the real one loads.
func Preview(img *image.NRGBA) (string, error) {
	w, h := thumbSize(img.Rect.Dx(), img.Rect.Dy(), previewSide)
	var b bytes.Buffer
	if err := encodeWebP(&b, Resize(img, w, h), 40, Small); err != nil {
		return "", fmt.Errorf("preview: %w", err)
	}
	return "data:image/webp;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
