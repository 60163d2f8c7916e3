package model

import (
	"encoding/binary"
	"errors"

	"atelier/imaging/mask"
)

// ErrMaskDraft says that remembered bytes are not a mask.
var ErrMaskDraft = errors.New("model: not a remembered mask")

// PackMask writes a mask as the lengths of its runs, starting with a run that is not painted: a few kilobytes for what a
// hand paints. Soft edges are taken at the level that is exported.
func PackMask(p mask.Plane) []byte {
	out := binary.AppendUvarint(nil, uint64(p.W))
	out = binary.AppendUvarint(out, uint64(p.H))
	p.Runs(func(length int) { out = binary.AppendUvarint(out, uint64(length)) })
	return out
}

// UnpackMask reads what PackMask wrote for a picture of w × h pixels.
func UnpackMask(data []byte, w, h int) (mask.Plane, error) {
	next := func() (uint64, bool) {
		n, size := binary.Uvarint(data)
		if size <= 0 {
			return 0, false
		}
		data = data[size:]
		return n, true
	}
	gotW, okW := next()
	gotH, okH := next()
	if !okW || !okH || gotW != uint64(w) || gotH != uint64(h) {
		return mask.Plane{}, ErrMaskDraft
	}
	plane := mask.New(w, h)
	rest := plane.Pix
	for painted := false; len(rest) > 0; painted = !painted {
		n, ok := next()
		if !ok || n > uint64(len(rest)) {
			return mask.Plane{}, ErrMaskDraft
		}
		if painted {
			for i := range rest[:n] {
				rest[i] = 255
			}
		}
		rest = rest[n:]
	}
	return plane, nil
}
