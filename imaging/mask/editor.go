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
	tiles int     // tiles per row
	kept  []int32 // painted pixels of each tile, as of the last finished step
	total int     // their sum

	begun    bool
	touched  map[int][]uint8 // tiles of the step being made, as they were
	spare    [][]uint8       // for touched, to be used again
	compared []uint8         // a tile, for different
	name     string          // of the step being made, or else of the next one
	working  bool            // a job is changing the plane

	history
}

// NewEditor makes an editor for a picture of w × h pixels, nothing painted.
func NewEditor(w, h int) *Editor {
	e := &Editor{plane: New(w, h), tiles: (w + tileSide - 1) / tileSide, touched: map[int][]uint8{}}
	e.kept = make([]int32, e.tiles*((h+tileSide-1)/tileSide))
	e.limit = DefaultUndoBytes
	return e
}

// Plane is the plane being painted. It shares its pixels with the editor: read
// it, and Clone it to keep it.
func (e *Editor) Plane() Plane { return e.plane }

// Kept is how many pixels are painted, as of the last finished step. It costs nothing.
func (e *Editor) Kept() int { return e.total }

// Share is the painted part of the picture, 0 to 1, as of the last finished step.
func (e *Editor) Share() float64 { return float64(e.total) / float64(max(len(e.plane.Pix), 1)) }

// Empty reports whether nothing is painted, as of the last finished step.
func (e *Editor) Empty() bool { return e.total == 0 }

// Full reports whether everything is painted, as of the last finished step.
func (e *Editor) Full() bool { return e.total == len(e.plane.Pix) && e.total > 0 }

// Name gives the step being made, or else the next one, a name for the list of the history.
func (e *Editor) Name(name string) { e.name = name }

// Begin starts a step: everything up to End is undone at once. A step already
// begun goes on.
func (e *Editor) Begin() { e.begun = true }

// End finishes the step. A step that changed nothing leaves no trace; any other
// one empties the redo history.
func (e *Editor) End() {
	if e.begun && !e.working {
		e.finish(&pace{})
	}
}

// finish is End in slices; it reports false when the work was cancelled, and the step then is not finished.
func (e *Editor) finish(work *pace) bool {
	s := step{name: e.name}
	for _, k := range slices.Sorted(maps.Keys(e.touched)) {
		before := e.touched[k]
		if !e.tileEqual(k, before) {
			c := tileChange{packed: pack(e.different(k, before)), tile: k, kept: e.countTile(k) - e.kept[k]}
			s.tiles = append(s.tiles, c)
			s.bytes += c.size()
		}
		if !work.spend(2 * len(before)) {
			return false
		}
	}
	e.forget()
	for _, c := range s.tiles {
		e.total += int(c.kept)
		e.kept[c.tile] += c.kept
	}
	if len(s.tiles) > 0 {
		e.record(s)
	}
	return true
}

// Abort gives the step being made up: the plane is as it was at Begin.
func (e *Editor) Abort() image.Rectangle {
	if e.working {
		return image.Rectangle{}
	}
	return e.revert()
}

func (e *Editor) revert() image.Rectangle {
	var dirty image.Rectangle
	for k, before := range e.touched {
		r := e.tileRect(k)
		if e.tileEqual(k, before) {
			continue
		}
		e.plane.paste(Plane{W: r.Dx(), H: r.Dy(), Pix: before}, r.Min)
		dirty = dirty.Union(r)
	}
	e.forget()
	return dirty
}

// forget ends the step without a trace in the history.
func (e *Editor) forget() {
	const keep = 64 // buffers: 4 MiB
	for _, before := range e.touched {
		if len(before) == tileSide*tileSide && len(e.spare) < keep {
			e.spare = append(e.spare, before)
		}
	}
	clear(e.touched)
	e.begun, e.name = false, ""
}

