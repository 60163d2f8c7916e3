package mask

import (
	"image"
	"image/color"
)

// Tints are the two colours a mask is shown in, with their opacity in A. A
// zero colour leaves its region clear.
type Tints struct {
	Keep   color.NRGBA // over what stays as it is
	Redraw color.NRGBA // over what will be made new
	// Hard shows soft edges as the export makes them: firm, at Level.
	Hard bool
}

// Paint writes the overlay of the pixels in r into dst, row by row without
// gaps, as straight-alpha RGBA: what a canvas takes in putImageData. It returns
// the rectangle drawn, r clipped to the plane, and the bytes of dst used, which
// are 4 × its area. A dst that is too small is an error of the caller and panics.
func (e *Editor) Paint(dst []byte, r image.Rectangle, tints Tints) (image.Rectangle, int) {
	return e.plane.Overlay(dst, r, tints)
}

// Overlay is Paint for a plane without an editor.
func (p Plane) Overlay(dst []byte, r image.Rectangle, tints Tints) (image.Rectangle, int) {
	r = r.Intersect(p.Rect())
	if r.Empty() {
		return image.Rectangle{}, 0
	}
	used := 4 * r.Dx() * r.Dy()
	dst = dst[:used]
	table := tints.table()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		src := p.Pix[y*p.W+r.Min.X : y*p.W+r.Max.X]
		row := dst[:4*len(src)]
		for i := 0; i < len(src); {
			colour, n := table[src[i]], 1
			if i+1 < len(src) && src[i+1] == src[i] {
				n = runLength(src[i:])
			}
			fillPixels(row[4*i:4*(i+n)], colour)
			i += n
		}
		dst = dst[len(row):]
	}
	return r, used
}

// fillPixels writes the same four bytes over and over.
func fillPixels(dst []byte, colour uint32) {
	twice := uint64(colour) | uint64(colour)<<32
	for len(dst) >= 8 {
		store64(dst, twice)
		dst = dst[8:]
	}
	if len(dst) > 0 {
		store32(dst, colour)
	}
}

// table is the pixel, R first in memory, for each value of the mask. The soft
// edge of a brush fades the stronger of the two tints out towards Level, so the
// line where one gives way to the other is the one that is exported.
func (t Tints) table() (table [256]uint32) {
	for v := range table {
		c, strength := t.Redraw, Level-v
		if v >= Level {
			c, strength = t.Keep, v-Level+1
		}
		// At least half the tint, so that no soft pixel looks undecided.
		alpha := uint32(c.A) * uint32(Level+strength) / (2 * Level)
		if t.Hard {
			alpha = uint32(c.A)
		}
		table[v] = uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | alpha<<24
	}
	return table
}
