package presets

// blur softens the whole canvas; radius is in units of the height.
func (c *canvas) blur(radius float64) {
	if c.ctx.Err() == nil {
		blurPlane(c.pix, c.w, c.h, 3, radius*float64(c.h))
	}
}

// soften takes the hardness off the steps of edges that were drawn pixel by pixel: each pixel takes a quarter to half of its
// value from its neighbours.
func (c *canvas) soften() {
	was := append([]float32(nil), c.pix...)
	line := c.w * 3
	c.rows(0, c.h, func(y int) {
		above, here, below := was[max(y-1, 0)*line:], was[y*line:], was[min(y+1, c.h-1)*line:]
		out := c.pix[y*line : (y+1)*line]
		for i := range out {
			l, r := max(i-3, i%3), min(i+3, line-3+i%3)
			column := func(k int) float32 { return above[k] + 2*here[k] + below[k] }
			out[i] = (column(l) + 2*column(i) + column(r)) / 16
		}
	})
}

// blurPlane softens w × h pixels of n interleaved channels in place. Three passes of a running mean in each direction come
// close to a bell whose standard deviation is about the radius; edges repeat. It needs memory for one line only.
func blurPlane(pix []float32, w, h, n int, radius float64) {
	r := max(int(radius+0.5), 1)
	line := make([]float32, max(w, h)*n)
	for range 3 {
		for y := range h {
			runningMean(pix[y*w*n:], line, w, n, min(r, w))
		}
	}
	// Columns are blurred several at a time, so that each line of the cache is read once for all of them.
	const together = 16
	block := make([]float32, h*together)
	for from := 0; from < w*n; from += together {
		k := min(together, w*n-from)
		for y := range h {
			copy(block[y*k:(y+1)*k], pix[y*w*n+from:])
		}
		for range 3 {
			blurColumns(block[:h*k], h, k, min(r, h))
		}
		for y := range h {
			copy(pix[y*w*n+from:y*w*n+from+k], block[y*k:])
		}
	}
}

// runningMean replaces each of length pixels of n channels by the mean of its 2r+1 neighbours.
func runningMean(pix, line []float32, length, n, r int) {
	inv := 1 / float32(2*r+1)
	for ch := range n {
		for i := range length {
			line[i] = pix[i*n+ch]
		}
		first, last := line[0], line[length-1]
		sum := first * float32(r+1)
		for i := range r {
			sum += line[min(i, length-1)]
		}
		for i := range length {
			in, out := last, first
			if i+r < length {
				in = line[i+r]
			}
			if i-r-1 >= 0 {
				out = line[i-r-1]
			}
			sum += in - out
			pix[i*n+ch] = sum * inv
		}
	}
}

// blurColumns is runningMean down k neighbouring columns at once.
func blurColumns(block []float32, h, k, r int) {
	inv := 1 / float32(2*r+1)
	was := make([]float32, len(block))
	copy(was, block)
	for x := range k {
		first, last := was[x], was[(h-1)*k+x]
		sum := first * float32(r+1)
		for i := range r {
			sum += was[min(i, h-1)*k+x]
		}
		for y := range h {
			in, out := last, first
			if y+r < h {
				in = was[(y+r)*k+x]
			}
			if y-r-1 >= 0 {
				out = was[(y-r-1)*k+x]
			}
			sum += in - out
			block[y*k+x] = sum * inv
		}
	}
}
