package render

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/fill"
)

// expandImage places the original in the new canvas and completes the rest out of the photo itself, never out of its
// subject (Task API, "expandimage v1.0").
func expandImage(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	w, okW := req.number("targetWidth")
	h, okH := req.number("targetHeight")
	if !okW || !okH || w < 1 || h < 1 || w > 4096 || h > 4096 {
		return nil, fmt.Errorf("%w: targetWidth and targetHeight go from 1 to 4096", ErrInvalid)
	}
	size := req.source().Rect.Size()
	left, ok := req.number("fillLeft")
	if !ok {
		left = (w - size.X) / 2
	}
	top, ok := req.number("fillTop")
	if !ok {
		top = (h - size.Y) / 2
	}
	opt := fill.Options{Seed: req.seed(), Progress: req.part(0.02, 0.98)}
	if plausible(seg) {
		avoid := seg.Subject.Grow(float64(max(3, min(size.X, size.Y)/80)))
		opt.Avoid = &avoid
	}
	return fill.Expand(ctx, req.source(), w, h, left, top, opt)
}

// plausible reports whether the subject found leaves enough of the picture to copy from. A doubtful one is avoided
// too: leaving out some background costs little, repeating a subject cannot be used.
func plausible(seg Segmentation) bool {
	n := 0
	for _, v := range seg.Subject.Pix {
		if v != 0 {
			n++
		}
	}
	most := 85
	if seg.Confidence < 0.3 {
		most = 60
	}
	return n > 0 && 100*n < most*len(seg.Subject.Pix)
}
