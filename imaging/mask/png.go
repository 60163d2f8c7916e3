package mask

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// EncodeRGBA writes the plane as an 8-bit RGBA PNG: painted pixels opaque
// white, all others fully transparent. Task API, "Shared mask and execution
// parameters": the area outside the mask region is transparent. This is what
// the canvas of a browser sends, so it is the form every service reads.
func EncodeRGBA(p Plane) []byte {
	e := p.Encoding()
	e.Step(0)
	return e.PNG()
}

// Encoding is EncodeRGBA in slices.
type Encoding struct {
	*Job
	png []byte
}

// PNG is the file, once the job is over.
func (e *Encoding) PNG() []byte { return e.png }

// Encoding encodes the plane, which must not change before it is over.
func (p Plane) Encoding() *Encoding {
	e := &Encoding{}
	e.Job = newJob(func(work *pace) {
		work.expect(len(p.Pix))
		e.png = p.encode(work)
	})
	return e
}

func (p Plane) encode(work *pace) []byte {
	// Each row is written as its difference from the one above (filter Up). A
	// pixel then is 4 equal bytes: 0 where nothing changed, 255 where paint
	// begins below none, 1 the other way round. Nearly all of it is zeros, which
	// the run coder takes without looking at single bytes.
	z := newRunCoder(len(p.Pix)/256+1024, codeLength)
	above := make([]uint8, p.W)
	for y := range p.H {
		row := p.Row(y)
		z.run(2, 1) // filter Up
		for x := 0; x < len(row); {
			from, delta := x, change(above[x], row[x])
			x += sameChange(above[x:], row[x:])
			z.run(delta, 4*(x-from))
		}
		above = row
		if !work.spend(p.W) {
			return nil
		}
	}
	return assemble(p, 8, 6, nil, z.finish())
}

// change is the filtered byte of a pixel: row minus above, both hard.
func change(above, row uint8) uint8 {
	return -(row >> 7) + above>>7
}

// sameChange is how many pixels from the start have the same filtered byte.
func sameChange(above, row []uint8) int {
	const high = 0x8080808080808080
	above = above[:len(row)]
	first := change(above[0], row[0])
	n := 1
	for n < len(row) {
		// Eight pixels at a time while the rows stay equal.
		if first == 0 && n+8 <= len(row) {
			a := load64(above[n:])
			b := load64(row[n:])
			if (a^b)&high == 0 {
				n += 8
				continue
			}
		}
		if change(above[n], row[n]) != first {
			break
		}
		n++
	}
	return n
}

// EncodePalette writes the plane as a 1-bit palette PNG whose first colour is
// transparent: the smallest form, for services known to read it. At 4096 × 4096
// it takes milliseconds.
func EncodePalette(p Plane) []byte {
	z := newRunCoder(len(p.Pix)/512+1024, packedCodeLength)
	side := (p.W + 7) / 8
	above, row := make([]byte, side+8), make([]byte, side+8) // filled up, to be compared eight bytes at a time
	for y := range p.H {
		packBits(row[:side], p.Row(y))
		z.run(2, 1) // filter Up
		for x := 0; x < side; {
			from := x
			for x < side && load64(above[x:]) == load64(row[x:]) {
				x += 8
			}
			for x = min(x, side); x < side && above[x] == row[x]; x++ {
			}
			z.run(0, x-from)
			if x < side {
				z.run(row[x]-above[x], 1)
				x++
			}
		}
		above, row = row, above
	}

	var extra bytes.Buffer
	chunk(&extra, "PLTE", []byte{0, 0, 0, 255, 255, 255})
	chunk(&extra, "tRNS", []byte{0, 255})
	return assemble(p, 1, 3, extra.Bytes(), z.finish())
}

// packBits gathers the top bit of each pixel, eight to a byte, first pixel highest.
func packBits(dst []byte, row []uint8) {
	for i := range dst {
		pixels := row[8*i:]
		if len(pixels) >= 8 {
			// The multiplication moves the eight top bits next to each other.
			bits := load64(pixels) >> 7 & 0x0101010101010101
			dst[i] = byte(bits * 0x8040201008040201 >> 56)
			continue
		}
		var b byte
		for k, v := range pixels {
			b |= v >> 7 << (7 - k)
		}
		dst[i] = b
	}
}

// assemble puts the pixels, compressed in the zlib format, into a PNG file.
func assemble(p Plane, depth, colourType byte, extra, pixels []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(pixels) + len(extra) + 64)
	out.WriteString("\x89PNG\r\n\x1a\n")
	header := make([]byte, 13)
	binary.BigEndian.PutUint32(header, uint32(p.W))
	binary.BigEndian.PutUint32(header[4:], uint32(p.H))
	header[8], header[9] = depth, colourType
	chunk(&out, "IHDR", header)
	out.Write(extra)
	chunk(&out, "IDAT", pixels)
	chunk(&out, "IEND", nil)
	return out.Bytes()
}

func chunk(out *bytes.Buffer, name string, body []byte) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(body)))
	out.Write(n[:])
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(name)), crc32.IEEETable, body)
	out.WriteString(name)
	out.Write(body)
	binary.BigEndian.PutUint32(n[:], sum)
	out.Write(n[:])
}
