package media

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// regionMemory is what the search for a region takes beside the picture and its planes, in bytes, by the long side at which edges are
// found (segment.Options, Fine).
const (
	regionMemory   = 150 << 20
	strongerMemory = regionMemory * analysis.StrongerSide * analysis.StrongerSide / (1024 * 1024)
)

// Kept finds what an execution keeps of a stored picture, upright, in planes of the picture's size. It asks the same as the embedded
// service does of the file it receives, so sha names that file (db.Asset, Sent). A file that cannot be opened is an *atelier.Error.
func (s *Store) Kept(ctx context.Context, sha string, keep analysis.Keep) (segment.Result, error) {
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
	room := int64(regionMemory)
	if keep.Stronger {
		room = strongerMemory
	}
	release, err := imaging.Reserve(ctx, room+int64(len(img.Pix))*3/2)
	if err != nil {
		return segment.Result{}, err
	}
	defer release()
	found, err := analysis.Kept(ctx, analysis.Working(img), keep)
	if err != nil {
		return segment.Result{}, fmt.Errorf("look for what is kept: %w", err)
	}
	return enlarged(found, img.Rect.Size()), nil
}

// enlarged gives the planes of a result the size of a picture that was scaled down to be worked on.
func enlarged(found segment.Result, size image.Point) segment.Result {
	from := image.Pt(found.Mask.W, found.Mask.H)
	if from == size {
		return found
	}
	for _, p := range []*mask.Plane{&found.Mask, &found.Matte, &found.Others} {
		if p.W > 0 {
			*p = p.Fitted(size.X, size.Y).Run()
		}
	}
	found.Mask.Threshold(mask.Level)
	for i, r := range found.Faces {
		found.Faces[i] = image.Rect(r.Min.X*size.X/from.X, r.Min.Y*size.Y/from.Y, r.Max.X*size.X/from.X, r.Max.Y*size.Y/from.Y)
	}
	return found
}
