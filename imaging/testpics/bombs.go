package testpics

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image/color"
	"slices"
)

// PNGHeader is a PNG that ends after its header and an empty IDAT: the file is
// tiny, the picture it announces is not. Depth is 1 to 16, colourType as in the
// PNG specification (6 is RGBA).
func PNGHeader(w, h int, depth, colourType byte) []byte {
	b := []byte("\x89PNG\r\n\x1a\n")
	b = append(b, ihdr(w, h, depth, colourType)...)
	return append(b, Chunk("IDAT", nil)...)
}

func ihdr(w, h int, depth, colourType byte) []byte {
	body := binary.BigEndian.AppendUint32(nil, uint32(w)) //nolint:gosec // test data
	body = binary.BigEndian.AppendUint32(body, uint32(h)) //nolint:gosec // test data
	return Chunk("IHDR", append(body, depth, colourType, 0, 0, 0))
}

// BlackPNG is a complete PNG of w × h black pixels, which packs a thousandfold.
func BlackPNG(w, h int, depth, colourType byte) []byte {
	channels := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colourType]
	row := make([]byte, 1+(w*channels*int(depth)+7)/8)
	var pixels bytes.Buffer
	z, err := zlib.NewWriterLevel(&pixels, zlib.BestSpeed)
	must(err)
	for range h {
		_, err := z.Write(row)
		must(err)
	}
	must(z.Close())
	b := []byte("\x89PNG\r\n\x1a\n")
	b = append(b, ihdr(w, h, depth, colourType)...)
	b = append(b, Chunk("IDAT", pixels.Bytes())...)
	return append(b, Chunk("IEND", nil)...)
}

// ManyChunksPNG is a small valid PNG with n empty text chunks before its pixels.
func ManyChunksPNG(n int) []byte {
	data := PNG(Flat(600, 600, color.NRGBA{90, 90, 90, 255}))
	text := Chunk("tEXt", []byte("a\x00b"))
	return slices.Insert(data, pngHead, bytes.Repeat(text, n)...)
}

// AnimatedPNG is a PNG that announces frames (acTL) before its pixels.
func AnimatedPNG(w, h int) []byte {
	data := PNG(Flat(w, h, color.NRGBA{90, 90, 90, 255}))
	return slices.Insert(data, pngHead, Chunk("acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0})...)
}

// AnimatedWebP is a WebP that announces an animation and holds one frame.
func AnimatedWebP(w, h int) []byte {
	still := WebP(Flat(w, h, color.NRGBA{90, 90, 90, 255}))
	size := func(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16)} } //nolint:gosec // three bytes on purpose
	canvas := append([]byte{0x02, 0, 0, 0}, append(size(w-1), size(h-1)...)...)
	frame := append(make([]byte, 6), append(size(w-1), size(h-1)...)...)
	frame = append(frame, 100, 0, 0, 0)
	return Riff(RiffChunk("VP8X", canvas), RiffChunk("ANIM", make([]byte, 6)), RiffChunk("ANMF", append(frame, still[12:]...)))
}

// ManyScansJPEG is a progressive grey JPEG of w × h pixels with n scans, each
// of about 30 bytes that make a decoder walk over the whole picture.
func ManyScansJPEG(w, h, n int) []byte {
	b := []byte{0xff, 0xd8}
	b = append(b, Segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{16}, 64)...))...)
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 1, 1, 0x11, 0} //nolint:gosec // two bytes on purpose
	b = append(b, Segment(0xc2, frame)...)
	// One AC code, "0", for symbol 0xe0: nothing in the next 2¹⁴ + 14 bits blocks.
	table := append([]byte{0x10, 1}, make([]byte, 15)...)
	b = append(b, Segment(0xc4, append(table, 0xe0))...)

	const run = 1<<15 - 1
	blocks := (w + 7) / 8 * ((h + 7) / 8)
	var bits []byte
	for blocks > 0 {
		// The code and fourteen ones: the longest run.
		bits = append(bits, 0)
		bits = append(bits, bytes.Repeat([]byte{1}, 14)...)
		blocks -= run
	}
	for len(bits)%8 != 0 {
		bits = append(bits, 1)
	}
	scan := Segment(0xda, []byte{1, 1, 0x00, 1, 1, 0})
	for at := 0; at < len(bits); at += 8 {
		var v byte
		for _, bit := range bits[at : at+8] {
			v = v<<1 | bit
		}
		scan = append(scan, v)
		if v == 0xff {
			scan = append(scan, 0)
		}
	}
	b = append(b, bytes.Repeat(scan, n)...)
	return append(b, 0xff, 0xd9)
}
