package mask

import (
	"bytes"
	"image"
	"maps"
	"slices"
)

// tileSide is the side of the squares undo remembers.
const tileSide = 256

// DefaultUndoBytes is how much an Editor remembers when nothing else is said.
const DefaultUndoBytes = 64 << 20

// Editor owns the plane being painted and its history. Its methods answer with
// the rectangle that changed on the plane, which is what has to be drawn again.
// It is not safe for concurrent use.
type Editor struct {
	plane Plane
	tiles int // tiles per row

	touched map[int][]uint8 // tiles of the step being made, as they were; nil between steps

	undo, redo []step
	bytes      int // held by undo and redo together
	limit      int
}

// step is one change that can be taken back: the packed content its tiles had
// on the other side of the change.
type step struct {
	tiles map[int]packed
	bytes int
}

// NewEditor makes an editor for a picture of w × h pixels, nothing painted.
func NewEditor(w, h int) *Editor {
	return &Editor{plane: New(w, h), tiles: (w + tileSide - 1) / tileSide, limit: DefaultUndoBytes}
}

// LimitUndo sets how many bytes of history are kept and forgets the oldest
// steps above it.
func (e *Editor) LimitUndo(bytes int) {
	e.limit = bytes
	e.trim()
}

// Plane is the plane being painted. It shares its pixels with the editor: read
// it, and Clone it to keep it.
func (e *Editor) Plane() Plane { return e.plane }

// Begin starts a step: everything up to End is undone at once. A step already
// begun goes on.
func (e *Editor) Begin() {
	if e.touched == nil {
		e.touched = map[int][]uint8{}
	}
}

// End finishes the step. A step that changed nothing leaves no trace; any other
// one empties the redo history.
func (e *Editor) End() {
	if e.touched == nil {
		return
	}
	s := step{tiles: map[int]packed{}}
	for _, k := range slices.Sorted(maps.Keys(e.touched)) {
		before := e.touched[k]
		if bytes.Equal(before, e.copyTile(k)) {
			continue
		}
		was := pack(before)
		s.tiles[k] = was
		s.bytes += was.size()
	}
	e.touched = nil
	if len(s.tiles) == 0 {
		return
	}
	for _, old := range e.redo {
		e.bytes -= old.bytes
	}
	e.redo = nil
	e.undo = append(e.undo, s)
	e.bytes += s.bytes
	e.trim()
}

// edit runs change as a step of its own, or as part of the one being made,
// after remembering the tiles under r. It returns r clipped to the plane.
func (e *Editor) edit(r image.Rectangle, change func(r image.Rectangle)) image.Rectangle {
	r = r.Intersect(e.plane.Rect())
	if r.Empty() {
		return image.Rectangle{}
	}
	if e.touched == nil {
		e.Begin()
		defer e.End()
	}
	for ty := r.Min.Y / tileSide; ty <= (r.Max.Y-1)/tileSide; ty++ {
		for tx := r.Min.X / tileSide; tx <= (r.Max.X-1)/tileSide; tx++ {
			k := ty*e.tiles + tx
			if _, ok := e.touched[k]; !ok {
				e.touched[k] = e.copyTile(k)
			}
		}
	}
	change(r)
	return r
}

// Stroke paints, or erases, along the line from (x0, y0) to (x1, y1), in pixels
// of the picture with (0, 0) at its top left corner. Radius is in pixels;
// hardness 1 is a firm edge and 0 a brush that fades from its middle. Joining
// strokes of one step do not build up.
func (e *Editor) Stroke(x0, y0, x1, y1, radius, hardness float64, erase bool) image.Rectangle {
	c := newCapsule(x0, y0, x1, y1, radius, hardness)
	return e.edit(c.bounds(), func(r image.Rectangle) { c.stamp(e.plane, r, erase) })
}

// Polygon paints, or erases, the inside of a closed outline: a lasso or a
// polygon. Crossing outlines fill by the even-odd rule.
func (e *Editor) Polygon(points []Point, erase bool) image.Rectangle {
	s := newPolygon(points)
	return e.edit(s.bounds(), func(r image.Rectangle) { s.fill(e.plane, r, erase) })
}

// Rectangle paints, or erases, a rectangle of pixels.
func (e *Editor) Rectangle(r image.Rectangle, erase bool) image.Rectangle {
	return e.edit(r, func(r image.Rectangle) { e.plane.FillRect(r, paintValue(erase)) })
}

// Clear erases everything.
func (e *Editor) Clear() image.Rectangle {
	return e.edit(e.plane.Rect(), func(image.Rectangle) { e.plane.Fill(0) })
}

