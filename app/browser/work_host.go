//go:build !js || !wasm

package browser

import (
	"context"
	"image"
)

// Pause does not pause.
func Pause(ctx context.Context) error { return ctx.Err() }

// Pixels needs a page.
func Pixels(context.Context, string, image.Point, func([]byte)) error { return ErrNoBrowser }

// Pixels needs a page.
func (f File) Pixels(context.Context, func(image.Point) error, func([]byte)) error {
	return ErrNoBrowser
}
