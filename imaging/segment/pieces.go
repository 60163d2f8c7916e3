package segment

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/mask"
)

// Pieces are a picture's people in pieces, each a plane of the picture's size.
type Pieces struct {
	Subject Result     // people, soft and hard
	Head    mask.Plane // faces and hair, soft
	Worn    mask.Plane // what is worn but shoes, soft
	Upper   mask.Plane // what of it is worn above the waist, hard
	Lower   mask.Plane // what of it is worn below the waist, hard
}

// PiecesOf finds people, their heads and their clothes in one go: what a figure needs to be dressed anew. Errors are those of
// Region. Without anybody to divide, only Subject is filled.
func PiecesOf(ctx context.Context, img *image.NRGBA, opt Options) (Pieces, error) {
	s, err := newScene(ctx, img, opt)
	if err != nil {
		return Pieces{}, fmt.Errorf("find the body: %w", err)
	}
	if s.transparent {
		return Pieces{Subject: s.fromAlpha()}, nil
	}
	whole, err := s.subject(ctx)
	if err != nil {
		return Pieces{}, fmt.Errorf("find the body: %w", err)
	}
	var out Pieces
	if out.Subject, err = s.finish(ctx, whole); err != nil {
		return Pieces{}, fmt.Errorf("find the body's edge: %w", err)
	}
	p, err := s.parts(ctx, whole)
	if err != nil || !p.found {
		return out, err
	}
	head, err := s.finish(ctx, p.finding(InverseHuman, whole))
	if err != nil {
		return Pieces{}, fmt.Errorf("find the head's edge: %w", err)
	}
	clothes := p.finding(Apparel, whole)
	clothes.labels = union(p.upper, p.lower)
	worn, err := s.finish(ctx, clothes)
	if err != nil {
		return Pieces{}, fmt.Errorf("find the edge of the clothes: %w", err)
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	out.Head, out.Worn = head.Matte, worn.Matte
	out.Upper = plane(resize(p.upper, s.cut.w, s.cut.h, w, h), w, h)
	out.Lower = plane(resize(p.lower, s.cut.w, s.cut.h, w, h), w, h)
	return out, nil
}