// edit runs change as a step of its own, or as part of the one being made,
// after remembering the tiles under r. It returns r clipped to the plane.
func (e *Editor) edit(r image.Rectangle, change func(r image.Rectangle)) image.Rectangle {
	r = r.Intersect(e.plane.Rect())
	if r.Empty() || e.working {
		return image.Rectangle{}
	}
	if !e.begun {
		e.Begin()
		defer e.End()
	}
	e.remember(r)
	change(r)
	return r
}

// remember keeps the tiles under r as they are now, for undo.
func (e *Editor) remember(r image.Rectangle) {
	for ty := r.Min.Y / tileSide; ty <= (r.Max.Y-1)/tileSide; ty++ {
		for tx := r.Min.X / tileSide; tx <= (r.Max.X-1)/tileSide; tx++ {
			k := ty*e.tiles + tx
			if _, ok := e.touched[k]; !ok {
				e.touched[k] = e.copyTile(k)
			}
		}
	}
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
	return e.Select(Polygon(points), paintOp(erase))
}

// Rectangle paints, or erases, a rectangle of pixels.
func (e *Editor) Rectangle(r image.Rectangle, erase bool) image.Rectangle {
	return e.edit(r, func(r image.Rectangle) { e.plane.FillRect(r, paintValue(erase)) })
}

func paintOp(erase bool) Op {
	if erase {
		return Subtract
	}
	return Add
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
	j, err := e.Combining(p, op)
	if err != nil {
		return image.Rectangle{}, err
	}
	j.Step(0)
	return j.Changed(), nil
}

// Combining is Combine in slices. Until it is over the editor takes no other change; cancelled, it leaves everything as it was.
func (e *Editor) Combining(p Plane, op Op) (*Job, error) {
	if p.W != e.plane.W || p.H != e.plane.H {
		return nil, sizeError(e.plane.W, e.plane.H, p.W, p.H)
	}
	return e.change(func(j *Job, work *pace) bool { return e.combine(j, work, p, op) }), nil
}

// Apply makes m and then joins it with what is painted: one job for growing, the wand or an import from the press of the button to
// the step in the history. A plane of another size changes nothing.
func (e *Editor) Apply(m *Making, op Op) *Job {
	return e.change(func(j *Job, work *pace) bool {
		m.work(work)
		if m.over = true; work.cancelled {
			return false
		}
		p := m.Plane()
		return p.W == e.plane.W && p.H == e.plane.H && e.combine(j, work, p, op)
	})
}

// Inverting is Invert in slices, with the same promises as Combining.
func (e *Editor) Inverting() *Job {
	return e.change(func(j *Job, work *pace) bool {
		return e.eachTile(j, work, func(r image.Rectangle) {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				row := e.plane.Row(y)[r.Min.X:r.Max.X]
				for x, v := range row {
					row[x] = ^v
				}
			}
		})
	})
}

// change is a job that changes the plane as one step. Until it is over the editor takes no other change.
func (e *Editor) change(do func(j *Job, work *pace) bool) *Job {
	var j *Job
	j = newJob(func(work *pace) {
		if e.working {
			work.cancelled = true
			return
		}
		own := !e.begun
		e.begun, e.working = true, true
		defer func() { e.working = false }()
		if !do(j, work) || own && !e.finish(work) {
			j.touch(e.revert())
		}
	})
	return j
}

// combine joins p with the plane, tile by tile.
func (e *Editor) combine(j *Job, work *pace, p Plane, op Op) bool {
	joined := make([]uint8, tileSide)
	return e.eachTile(j, work, func(r image.Rectangle) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			now, other := e.plane.Row(y)[r.Min.X:r.Max.X], p.Row(y)[r.Min.X:r.Max.X]
			combine(joined[:len(now)], now, other, op)
			copy(now, joined)
		}
	}, func(r image.Rectangle) image.Rectangle { return e.wouldChange(joined, p, r, op) })
}

