package testpics

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"slices"

	"github.com/deepteams/webp"
)

// Encoding into memory fails only for pictures without pixels or beyond the
// format's limits: a mistake in the test, so it panics.

// PNG is the picture as a PNG file.
func PNG(img image.Image) []byte {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	must(encoder.Encode(&b, img))
	return b.Bytes()
}

// JPEG is the picture as a JPEG file of quality 90.
func JPEG(img image.Image) []byte {
	var b bytes.Buffer
	must(jpeg.Encode(&b, img, &jpeg.Options{Quality: 90}))
	return b.Bytes()
}

// WebP is the picture as a lossy WebP file of quality 90; LosslessWebP keeps
// every pixel.
func WebP(img image.Image) []byte { return encodeWebP(img, false) }

// LosslessWebP is the picture as a lossless WebP file.
func LosslessWebP(img image.Image) []byte { return encodeWebP(img, true) }

func encodeWebP(img image.Image, lossless bool) []byte {
	var b bytes.Buffer
	options := webp.DefaultOptions()
	options.Lossless, options.Quality, options.Method = lossless, 90, 0
	// The encoder's packed alpha channel is not valid; the plain one is.
	options.AlphaCompression = 0
	must(webp.Encode(&b, img, options))
	return b.Bytes()
}

// Turned is a file of img, of the format of file ("png", "jpeg" or "webp"),
// whose stored pixels are turned and whose EXIF orientation n says how: opened
// properly it looks like img.
func Turned(img *image.NRGBA, format string, n int) []byte {
	stored := storedAs(img, n)
	switch format {
	case "png":
		return WithOrientation(PNG(stored), n)
	case "webp":
		return WithOrientation(WebP(stored), n)
	}
	return WithOrientation(JPEG(stored), n)
}

// storedAs turns img so that a reader who obeys orientation n sees it upright.
func storedAs(img *image.NRGBA, n int) *image.NRGBA {
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	// seen maps a stored place to where it is seen (EXIF 2.32, "Orientation").
	var seen func(x, y int) (int, int)
	switch n {
	case 2:
		seen = func(x, y int) (int, int) { return w - 1 - x, y }
	case 3:
		seen = func(x, y int) (int, int) { return w - 1 - x, h - 1 - y }
	case 4:
		seen = func(x, y int) (int, int) { return x, h - 1 - y }
	case 5:
		seen = func(x, y int) (int, int) { return y, x }
	case 6:
		seen = func(x, y int) (int, int) { return w - 1 - y, x }
	case 7:
		seen = func(x, y int) (int, int) { return w - 1 - y, h - 1 - x }
	case 8:
		seen = func(x, y int) (int, int) { return y, h - 1 - x }
	default:
		return img
	}
	size := image.Rect(0, 0, w, h)
	if n >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewNRGBA(size)
	for y := range size.Dy() {
		for x := range size.Dx() {
			u, v := seen(x, y)
			out.SetNRGBA(x, y, img.NRGBAAt(u, v))
		}
	}
	return out
}

// Exif is a TIFF block that holds only the orientation, in either byte order.
func Exif(n int, bigEndian bool) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	head := "II*\x00"
	if bigEndian {
		order, head = binary.BigEndian, "MM\x00*"
	}
	b := order.AppendUint32([]byte(head), 8)
	b = order.AppendUint16(b, 1)      // one entry
	b = order.AppendUint16(b, 0x0112) // Orientation
	b = order.AppendUint16(b, 3)      // SHORT
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, uint16(n))
	b = order.AppendUint16(b, 0)
	return order.AppendUint32(b, 0)
}

// WithOrientation puts an EXIF block with orientation n into a PNG, JPEG or WebP file.
func WithOrientation(data []byte, n int) []byte {
	return WithEXIF(data, Exif(n, n%2 == 0))
}

// WithPlace adds to a PNG, JPEG or WebP file where it was taken: a latitude of 48° 51' 30" and an orientation of 1.
func WithPlace(data []byte) []byte {
	le := binary.LittleEndian
	entry := func(tag, kind uint16, count, value uint32) []byte {
		b := le.AppendUint16(le.AppendUint16(nil, tag), kind)
		return le.AppendUint32(le.AppendUint32(b, count), value)
	}
	exif := []byte("II*\x00\x08\x00\x00\x00\x02\x00")
	exif = append(exif, entry(0x0112, 3, 1, 1)...)
	exif = append(exif, entry(0x8825, 4, 1, 38)...)
	exif = append(le.AppendUint32(exif, 0), 2, 0)
	exif = append(exif, entry(1, 2, 2, 'N')...)
	exif = append(exif, entry(2, 5, 3, 68)...)
	exif = le.AppendUint32(exif, 0)
	for _, v := range []uint32{48, 1, 51, 1, 30, 1} {
		exif = le.AppendUint32(exif, v)
	}
	return WithEXIF(data, exif)
}

