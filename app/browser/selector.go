package browser

import (
	"errors"
	"image"
)

// ErrNoSelector says that smart select could not be loaded.
var ErrNoSelector = errors.New("browser: smart select could not be loaded")

// Selection is a part of a mask at the picture's full size: one byte a pixel, 255 kept, row by row.
type Selection struct {
	Rect image.Rectangle
	Pix  []byte
}
