package testpics

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image/color"
	"math/bits"
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
	body := binary.BigEndian.AppendUint32(nil, uint32(w))
	body = binary.BigEndian.AppendUint32(body, uint32(h))
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
	size := func(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16)} }
	canvas := append([]byte{0x02, 0, 0, 0}, append(size(w-1), size(h-1)...)...)
	frame := append(make([]byte, 6), append(size(w-1), size(h-1)...)...)
	frame = append(frame, 100, 0, 0, 0)
	return Riff(RiffChunk("VP8X", canvas), RiffChunk("ANIM", make([]byte, 6)), RiffChunk("ANMF", append(frame, still[12:]...)))
}

// ManyScansJPEG is a progressive grey JPEG of w × h pixels with n scans, each
// of about 30 bytes that make a decoder walk over the whole picture.
func ManyScansJPEG(w, h, n int) []byte { return ScansJPEG(FirstScan, w, h, n) }

// Scan is what the scans of a JPEG do.
type Scan struct {
	marker byte   // of the frame
	symbol byte   // what the AC code "0" stands for
	bits   int    // of each block
	last   []byte // of the head of the scan
}

// The kinds of scans. FirstScan passes over the blocks, RefiningScan looks at every coefficient of each, and PlainScan makes
// the picture anew; it takes two bits for each block.
var (
	FirstScan    = Scan{0xc2, 0xe0, 0, []byte{1, 1, 0}}
	RefiningScan = Scan{0xc2, 0xe0, 0, []byte{1, 63, 0x10}}
	PlainScan    = Scan{0xc1, 0x00, 2, []byte{0, 63, 0}}
)

// ScansJPEG is a grey JPEG of w × h pixels with n scans of a kind.
func ScansJPEG(kind Scan, w, h, n int) []byte {
	b := []byte{0xff, 0xd8}
	b = append(b, Segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{16}, 64)...))...)
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 1, 1, 0x11, 0}
	b = append(b, Segment(kind.marker, frame)...)
	// One DC code, "0", for no difference, and one AC code, "0": nothing in this block or, where the symbol is 0xe0, in the next
	// 2¹⁴ + 14 bits blocks.
	for class, symbol := range []byte{0, kind.symbol} {
		table := append([]byte{byte(class) << 4, 1}, make([]byte, 15)...)
		b = append(b, Segment(0xc4, append(table, symbol))...)
	}
	const run = 1<<15 - 1
	blocks := (w + 7) / 8 * ((h + 7) / 8)
	var pixels []byte
	for at := range blocks {
		pixels = append(pixels, make([]byte, kind.bits)...)
		if at%run == 0 && kind.symbol != 0 {
			// The code and fourteen ones: the longest run.
			pixels = append(pixels, 0)
			pixels = append(pixels, bytes.Repeat([]byte{1}, 14)...)
		}
	}
	scan := append(Segment(0xda, append([]byte{1, 1, 0}, kind.last...)), entropy(pixels)...)
	b = append(b, bytes.Repeat(scan, n)...)
	return append(b, 0xff, 0xd9)
}

// entropy packs single bits into the pixel data of a JPEG, filled up with ones.
func entropy(pixels []byte) (out []byte) {
	for len(pixels)%8 != 0 {
		pixels = append(pixels, 1)
	}
	for at := 0; at < len(pixels); at += 8 {
		var v byte
		for _, bit := range pixels[at : at+8] {
			v = v<<1 | bit
		}
		out = append(out, v)
		if v == 0xff {
			out = append(out, 0)
		}
	}
	return out
}

// CMYKJPEG is a JPEG of one colour in four inks as photo editors write it:
// inverted, with the marker that says so. 255 is full ink.
func CMYKJPEG(w, h int, c, m, y, k uint8) []byte {
	b := []byte{0xff, 0xd8}
	b = append(b, Segment(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00"))...)
	// Steps of 8 make one unit of the first coefficient one grey level.
	b = append(b, Segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{8}, 64)...))...)
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 4}
	scan := []byte{4}
	for i := range byte(4) {
		frame = append(frame, i+1, 0x11, 0)
		scan = append(scan, i+1, 0)
	}
	b = append(b, Segment(0xc0, frame)...)
	// First coefficients: sizes 0 to 8 have codes of four bits, in order. The
	// others: one code, end of block.
	b = append(b, Segment(0xc4, append(append([]byte{0x00, 0, 0, 0, 9}, make([]byte, 12)...), 0, 1, 2, 3, 4, 5, 6, 7, 8))...)
	b = append(b, Segment(0xc4, append(append([]byte{0x10, 1}, make([]byte, 15)...), 0))...)
	b = append(b, Segment(0xda, append(scan, 0, 63, 0))...)
	var pixels []byte
	put := func(v, n int) {
		for n--; n >= 0; n-- {
			pixels = append(pixels, byte(v>>n)&1)
		}
	}
	for at := range (w + 7) / 8 * ((h + 7) / 8) {
		for _, ink := range []uint8{c, m, y, k} {
			// Each block gives the difference from the one before.
			level := 0
			if at == 0 {
				level = 255 - int(ink) - 128
			}
			size := bits.Len(uint(max(level, -level)))
			put(size, 4)
			if level < 0 {
				level += 1<<size - 1
			}
			put(level, size)
			put(0, 1) // end of block
		}
	}
	return append(append(b, entropy(pixels)...), 0xff, 0xd9)
}
