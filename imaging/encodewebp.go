package imaging

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"sync"

	"github.com/deepteams/webp"
)

// webpReady has the encoder fill its tables, which it does with the first picture of a process and without having others wait for it: two
// that are first at once would be written in wrong colours.
var webpReady = sync.OnceValue(func() error {
	return webp.Encode(io.Discard, image.NewGray(image.Rect(0, 0, 1, 1)), webp.DefaultOptions())
})

// encodeWebP writes a lossy WebP. The encoder's own way of packing an alpha
// channel makes files no reader accepts, so colours and transparency are
// encoded one by one here and joined.
func encodeWebP(w io.Writer, img *image.NRGBA, quality int, speed Speed) error {
	if err := webpReady(); err != nil {
		return err
	}
	opt := webp.DefaultOptions()
	opt.Quality = float32(quality)
	opt.Method = map[Speed]int{Balanced: 4, Fast: 0, Small: 6}[speed]
	if img.Opaque() {
		return webp.Encode(w, img, opt)
	}
	colours, err := encodeChunk(underpaint(img), opt)
	if err != nil {
		return err
	}
	lossless := webp.DefaultOptions()
	lossless.Lossless, lossless.Quality, lossless.Method = true, 50, min(opt.Method, 4)
	stream, err := encodeChunk(alphaAsGreen(img), lossless)
	if err != nil {
		return err
	}
	if string(colours[:4]) != "VP8 " || string(stream[:4]) != "VP8L" {
		return fmt.Errorf("webp: unexpected chunks %q and %q", colours[:4], stream[:4])
	}
	// An ALPH chunk is one byte that says how it is packed, 1 for lossless, and
	// a lossless stream without the five bytes that would give its size.
	const chunkHead, streamHead = 8, 5
	size := binary.LittleEndian.Uint32(stream[4:]) - streamHead + 1
	alpha := binary.LittleEndian.AppendUint32([]byte("ALPH"), size)
	alpha = append(append(alpha, 1), stream[chunkHead+streamHead:chunkHead+streamHead+size-1]...)
	if len(alpha)%2 == 1 {
		alpha = append(alpha, 0)
	}
	head := webpHeader(img.Rect.Dx(), img.Rect.Dy(), true, len(alpha)+len(colours))
	_, err = w.Write(append(append(head, alpha...), colours...))
	return err
}

// webpHeader is the start of an extended WebP file whose other chunks take
// rest bytes, padding included.
func webpHeader(w, h int, alpha bool, rest int) []byte {
	w, h = w-1, h-1
	flags := byte(0)
	if alpha {
		flags = 0x10
	}
	vp8x := []byte("WEBPVP8X\x0a\x00\x00\x00")
	vp8x = append(vp8x, flags, 0, 0, 0, byte(w), byte(w>>8), byte(w>>16), byte(h), byte(h>>8), byte(h>>16))
	head := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(vp8x)+rest))
	return append(head, vp8x...)
}

// encodeChunk encodes an opaque picture and returns its only chunk, padded.
func encodeChunk(img image.Image, opt *webp.Options) ([]byte, error) {
	var b bytes.Buffer
	if err := webp.Encode(&b, img, opt); err != nil {
		return nil, err
	}
	const riffHead = 12
	if b.Len() < riffHead+16 {
		return nil, fmt.Errorf("webp: %d bytes are no picture", b.Len())
	}
	return b.Bytes()[riffHead:], nil
}

// alphaAsGreen is the alpha channel as the green of an opaque picture, which is
// where a lossless stream keeps it.
func alphaAsGreen(img *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()))
	for y := range out.Rect.Dy() {
		src, dst := img.Pix[y*img.Stride:], out.Pix[y*out.Stride:(y+1)*out.Stride]
		for i := 3; i < len(dst); i += 4 {
			dst[i-2], dst[i] = src[i], 255
		}
	}
	return out
}

// underpaint makes the picture opaque and gives its invisible pixels the mean
// of the visible ones in their coding block, which costs least and does not
// bleed into the edge.
func underpaint(img *image.NRGBA) *image.NRGBA {
	const side = 16
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := Clone(img)
	before := [3]uint8{128, 128, 128} // where a block has nothing to show
	for by := 0; by < h; by += side {
		for bx := 0; bx < w; bx += side {
			cell := image.Rect(bx, by, min(bx+side, w), min(by+side, h))
			var sum block
			for y := cell.Min.Y; y < cell.Max.Y; y++ {
				sum.add(img.Pix[y*img.Stride+4*cell.Min.X : y*img.Stride+4*cell.Max.X])
			}
			if sum.a > 0 {
				before = [3]uint8{uint8(sum.r / sum.a), uint8(sum.g / sum.a), uint8(sum.b / sum.a)}
			}
			for y := cell.Min.Y; y < cell.Max.Y; y++ {
				row := out.Pix[y*out.Stride+4*cell.Min.X : y*out.Stride+4*cell.Max.X]
				for i := 0; i < len(row); i += 4 {
					if row[i+3] == 0 {
						copy(row[i:i+3], before[:])
					}
					row[i+3] = 255
				}
			}
		}
	}
	return out
}
