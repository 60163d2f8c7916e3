package testpics

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"math/bits"
)

// RawPNG is a PNG written sample by sample, for what encoders do not write: every depth and colour type, and chunks of any kind.
type RawPNG struct {
	W, H       int
	Depth      byte // bits per sample
	ColourType byte // as in the PNG specification
	Interlaced bool
	Before     [][]byte // whole chunks between IHDR and IDAT
	After      [][]byte // whole chunks between IDAT and IEND
	At         func(x, y int) []uint16
}

// Bytes is the file.
func (p RawPNG) Bytes() []byte {
	var packed bytes.Buffer
	z, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	must(err)
	pass := func(x0, y0, across, down int) {
		if x0 >= p.W {
			return
		}
		for y := y0; y < p.H; y += down {
			row, have := []byte{0}, 0 // no filter; bits of the last byte that are taken
			for x := x0; x < p.W; x += across {
				for _, v := range p.At(x, y) {
					switch {
					case p.Depth == 16:
						row = append(row, byte(v>>8), byte(v))
					case p.Depth == 8:
						row = append(row, byte(v))
					default:
						if have == 0 {
							row = append(row, 0)
						}
						have += int(p.Depth)
						row[len(row)-1] |= byte(v) << (8 - have)
						have %= 8
					}
				}
			}
			_, err := z.Write(row)
			must(err)
		}
	}
	if p.Interlaced {
		for _, a := range adam7 {
			pass(a.x, a.y, a.across, a.down)
		}
	} else {
		pass(0, 0, 1, 1)
	}
	must(z.Close())
	head := ihdr(p.W, p.H, p.Depth, p.ColourType)
	if p.Interlaced {
		body := bytes.Clone(head[8 : len(head)-4])
		body[12] = 1
		head = Chunk("IHDR", body)
	}
	file := append([]byte("\x89PNG\r\n\x1a\n"), head...)
	file = append(append(file, bytes.Join(p.Before, nil)...), Chunk("IDAT", packed.Bytes())...)
	return append(append(file, bytes.Join(p.After, nil)...), Chunk("IEND", nil)...)
}

// Gamma is a gAMA chunk: the exponent of the encoder, 1 for linear values.
func Gamma(exponent float64) []byte {
	return Chunk("gAMA", binary.BigEndian.AppendUint32(nil, uint32(math.Round(exponent*100_000))))
}

// Chromaticities is a cHRM chunk: white, red, green and blue, each by x and y.
func Chromaticities(xy [4][2]float64) []byte {
	var body []byte
	for _, point := range xy {
		for _, v := range point {
			body = binary.BigEndian.AppendUint32(body, uint32(math.Round(v*100_000)))
		}
	}
	return Chunk("cHRM", body)
}

// CodePoints is a cICP chunk (ITU-T H.273): primaries and transfer, of RGB in full range.
func CodePoints(primaries, transfer byte) []byte {
	return Chunk("cICP", []byte{primaries, transfer, 0, 1})
}

// ProfileChunk is an iCCP chunk with a profile of the given name.
func ProfileChunk(name string, profile []byte) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(profile)
	must(err)
	must(z.Close())
	return Chunk("iCCP", append([]byte(name+"\x00\x00"), packed.Bytes()...))
}

// BlockJPEG is a baseline JPEG whose blocks of 8 × 8 pixels have one colour each, of one to four components.
type BlockJPEG struct {
	W, H      int
	Parts     int
	Adobe     int    // the colour transform the Adobe marker names; negative leaves the marker out
	IDs       string // of the components; 1, 2, 3… when empty
	Marker    byte   // of the frame; baseline when 0
	Precision byte   // bits per sample; 8 when 0
	Across    int    // blocks of the first component, and of a fourth, for one of the others; 1 when 0
	Down      int
	Before    []byte                  // whole segments after the start mark
	After     []byte                  // whole segments between the frame header and the scan
	At        func(x, y int) [4]uint8 // by the block's first pixel, as stored
}

