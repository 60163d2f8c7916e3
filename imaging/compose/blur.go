package compose

import (
	"image"
	"runtime"
	"sync"

	"atelier/imaging"
)

// spread runs do over parts of 0 … n-1 on all processors.
func spread(n int, do func(from, to int)) {
	parts := min(n, runtime.GOMAXPROCS(0))
	if parts <= 1 {
		do(0, n)
		return
	}
	var group sync.WaitGroup
	for i := range parts {
		group.Go(func() { do(n*i/parts, n*(i+1)/parts) })
	}
	group.Wait()
}

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

// boxTransposed averages rows over 2r+1 pixels and writes them as columns.
func boxTransposed(out, in []uint8, w, h, r int, clampEdge bool) {
	spread(h, func(from, to int) {
		n := 2*r + 1
		for y := from; y < to; y++ {
			row := in[y*w : (y+1)*w]
			var before, after int
			if clampEdge {
				before, after = int(row[0]), int(row[w-1])
			}
			get := func(x int) int {
				switch {
				case x < 0:
					return before
				case x >= w:
					return after
				}
				return int(row[x])
			}
			sum := 0
			for x := -r; x <= r; x++ {
				sum += get(x)
			}
			for x := range w {
				out[x*h+y] = uint8((sum + n/2) / n)
				sum += get(x+r+1) - get(x-r)
			}
		}
	})
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
