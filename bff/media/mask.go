package media

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"strings"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/imaging"
	"atelier/imaging/mask"
)

// maxMask bounds a mask's PNG, in bytes: a few times what the largest picture needs.
const maxMask = 24 << 20

// Mask is a mask that was taken in, exact: alpha 255 where the picture is kept, 0 elsewhere.
type Mask struct {
	Width, Height int
	Kept          float64 // share of the picture, 0 to 1
	SHA256        string
}

// TakeMask reads a base64 PNG, checks it against a picture of w × h px and stores it in its exact form. What is wrong with it
// is an *atelier.Error about the field.
func (s *Store) TakeMask(ctx context.Context, png, field string, w, h int) (Mask, error) {
	if i := strings.Index(png, ";base64,"); i > 0 && i < 64 && strings.HasPrefix(png, "data:") {
		png = png[i+len(";base64,"):] // forgiven here; what goes upstream never has it
	}
	if len(png) > base64.StdEncoding.EncodedLen(maxMask) {
		return Mask{}, atelier.FieldError(field, words.MaskLarge)
	}
	done, err := s.opening(ctx)
	if err != nil {
		return Mask{}, err
	}
	defer done()
	data, err := base64.StdEncoding.DecodeString(png)
	if err != nil {
		return Mask{}, atelier.FieldError(field, words.MaskUnread)
	}
	plane, fromAlpha, err := imaging.DecodeMask(ctx, data, imaging.DefaultLimits)
	if err != nil {
		if e, ok := errors.AsType[*imaging.Error](err); ok {
			return Mask{}, &atelier.Error{Code: atelier.Invalid, Message: e.Message, Fields: map[string]string{field: e.Message}, Err: err}
		}
		return Mask{}, err
	}
	plane.Threshold(mask.Level)
	if err := plane.Validate(w, h); err != nil {
		return Mask{}, atelier.FieldError(field, err.Error())
	}
	if !fromAlpha {
		return Mask{}, atelier.FieldError(field, words.MaskOpaque)
	}
	sha, _, err := s.Put(ctx, bytes.NewReader(mask.EncodeRGBA(plane)))
	if err != nil {
		return Mask{}, err
	}
	return Mask{Width: w, Height: h, Kept: plane.Stats(0).Share, SHA256: sha}, nil
}

// MaskPNG gives a stored mask as it goes upstream: with a palette, or in the stored RGBA form.
func (s *Store) MaskPNG(ctx context.Context, sha string, palette bool) ([]byte, error) {
	if !palette {
		return s.Read(sha)
	}
	done, err := s.opening(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	data, err := s.Read(sha)
	if err != nil {
		return nil, err
	}
	plane, _, err := imaging.DecodeMask(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return nil, err
	}
	return mask.EncodePalette(plane), nil
}
