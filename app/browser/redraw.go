package browser

import "errors"

// Redrawing says how a picture is drawn anew: Width × Height white pixels with the picture, scaled to PictureWidth ×
// PictureHeight, in their middle. Types are media types, tried in turn, each at every one of Qualities, until the file has
// at most Limit bytes. A picture whose format knows transparency keeps it, and then nothing is white.
type Redrawing struct {
	Width, Height               int
	PictureWidth, PictureHeight int
	Types                       []string
	Qualities                   []float64
	Limit                       int64
}

// The reasons for which a picture is not drawn anew.
var (
	ErrUndrawable = errors.New("browser: this browser cannot draw the file")
	ErrTooLarge   = errors.New("browser: the picture does not get small enough")
)
