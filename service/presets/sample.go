package presets

import (
	"context"
	"image"
)

// Sample is a picture to begin with, for someone who has none at hand.
type Sample struct {
	Slug          string // for addresses and file names
	Name          string
	Width, Height int // pixels; fit to upload: each above 512, the longer below twice the shorter

	seed uint32
	draw func(*canvas)
}

// Draw returns the picture at its own size. It returns the context's error when cancelled.
func (s Sample) Draw(ctx context.Context) (*image.NRGBA, error) {
	return render(ctx, s.Width, s.Height, s.seed, s.draw)
}

// Samples lists the pictures to begin with. The caller owns the slice.
func Samples() []Sample {
	return []Sample{
		{Slug: "dress-on-wall", Name: "Dress on a wall", Width: 1024, Height: 1280, seed: 4001, draw: drawDressSample},
		{Slug: "bottle-on-table", Name: "Bottle on a table", Width: 1152, Height: 1152, seed: 4002, draw: drawBottleSample},
		{Slug: "mannequin", Name: "Mannequin in a coat", Width: 1024, Height: 1408, seed: 4003, draw: drawMannequinSample},
	}
}
