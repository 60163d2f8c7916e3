// Package mask owns the painted mask of one picture: painted means kept, the
// rest is redrawn. It is pure Go without codecs, so the same code edits the
// mask in the browser and checks it on the server.
package mask

import (
	"bytes"
	"image"
)

// Level is the smallest value that counts as painted. Values around it come
// from soft brushes and feathering; every export is hard at this level.
const Level = 128

// Plane is a mask: one byte per pixel, row by row, W*H of them. A pixel of
// Level or more is painted, which means protected: kept as it is. Copies of a
// Plane share their pixels; Clone makes an independent one.
type Plane struct {
	W, H int
	Pix  []uint8
}

// New makes a plane of w × h pixels with nothing painted. A side below one
// gives an empty plane without pixels.
func New(w, h int) Plane {
	if w < 1 || h < 1 {
		return Plane{}
	}
	return Plane{W: w, H: h, Pix: make([]uint8, w*h)}
}

// Clone returns a plane with its own copy of the pixels.
func (p Plane) Clone() Plane {
	return Plane{W: p.W, H: p.H, Pix: bytes.Clone(p.Pix)}
}

// Rect is the whole plane: (0,0)-(W,H).
func (p Plane) Rect() image.Rectangle { return image.Rect(0, 0, p.W, p.H) }

// Row is the y-th row of pixels, sharing memory with the plane.
func (p Plane) Row(y int) []uint8 {
	return p.Pix[y*p.W : (y+1)*p.W : (y+1)*p.W]
}

// At is the value at (x, y), and 0 outside the plane.
func (p Plane) At(x, y int) uint8 {
	if x < 0 || y < 0 || x >= p.W || y >= p.H {
		return 0
	}
	return p.Pix[y*p.W+x]
}

// Kept reports whether (x, y) is painted.
func (p Plane) Kept(x, y int) bool { return p.At(x, y) >= Level }

// Set writes one value; points outside the plane are ignored.
func (p Plane) Set(x, y int, v uint8) {
	if x < 0 || y < 0 || x >= p.W || y >= p.H {
		return
	}
	p.Pix[y*p.W+x] = v
}

// Equal reports whether both planes have the same size and the same bytes.
func (p Plane) Equal(q Plane) bool {
	return p.W == q.W && p.H == q.H && bytes.Equal(p.Pix, q.Pix)
}

// Fill sets every pixel to v.
func (p Plane) Fill(v uint8) {
	if len(p.Pix) == 0 {
		return
	}
	p.Pix[0] = v
	for n := 1; n < len(p.Pix); n *= 2 {
		copy(p.Pix[n:], p.Pix[:n])
	}
}

// FillRect sets every pixel of r that lies on the plane to v.
func (p Plane) FillRect(r image.Rectangle, v uint8) {
	r = r.Intersect(p.Rect())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := p.Pix[y*p.W+r.Min.X : y*p.W+r.Max.X]
		for i := range row {
			row[i] = v
		}
	}
}

// Invert swaps kept and redrawn, in place.
func (p Plane) Invert() {
	for i, v := range p.Pix {
		p.Pix[i] = ^v
	}
}

// Threshold makes every pixel 0 or 255, in place: 255 where it was level or more.
func (p Plane) Threshold(level uint8) {
	var table [256]uint8
	for v := range table {
		if v >= int(level) {
			table[v] = 255
		}
	}
	for i, v := range p.Pix {
		p.Pix[i] = table[v]
	}
}

// Runs calls f with the lengths of the runs of the plane as it is exported, row after row as one line, beginning with a run that is
// not painted: 0 when the first pixel is.
func (p Plane) Runs(f func(length int)) {
	const high = 0x8080808080808080
	painted, from := uint64(0), 0 // painted is high when the run is
	for i := 0; i < len(p.Pix); {
		if i+8 <= len(p.Pix) && load64(p.Pix[i:])&high == painted {
			i += 8
			continue
		}
		if (p.Pix[i] >= Level) != (painted != 0) {
			f(i - from)
			painted, from = painted^high, i
		}
		i++
	}
	f(len(p.Pix) - from)
}

// Empty reports whether nothing is painted.
func (p Plane) Empty() bool {
	for _, v := range p.Pix {
		if v >= Level {
			return false
		}
	}
	return true
}

// Full reports whether everything is painted; a plane without pixels is not.
func (p Plane) Full() bool {
	for _, v := range p.Pix {
		if v < Level {
			return false
		}
	}
	return len(p.Pix) > 0
}

// Bounds is the smallest rectangle around everything painted, and the empty
// rectangle when nothing is.
func (p Plane) Bounds() image.Rectangle {
	minX, minY, maxX, maxY := p.W, -1, -1, -1
	for y := range p.H {
		row := p.Row(y)
		first := firstKept(row)
		if first < 0 {
			continue
		}
		if minY < 0 {
			minY = y
		}
		maxY = y
		minX = min(minX, first)
		for x := len(row) - 1; x > maxX; x-- {
			if row[x] >= Level {
				maxX = x
				break
			}
		}
	}
	if minY < 0 {
		return image.Rectangle{}
	}
	return image.Rect(minX, minY, maxX+1, maxY+1)
}

// used is the smallest rectangle around every pixel that is not 0, grown by
// margin within the plane. It reports false when the work was cancelled.
func (p Plane) used(work *pace, margin int) (image.Rectangle, bool) {
	var r image.Rectangle
	for y := range p.H {
		row := p.Row(y)
		from := 0
		if row[0] == 0 {
			from = runLength(row)
		}
		if from < len(row) {
			to := len(row)
			for row[to-1] == 0 {
				to--
			}
			r = r.Union(image.Rect(from, y, to, y+1))
		}
		if !work.spend(p.W / 8) {
			return image.Rectangle{}, false
		}
	}
	if r.Empty() {
		return r, true
	}
	return r.Inset(-margin).Intersect(p.Rect()), true
}

// paste copies q into the plane, its top left corner to at. It must lie on it.
func (p Plane) paste(q Plane, at image.Point) {
	for y := range q.H {
		copy(p.Row(at.Y + y)[at.X:], q.Row(y))
	}
}

// firstKept is the index of the first painted pixel of row, or -1.
func firstKept(row []uint8) int {
	for i, v := range row {
		if v >= Level {
			return i
		}
	}
	return -1
}

// Op says how Combine joins two planes.
type Op int

// The ways of joining a selection with what is painted already.
const (
	Replace   Op = iota // the other plane alone
	Add                 // painted in either
	Subtract            // painted here and not in the other
	Intersect           // painted in both
)

// Combine joins q into p, in place. Soft values are kept: Add takes the larger,
// Intersect the smaller, Subtract the smaller of p and the inverse of q. Planes
// of different sizes cannot be joined; the answer is then an *Error with CodeSize.
func (p Plane) Combine(q Plane, op Op) error {
	if p.W != q.W || p.H != q.H {
		return sizeError(p.W, p.H, q.W, q.H)
	}
	combine(p.Pix, p.Pix, q.Pix, op)
	return nil
}

// combine writes a joined with b into dst; all three have the same length and
// dst may be a.
func combine(dst, a, b []uint8, op Op) {
	a, b = a[:len(dst)], b[:len(dst)]
	switch op {
	case Add:
		for i := range dst {
			dst[i] = max(a[i], b[i])
		}
	case Subtract:
		for i := range dst {
			dst[i] = min(a[i], ^b[i])
		}
	case Intersect:
		for i := range dst {
			dst[i] = min(a[i], b[i])
		}
	default:
		copy(dst, b)
	}
}
