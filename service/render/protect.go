package render

import (
	"context"
	"fmt"
)

// segmentOriginal finds or takes over the protected region.
func segmentOriginal(_ context.Context, req Request) (Segmentation, error) {
	if req.Original == nil {
		return Segmentation{}, fmt.Errorf("%w: originalImage", ErrMissingInput)
	}
	if req.CustomMask == nil {
		return Segmentation{}, fmt.Errorf("%w: a mask is needed", ErrInvalid)
	}
	b := req.Original.Bounds()
	if req.CustomMask.W != b.Dx() || req.CustomMask.H != b.Dy() {
		return Segmentation{}, fmt.Errorf("%w: the mask is %d × %d and the picture is %d × %d",
			ErrInvalid, req.CustomMask.W, req.CustomMask.H, b.Dx(), b.Dy())
	}
	m := req.CustomMask.Clone()
	m.Threshold(128)
	return Segmentation{Mask: m, Matte: m, Subject: m, Exact: true, Confidence: 1}, nil
}
