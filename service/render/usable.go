package render

import (
	"context"
	"image"
)

// HeadSide is the long side in pixels of the portrait that the face of a fashion model is taken from; more is not looked at.
const HeadSide = headSide

// ShowsHead says whether a portrait shows a face that aimodel can give to somebody.
func ShowsHead(ctx context.Context, portrait *image.NRGBA) (bool, error) {
	m, err := modelOf(ctx, portrait, nil, usualEngine)
	return m != nil, err
}
