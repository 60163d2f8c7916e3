package imaging

import (
	"image"
	"image/color"
)

// span is the half-open range of source pixels that become one.
type span struct{ from, to int }

// spans divides n pixels into m ranges as equal as whole pixels allow; m ≤ n.
func spans(n, m int) []span {
	out := make([]span, m)
	for i := range out {
		out[i] = span{i * n / m, (i + 1) * n / m}
	}
	return out
}

// reduce averages blocks of pixels down to w × h, at most the size of img,
// colours weighted by their alpha. With nothing to reduce it returns img.
func reduce(img *image.NRGBA, w, h int) *image.NRGBA {
	if w == img.Rect.Dx() && h == img.Rect.Dy() {
		return img
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	columns, rows := spans(img.Rect.Dx(), w), spans(img.Rect.Dy(), h)
	bands(h, func(from, to int) {
		sums := make([]block, w)
		for y := from; y < to; y++ {
			clear(sums)
			for v := rows[y].from; v < rows[y].to; v++ {
				row := img.Pix[v*img.Stride : v*img.Stride+4*img.Rect.Dx()]
				for x, c := range columns {
					sums[x].add(row[4*c.from : 4*c.to])
				}
			}
			dst := out.Pix[y*out.Stride : (y+1)*out.Stride]
			for x := range sums {
				count := (columns[x].to - columns[x].from) * (rows[y].to - rows[y].from)
				sums[x].average(dst[4*x:4*x+4], uint64(count))
			}
		}
	})
	return out
}

// block sums pixels: colours times alpha, and alpha.
type block struct{ r, g, b, a uint64 }

func (s *block) add(pixels []uint8) {
	var r, g, b, a uint64
	for i := 0; i+4 <= len(pixels); i += 4 {
		p := pixels[i : i+4 : i+4]
		alpha := uint64(p[3])
		r += uint64(p[0]) * alpha
		g += uint64(p[1]) * alpha
		b += uint64(p[2]) * alpha
		a += alpha
	}
	s.r, s.g, s.b, s.a = s.r+r, s.g+g, s.b+b, s.a+a
}

func (s *block) average(dst []uint8, count uint64) {
	if s.a == 0 {
		return // stays transparent black
	}
	dst[0] = uint8((s.r + s.a/2) / s.a)
	dst[1] = uint8((s.g + s.a/2) / s.a)
	dst[2] = uint8((s.b + s.a/2) / s.a)
	dst[3] = uint8((s.a + count/2) / count)
}

// reducePlanes is reduce for a picture as its decoder left it: the planes are
// averaged where they are, and only the few pixels that remain are converted.
// alpha is nil for an opaque picture.
func reducePlanes(src *image.YCbCr, alpha *image.NYCbCrA, w, h int, limited bool) *image.NRGBA {
	sw, sh := src.Rect.Dx(), src.Rect.Dy()
	columns, rows := spans(sw, w), spans(sh, h)
	perX, perY := subsampling(src.SubsampleRatio)
	chromaColumns, chromaRows := sampled(columns, perX), sampled(rows, perY)

	luma := averagePlane(src.Y, src.YStride, columns, rows)
	cb := averagePlane(src.Cb, src.CStride, chromaColumns, chromaRows)
	cr := averagePlane(src.Cr, src.CStride, chromaColumns, chromaRows)
	var a []uint8
	if alpha != nil {
		a = averagePlane(alpha.A, alpha.AStride, columns, rows)
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i, l := range luma {
		d := out.Pix[4*i : 4*i+4 : 4*i+4]
		if limited {
			d[0], d[1], d[2] = limitedRange(int32(l), int32(cb[i]), int32(cr[i]))
		} else {
			d[0], d[1], d[2] = color.YCbCrToRGB(l, cb[i], cr[i])
		}
		d[3] = 255
		if a != nil {
			d[3] = a[i]
		}
	}
	return out
}

// subsampling is how many pixels share a colour sample in each direction.
func subsampling(r image.YCbCrSubsampleRatio) (x, y int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// sampled is the colour samples under each range of pixels, at least one.
func sampled(pixels []span, per int) []span {
	out := make([]span, len(pixels))
	for i, s := range pixels {
		out[i] = span{s.from / per, (s.to + per - 1) / per}
	}
	return out
}

// averagePlane averages one plane over every pair of a row and a column range.
func averagePlane(pix []uint8, stride int, columns, rows []span) []uint8 {
	out := make([]uint8, len(columns)*len(rows))
	bands(len(rows), func(from, to int) {
		sums := make([]uint64, len(columns))
		for y := from; y < to; y++ {
			clear(sums)
			for v := rows[y].from; v < rows[y].to; v++ {
				row := pix[v*stride:]
				for x, c := range columns {
					sum := uint64(0)
					for _, p := range row[c.from:c.to] {
						sum += uint64(p)
					}
					sums[x] += sum
				}
			}
			dst := out[y*len(columns) : (y+1)*len(columns)]
			for x, c := range columns {
				count := uint64((c.to - c.from) * (rows[y].to - rows[y].from))
				dst[x] = uint8((sums[x] + count/2) / count)
			}
		}
	})
	return out
}