// FillAll paints everything.
func (e *Editor) FillAll() image.Rectangle {
	return e.edit(e.plane.Rect(), func(image.Rectangle) { e.plane.Fill(255) })
}

// Invert swaps kept and redrawn.
func (e *Editor) Invert() image.Rectangle {
	return e.edit(e.plane.Rect(), func(image.Rectangle) { e.plane.Invert() })
}

// Replace takes the content of p, as one step that can be undone: an imported
// mask, the result of Grow or Feather. p must have the size of the picture.
func (e *Editor) Replace(p Plane) (image.Rectangle, error) { return e.Combine(p, Replace) }

// Combine joins a selection of the picture's size with what is painted.
func (e *Editor) Combine(p Plane, op Op) (image.Rectangle, error) {
	if p.W != e.plane.W || p.H != e.plane.H {
		return image.Rectangle{}, sizeError(e.plane.W, e.plane.H, p.W, p.H)
	}
	r := e.edit(e.wouldChange(p, op), func(r image.Rectangle) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			row := e.plane.Row(y)[r.Min.X:r.Max.X]
			combine(row, row, p.Row(y)[r.Min.X:r.Max.X], op)
		}
	})
	return r, nil
}

// wouldChange is the rectangle around every pixel that joining p would change.
func (e *Editor) wouldChange(p Plane, op Op) image.Rectangle {
	joined := make([]uint8, p.W)
	var changed image.Rectangle
	for y := range p.H {
		now := e.plane.Row(y)
		combine(joined, now, p.Row(y), op)
		if bytes.Equal(now, joined) {
			continue
		}
		from, to := 0, p.W
		for now[from] == joined[from] {
			from++
		}
		for now[to-1] == joined[to-1] {
			to--
		}
		changed = changed.Union(image.Rect(from, y, to, y+1))
	}
	return changed
}

// CanUndo reports whether there is a step to take back.
func (e *Editor) CanUndo() bool { return len(e.undo) > 0 }

// CanRedo reports whether an undone step can be made again.
func (e *Editor) CanRedo() bool { return len(e.redo) > 0 }

// Undo takes the last step back. Without one it changes nothing and answers
// with the empty rectangle.
func (e *Editor) Undo() image.Rectangle {
	e.End()
	return e.move(&e.undo, &e.redo)
}

// Redo makes the last undone step again.
func (e *Editor) Redo() image.Rectangle {
	e.End()
	return e.move(&e.redo, &e.undo)
}

// move swaps the tiles of the newest step of from with the plane's and hands
// what was there to the other history.
func (e *Editor) move(from, to *[]step) image.Rectangle {
	if len(*from) == 0 {
		return image.Rectangle{}
	}
	last := len(*from) - 1
	s := (*from)[last]
	(*from)[last] = step{}
	*from = (*from)[:last]

	var dirty image.Rectangle
	swapped := step{tiles: make(map[int]packed, len(s.tiles))}
	for k, was := range s.tiles {
		now := pack(e.copyTile(k))
		swapped.tiles[k] = now
		swapped.bytes += now.size()
		e.writeTile(k, was)
		dirty = dirty.Union(e.tileRect(k))
	}
	*to = append(*to, swapped)
	e.bytes += swapped.bytes - s.bytes
	e.trim()
	return dirty
}

// trim forgets steps until the history fits: the oldest to undo first, then
// the farthest to redo.
func (e *Editor) trim() {
	for e.bytes > e.limit && len(e.undo)+len(e.redo) > 0 {
		oldest := &e.undo
		if len(e.undo) == 0 {
			oldest = &e.redo
		}
		e.bytes -= (*oldest)[0].bytes
		*oldest = slices.Delete(*oldest, 0, 1)
	}
}

func (e *Editor) tileRect(k int) image.Rectangle {
	x, y := k%e.tiles*tileSide, k/e.tiles*tileSide
	return image.Rect(x, y, x+tileSide, y+tileSide).Intersect(e.plane.Rect())
}

func (e *Editor) copyTile(k int) []uint8 {
	r := e.tileRect(k)
	out := make([]uint8, 0, r.Dx()*r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		out = append(out, e.plane.Pix[y*e.plane.W+r.Min.X:y*e.plane.W+r.Max.X]...)
	}
	return out
}

func (e *Editor) writeTile(k int, p packed) {
	r := e.tileRect(k)
	pixels := p.unpack(r.Dx() * r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		copy(e.plane.Pix[y*e.plane.W+r.Min.X:y*e.plane.W+r.Max.X], pixels)
		pixels = pixels[r.Dx():]
	}
}
