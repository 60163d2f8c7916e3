package mask

import (
	"bytes"
	"encoding/binary"
	"image"
)

// packed is a tile in the history: runs of equal pixels, or the pixels
// themselves where runs would take more.
type packed struct {
	runs []uint8 // value, length as varint, value, length …
	raw  []uint8
}

// pack copies the pixels of p within r, row by row; runs go on from one row to the next.
func pack(p Plane, r image.Rectangle) packed {
	size := r.Dx() * r.Dy()
	runs := make([]uint8, 0, 512)
	value, length := uint8(0), 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for rest := p.Pix[y*p.W+r.Min.X : y*p.W+r.Max.X]; len(rest) > 0; {
			n := runLength(rest)
			if rest[0] != value && length > 0 {
				runs = binary.AppendUvarint(append(runs, value), uint64(length))
				length = 0
			}
			value = rest[0]
			length += n
			rest = rest[n:]
		}
		if len(runs) >= size {
			return packed{raw: p.crop(r).Pix}
		}
	}
	return packed{runs: bytes.Clone(binary.AppendUvarint(append(runs, value), uint64(length)))}
}

// unpack writes the pixels back.
func (t packed) unpack(p Plane, r image.Rectangle) {
	if t.raw != nil {
		p.paste(Plane{W: r.Dx(), H: r.Dy(), Pix: t.raw}, r.Min)
		return
	}
	value, left, runs := uint8(0), 0, t.runs
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for row := p.Pix[y*p.W+r.Min.X : y*p.W+r.Max.X]; len(row) > 0; {
			if left == 0 {
				length, size := binary.Uvarint(runs[1:])
				value, left = runs[0], int(length)
				runs = runs[1+size:]
			}
			n := min(left, len(row))
			fillRow(row[:n], value)
			row, left = row[n:], left-n
		}
	}
}

// size is the memory the tile takes, its slice headers and map entry included.
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
