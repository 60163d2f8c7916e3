package compose

import (
	"image"

	"atelier/imaging"
	"atelier/imaging/parallel"
)

// blurPlane softens one byte per pixel by three boxes, close to a Gaussian of standard deviation about r; edges are
// continued outward when clampEdge, otherwise what lies outside counts as 0.
func blurPlane(pix []uint8, w, h, r int, clampEdge bool) {
	if r < 1 || w == 0 || h == 0 {
		return
	}
	tmp := make([]uint8, len(pix))
	for range 3 {
		boxTransposed(tmp, pix, w, h, r, clampEdge)
		boxTransposed(pix, tmp, h, w, r, clampEdge)
	}
}

// boxTransposed averages rows over 2r+1 pixels and writes them as columns, some rows at a time so that both reading
// and writing stay within few cache lines.
func boxTransposed(out, in []uint8, w, h, r int, clampEdge bool) {
	const rows = 16
	n := uint32(2*r + 1)
	parallel.Spread((h+rows-1)/rows, 1, func(from, to int) {
		line := make([]uint8, w+2*r+1)
		done := make([]uint8, rows*w)
		for block := from; block < to; block++ {
			y0, y1 := block*rows, min(h, (block+1)*rows)
			for y := y0; y < y1; y++ {
				row := in[y*w : (y+1)*w]
				copy(line[r:], row)
				if clampEdge {
					for i := range r {
						line[i] = row[0]
					}
					for i := r + w; i < len(line); i++ {
						line[i] = row[w-1]
					}
				}
				average(done[(y-y0)*w:(y-y0+1)*w], line, r, n)
			}
			for x := range w {
				column := out[x*h+y0 : x*h+y1]
				for i := range column {
					column[i] = done[i*w+x]
				}
			}
		}
	})
}

// average writes the mean of each n = 2r+1 values of line.
func average(out, line []uint8, r int, n uint32) {
	sum := n / 2
	for _, v := range line[:2*r] {
		sum += uint32(v)
	}
	last := line[2*r:]
	for x := range out {
		sum += uint32(last[x])
		out[x] = uint8(sum / n)
		sum -= uint32(line[x])
	}
}

// Blur softens the colours of an opaque picture by about r pixels, as a lens does that is focused elsewhere.
func Blur(img *image.NRGBA, r int) *image.NRGBA {
	out := imaging.Clone(img)
	if r < 1 {
		return out
	}
	w, h := out.Rect.Dx(), out.Rect.Dy()
	plane := make([]uint8, w*h)
	for k := range 3 {
		for i := range plane {
			plane[i] = out.Pix[4*i+k]
		}
		blurPlane(plane, w, h, r, true)
		for i, v := range plane {
			out.Pix[4*i+k] = v
		}
	}
	return out
}