// WithEXIF puts an EXIF block, which begins with the head of a TIFF, into a picture.
func WithEXIF(data, exif []byte) []byte {
	switch kind(data) {
	case "png":
		return slices.Insert(slices.Clone(data), pngHead, Chunk("eXIf", exif)...)
	case "jpeg":
		return slices.Insert(slices.Clone(data), 2, Segment(0xe1, append([]byte("Exif\x00\x00"), exif...))...)
	}
	return withWebPExif(data, exif)
}

// pngHead is the length of the signature and IHDR.
const pngHead = 8 + 12 + 13

// withWebPExif turns a simple WebP file into an extended one that ends in EXIF.
func withWebPExif(data, exif []byte) []byte {
	if string(data[12:16]) == "VP8X" {
		data = slices.Clone(data)
		data[20] |= 0x08
		return Riff(data[12:], RiffChunk("EXIF", exif))
	}
	img, err := webp.DecodeConfig(bytes.NewReader(data))
	must(err)
	flags := byte(0x08)
	if string(data[12:16]) == "VP8L" && data[24]&0x10 != 0 {
		flags |= 0x10
	}
	body := []byte{flags, 0, 0, 0}
	for _, side := range []int{img.Width, img.Height} {
		side--
		body = append(body, byte(side), byte(side>>8), byte(side>>16))
	}
	return Riff(RiffChunk("VP8X", body), data[12:], RiffChunk("EXIF", exif))
}

// WithProfile puts a colour profile into a PNG, JPEG (in pieces of at most 50,000 bytes) or simple WebP file.
func WithProfile(data, profile []byte) []byte {
	switch kind(data) {
	case "png":
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		_, err := w.Write(profile)
		must(err)
		must(w.Close())
		return slices.Insert(slices.Clone(data), pngHead, Chunk("iCCP", append([]byte("a profile\x00\x00"), packed.Bytes()...))...)
	case "jpeg":
		pieces := slices.Collect(slices.Chunk(profile, 50_000))
		var all []byte
		for i, piece := range pieces {
			all = append(all, Segment(0xe2, append([]byte{'I', 'C', 'C', '_', 'P', 'R', 'O', 'F', 'I', 'L', 'E', 0, byte(i + 1), byte(len(pieces))}, piece...))...)
		}
		return slices.Insert(slices.Clone(data), 2, all...)
	}
	extended := withWebPExif(data, Exif(1, false))
	extended[20] |= 0x20
	const after = 12 + 8 + 10 // VP8X
	return Riff(extended[12:after], RiffChunk("ICCP", profile), extended[after:])
}

// Chunk is one PNG chunk.
func Chunk(name string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, name...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// Segment is one JPEG segment with the given marker.
func Segment(marker byte, body []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2))
	return append(b, body...)
}

// RiffChunk is one chunk of a WebP file, padded to an even length.
func RiffChunk(name string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body)))
	b = append(b, body...)
	if len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

// Riff is a WebP file of the given chunks.
func Riff(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body)))
	return append(b, body...)
}

// PadTo makes a PNG, JPEG or WebP file exactly size bytes long with data every
// reader skips. It panics when the file is already larger, or so little smaller
// that nothing fits between.
func PadTo(data []byte, size int) []byte {
	missing := size - len(data)
	if missing == 0 {
		return data
	}
	var filler []byte
	at := len(data)
	switch kind(data) {
	case "png":
		const frame = 12
		atLeast(missing, frame)
		filler, at = Chunk("teSt", make([]byte, missing-frame)), len(data)-frame
	case "jpeg":
		const frame, most = 4, 65533
		atLeast(missing, frame)
		for missing > 0 {
			n := min(missing-frame, most)
			if rest := missing - frame - n; rest > 0 && rest < frame {
				n -= frame
			}
			filler = append(filler, Segment(0xfe, make([]byte, n))...)
			missing -= frame + n
		}
		at = len(data) - 2 // before the end marker
	case "webp":
		const frame = 8
		atLeast(missing, frame)
		// Chunks have even lengths; a last odd byte lies behind the file proper.
		filler = RiffChunk("teSt", make([]byte, (missing-frame)&^1))
		padded := Riff(data[12:], filler)
		return append(padded, make([]byte, missing%2)...)
	}
	return slices.Insert(slices.Clone(data), at, filler...)
}

func atLeast(missing, frame int) {
	if missing < frame {
		panic(fmt.Sprintf("testpics: cannot add %d bytes to the file, the least is %d", missing, frame))
	}
}

func kind(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		return "png"
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		return "jpeg"
	case bytes.HasPrefix(data, []byte("RIFF")):
		return "webp"
	}
	panic("testpics: not a PNG, JPEG or WebP")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
