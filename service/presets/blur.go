package presets

// blur softens the whole canvas; radius is in units of the height.
func (c *canvas) blur(radius float64) {
	if c.ctx.Err() == nil {
		blurPlane(c.pix, c.w, c.h, 3, radius*float64(c.h))
	}
}

// blurPlane softens w × h pixels of n interleaved channels in place. Three passes of a running mean in each direction come
// close to a bell whose standard deviation is about the radius; edges repeat. It needs memory for one line only.
func blurPlane(pix []float32, w, h, n int, radius float64) {
	r := int(radius*1.0 + 0.5)
	if r < 1 {
		r = 1
	}
	line := make([]float32, max(w, h)*n)
	for range 3 {
		for y := range h {
			runningMean(pix[y*w*n:], line, w, n, n, min(r, w))
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

// runningMean replaces each of length pixels by the mean of its 2r+1 neighbours.
func runningMean(pix, line []float32, length, step, n, r int) {
	inv := 1 / float32(2*r+1)
	for ch := range n {
		for i := range length {
			line[i] = pix[i*step+ch]
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
			sum += in
			if i > 0 {
				sum -= out
			} else {
				sum -= first
			}
			pix[i*step+ch] = sum * inv
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
