package imaging

import "image"

// WebP stores BT.601 colours in the limited range, 16 to 235, with half the
// colour resolution. The decoder hands the planes out as if they were JPEG's
// full range; reading them that way costs 20 dB. The arithmetic here is that of
// the format's reference decoder: colour interpolated between the four nearest
// samples 9:3:3:1, then a fixed-point matrix of 14 bits.

// webpRows converts rows from ≤ y < to; alpha is nil for an opaque picture.
func webpRows(out *image.NRGBA, src *image.YCbCr, alpha *image.NYCbCrA, from, to int) {
	w := out.Rect.Dx()
	half := (w + 1) / 2
	u, v := make([]int32, half), make([]int32, half)
	lastRow := (out.Rect.Dy()+1)/2 - 1
	for y := from; y < to; y++ {
		near := y / 2
		far := min(max(near-1+2*(y&1), 0), lastRow)
		mixRows(u, src.Cb[near*src.CStride:], src.Cb[far*src.CStride:])
		mixRows(v, src.Cr[near*src.CStride:], src.Cr[far*src.CStride:])
		luma := src.Y[y*src.YStride : y*src.YStride+w]
		dst := out.Pix[y*out.Stride : y*out.Stride+4*w]
		for x, l := range luma {
			a := x / 2
			b := min(max(a-1+2*(x&1), 0), half-1)
			cb, cr := (3*u[a]+u[b]+8)>>4, (3*v[a]+v[b]+8)>>4
			d := dst[4*x : 4*x+4 : 4*x+4]
			d[0], d[1], d[2] = limitedRange(int32(l), cb, cr)
			d[3] = 255
		}
		if alpha != nil {
			for x, a := range alpha.A[y*alpha.AStride : y*alpha.AStride+w] {
				dst[4*x+3] = a
			}
		}
	}
}

// mixRows adds the rows of colour samples around a row of pixels, 3:1.
func mixRows(dst []int32, near, far []uint8) {
	near, far = near[:len(dst)], far[:len(dst)]
	for i := range dst {
		dst[i] = 3*int32(near[i]) + int32(far[i])
	}
}

// limitedRange is BT.601 in the fixed point of the reference: coefficients of
// 2¹⁴, products cut to 8 bits less, six bits of fraction at the end.
func limitedRange(y, cb, cr int32) (r, g, b uint8) {
	l := y * 19077 >> 8
	r = clip6(l + cr*26149>>8 - 14234)
	g = clip6(l - cb*6419>>8 - cr*13320>>8 + 8708)
	b = clip6(l + cb*33050>>8 - 17685)
	return r, g, b
}

func clip6(v int32) uint8 {
	if v < 0 {
		return 0
	}
	return uint8(min(v>>6, 255))
}
