package mask

import (
	"bytes"
	"encoding/binary"
)

// packed is a tile in the history: runs of equal pixels, or the pixels
// themselves where runs would take more.
type packed struct {
	runs []uint8 // value, length as varint, value, length …
	raw  []uint8
}

// pack takes ownership of pixels.
func pack(pixels []uint8) packed {
	runs := make([]uint8, 0, 512)
	for rest := pixels; len(rest) > 0; {
		n := runLength(rest)
		runs = append(runs, rest[0])
		runs = binary.AppendUvarint(runs, uint64(n))
		rest = rest[n:]
		if len(runs) >= len(pixels) {
			return packed{raw: pixels}
		}
	}
	return packed{runs: bytes.Clone(runs)}
}

// unpack returns the n pixels; the caller must not write to them.
func (p packed) unpack(n int) []uint8 {
	if p.raw != nil {
		return p.raw
	}
	out := make([]uint8, 0, n)
	for runs := p.runs; len(runs) > 1; {
		length, size := binary.Uvarint(runs[1:])
		start := len(out)
		out = out[:start+int(length)]
		if v := runs[0]; v != 0 {
			run := out[start:]
			for i := range run {
				run[i] = v
			}
		}
		runs = runs[1+size:]
	}
	return out
}

// size is the memory the tile takes, its slice headers and map entry included.
func (p packed) size() int { return cap(p.runs) + cap(p.raw) + 64 }

// runLength is how many equal pixels row starts with, at least 1.
func runLength(row []uint8) int {
	v, n := row[0], 1
	// Eight at a time: most rows of a mask are one long run.
	word := uint64(v) * 0x0101010101010101
	for n+8 <= len(row) && binary.LittleEndian.Uint64(row[n:]) == word {
		n += 8
	}
	for n < len(row) && row[n] == v {
		n++
	}
	return n
}
