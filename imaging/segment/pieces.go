package segment

import (
	"context"
	"fmt"

	"atelier/imaging/mask"
)

// Clothes are what a picture's people wear, each a plane of the picture's size.
type Clothes struct {
	Found bool       // there is a person to divide; otherwise the planes are empty
	Worn  mask.Plane // what is worn but shoes, soft
	Upper mask.Plane // what of it is worn above the waist, hard
	Lower mask.Plane // what of it is worn below the waist, hard
}

// Pieces holds the parts of a picture's people that replacing their clothes needs. Without a person, only Subject is
// filled.
type Pieces struct {
	Subject Result     // people, soft and hard
	Head    mask.Plane // faces and hair, soft
	Clothes
}

// clothes finds what people wear.
func (s *scene) clothes(ctx context.Context) (Clothes, error) {
	if s.transparent {
		return Clothes{}, nil
	}
	p, err := s.parts(ctx)
	if err != nil || !p.found {
		return Clothes{}, err
	}
	worn := p.finding(Apparel, *s.whole)
	worn.labels = union(p.upper, p.lower)
	r, err := s.finish(ctx, worn)
	if err != nil {
		return Clothes{}, fmt.Errorf("find the edge of the clothes: %w", err)
	}
	b := s.img.Bounds()
	full := func(labels []uint8) mask.Plane {
		return plane(resize(labels, s.cut.w, s.cut.h, b.Dx(), b.Dy()), b.Dx(), b.Dy())
	}
	return Clothes{Found: true, Worn: r.Matte, Upper: full(p.upper), Lower: full(p.lower)}, nil
}
