package mask

import (
	"bytes"
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
	runs := make([]uint8, 0, 1024)
	value, length := uint8(0), 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for rest := p.Pix[y*p.W+r.Min.X : y*p.W+r.Max.X]; len(rest) > 0; {
			v, n := rest[0], 1
			if len(rest) > 1 && rest[1] == v {
				n = runLength(rest)
			}
			if v != value && length > 0 {
				runs = appendRun(runs, value, length)
				length = 0
			}
			value = v
			length += n
			rest = rest[n:]
		}
		if len(runs) >= size {
			return packed{raw: p.crop(r).Pix}
		}
	}
	return packed{runs: bytes.Clone(appendRun(runs, value, length))}
}

func appendRun(runs []uint8, value uint8, length int) []uint8 {
	runs = append(runs, value)
	for length >= 0x80 {
		runs = append(runs, uint8(length)|0x80)
		length >>= 7
	}
	return append(runs, uint8(length))
}

// unpack writes the pixels back and returns how many of them are painted.
func (t packed) unpack(p Plane, r image.Rectangle) (kept int) {
	if t.raw != nil {
		p.paste(Plane{W: r.Dx(), H: r.Dy(), Pix: t.raw}, r.Min)
		for rows := t.raw; len(rows) > 0; rows = rows[r.Dx():] {
			kept += countRow(rows[:r.Dx()])
		}
		return kept
	}
	value, left, runs := uint8(0), 0, t.runs
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for row := p.Pix[y*p.W+r.Min.X : y*p.W+r.Max.X]; len(row) > 0; {
			if left == 0 {
				value = runs[0]
				at, shift := 1, 0
				for ; runs[at] >= 0x80; at++ {
					left |= int(runs[at]&0x7f) << shift
					shift += 7
				}
				left |= int(runs[at]) << shift
				runs = runs[at+1:]
				kept += left * int(value>>7)
			}
			n := min(left, len(row))
			if n == 1 {
				row[0] = value
			} else {
				fillRow(row[:n], value)
			}
			row, left = row[n:], left-n
		}
	}
	return kept
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
