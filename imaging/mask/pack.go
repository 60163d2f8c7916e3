package mask

import (
	"bytes"
	"image"
)

// packed is a tile of the history: runs of equal pixels, or the pixels
// themselves where runs would take more.
type packed struct {
	runs []uint8 // value, length as varint, value, length …
	raw  []uint8
}

// pack copies the pixels of a tile, row after row.
func pack(pix []uint8) packed {
	runs := make([]uint8, 0, 1024)
	for rest := pix; len(rest) > 0; {
		n := runLength(rest)
		if runs = appendRun(runs, rest[0], n); len(runs) >= len(pix) {
			return packed{raw: bytes.Clone(pix)}
		}
		rest = rest[n:]
	}
	return packed{runs: bytes.Clone(runs)}
}

func appendRun(runs []uint8, value uint8, length int) []uint8 {
	runs = append(runs, value)
	for length >= 0x80 {
		runs = append(runs, uint8(length)|0x80)
		length >>= 7
	}
	return append(runs, uint8(length))
}

// flip joins the tile with the pixels of p within r by exclusive or: a second time undoes it. Runs of 0 cost nothing.
func (t packed) flip(p Plane, r image.Rectangle) {
	row := func(y int) []uint8 { return p.Pix[y*p.W+r.Min.X : y*p.W+r.Max.X] }
	if t.raw != nil {
		for y, rest := r.Min.Y, t.raw; y < r.Max.Y; y++ {
			exclude(row(y), rest[:r.Dx()])
			rest = rest[r.Dx():]
		}
		return
	}
	y, left := r.Min.Y, row(r.Min.Y) // left is what comes next of the row
	for runs := t.runs; len(runs) > 0; {
		value, n, size := runs[0], int(runs[1]), 2
		if n >= 0x80 {
			n &= 0x7f
			for shift := 7; ; shift += 7 {
				b := runs[size]
				size++
				n |= int(b&0x7f) << shift
				if b < 0x80 {
					break
				}
			}
		}
		runs = runs[size:]
		for n >= len(left) {
			excludeValue(left, value)
			n -= len(left)
			if y++; y == r.Max.Y {
				return
			}
			left = row(y)
		}
		excludeValue(left[:n], value)
		left = left[n:]
	}
}

// exclude joins src, which is as long, into dst by exclusive or.
func exclude(dst, src []uint8) {
	for len(dst) >= 8 {
		store64(dst, load64(dst)^load64(src))
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] ^= src[i]
	}
}

// excludeValue is exclude with a row of equal pixels.
func excludeValue(dst []uint8, value uint8) {
	if value == 0 {
		return
	}
	word := uint64(value) * 0x0101010101010101
	for len(dst) >= 8 {
		store64(dst, load64(dst)^word)
		dst = dst[8:]
	}
	for i := range dst {
		dst[i] ^= value
	}
}

// size is the memory the tile takes, its slice headers and place in the step included.
func (t packed) size() int { return cap(t.runs) + cap(t.raw) + 64 }

// runLength is how many equal pixels row starts with, at least 1.
func runLength(row []uint8) int {
	v, n := row[0], 1
	// Eight at a time: most rows of a mask are one long run.
	word := uint64(v) * 0x0101010101010101
	for n+8 <= len(row) && load64(row[n:]) == word {
		n += 8
	}
	for n < len(row) && row[n] == v {
		n++
	}
	return n
}

// Packed is a plane as runs of equal pixels: for a mask about a hundredth of its size. The zero value is a plane without pixels.
type Packed struct {
	w, h int
	pix  packed
}

// Pack packs the plane.
func (p Plane) Pack() Packed { return Packed{p.W, p.H, pack(p.Pix)} }

// Plane unpacks it.
func (t Packed) Plane() Plane {
	if t.w == 0 || t.h == 0 {
		return Plane{W: t.w, H: t.h}
	}
	out := New(t.w, t.h)
	t.pix.flip(out, out.Rect())
	return out
}

// Size is the memory it takes, in bytes.
func (t Packed) Size() int { return t.pix.size() }
