package media

import (
	"context"
	"fmt"

	"atelier/imaging"
	"atelier/imaging/segment"
)

// regionMemory is what looking for a region takes beside the picture and its two planes, in bytes (segment.Options, Fine).
const regionMemory = 150 << 20

// Region finds the protected region of an automatic mask type on a stored picture, upright. A file that cannot be opened is an
// *atelier.Error.
func (s *Store) Region(ctx context.Context, sha string, kind segment.Kind) (segment.Result, error) {
	done, err := s.opening(ctx)
	if err != nil {
		return segment.Result{}, err
	}
	defer done()
	data, err := s.Read(sha)
	if err != nil {
		return segment.Result{}, err
	}
	img, _, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return segment.Result{}, decodeError(err)
	}
	release, err := imaging.Reserve(ctx, regionMemory+int64(len(img.Pix))*3/2)
	if err != nil {
		return segment.Result{}, err
	}
	defer release()
	found, err := segment.Region(ctx, img, kind, segment.Options{Hard: true})
	if err != nil {
		return segment.Result{}, fmt.Errorf("look for %s: %w", kind, err)
	}
	return found, nil
}
