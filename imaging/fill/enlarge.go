package fill

import "context"

// enlarge fills the holes at full size from a level scale times smaller: each pixel mixes what the matches
// around it point to at full size, real pixels all of them, and where those agree it is an exact copy.
func (p *problem) enlarge(ctx context.Context, l *level, scale int) error {
	return parallel(ctx, bands*4, func(b int) {
		from, to := p.dst.h*b/(bands*4), p.dst.h*(b+1)/(bands*4)
		for y := from; y < to; y++ {
			for x := range p.dst.w {
				i := y*p.dst.w + x
				if p.state[i] != hole {
					continue
				}
				q := p.dst.pix[4*i : 4*i+4 : 4*i+4]
				q[3] = 255
				p.mix(l, scale, x, y, q)
			}
		}
	})
}

// mix writes one full-size pixel.
func (p *problem) mix(l *level, scale, x, y int, out []uint8) {
	var found [9]offer
	n := l.offers(scale, x, y, &found)
	var r, g, b, total float32
	for _, o := range found[:n] {
		sx, sy := x+o.dx, y+o.dy
		if sx < 0 || sy < 0 || sx >= p.src.w || sy >= p.src.h || p.use[sy*p.src.w+sx] == shut {
			continue
		}
		s := p.src.pix[4*(sy*p.src.w+sx):]
		s = s[:3:3]
		if n == 1 {
			copy(out, s)
			return
		}
		// The strongest offer takes nearly all, so that few pixels mix two sources.
		w := o.weight * o.weight
		w *= w
		r += w * float32(s[0])
		g += w * float32(s[1])
		b += w * float32(s[2])
		total += w
	}
	if total == 0 {
		j := 4 * (clamp(y/scale, 0, l.dst.h-1)*l.dst.w + clamp(x/scale, 0, l.dst.w-1))
		copy(out, l.dst.pix[j:j+3])
		return
	}
	out[0], out[1], out[2] = uint8(r/total+0.5), uint8(g/total+0.5), uint8(b/total+0.5)
}

// offer is a displacement to copy from, at full size, and how much of the neighbourhood agrees on it.
type offer struct {
	dx, dy int
	weight float32
}

// offers lists the displacements that the nine matches around a full-size pixel propose, by quadratic B-spline: where
// two pieces meet, the line between them is as smooth as that curve and shows no steps of the smaller size.
func (l *level) offers(scale, x, y int, found *[9]offer) (n int) {
	cx, cy := x/scale, y/scale
	wx := spline((float32(x%scale)+0.5)/float32(scale) - 0.5)
	wy := spline((float32(y%scale)+0.5)/float32(scale) - 0.5)
	for k := range 9 {
		nx, ny := clamp(cx+k%3-1, reach, l.dst.w-reach-1), clamp(cy+k/3-1, reach, l.dst.h-reach-1)
		j := ny*l.dst.w + nx
		if l.target[j] == 0 {
			continue
		}
		mx, my := l.match[j].xy()
		o := offer{(mx - nx) * scale, (my - ny) * scale, wx[k%3] * wy[k/3]}
		at := 0
		for at < n && (found[at].dx != o.dx || found[at].dy != o.dy) {
			at++
		}
		if at == n {
			found[n] = o
			n++
			continue
		}
		found[at].weight += o.weight
	}
	return n
}

// spline is how much the three cells around count for a place t from the middle of its cell, -½ to ½.
func spline(t float32) [3]float32 {
	a, b := 0.5-t, 0.5+t
	return [3]float32{a * a / 2, 0.75 - t*t, b * b / 2}
}
