package presets

import (
	"context"
	"image"
)

// Background is a surface a cut-out subject can be laid on. Task API, "Background".
type Background struct {
	ID   int64
	Name string

	draw func(*canvas)
}

// Draw returns the surface at w × h pixels, each from 1 to 2048. Equal sizes give equal pictures. It returns the context's
// error when cancelled.
func (b Background) Draw(ctx context.Context, w, h int) (*image.NRGBA, error) {
	return render(ctx, w, h, uint32(b.ID), b.draw)
}

// Backgrounds lists the surfaces the service offers, the plainest first. The caller owns the slice.
func Backgrounds() []Background {
	return []Background{
		{ID: 3001, Name: "White", draw: drawWhite},
		{ID: 3002, Name: "Soft grey", draw: drawSoftGrey},
		{ID: 3003, Name: "Beige paper", draw: drawPaper},
		{ID: 3004, Name: "Pastel sweep", draw: drawPastel},
		{ID: 3005, Name: "White marble", draw: drawMarbleSlab},
		{ID: 3006, Name: "Oak table", draw: drawOakTable},
		{ID: 3007, Name: "Natural linen", draw: drawLinen},
		{ID: 3008, Name: "Dark spotlight", draw: drawSpotlight},
	}
}
