package e2e

import (
	big "encoding/binary"
	"image"
	"image/color"
	"testing"
	"unicode/utf16"
)

// psdLayer is a layer of a PSD, as psdLayers reads it: the lowest comes first, a group between its two marks.
type psdLayer struct {
	name   string
	group  bool // one of the marks of a group, not a picture
	hidden bool
	masked bool
	rect   image.Rectangle
	planes map[int16][]byte // -1 alpha, 0 red, 1 green, 2 blue; one byte for each pixel
}

// at is a pixel of the document in this layer.
func (l psdLayer) at(x, y int) color.NRGBA {
	i := (y-l.rect.Min.Y)*l.rect.Dx() + x - l.rect.Min.X
	c := color.NRGBA{l.planes[0][i], l.planes[1][i], l.planes[2][i], 255}
	if alpha, ok := l.planes[-1]; ok {
		c.A = alpha[i]
	}
	return c
}

// psdBytes is what is left to read of a PSD.
type psdBytes struct {
	t    *testing.T
	rest []byte
}

func (b *psdBytes) take(n int) []byte {
	b.t.Helper()
	if n < 0 || n > len(b.rest) {
		b.t.Fatalf("the PSD ends %d bytes early", n-len(b.rest))
	}
	out := b.rest[:n]
	b.rest = b.rest[n:]
	return out
}

func (b *psdBytes) u16() int { return int(big.BigEndian.Uint16(b.take(2))) }
func (b *psdBytes) u32() int { return int(int32(big.BigEndian.Uint32(b.take(4)))) }
func (b *psdBytes) rectangle() image.Rectangle {
	top, left, bottom, right := b.u32(), b.u32(), b.u32(), b.u32()
	return image.Rect(left, top, right, bottom)
}

// block takes a block that begins with its length.
func (b *psdBytes) block() *psdBytes { return &psdBytes{b.t, b.take(b.u32())} }

// psdLayers reads the size and the layers of a PSD (Adobe Photoshop File Formats Specification, "File Header Section" and "Layer and
// Mask Information Section"), without the code that wrote it.
func psdLayers(t *testing.T, data []byte) (size image.Point, layers []psdLayer) {
	t.Helper()
	b := &psdBytes{t, data}
	if string(b.take(4)) != "8BPS" || b.u16() != 1 {
		t.Fatalf("no PSD: % x", data[:min(len(data), 16)])
	}
	b.take(8) // reserved, channels
	size.Y, size.X = b.u32(), b.u32()
	b.take(4) // depth, colour mode
	b.block() // colour mode data
	b.block() // image resources
	b = b.block().block()
	n := int(int16(b.u16()))
	type channel struct {
		id     int16
		length int
	}
	layers, channels := make([]psdLayer, max(n, -n)), make([][]channel, max(n, -n)) // negative when the first alpha channel is transparency
	for i := range layers {
		l := &layers[i]
		l.rect, l.planes = b.rectangle(), map[int16][]byte{}
		for range b.u16() {
			channels[i] = append(channels[i], channel{int16(b.u16()), b.u32()})
		}
		if mark := string(b.take(4)); mark != "8BIM" {
			t.Fatalf("layer %d: %q stands before the blend mode", i, mark)
		}
		b.take(6) // blend mode, opacity, clipping
		l.hidden = b.take(1)[0]&2 != 0
		b.take(1)
		extra := b.block()
		l.masked = len(extra.block().rest) > 0
		extra.block() // blending ranges
		short := int(extra.take(1)[0])
		l.name = string(extra.take(short))
		extra.take((4 - (1+short)%4) % 4)
		for len(extra.rest) >= 12 {
			extra.take(4)
			switch key, info := string(extra.take(4)), extra.block(); key {
			case "luni":
				letters := make([]uint16, info.u32())
				for j := range letters {
					letters[j] = uint16(info.u16())
				}
				l.name = string(utf16.Decode(letters))
			case "lsct":
				l.group = true
			}
		}
	}
	for i, l := range layers {
		for _, c := range channels[i] {
			data := &psdBytes{t, b.take(c.length)}
			if c.id >= -1 && !l.rect.Empty() {
				l.planes[c.id] = data.plane(l.rect.Dx(), l.rect.Dy())
			}
		}
	}
	return size, layers
}

// plane unpacks a channel.
func (b *psdBytes) plane(w, h int) []byte {
	b.t.Helper()
	switch how := b.u16(); how {
	case 0:
		return b.take(w * h)
	case 1: // PackBits, row by row
		b.take(2 * h)
		out := make([]byte, 0, w*h)
		for len(out) < w*h {
			switch n := int(int8(b.take(1)[0])); {
			case n >= 0:
				out = append(out, b.take(n+1)...)
			case n > -128:
				v := b.take(1)[0]
				for range 1 - n {
					out = append(out, v)
				}
			}
		}
		return out
	default:
		b.t.Fatalf("a channel is packed in way %d", how)
		return nil
	}
}
