package imaging

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"

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
	var small *image.NRGBA
	_, err := open(ctx, data, lim, func(img image.Image, facts probe.Facts) {
		w, h := thumbSize(facts.Width, facts.Height, maxSide)
		if facts.Orientation >= 5 {
			w, h = h, w
		}
		small = turn(filter(shrink(img, facts, w, h), w, h), facts.Orientation)
	})
	if err != nil {
		return Thumbnail{}, err
	}
	return encodeThumb(small)
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