// eachTile changes the plane tile by tile. With would, only tiles in which something would change are remembered and changed.
func (e *Editor) eachTile(j *Job, work *pace, change func(r image.Rectangle), would ...func(r image.Rectangle) image.Rectangle) bool {
	work.expect(3 * len(e.plane.Pix))
	for k := range e.kept {
		r := e.tileRect(k)
		dirty := r
		for _, ask := range would {
			dirty = ask(r)
		}
		if !dirty.Empty() {
			e.remember(r)
			change(r)
			j.touch(dirty)
		}
		if !work.spend(r.Dx() * r.Dy()) {
			return false
		}
	}
	return true
}

// wouldChange is the rectangle within r around every pixel that joining p would change.
func (e *Editor) wouldChange(joined []uint8, p Plane, r image.Rectangle, op Op) image.Rectangle {
	var changed image.Rectangle
	joined = joined[:r.Dx()]
	for y := r.Min.Y; y < r.Max.Y; y++ {
		now := e.plane.Row(y)[r.Min.X:r.Max.X]
		other := p.Row(y)[r.Min.X:r.Max.X]
		if op != Subtract && bytes.Equal(now, other) || (op == Add || op == Subtract) && blank(other) {
			continue // nearly everywhere
		}
		if op == Replace {
			joined = other
		} else {
			combine(joined, now, other, op)
		}
		if bytes.Equal(now, joined) {
			continue
		}
		from, to := 0, len(now)
		for now[from] == joined[from] {
			from++
		}
		for now[to-1] == joined[to-1] {
			to--
		}
		changed = changed.Union(image.Rect(r.Min.X+from, y, r.Min.X+to, y+1))
	}
	return changed
}

// blank reports whether every pixel of a row is 0.
func blank(row []uint8) bool {
	for len(row) >= 8 {
		if load64(row) != 0 {
			return false
		}
		row = row[8:]
	}
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}

func (e *Editor) tileRect(k int) image.Rectangle {
	x, y := k%e.tiles*tileSide, k/e.tiles*tileSide
	return image.Rect(x, y, min(x+tileSide, e.plane.W), min(y+tileSide, e.plane.H))
}

// copyTile is a copy of a tile, row by row.
func (e *Editor) copyTile(k int) []uint8 {
	r := e.tileRect(k)
	var out []uint8
	if last := len(e.spare) - 1; last >= 0 && r.Dx()*r.Dy() == tileSide*tileSide {
		out, e.spare = e.spare[last][:0], e.spare[:last]
	} else {
		out = make([]uint8, 0, r.Dx()*r.Dy())
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		out = append(out, e.plane.Pix[y*e.plane.W+r.Min.X:y*e.plane.W+r.Max.X]...)
	}
	return out
}

// tileEqual reports whether a tile still is as it was copied.
func (e *Editor) tileEqual(k int, before []uint8) bool {
	r := e.tileRect(k)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		if !bytes.Equal(e.plane.Pix[y*e.plane.W+r.Min.X:y*e.plane.W+r.Max.X], before[:r.Dx()]) {
			return false
		}
		before = before[r.Dx():]
	}
	return true
}

// different is a tile as it was copied, exclusive or with what it is now. It is good until it is asked for again.
func (e *Editor) different(k int, before []uint8) []uint8 {
	e.compared = append(e.compared[:0], before...)
	r := e.tileRect(k)
	out := e.compared
	for y := r.Min.Y; y < r.Max.Y; y++ {
		exclude(out[:r.Dx()], e.plane.Pix[y*e.plane.W+r.Min.X:y*e.plane.W+r.Max.X])
		out = out[r.Dx():]
	}
	return e.compared
}

func (e *Editor) countTile(k int) (n int32) {
	r := e.tileRect(k)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		n += int32(countRow(e.plane.Row(y)[r.Min.X:r.Max.X]))
	}
	return n
}

// countRow is how many pixels of a row are painted.
func countRow(row []uint8) (n int) {
	for len(row) >= 8 {
		// The top bits side by side, one per byte; the multiplication adds them up in the highest.
		n += int(load64(row) >> 7 & 0x0101010101010101 * 0x0101010101010101 >> 56)
		row = row[8:]
	}
	for _, v := range row {
		n += int(v >> 7)
	}
	return n
}
