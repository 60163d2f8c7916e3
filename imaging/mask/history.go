package mask

import (
	"image"
	"slices"
)

// history is what can be undone and redone.
type history struct {
	undo, redo []step // the newest step to undo, and the next to redo, last
	bytes      int    // held by both together
	limit      int
}

// step is one change that can be taken back and made again: what is different
// on its two sides, tile by tile.
type step struct {
	name  string
	tiles []tileChange // in the order of the plane
	bytes int
}

// tileChange is what a step does to a tile.
type tileChange struct {
	packed       // the pixels before it, exclusive or with those after it
	tile   int   // which
	kept   int32 // how many more pixels are painted after it
}

// record adds a step that was made and forgets what was undone before it.
func (h *history) record(s step) {
	for _, old := range h.redo {
		h.bytes -= old.bytes
	}
	h.redo = nil
	h.undo = append(h.undo, s)
	h.bytes += s.bytes
	h.trim()
}

// trim forgets steps until the history fits: the oldest to undo first, then
// the farthest to redo.
func (h *history) trim() {
	for h.bytes > h.limit && len(h.undo)+len(h.redo) > 0 {
		oldest := &h.undo
		if len(h.undo) == 0 {
			oldest = &h.redo
		}
		h.bytes -= (*oldest)[0].bytes
		*oldest = slices.Delete(*oldest, 0, 1)
	}
}

// LimitUndo sets how many bytes of history are kept and forgets the oldest
// steps above it.
func (e *Editor) LimitUndo(bytes int) {
	e.limit = bytes
	e.trim()
}

// UndoBytes is how much memory the history takes.
func (e *Editor) UndoBytes() int { return e.bytes }

// Entry is one step of the history.
type Entry struct {
	Name  string // as given by Name
	Bytes int    // it takes
}

// History lists the steps, the oldest first, and how many of them are done: those from done on were undone and can be redone.
func (e *Editor) History() (steps []Entry, done int) {
	for _, s := range e.undo {
		steps = append(steps, Entry{s.name, s.bytes})
	}
	for _, s := range slices.Backward(e.redo) {
		steps = append(steps, Entry{s.name, s.bytes})
	}
	return steps, len(e.undo)
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

// Jump undoes or redoes until so many steps of the list are done: 0 is before the first. It works in slices; a job that is cancelled
// stays where it is.
func (e *Editor) Jump(done int) *Job {
	e.End()
	var j *Job
	j = newJob(func(work *pace) {
		for !e.working {
			var r image.Rectangle
			switch {
			case len(e.undo) > done && e.CanUndo():
				r = e.move(&e.undo, &e.redo)
			case len(e.undo) < done && e.CanRedo():
				r = e.move(&e.redo, &e.undo)
			default:
				return
			}
			j.touch(r)
			if !work.spend(max(r.Dx()*r.Dy(), slice)) {
				return
			}
		}
	})
	return j
}

// move takes the newest step of from back, or makes it again, and hands it to
// the other history. Only pixels that differ are touched, and nothing is packed.
func (e *Editor) move(from, to *[]step) image.Rectangle {
	if len(*from) == 0 || e.working {
		return image.Rectangle{}
	}
	last := len(*from) - 1
	s := (*from)[last]
	(*from)[last] = step{}
	*from = (*from)[:last]
	*to = append(*to, s)

	sign := int32(1)
	if from == &e.undo {
		sign = -1
	}
	var dirty image.Rectangle
	for _, c := range s.tiles {
		r := e.tileRect(c.tile)
		c.flip(e.plane, r)
		e.kept[c.tile] += sign * c.kept
		e.total += int(sign * c.kept)
		dirty = dirty.Union(r)
	}
	return dirty
}
