package model

import "math"

// The limits of the stage's zoom: from a postage stamp to single pixels.
const (
	minScale = 0.02
	maxScale = 16
	margin   = 32 // CSS px left free around a picture that is fitted
)

// View is where a picture lies on the stage: where its top left corner is, in CSS px from the stage's corner, CSS px per pixel
// of the picture, and how far it is turned around that corner, in degrees clockwise from 0 up to 360.
type View struct{ X, Y, Scale, Angle float64 }

// Size is a width and a height.
type Size struct{ W, H float64 }

// Fit places a picture in the middle of the stage, as large as it goes but never enlarged.
func Fit(picture, stage Size) View {
	if picture.W <= 0 || picture.H <= 0 || stage.W <= 0 || stage.H <= 0 {
		return View{Scale: 1}
	}
	room := Size{max(stage.W-2*margin, stage.W/2), max(stage.H-2*margin, stage.H/2)}
	scale := min(room.W/picture.W, room.H/picture.H, 1)
	return View{(stage.W - picture.W*scale) / 2, (stage.H - picture.H*scale) / 2, scale, 0}
}

// FitTurned is Fit for a picture that stays turned.
func FitTurned(picture, stage Size, angle float64) View {
	v := View{Scale: 1, Angle: angle}
	box := v.Bounds(picture)
	fitted := Fit(Size{box.W, box.H}, stage)
	v.Scale = fitted.Scale
	box = v.Bounds(picture)
	v.X, v.Y = fitted.X-box.X, fitted.Y-box.Y
	return v
}

// Covered is how much of a stage is covered at each of its sides, CSS px.
type Covered struct{ Left, Top, Right, Bottom float64 }

// FitBeside is FitTurned beside what covers the sides of the stage; sides that the picture does not reach anyway are not given room.
func FitBeside(picture, stage Size, angle float64, covered Covered) View {
	const gap = margin - 12 // nearer to what covers a side than to the stage's edge
	b := FitTurned(picture, stage, angle).Bounds(picture)
	left, top := max(covered.Left-gap, 0), max(covered.Top-gap, 0)
	right, bottom := max(covered.Right-gap, 0), max(covered.Bottom-gap, 0)
	if b.X+b.W <= stage.W-covered.Right {
		right = 0
	}
	if right == 0 && b.X >= covered.Left { // moved to the left it would reach it
		left = 0
	}
	if b.Y >= covered.Top {
		top = 0
	}
	if b.Y+b.H <= stage.H-covered.Bottom {
		bottom = 0
	}
	return FitTurned(picture, Size{stage.W - left - right, stage.H - top - bottom}, angle).Pan(left, top)
}

// Actual shows one pixel of the picture as one CSS pixel, around the middle of the stage.
func (v View) Actual(stage Size) View { return v.Zoom(1/v.Scale, stage.W/2, stage.H/2) }

// Zoom multiplies the scale and keeps the point (x, y) of the stage where it is.
func (v View) Zoom(factor, x, y float64) View {
	scale := min(max(v.Scale*factor, minScale), maxScale)
	k := scale / v.Scale
	return View{x - (x-v.X)*k, y - (y-v.Y)*k, scale, v.Angle}
}

// Turn turns the picture by some degrees around the point (x, y) of the stage.
func (v View) Turn(by, x, y float64) View {
	sin, cos := math.Sincos(by * math.Pi / 180)
	dx, dy := v.X-x, v.Y-y
	return View{x + dx*cos - dy*sin, y + dx*sin + dy*cos, v.Scale, math.Mod(math.Mod(v.Angle+by, 360)+360, 360)}
}

// Pan moves the picture.
func (v View) Pan(dx, dy float64) View { return View{v.X + dx, v.Y + dy, v.Scale, v.Angle} }

// Box is a rectangle on the stage, in CSS px.
type Box struct{ X, Y, W, H float64 }

// Bounds is the upright rectangle around the picture on the stage.
func (v View) Bounds(picture Size) Box {
	box := Box{math.Inf(1), math.Inf(1), 0, 0}
	right, bottom := math.Inf(-1), math.Inf(-1)
	for _, corner := range [][2]float64{{0, 0}, {picture.W, 0}, {0, picture.H}, {picture.W, picture.H}} {
		x, y := v.ToStage(corner[0], corner[1])
		box.X, box.Y = min(box.X, x), min(box.Y, y)
		right, bottom = max(right, x), max(bottom, y)
	}
	box.W, box.H = right-box.X, bottom-box.Y
	return box
}

// Shows says whether all of the picture is on the stage.
func (v View) Shows(picture, stage Size) bool {
	const slack = 1
	b := v.Bounds(picture)
	return b.X >= -slack && b.Y >= -slack && b.X+b.W <= stage.W+slack && b.Y+b.H <= stage.H+slack
}

// Middle puts a place of the picture, in its pixels, into the middle of the stage.
func (v View) Middle(px, py float64, stage Size) View {
	x, y := v.ToStage(px, py)
	return v.Pan(stage.W/2-x, stage.H/2-y)
}

// Hold keeps at least a corner of the picture on the stage, so that it cannot be lost.
func (v View) Hold(picture, stage Size) View {
	const visible = 48
	b := v.Bounds(picture)
	x := min(max(b.X, min(visible, b.W)-b.W), stage.W-min(visible, b.W))
	y := min(max(b.Y, min(visible, b.H)-b.H), stage.H-min(visible, b.H))
	return v.Pan(x-b.X, y-b.Y)
}

// ToPicture turns a place on the stage into one on the picture, in its pixels.
func (v View) ToPicture(x, y float64) (px, py float64) {
	dx, dy := (x-v.X)/v.Scale, (y-v.Y)/v.Scale
	if v.Angle == 0 {
		return dx, dy
	}
	sin, cos := math.Sincos(v.Angle * math.Pi / 180)
	return dx*cos + dy*sin, dy*cos - dx*sin
}

// ToStage turns a place on the picture, in its pixels, into one on the stage.
func (v View) ToStage(px, py float64) (x, y float64) {
	if v.Angle == 0 {
		return v.X + px*v.Scale, v.Y + py*v.Scale
	}
	sin, cos := math.Sincos(v.Angle * math.Pi / 180)
	return v.X + (px*cos-py*sin)*v.Scale, v.Y + (px*sin+py*cos)*v.Scale
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

// Columns is in how many columns n pictures of width to height aspect stand on a stage so that each is as large as can be.
func Columns(n int, aspect float64, stage Size) int {
	if stage.W <= 0 || stage.H <= 0 || aspect <= 0 {
		stage, aspect = Size{W: 1, H: 1}, 1
	}
	best, widest := 1, 0.0
	for columns := 1; columns <= n; columns++ {
		rows := (n + columns - 1) / columns
		if width := min(stage.W/float64(columns), stage.H/float64(rows)*aspect); width > widest+1e-9 {
			best, widest = columns, width
		}
	}
	return best
}
