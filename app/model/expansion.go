package model

import (
	"image"
	"math"

	"atelier/app/words"
	"atelier/catalog"
)

// Expansion is a picture on the larger canvas it is to get, in pixels of the picture (Task API, "expandimage"). It is a
// value: what the handles of the stage do answers with a changed copy that keeps every limit.
type Expansion struct {
	W, H          int // of the picture
	Left, Top     int // where the picture's corner stands on the canvas
	Width, Height int // of the canvas
	Most          int // what either side of the canvas may measure
	Pad           int // how much of the picture stays on the canvas
}

// Sides says which sides of a canvas, or which corner of a picture, are meant: -1 for left or top, 1 for right or bottom.
type Sides struct{ X, Y int }

// Expands says whether the agent puts its picture on a larger canvas.
func (f Form) Expands() bool {
	_, ok := f.Agent.Param("targetWidth")
	return ok
}

// Expansion is what the form asks for, for a picture of w × h. While no size is given the canvas is the picture's own.
func (f Form) Expansion(w, h int) (e Expansion, ok bool) {
	p, ok := f.Agent.Param("targetWidth")
	if !ok || w <= 0 || h <= 0 {
		return Expansion{}, false
	}
	e = Expansion{W: w, H: h, Width: w, Height: h, Most: math.MaxInt32}
	if p.Max != nil {
		e.Most = *p.Max
	}
	if r, ok := f.rule("fillLeft", catalog.Relative); ok {
		e.Pad = r.Bound.Pad
	}
	number := func(name string, otherwise int) int {
		if n, ok := ToNumber(f.Values[name]); ok && (n >= 1 || name == "fillLeft" || name == "fillTop") {
			return int(n)
		}
		return otherwise
	}
	e.Width, e.Height = number("targetWidth", w), number("targetHeight", h)
	// In the middle when it is not said where.
	e.Left, e.Top = number("fillLeft", floorHalf(e.Width-w)), number("fillTop", floorHalf(e.Height-h))
	return e, true
}

func floorHalf(n int) int { return int(math.Floor(float64(n) / 2)) }

// WithExpansion takes over what the handles did.
func (f Form) WithExpansion(e Expansion) Form {
	return f.With("targetWidth", float64(e.Width)).With("targetHeight", float64(e.Height)).
		With("fillLeft", float64(e.Left)).With("fillTop", float64(e.Top))
}

// WithCanvas takes over a size of the canvas; the picture stands in its middle.
func (f Form) WithCanvas(width, height int) Form {
	return f.With("targetWidth", float64(width)).With("targetHeight", float64(height)).With("fillLeft", nil).With("fillTop", nil)
}

// Frame is the canvas with the picture's corner at (0, 0).
func (e Expansion) Frame() image.Rectangle {
	return image.Rect(-e.Left, -e.Top, e.Width-e.Left, e.Height-e.Top)
}

// hold brings every number into its range.
func (e Expansion) hold() Expansion {
	e.Width, e.Height = min(max(e.Width, 1), e.Most), min(max(e.Height, 1), e.Most)
	e.Left = min(max(e.Left, e.Pad-e.W), e.Width-e.Pad)
	e.Top = min(max(e.Top, e.Pad-e.H), e.Height-e.Pad)
	return e
}

// Guides are the lines at which something snapped, in pixels of the picture; nil for none.
type Guides struct{ X, Y *float64 }

// Move puts the picture elsewhere on the canvas. Within snap pixels of an edge or the middle it takes that place.
func (e Expansion) Move(left, top, snap float64) (Expansion, Guides) {
	var g Guides
	e.Left, g.X = settle(left, float64(e.Width), float64(e.W), snap)
	e.Top, g.Y = settle(top, float64(e.Height), float64(e.H), snap)
	held := e.hold()
	if held.Left != e.Left {
		g.X = nil
	}
	if held.Top != e.Top {
		g.Y = nil
	}
	return held, g
}

