package imaging

import (
	"context"
	"image"

	"atelier/imaging/mask"
)

// DecodeMask opens a mask somebody drew, in any of the formats Decode opens.
//
// With transparency anywhere in the file, the mask is its alpha channel: what
// is opaque is kept (Task API, "Shared mask and execution parameters"), and
// fromAlpha is true. Without any, the mask is the brightness, white kept, and
// fromAlpha is false: tools disagree on whether white or black is to be
// changed, so somebody has to be asked, and Invert makes the other reading.
func DecodeMask(ctx context.Context, data []byte, lim Limits) (p mask.Plane, fromAlpha bool, err error) {
	img, _, err := decodeValues(ctx, data, lim)
	if err != nil {
		return mask.Plane{}, false, err
	}
	p, fromAlpha = MaskOf(img)
	return p, fromAlpha, nil
}

// MaskOf is DecodeMask for a picture that is open already.
func MaskOf(img *image.NRGBA) (p mask.Plane, fromAlpha bool) {
	p = mask.New(img.Rect.Dx(), img.Rect.Dy())
	fromAlpha = !img.Opaque()
	bands(p.H, func(from, to int) {
		for y := from; y < to; y++ {
			src, dst := img.Pix[y*img.Stride:y*img.Stride+4*p.W], p.Row(y)
			for x := range dst {
				c := src[4*x : 4*x+4 : 4*x+4]
				if fromAlpha {
					dst[x] = c[3]
				} else {
					// BT.601 weights in 8-bit fixed point; they add up to 256.
					dst[x] = uint8((77*uint32(c[0]) + 150*uint32(c[1]) + 29*uint32(c[2]) + 128) >> 8)
				}
			}
		}
	})
	return p, fromAlpha
}
