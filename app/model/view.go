package model

import "math"

// The limits of the stage's zoom: from a postage stamp to single pixels.
const (
	minScale = 0.02
	maxScale = 16
	margin   = 32 // CSS px left free around a picture that is fitted
)

// View is where a picture lies on the stage: CSS px from the stage's corner, and CSS px per pixel of the picture.
type View struct{ X, Y, Scale float64 }

// Size is a width and a height.
type Size struct{ W, H float64 }

// Fit places a picture in the middle of the stage, as large as it goes but never enlarged.
func Fit(picture, stage Size) View {
	if picture.W <= 0 || picture.H <= 0 || stage.W <= 0 || stage.H <= 0 {
		return View{Scale: 1}
	}
	room := Size{max(stage.W-2*margin, stage.W/2), max(stage.H-2*margin, stage.H/2)}
	scale := min(room.W/picture.W, room.H/picture.H, 1)
	return View{(stage.W - picture.W*scale) / 2, (stage.H - picture.H*scale) / 2, scale}
}

// Actual shows one pixel of the picture as one CSS pixel, around the middle of the stage.
func (v View) Actual(stage Size) View { return v.Zoom(1/v.Scale, stage.W/2, stage.H/2) }

// Zoom multiplies the scale and keeps the point (x, y) of the stage where it is.
func (v View) Zoom(factor, x, y float64) View {
	scale := min(max(v.Scale*factor, minScale), maxScale)
	k := scale / v.Scale
	return View{x - (x-v.X)*k, y - (y-v.Y)*k, scale}
}

// Pan moves the picture.
func (v View) Pan(dx, dy float64) View { return View{v.X + dx, v.Y + dy, v.Scale} }

// Hold keeps at least a corner of the picture on the stage, so that it cannot be lost.
func (v View) Hold(picture, stage Size) View {
	const visible = 48
	w, h := picture.W*v.Scale, picture.H*v.Scale
	return View{
		min(max(v.X, min(visible, w)-w), stage.W-min(visible, w)),
		min(max(v.Y, min(visible, h)-h), stage.H-min(visible, h)),
		v.Scale,
	}
}

// ToPicture turns a place on the stage into one on the picture, in its pixels.
func (v View) ToPicture(x, y float64) (px, py float64) {
	return (x - v.X) / v.Scale, (y - v.Y) / v.Scale
}

// Percent is the zoom as it is shown.
func (v View) Percent() int { return int(math.Round(v.Scale * 100)) }

// The sizes of the brush, as its diameter on screen in CSS px.
const (
	MinBrush     = 2
	MaxBrush     = 400
	DefaultBrush = 48
)

// Brush changes the size of the brush by one step, finer where it is small.
func Brush(size, steps int) int {
	for range max(steps, -steps) {
		step := max(1, size/8)
		if steps < 0 {
			size -= step
		} else {
			size += step
		}
		size = min(max(size, MinBrush), MaxBrush)
	}
	return size
}