// settle is where something of a length stands on a longer or shorter line: at one of the ends or in the middle, when it is
// within snap of that.
func settle(at, line, length, snap float64) (int, *float64) {
	best, guide := snap, (*float64)(nil)
	place := math.Round(at)
	for _, fixed := range []struct{ at, line float64 }{
		{math.Floor((line - length) / 2), length / 2}, {0, 0}, {line - length, length},
	} {
		if away := math.Abs(at - fixed.at); away < best {
			best, place, guide = away, fixed.at, new(fixed.line)
		}
	}
	return int(place), guide
}

// Nudge moves the picture by whole pixels.
func (e Expansion) Nudge(dx, dy int) Expansion {
	e.Left += dx
	e.Top += dy
	return e.hold()
}

// Pull drags sides of the canvas by so many pixels. Within snap pixels of the picture's edge, or of as much room as on the
// other side, a side takes that place.
func (e Expansion) Pull(s Sides, dx, dy, snap float64) (Expansion, Guides) {
	var g Guides
	e.Left, e.Width, g.X = e.pull(s.X, e.Left, e.Width, e.W, dx, snap)
	e.Top, e.Height, g.Y = e.pull(s.Y, e.Top, e.Height, e.H, dy, snap)
	return e.hold(), g
}

func (e Expansion) pull(side, before, size, length int, by, snap float64) (newBefore, newSize int, guide *float64) {
	if side == 0 {
		return before, size, nil
	}
	after := size - before - length
	room, other := float64(before)-by, float64(after)
	if side > 0 {
		room, other = float64(after)+by, float64(before)
	}
	to, best := math.Round(room), snap
	for _, fixed := range []float64{0, other} {
		if away := math.Abs(room - fixed); away < best {
			best, to, guide = away, fixed, new(0.0)
		}
	}
	// The side that is pulled stops where the canvas is as large, or as small, as it may be.
	to = min(max(to, float64(e.Pad-length)), float64(e.Most-length)-other)
	if guide != nil {
		*guide = -to
		if side > 0 {
			*guide = float64(length) + to
		}
	}
	if side < 0 {
		return int(to), int(to) + length + after, guide
	}
	return before, before + length + int(to), guide
}

// Scale makes the picture so many times as large on its canvas, the corner opposite of s staying where it is on it, or its
// middle for no corner. The picture keeps its pixels, so it is the canvas that gets fewer or more of them.
func (e Expansion) Scale(s Sides, factor float64) Expansion {
	width, height := float64(e.Width), float64(e.Height)
	// As large as it may get, and never smaller than what stays of the picture.
	factor = max(factor, width/float64(e.Most), height/float64(e.Most))
	factor = min(factor, width/float64(max(e.Pad, 1)), height/float64(max(e.Pad, 1)))
	place := func(before, length, side int) float64 {
		into := float64(1-side) / 2 * float64(length) // how far into the picture what stays is
		return (float64(before)+into)/factor - into
	}
	x, y := place(e.Left, e.W, s.X), place(e.Top, e.H, s.Y)
	e.Width, e.Height = int(math.Round(width/factor)), int(math.Round(height/factor))
	e.Left, e.Top = int(math.Round(x)), int(math.Round(y))
	return e.hold()
}

// Shape is the size of the smallest canvas of a shape that holds the whole picture, as far as the limit allows.
func (e Expansion) Shape(across, down int) (width, height int) {
	k := max(float64(e.W)/float64(across), float64(e.H)/float64(down))
	k = min(k, float64(e.Most)/float64(max(across, down)))
	return int(math.Round(k * float64(across))), int(math.Round(k * float64(down)))
}

// InWords says where the picture stands, for those who listen.
func (e Expansion) InWords() string {
	return words.CanvasAt(e.Width, e.Height, e.Left, e.Top)
}

// CanvasShape is a usual shape for an expansion.
type CanvasShape struct {
	Title        string
	Across, Down int
}

// CanvasShapes are the shapes shops and networks ask for.
var CanvasShapes = []CanvasShape{
	{words.CanvasSquare, 1, 1}, {words.CanvasPortrait, 4, 5}, {words.CanvasProduct, 3, 4}, {words.CanvasStory, 9, 16}, {words.CanvasLandscape, 4, 3}, {words.CanvasWide, 16, 9}, {words.CanvasBanner, 3, 1},
}
