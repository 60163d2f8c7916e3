package imaging

import (
	"image"
	"image/color"
	"math"
)

// filterPlanes scales a picture as its decoder left it down to w × h: each plane by itself, so that colours, of which there are
// fewer, cost less, and only the pixels that remain are converted.
func filterPlanes(src *image.YCbCr, w, h int) *image.NRGBA {
	perX, perY := subsampling(src.SubsampleRatio)
	sw, sh := src.Rect.Dx(), src.Rect.Dy()
	cw, ch := (sw+perX-1)/perX, (sh+perY-1)/perY
	luma := filterPlane(src.Y, src.YStride, sw, sh, w, h)
	cb := filterPlane(src.Cb, src.CStride, cw, ch, w, h)
	cr := filterPlane(src.Cr, src.CStride, cw, ch, w, h)
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i, l := range luma {
		d := out.Pix[4*i : 4*i+4 : 4*i+4]
		d[0], d[1], d[2] = color.YCbCrToRGB(l, cb[i], cr[i])
		d[3] = 255
	}
	return out
}

// kernel is what one pixel is made of: some pixels from the first on, weighed in parts of 1 << weightBits.
type kernel struct {
	from    int
	weights []int32
}

const weightBits = 14

// lanczos gives the kernels that scale n pixels to m.
func lanczos(n, m int) []kernel {
	const lobes = 3
	step := float64(n) / float64(m)
	wide := max(step, 1)
	out := make([]kernel, m)
	for i := range out {
		middle := (float64(i)+.5)*step - .5
		from, to := max(int(math.Ceil(middle-lobes*wide)), 0), min(int(math.Floor(middle+lobes*wide)), n-1)
		parts, sum := make([]float64, to-from+1), 0.0
		for k := range parts {
			parts[k] = 1
			if x := math.Pi * (float64(from+k) - middle) / wide; x != 0 {
				parts[k] = lobes * math.Sin(x) * math.Sin(x/lobes) / (x * x)
			}
			sum += parts[k]
		}
		weights, left, most := make([]int32, len(parts)), int32(1<<weightBits), 0
		for k, part := range parts {
			weights[k] = int32(math.Round(part / sum * (1 << weightBits)))
			left -= weights[k]
			if weights[k] > weights[most] {
				most = k
			}
		}
		weights[most] += left // a plain area stays as it is
		out[i] = kernel{from, weights}
	}
	return out
}

// filterPlane scales one plane of sw × sh to w × h.
func filterPlane(pix []uint8, stride, sw, sh, w, h int) []uint8 {
	out := make([]uint8, w*h)
	if sw == w && sh == h {
		for y := range h {
			copy(out[y*w:(y+1)*w], pix[y*stride:])
		}
		return out
	}
	wide := make([]uint8, w*sh) // as wide as wanted, as high as it was
	columns, rows := lanczos(sw, w), lanczos(sh, h)
	const half = 1 << (weightBits - 1)
	bands(sh, func(from, to int) {
		for y := from; y < to; y++ {
			row, dst := pix[y*stride:y*stride+sw], wide[y*w:(y+1)*w]
			for x := range dst {
				c := columns[x]
				part := row[c.from : c.from+len(c.weights)]
				sum := int32(half)
				for k, weight := range c.weights {
					sum += weight * int32(part[k])
				}
				dst[x] = clamp(sum >> weightBits)
			}
		}
	})
	bands(h, func(from, to int) {
		sums := make([]int32, w)
		for y := from; y < to; y++ {
			for x := range sums {
				sums[x] = half
			}
			r := rows[y]
			for k, weight := range r.weights {
				row := wide[(r.from+k)*w : (r.from+k+1)*w]
				for x, p := range row {
					sums[x] += weight * int32(p)
				}
			}
			dst := out[y*w : (y+1)*w]
			for x, sum := range sums {
				dst[x] = clamp(sum >> weightBits)
			}
		}
	})
	return out
}

// clamp brings a value into the range of a sample.
func clamp(v int32) uint8 { return uint8(min(max(v, 0), 255)) }
