package render

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/fill"
	"atelier/imaging/segment"
)

// clearScene removes the person from the photograph of a location: such photographs have both (Task API, "Create my
// location"), and only the place is wanted.
func (s *Segmentation) clearScene(ctx context.Context, photo *image.NRGBA, req Request) error {
	e := req.engine()
	photo = atMost(photo, e.place)
	who, err := subjectOf(ctx, photo, segment.Options{Hard: true})
	if err != nil {
		return fmt.Errorf("find the person in the location: %w", err)
	}
	if len(who.Faces) == 0 || who.Confidence < 0.35 {
		return nil
	}
	hole := who.Mask.Grow(float64(max(3, who.Mask.Bounds().Dy()/26)))
	if hole.Full() {
		return nil
	}
	if s.Scene, err = fill.Complete(ctx, photo, hole, fill.Options{Seed: req.Seed, Tries: e.tries}); err != nil {
		return fmt.Errorf("complete the location: %w", err)
	}
	s.SceneFigure = who.Mask.Bounds()
	return nil
}
