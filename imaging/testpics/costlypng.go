package testpics

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/adler32"
	"math/rand/v2"
)

// adam7 is where each pass over an interlaced PNG begins and how far apart its pixels are.
var adam7 = []struct{ x, y, across, down int }{
	{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
}

// CostlyPNG is a PNG of w × h pixels whose rows are all filtered in the way that takes longest, and whose bytes are packed so
// that the first, as many as fill the file up to size bytes, have to be told one by one. Depth and colourType are as for
// PNGHeader.
func CostlyPNG(w, h int, depth, colourType byte, interlaced bool, size int) []byte {
	channels := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colourType]
	var rows []int // bytes of each, its filter included
	add := func(w, h int) {
		if w < 1 {
			return
		}
		for range h {
			rows = append(rows, 1+(w*channels*int(depth)+7)/8)
		}
	}
	if !interlaced {
		add(w, h)
	} else {
		for _, p := range adam7 {
			add((w-p.x+p.across-1)/p.across, (h-p.y+p.down-1)/p.down)
		}
	}
	var packed bytes.Buffer
	packed.Write([]byte{0x78, 0x01})
	sum := adler32.New()
	rng := rand.New(rand.NewPCG(10, 2026))
	left := (size - 1<<19) * 8 * 2 / 3 // one of two values takes one bit or two: the end of the block has a code as well
	z, err := flate.NewWriter(&packed, flate.HuffmanOnly)
	must(err)
	for _, n := range rows {
		if left <= 0 && rng != nil {
			must(z.Flush())
			z, err = flate.NewWriter(&packed, flate.BestSpeed)
			must(err)
			rng = nil
		}
		row := make([]byte, n)
		row[0] = 4 // Paeth
		for i := range row[1:] {
			if rng != nil {
				row[1+i] = byte(rng.Uint32()) & 1
			}
		}
		left -= n
		_, err := sum.Write(row)
		must(err)
		_, err = z.Write(row)
		must(err)
	}
	must(z.Close())
	packed.Write(binary.BigEndian.AppendUint32(nil, sum.Sum32()))
	head := ihdr(w, h, depth, colourType)
	if interlaced {
		body := bytes.Clone(head[8 : len(head)-4])
		body[12] = 1
		head = Chunk("IHDR", body)
	}
	b := []byte("\x89PNG\r\n\x1a\n")
	b = append(b, head...)
	b = append(b, Chunk("IDAT", packed.Bytes())...)
	return append(b, Chunk("IEND", nil)...)
}
