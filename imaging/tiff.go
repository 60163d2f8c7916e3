package imaging

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"

	"golang.org/x/image/tiff/lzw"

	"atelier/imaging/probe"
)

// tiffPlan is what a TIFF file needs to be decoded: it is read row by row into the picture.
func tiffPlan(data []byte, facts probe.Facts) plan {
	p := plan{parts: [][]byte{data}, pixels: 4 * facts.Pixels()}
	if facts.Orientation != 1 {
		p.extra = p.pixels
	}
	return p
}

// decodeTIFF decodes the first picture of a TIFF file, not turned. golang.org/x/image/tiff is not used for it: it holds a whole strip beside the
// picture, which may be all of it, eight bytes a pixel; it does not read planes; and it cannot be stopped.
func decodeTIFF(ctx context.Context, data []byte) (*image.NRGBA, error) {
	p, _, err := probe.ReadTIFF(data, int64(len(data)))
	if err != nil {
		return nil, err
	}
	t := &tiffDecoder{TIFFPicture: p, ctx: ctx, out: image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))}
	t.order = binary.BigEndian
	if p.Little {
		t.order = binary.LittleEndian
	}
	for i := range t.out.Pix[:len(t.out.Pix)/4] {
		t.out.Pix[4*i+3] = 255
	}
	across, down := p.Grid()
	for i, b := range p.Blocks {
		x, y, channel := i%across*p.BlockWidth, i/across%down*p.BlockHeight, i/(across*down)
		if err := t.block(data[b.Offset:b.Offset+b.Bytes], x, y, channel); err != nil {
			return nil, fmt.Errorf("block %d: %w", i, err)
		}
	}
	if p.Premultiplied {
		divideAlpha(t.out)
	}
	return t.out, nil
}

type tiffDecoder struct {
	probe.TIFFPicture
	ctx   context.Context
	out   *image.NRGBA
	order binary.ByteOrder
	row   []byte
}

// block decodes one strip or tile whose upper left corner is at a place; channel counts where each channel is for itself.
func (t *tiffDecoder) block(packed []byte, x, y, channel int) error {
	samples := t.Samples
	if t.Planar {
		samples = 1
	}
	t.row = make([]byte, t.BlockWidth*samples*t.Bits/8)
	src, err := unpacked(packed, t.Compression)
	if err != nil {
		return err
	}
	for row := range min(t.BlockHeight, t.Height-y) {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		if _, err := io.ReadFull(src, t.row); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if t.Differences {
			t.sum(samples)
		}
		dst := t.out.Pix[(y+row)*t.out.Stride+4*x:][:4*min(t.BlockWidth, t.Width-x)]
		for s := range samples {
			t.put(dst, s, samples, channel+s)
		}
	}
	return nil
}

// unpacked reads the bytes of a block.
func unpacked(packed []byte, compression int) (io.Reader, error) {
	src := bytes.NewReader(packed)
	switch compression {
	case probe.TIFFLZW:
		return lzw.NewReader(src, lzw.MSB, 8), nil
	case probe.TIFFDeflate, probe.TIFFDeflateOld:
		return zlib.NewReader(src)
	case probe.TIFFPackBits:
		return &packBits{src: packed}, nil
	}
	return src, nil
}

// sum undoes that each value is stored as what it differs from the one to its left (TIFF 6.0, section 14).
func (t *tiffDecoder) sum(samples int) {
	if t.Bits == 8 {
		for i := samples; i < len(t.row); i++ {
			t.row[i] += t.row[i-samples]
		}
		return
	}
	for i := 2 * samples; i+2 <= len(t.row); i += 2 {
		t.order.PutUint16(t.row[i:], t.order.Uint16(t.row[i:])+t.order.Uint16(t.row[i-2*samples:]))
	}
}

// put writes sample s of each pixel of the row, which is a channel of the picture.
func (t *tiffDecoder) put(dst []byte, s, samples, channel int) {
	colours := 3
	if t.Photometric != probe.TIFFRGB {
		colours = 1
	}
	if channel > colours || channel == colours && !t.Alpha {
		return
	}
	invert := uint8(0)
	if t.Photometric == probe.TIFFWhiteIsZero && channel == 0 {
		invert = 255
	}
	entries := len(t.Palette) / 3
	for i := 0; 4*i < len(dst); i++ {
		var v uint8
		if at := i*samples + s; t.Bits == 8 {
			v = t.row[at]
		} else {
			v = narrowed(t.order.Uint16(t.row[2*at:]))
		}
		p := dst[4*i : 4*i+4 : 4*i+4]
		switch {
		case channel == colours:
			p[3] = v
		case t.Photometric == probe.TIFFRGB:
			p[channel] = v
		case t.Photometric == probe.TIFFPalette:
			if int(v) < entries {
				for c := range 3 {
					p[c] = narrowed(t.Palette[c*entries+int(v)])
				}
			}
		default:
			p[0], p[1], p[2] = v^invert, v^invert, v^invert
		}
	}
}

// narrowed is the 8-bit value that is nearest to a 16-bit one.
func narrowed(v uint16) uint8 { return uint8((uint32(v)*255 + 32767) / 65535) }

// packBits unpacks runs of bytes (TIFF 6.0, section 9).
type packBits struct {
	src    []byte
	copies int // bytes that follow as they are
	repeat int // times the byte comes again
	value  byte
}

func (p *packBits) Read(out []byte) (n int, err error) {
	for n < len(out) {
		switch {
		case p.repeat > 0:
			out[n] = p.value
			p.repeat--
			n++
		case p.copies > 0:
			k := copy(out[n:], p.src[:min(p.copies, len(p.src))])
			if k == 0 {
				return n, io.EOF
			}
			p.src, p.copies, n = p.src[k:], p.copies-k, n+k
		case len(p.src) < 2:
			return n, io.EOF
		default:
			switch head := int8(p.src[0]); {
			case head >= 0:
				p.copies, p.src = int(head)+1, p.src[1:]
			case head == -128:
				p.src = p.src[1:]
			default:
				p.repeat, p.value, p.src = 1-int(head), p.src[1], p.src[2:]
			}
		}
	}
	return n, nil
}
