package render

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/analysis"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// clearScene removes the person from the photograph of a location: such photographs have both (Task API, "Create my
// location"), and only the place is wanted.
func (s *Segmentation) clearScene(ctx context.Context, photo *image.NRGBA, req Request) error {
	e := req.engine()
	photo = atMost(photo, e.place)
	who, err := analysis.Subject(ctx, photo, segment.Options{Hard: true})
	if err != nil {
		return fmt.Errorf("find the person in the location: %w", err)
	}
	least := 0.25 // a face tells that somebody is there, however rough the outline
	if len(who.Faces) == 0 {
		least = 0.35
	}
	if who.Confidence < least || len(who.Faces) == 0 && !standsThere(who.Mask) {
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

// standsThere tells whether what stands out in a photograph has the outline of somebody who stands in it: tall, narrow and not
// cut off above.
func standsThere(m mask.Plane) bool {
	b := m.Bounds()
	return b.Min.Y > 0 && b.Min.X > 0 && b.Max.X < m.W && 3*b.Dy() > m.H && 2*b.Dy() > 3*b.Dx() && 3*b.Dx() < 2*m.W
}
