package render

import (
	"context"
	"image"
)

// HeadSide is the long side in pixels of the portrait that the head of a fashion model is taken from; more is not looked at.
const HeadSide = headSide

// ShowsHead says whether a portrait shows a head that aimodel can put on somebody.
func ShowsHead(ctx context.Context, portrait *image.NRGBA) (bool, error) {
	head, err := headOf(ctx, portrait, usualEngine)
	return head != nil, err
}
