package fill

import "context"

// tint is a smooth correction for filled pixels: by how much the patches next to the known pixels missed their
// colour. It is strongest at the border and gone a little further in.
type tint struct {
	w, h    int
	r, g, b []float32
	share   []float32 // 0 … 1, how much of it applies
	scale   int       // of the full size
}

// discrepancy compares what the patches say about known pixels along the holes with what those really are. Pixels
// of what must not be copied are left out: their colour has no business in the background.
func (l *level) discrepancy(ctx context.Context) (*tint, error) {
	w, h := l.dst.w, l.dst.h
	t := &tint{w: w, h: h, r: make([]float32, w*h), g: make([]float32, w*h), b: make([]float32, w*h), share: make([]float32, w*h)}
	sum := make([]float32, w*h)
	err := parallel(ctx, bands, func(b int) {
		from, to := h*b/bands, h*(b+1)/bands
		for y := from; y < to; y++ {
			for x := range w {
				i := y*w + x
				if l.state[i] != known || l.target[i] == 0 || l.muteNear(x, y) {
					continue
				}
				r, g, b, ok := l.say(x, y, &sharp)
				if !ok {
					continue
				}
				p := l.dst.pix[4*i : 4*i+3 : 4*i+3]
				t.r[i], t.g[i], t.b[i], sum[i] = float32(p[0])-r, float32(p[1])-g, float32(p[2])-b, 1
			}
		}
	})
	if err != nil {
		return nil, err
	}
	// Averaging along the border keeps texture out; two rounds of a box make the fall-off round.
	wide := max(4, min(w, h)/40)
	for range 2 {
		for _, f := range [][]float32{t.r, t.g, t.b, sum} {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			boxBlur(f, w, h, wide)
		}
	}
	fade := float32(max(12, min(w, h)/10))
	for i, s := range sum {
		if s < 1e-4 || l.depth[i] == 0 {
			continue
		}
		t.r[i], t.g[i], t.b[i] = t.r[i]/s, t.g[i]/s, t.b[i]/s
		if f := 1 - float32(l.depth[i])/fade; f > 0 {
			t.share[i] = f * f * min(1, s*400)
		}
	}
	return t, nil
}

// muteNear reports whether a mute pixel lies in the patch around (x, y).
func (l *level) muteNear(x, y int) bool {
	for py := max(0, y-reach); py <= min(l.dst.h-1, y+reach); py++ {
		for px := max(0, x-reach); px <= min(l.dst.w-1, x+reach); px++ {
			if l.state[py*l.dst.w+px] == mute {
				return true
			}
		}
	}
	return false
}

// boxBlur averages over 2r+1 columns and rows, in place; what lies outside counts as 0.
func boxBlur(f []float32, w, h, r int) {
	line := make([]float32, max(w, h))
	n := 1 / float32(2*r+1)
	for y := range h {
		row := f[y*w : (y+1)*w]
		copy(line, row)
		blurLine(row, line[:w], r, n)
	}
	// Columns are done side by side, so that memory is read in order.
	rows := make([]float32, w*(2*r+1))
	sum := make([]float32, w)
	for y := -r; y < h; y++ {
		slot := rows[((y+r)%(2*r+1))*w:][:w]
		if y > r {
			for x, v := range slot {
				sum[x] -= v
			}
		}
		if in := y + r; in < h {
			copy(slot, f[in*w:(in+1)*w])
			for x, v := range slot {
				sum[x] += v
			}
		} else {
			clear(slot)
		}
		if y >= 0 {
			for x := range w {
				f[y*w+x] = sum[x] * n
			}
		}
	}
}

// blurLine writes the running mean of in to out.
func blurLine(out, in []float32, r int, n float32) {
	var sum float32
	for x := range min(r, len(in)) {
		sum += in[x]
	}
	for x := range out {
		if x+r < len(in) {
			sum += in[x+r]
		}
		if x-r-1 >= 0 {
			sum -= in[x-r-1]
		}
		out[x] = sum * n
	}
}

// correct adds the correction to the filled pixels at full size.
func (p *problem) correct(ctx context.Context, t *tint) error {
	sx, sy := float32(t.w)/float32(p.dst.w), float32(t.h)/float32(p.dst.h)
	return parallel(ctx, bands*4, func(b int) {
		from, to := p.dst.h*b/(bands*4), p.dst.h*(b+1)/(bands*4)
		for y := from; y < to; y++ {
			fy := max(0, (float32(y)+0.5)*sy-0.5)
			y0 := min(int(fy), t.h-1)
			y1 := min(y0+1, t.h-1)
			fy -= float32(y0)
			for x := range p.dst.w {
				i := y*p.dst.w + x
				if p.state[i] != hole {
					continue
				}
				fx := max(0, (float32(x)+0.5)*sx-0.5)
				x0 := min(int(fx), t.w-1)
				x1 := min(x0+1, t.w-1)
				fx -= float32(x0)
				near := [4]int{y0*t.w + x0, y0*t.w + x1, y1*t.w + x0, y1*t.w + x1}
				part := [4]float32{(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy}
				var r, g, b, share, total float32
				for n, j := range near {
					if t.share[j] == 0 {
						continue
					}
					r += part[n] * t.r[j] * t.share[j]
					g += part[n] * t.g[j] * t.share[j]
					b += part[n] * t.b[j] * t.share[j]
					share += part[n] * t.share[j]
					total += part[n]
				}
				if total == 0 {
					continue
				}
				q := p.dst.pix[4*i : 4*i+3 : 4*i+3]
				q[0], q[1], q[2] = add(q[0], r/total), add(q[1], g/total), add(q[2], b/total)
			}
		}
	})
}

func add(v uint8, d float32) uint8 {
	return uint8(min(255, max(0, float32(v)+d+0.5)))
}
