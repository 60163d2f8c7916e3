package probe_test

import (
	"bytes"
	"encoding/binary"
)

// The files below have everything Read looks at and no pixels worth decoding;
// what real encoders write is tried in the tests of package imaging.

func pngChunk(name string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, name...), body...)
	return append(b, "csum"...)
}

func pngFile(w, h int, depth, colourType byte, extra ...[]byte) []byte {
	ihdr := binary.BigEndian.AppendUint32(nil, uint32(w))
	ihdr = binary.BigEndian.AppendUint32(ihdr, uint32(h))
	b := append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", append(ihdr, depth, colourType, 0, 0, 0))...)
	b = append(b, bytes.Join(extra, nil)...)
	b = append(b, pngChunk("IDAT", make([]byte, 300))...)
	return append(b, pngChunk("IEND", nil)...)
}

func jpegSegment(marker byte, body []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2))
	return append(b, body...)
}

// jpegFile has the frame header marker (0xc0 is baseline) after the extra segments.
func jpegFile(w, h, components int, marker byte, extra ...[]byte) []byte {
	b := append([]byte{0xff, 0xd8}, jpegSegment(0xe0, []byte("JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"))...)
	b = append(b, bytes.Join(extra, nil)...)
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(components)}
	b = append(b, 0xff) // a fill byte
	b = append(b, jpegSegment(marker, append(frame, make([]byte, 3*components)...))...)
	b = append(b, jpegSegment(0xda, make([]byte, 10))...)
	return append(append(b, make([]byte, 300)...), 0xff, 0xd9)
}

func riffChunk(name string, body []byte) []byte {
	b := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body))), body...)
	return append(b, make([]byte, len(body)%2)...)
}

func webpFile(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func vp8(w, h int) []byte {
	body := []byte{0x10, 0, 0, 0x9d, 0x01, 0x2a, byte(w), byte(w >> 8), byte(h), byte(h >> 8)}
	return riffChunk("VP8 ", append(body, make([]byte, 101)...))
}

func vp8l(w, h int, alpha bool) []byte {
	bits := uint32(w-1) | uint32(h-1)<<14
	if alpha {
		bits |= 1 << 28
	}
	return riffChunk("VP8L", append(binary.LittleEndian.AppendUint32([]byte{0x2f}, bits), make([]byte, 100)...))
}

func vp8x(w, h int, flags byte) []byte {
	w, h = w-1, h-1
	return riffChunk("VP8X", []byte{flags, 0, 0, 0, byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16)})
}

// exif is a TIFF block that holds an entry of no interest and the orientation.
func exif(n int) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	b := []byte("II*\x00")
	if n%2 == 0 {
		order, b = binary.BigEndian, []byte("MM\x00*")
	}
	b = order.AppendUint32(b, 10)
	b = append(b, 0, 0)
	b = order.AppendUint16(b, 2)
	for _, entry := range [][2]int{{0x0106, 1}, {0x0112, n}} {
		b = order.AppendUint16(b, uint16(entry[0]))
		b = order.AppendUint16(b, 3)
		b = order.AppendUint32(b, 1)
		b = order.AppendUint16(b, uint16(entry[1]))
		b = order.AppendUint16(b, 0)
	}
	return order.AppendUint32(b, 0)
}

// turned is a 60 × 40 picture of each format that says it is turned.
func turned(format string, w, h, n int) []byte {
	switch format {
	case "png":
		return pngFile(w, h, 8, 2, pngChunk("eXIf", exif(n)))
	case "webp":
		return webpFile(vp8x(w, h, 0x08), vp8(w, h), riffChunk("EXIF", exif(n)))
	case "webp with a prefix":
		return webpFile(vp8x(w, h, 0x08), vp8(w, h), riffChunk("EXIF", append([]byte("Exif\x00\x00"), exif(n)...)))
	}
	return jpegFile(w, h, 3, 0xc0, jpegSegment(0xe1, append([]byte("Exif\x00\x00"), exif(n)...)))
}
