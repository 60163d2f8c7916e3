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

// mostKnown is how many pictures a store knows the pixels of: a hash of 64 bytes each.
const mostKnown = 4096

// pixels are what a stored picture is known by once it was opened.
type pixels struct {
	key  analysis.Key // of the picture at its working size
	size image.Point
}

// Kept finds what an execution keeps of a stored picture, upright, in planes of the picture's size. It asks the same as the embedded
// service does of the file it receives, so sha names that file (db.Asset, Sent). What is remembered is answered without opening the file.
// One that cannot be opened is an *atelier.Error.
func (s *Store) Kept(ctx context.Context, sha string, keep analysis.Keep) (segment.Result, error) {
	s.knownMu.Lock()
	p, ok := s.known[sha]
	s.knownMu.Unlock()
	if ok {
		if found, ok := analysis.Shared.Remembered(p.key, keep); ok {
			return enlarged(found, p.size), nil
		}
	}
	// An analysis takes a processor for a second or more: one is left to those who only want to see a picture.
	if err := s.looking.Acquire(ctx, 1); err != nil {
		return segment.Result{}, fmt.Errorf("wait to look at a picture: %w", err)
	}
	defer s.looking.Release(1)
	img, err := s.openStored(ctx, sha)
	if err != nil {
		return segment.Result{}, err
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
	working := analysis.Working(img)
	s.know(sha, pixels{analysis.KeyOf(working), img.Rect.Size()})
	found, err := analysis.Kept(ctx, working, keep)
	if err != nil {
		return segment.Result{}, fmt.Errorf("look for what is kept: %w", err)
	}
	return enlarged(found, img.Rect.Size()), nil
}

// openStored opens a stored picture, upright, in a seat of opening.
func (s *Store) openStored(ctx context.Context, sha string) (*image.NRGBA, error) {
	done, err := s.opening(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	data, err := s.Read(sha)
	if err != nil {
		return nil, err
	}
	img, _, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return nil, decodeError(err)
	}
	return img, nil
}

func (s *Store) know(sha string, p pixels) {
	s.knownMu.Lock()
	defer s.knownMu.Unlock()
	if len(s.known) >= mostKnown {
		clear(s.known)
	}
	s.known[sha] = p
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
