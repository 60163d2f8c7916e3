package imaging

import (
	"fmt"
	"image"
	"image/jpeg"
	"io"

	"atelier/imaging/probe"
)

// Speed trades the time of encoding against the size of the file.
type Speed int

// The speeds of EncodeOptions.
const (
	Balanced Speed = iota
	Fast
	Small
)

// EncodeOptions says how a picture is written.
type EncodeOptions struct {
	Format  probe.Format // PNG, JPEG or WebP
	Quality int          // 1 to 100 for JPEG and WebP; 0 takes 90
	Speed   Speed        // for PNG and WebP
}

// maxSide is the longest side each format can store.
var maxSide = map[probe.Format]int{probe.PNG: 1<<31 - 1, probe.JPEG: 1<<16 - 1, probe.WebP: 1<<14 - 1}

// Encode writes the picture without any metadata. JPEG has no transparency: the
// picture is laid on white. WebP is written lossy, its transparency exactly.
func Encode(w io.Writer, img *image.NRGBA, opt EncodeOptions) error {
	limit, ok := maxSide[opt.Format]
	if !ok {
		return fmt.Errorf("encode: cannot write %s", opt.Format)
	}
	if img.Rect.Empty() || max(img.Rect.Dx(), img.Rect.Dy()) > limit {
		return fmt.Errorf("encode: %s cannot hold %d × %d pixels", opt.Format, img.Rect.Dx(), img.Rect.Dy())
	}
	quality := opt.Quality
	if quality < 1 || quality > 100 {
		quality = 90
	}
	var err error
	switch opt.Format {
	case probe.JPEG:
		flat := Flatten(img, 255, 255, 255)
		// Without transparency RGBA is the same, and has a fast path.
		err = jpeg.Encode(w, &image.RGBA{Pix: flat.Pix, Stride: flat.Stride, Rect: flat.Rect}, &jpeg.Options{Quality: quality})
	case probe.WebP:
		err = encodeWebP(w, img, quality, opt.Speed)
	default:
		err = encodePNG(w, img, opt.Speed)
	}
	if err != nil {
		return fmt.Errorf("encode %s: %w", opt.Format, err)
	}
	return nil
}

// Flatten returns the picture laid on one colour. An opaque picture is returned
// as it is.
func Flatten(img *image.NRGBA, r, g, b uint8) *image.NRGBA {
	if img.Opaque() {
		return img
	}
	out := Clone(img)
	under := [3]uint32{uint32(r), uint32(g), uint32(b)}
	bands(out.Rect.Dy(), func(from, to int) {
		pix := out.Pix[from*out.Stride : to*out.Stride]
		for i := 0; i+4 <= len(pix); i += 4 {
			p := pix[i : i+4 : i+4]
			a := uint32(p[3])
			for c := range 3 {
				p[c] = uint8((uint32(p[c])*a + under[c]*(255-a) + 127) / 255)
			}
			p[3] = 255
		}
	})
	return out
}