// Bytes is the file.
func (j BlockJPEG) Bytes() []byte {
	b := append([]byte{0xff, 0xd8}, j.Before...)
	if j.Adobe >= 0 {
		b = append(b, Segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), byte(j.Adobe)))...)
	}
	// Steps of 8 make one unit of the first coefficient one level.
	b = append(b, Segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{8}, 64)...))...)
	marker, precision := j.Marker, j.Precision
	if marker == 0 {
		marker = 0xc0
	}
	if precision == 0 {
		precision = 8
	}
	across, down := max(j.Across, 1), max(j.Down, 1)
	frame := []byte{precision, byte(j.H >> 8), byte(j.H), byte(j.W >> 8), byte(j.W), byte(j.Parts)}
	scan := []byte{byte(j.Parts)}
	for i := range j.Parts {
		id := byte(i + 1)
		if j.IDs != "" {
			id = j.IDs[i]
		}
		sampling := byte(0x11)
		if i%3 == 0 { // black ink as the first
			sampling = byte(across<<4 | down)
		}
		frame = append(frame, id, sampling, 0)
		scan = append(scan, id, 0)
	}
	b = append(b, Segment(marker, frame)...)
	// First coefficients: sizes 0 to 8 have codes of four bits, in order. The others: one code, end of block.
	b = append(b, Segment(0xc4, append(append([]byte{0x00, 0, 0, 0, 9}, make([]byte, 12)...), 0, 1, 2, 3, 4, 5, 6, 7, 8))...)
	b = append(b, Segment(0xc4, append(append([]byte{0x10, 1}, make([]byte, 15)...), 0))...)
	b = append(append(b, j.After...), Segment(0xda, append(scan, 0, 63, 0))...)
	var pixels []byte
	put := func(v, n int) {
		for n--; n >= 0; n-- {
			pixels = append(pixels, byte(v>>n)&1)
		}
	}
	last := [4]int{128, 128, 128, 128}
	block := func(c int, v uint8) {
		step := int(v) - last[c] // each block gives the difference from the one before
		last[c] = int(v)
		size := bits.Len(uint(max(step, -step)))
		put(size, 4)
		if step < 0 {
			step += 1<<size - 1
		}
		put(step, size)
		put(0, 1) // end of block
	}
	for y := 0; y < j.H; y += 8 * down {
		for x := 0; x < j.W; x += 8 * across {
			for c := range j.Parts {
				blocks, wide := 1, 1
				if c%3 == 0 {
					blocks, wide = across*down, across
				}
				for i := range blocks {
					block(c, j.At(min(x+8*(i%wide), j.W-8), min(y+8*(i/wide), j.H-8))[c])
				}
			}
		}
	}
	return append(append(b, entropy(pixels)...), 0xff, 0xd9)
}

// ExifSegment is an APP1 segment with an EXIF block.
func ExifSegment(block []byte) []byte { return Segment(0xe1, append([]byte("Exif\x00\x00"), block...)) }

// ExifEntry is one entry of a TIFF directory; the value stands in its four bytes.
type ExifEntry struct {
	Tag, Type uint16
	Count     uint32
	Value     uint32
}

// ExifOf is a TIFF block with one directory of these entries. SHORT values stand in the first two bytes of their field.
func ExifOf(bigEndian bool, entries ...ExifEntry) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	head := "II*\x00"
	if bigEndian {
		order, head = binary.BigEndian, "MM\x00*"
	}
	b := order.AppendUint32([]byte(head), 8)
	b = order.AppendUint16(b, uint16(len(entries)))
	for _, e := range entries {
		b = order.AppendUint32(order.AppendUint16(order.AppendUint16(b, e.Tag), e.Type), e.Count)
		if e.Type == 3 {
			b = order.AppendUint16(order.AppendUint16(b, uint16(e.Value)), uint16(e.Value>>16))
		} else {
			b = order.AppendUint32(b, e.Value)
		}
	}
	return order.AppendUint32(b, 0)
}
