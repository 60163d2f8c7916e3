package render

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/fill"
	"atelier/imaging/segment"
)

// placeSide is the long side in pixels of a location's photograph as it is used.
const placeSide = 1600

// clearScene removes the person from the photograph of a location: such photographs have both (Task API, "Create my
// location"), and only the place is wanted.
func (s *Segmentation) clearScene(ctx context.Context, photo *image.NRGBA, seed int64) error {
	photo = atMost(photo, placeSide)
	who, err := segment.Subject(ctx, photo, segment.Options{Hard: true})
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
	if s.Scene, err = fill.Complete(ctx, photo, hole, fill.Options{Seed: seed}); err != nil {
		return fmt.Errorf("complete the location: %w", err)
	}
	s.SceneFigure = who.Mask.Bounds()
	return nil
}
