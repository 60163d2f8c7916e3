package fill

import "context"

// enlarge fills the holes at full size from a level scale times smaller: each pixel mixes what the four matches
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
	// The position between the centres of the four smaller pixels around it, in units of 1/(2 scale).
	ux, uy := 2*x+1-scale, 2*y+1-scale
	cx, cy := floorDiv(ux, 2*scale), floorDiv(uy, 2*scale)
	fx, fy := float32(ux-2*scale*cx)/float32(2*scale), float32(uy-2*scale*cy)/float32(2*scale)
	fx, fy = steep(fx), steep(fy)
	var r, g, bl, total float32
	for n := range 4 {
		nx, ny := cx+n&1, cy+n>>1
		w := (1 - fx)
		if n&1 == 1 {
			w = fx
		}
		if n>>1 == 1 {
			w *= fy
		} else {
			w *= 1 - fy
		}
		if w == 0 {
			continue
		}
		nx, ny = clamp(nx, reach, l.dst.w-reach-1), clamp(ny, reach, l.dst.h-reach-1)
		j := ny*l.dst.w + nx
		if l.target[j] == 0 {
			continue
		}
		mx, my := l.match[j].xy()
		sx, sy := (mx-nx)*scale+x, (my-ny)*scale+y
		if sx < 0 || sy < 0 || sx >= p.src.w || sy >= p.src.h || p.use[sy*p.src.w+sx] == shut {
			continue
		}
		s := p.src.pix[4*(sy*p.src.w+sx):]
		s = s[:3:3]
		r += w * float32(s[0])
		g += w * float32(s[1])
		bl += w * float32(s[2])
		total += w
	}
	if total == 0 {
		j := 4 * (clamp(y/scale, 0, l.dst.h-1)*l.dst.w + clamp(x/scale, 0, l.dst.w-1))
		copy(out, l.dst.pix[j:j+3])
		return
	}
	out[0], out[1], out[2] = uint8(r/total+0.5), uint8(g/total+0.5), uint8(bl/total+0.5)
}

// steep turns a linear ramp into one that changes mostly in the middle, so that fewer pixels mix two sources.
func steep(t float32) float32 {
	t = min(1, max(0, 2*t-0.5))
	return t * t * (3 - 2*t)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
