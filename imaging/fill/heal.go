package fill

import "context"

// healing is the correction that makes copied patches meet: a colour difference for each hole pixel, chosen so that
// neighbours differ as they do inside the patches they come from, and that the first pixels beyond a given one differ
// from it likewise. Small steps, as between copies of a shaded wall, disappear; large ones are edges and stay.
type healing struct {
	w, h   int
	open   []bool       // has an unknown
	value  [][3]float32 // the unknowns
	right  [][3]float32 // wanted: value of the pixel to the right minus value here
	below  [][3]float32
	rightW []float32 // how much it is wanted
	belowW []float32
	pin    [][3]float32 // wanted value next to given pixels, times its weight
	pinW   []float32
	screen float32 // pull towards no correction
}

func newHealing(w, h int) *healing {
	n := w * h
	return &healing{
		w: w, h: h, open: make([]bool, n), value: make([][3]float32, n), right: make([][3]float32, n), below: make([][3]float32, n),
		rightW: make([]float32, n), belowW: make([]float32, n), pin: make([][3]float32, n), pinW: make([]float32, n),
	}
}

// firm is the difference up to which two pixels are taken to belong together, in steps of 255. Where nothing else
// happens, as in a sky, it may be larger, for even a weak edge is seen there.
const (
	firm     = 14
	firmFlat = 40
	flatStep = 12 // contrast of a place that counts as flat
)

// Light differs from place to place, colour hardly: a correction beyond these bounds would glow.
const (
	mostGrey = 40
	mostTint = 9
)

// trust is how much a wanted difference counts: little when it is as large as an edge.
func trust(d [3]float32, firm float32) float32 {
	worst := max(d[0]*d[0], d[1]*d[1], d[2]*d[2]) / (firm * firm)
	return 1 / (1 + worst*worst)
}

// flat reports whether the source hardly changes around a pixel.
func (l *level) flat(p at) bool {
	x, y := p.xy()
	here := l.src.pix[4*(y*l.src.w+x):]
	for _, n := range [4][2]int{{-reach, 0}, {reach, 0}, {0, -reach}, {0, reach}} {
		nx, ny := clamp(x+n[0], 0, l.src.w-1), clamp(y+n[1], 0, l.src.h-1)
		if apartBy([3]uint8(here), [3]uint8(l.src.pix[4*(ny*l.src.w+nx):])) > flatStep {
			return false
		}
	}
	return true
}

// heal finds the correction for a solved level.
func (l *level) heal(ctx context.Context) (*healing, error) {
	w, h := l.dst.w, l.dst.h
	f := newHealing(w, h)
	f.screen = screenAt(min(w, h, l.src.w, l.src.h))
	said := make([][3]float32, w*h) // what the patches say, for hole pixels and given ones beside them
	err := parallel(ctx, bands, func(b int) {
		for y := h * b / bands; y < h*(b+1)/bands; y++ {
			for x := range w {
				i := y*w + x
				f.open[i] = l.state[i] == hole
				if !f.open[i] && !l.besideHole(x, y) {
					continue
				}
				r, g, b, ok := l.say(x, y, &sharp)
				if !ok {
					p := l.dst.pix[4*i : 4*i+3 : 4*i+3]
					r, g, b = float32(p[0]), float32(p[1]), float32(p[2])
				}
				said[i] = [3]float32{r, g, b}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	err = parallel(ctx, bands, func(b int) {
		for y := h * b / bands; y < h*(b+1)/bands; y++ {
			for x := range w {
				i := y*w + x
				if x+1 < w {
					l.join(f, said, i, i+1, 1, 0, f.right, f.rightW)
				}
				if y+1 < h {
					l.join(f, said, i, i+w, 0, 1, f.below, f.belowW)
				}
				if f.open[i] {
					l.fasten(f, said, x, y)
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return f, f.solve(ctx)
}

// screenAt is the pull towards no correction: over about half of the shortest side, of canvas and source, one fades.
// Otherwise a shade repeated many times would add up to black.
func screenAt(side int) float32 {
	long := 0.5 * float32(side)
	return 1 / (long * long)
}

// besideHole reports whether a given pixel, none of what must not be copied, touches a hole.
func (l *level) besideHole(x, y int) bool {
	w := l.dst.w
	i := y*w + x
	return l.state[i] == known && (x > 0 && l.state[i-1] == hole || x+1 < w && l.state[i+1] == hole ||
		y > 0 && l.state[i-w] == hole || y+1 < l.dst.h && l.state[i+w] == hole)
}

// join states what is wanted between two hole pixels: the difference there is within the patches of both.
func (l *level) join(f *healing, said [][3]float32, i, j, dx, dy int, wanted [][3]float32, weight []float32) {
	if !f.open[i] || !f.open[j] {
		return
	}
	var sum [3]float32
	var n float32
	smooth := true
	add := func(from, to at, ok bool) {
		if !ok {
			return
		}
		fx, fy := from.xy()
		tx, ty := to.xy()
		if tx < 0 || ty < 0 || tx >= l.src.w || ty >= l.src.h || fx < 0 || fy < 0 || fx >= l.src.w || fy >= l.src.h {
			return
		}
		smooth = smooth && l.flat(from)
		p, q := l.src.pix[4*(fy*l.src.w+fx):], l.src.pix[4*(ty*l.src.w+tx):]
		for k := range 3 {
			sum[k] += float32(q[k]) - float32(p[k])
		}
		n++
	}
	mi, oki := l.source(i)
	mj, okj := l.source(j)
	if oki && okj && mj == mi+at(dx)+at(dy)<<16 {
		weight[i] = 1 // one copy: whatever vote says, there is no seam
		for k := range 3 {
			wanted[i][k] = 0
		}
		return
	}
	add(mi, mi+at(dx)+at(dy)<<16, oki)
	add(mj-at(dx)-at(dy)<<16, mj, okj)
	if n == 0 {
		return
	}
	var d [3]float32
	for k := range 3 {
		d[k] = sum[k]/n - (said[j][k] - said[i][k])
	}
	limit := float32(firm)
	if smooth {
		limit = firmFlat
	}
	wanted[i], weight[i] = d, trust(d, limit)
}

// source is the source pixel the match at or next to canvas pixel i points to.
func (l *level) source(i int) (at, bool) {
	x, y := i%l.dst.w, i/l.dst.w
	cx, cy := clamp(x, reach, l.dst.w-reach-1), clamp(y, reach, l.dst.h-reach-1)
	j := cy*l.dst.w + cx
	if l.target[j] == 0 {
		return 0, false
	}
	sx, sy := l.match[j].xy()
	return pack(sx+x-cx, sy+y-cy), true
}

// fasten states what is wanted of a hole pixel beside given ones: the error of what the patches say about those.
func (l *level) fasten(f *healing, said [][3]float32, x, y int) {
	i := y*f.w + x
	for _, n := range [4][3]int{{x - 1, y, -1}, {x + 1, y, 1}, {x, y - 1, -f.w}, {x, y + 1, f.w}} {
		if n[0] < 0 || n[1] < 0 || n[0] >= f.w || n[1] >= f.h {
			continue
		}
		j := i + n[2]
		if l.state[j] != known {
			continue
		}
		p := l.dst.pix[4*j : 4*j+3 : 4*j+3]
		var d [3]float32
		for k := range 3 {
			d[k] = float32(p[k]) - said[j][k]
		}
		w := trust(d, 2*firm)
		for k := range 3 {
			f.pin[i][k] += w * d[k]
		}
		f.pinW[i] += w
	}
}

// solve finds the values from coarse to fine.
func (f *healing) solve(ctx context.Context) error {
	if min(f.w, f.h) >= 16 {
		c, err := f.coarser(ctx)
		if err != nil {
			return err
		}
		if err := c.solve(ctx); err != nil {
			return err
		}
		for i := range f.value {
			if f.open[i] {
				f.value[i] = c.value[i/f.w/2*c.w+i%f.w/2]
			}
		}
	}
	wishes := make([]wish, len(f.value))
	err := parallel(ctx, bands, func(b int) {
		for y := f.h * b / bands; y < f.h*(b+1)/bands; y++ {
			for x := range f.w {
				if f.open[y*f.w+x] {
					wishes[y*f.w+x] = f.wish(x, y)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	for round := range 24 {
		for colour := range 2 {
			err := parallel(ctx, bands, func(b int) {
				for y := f.h * b / bands; y < f.h*(b+1)/bands; y++ {
					for x := (y + colour + round) % 2; x < f.w; x += 2 {
						if f.open[y*f.w+x] {
							f.relax(x, y, &wishes[y*f.w+x])
						}
					}
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// over is how much further than wanted a step of relax goes: that speeds things up.
const over = 1.5

// wish is what neighbours and pins want of one value, but for what the neighbours' values are now.
type wish struct {
	sum   [3]float32 // of the wanted differences and pins, times their weights
	share float32    // over by the sum of the weights
}

func (f *healing) wish(x, y int) wish {
	i := y*f.w + x
	sum, weight := f.pin[i], f.pinW[i]+f.screen
	want := func(w float32, more *[3]float32, sign float32) {
		for k := range 3 {
			sum[k] += sign * w * more[k]
		}
		weight += w
	}
	if x+1 < f.w {
		want(f.rightW[i], &f.right[i], -1)
	}
	if x > 0 {
		want(f.rightW[i-1], &f.right[i-1], 1)
	}
	if y+1 < f.h {
		want(f.belowW[i], &f.below[i], -1)
	}
	if y > 0 {
		want(f.belowW[i-f.w], &f.below[i-f.w], 1)
	}
	return wish{sum, over / weight}
}

// relax sets one value to what its neighbours and pins want, and a little further.
func (f *healing) relax(x, y int, wish *wish) {
	i := y*f.w + x
	r, g, b := wish.sum[0], wish.sum[1], wish.sum[2]
	if x+1 < f.w {
		w, v := f.rightW[i], &f.value[i+1]
		r, g, b = r+w*v[0], g+w*v[1], b+w*v[2]
	}
	if x > 0 {
		w, v := f.rightW[i-1], &f.value[i-1]
		r, g, b = r+w*v[0], g+w*v[1], b+w*v[2]
	}
	if y+1 < f.h {
		w, v := f.belowW[i], &f.value[i+f.w]
		r, g, b = r+w*v[0], g+w*v[1], b+w*v[2]
	}
	if y > 0 {
		w, v := f.belowW[i-f.w], &f.value[i-f.w]
		r, g, b = r+w*v[0], g+w*v[1], b+w*v[2]
	}
	v := &f.value[i]
	r, g, b = r*wish.share+(1-over)*v[0], g*wish.share+(1-over)*v[1], b*wish.share+(1-over)*v[2]
	grey := (r + g + b) / 3
	held := min(mostGrey, max(-mostGrey, grey))
	v[0] = held + min(mostTint, max(-mostTint, r-grey))
	v[1] = held + min(mostTint, max(-mostTint, g-grey))
	v[2] = held + min(mostTint, max(-mostTint, b-grey))
}

// coarser is the same question at half the size: what is wanted between two coarse pixels is what is wanted along
// the way between their middles.
func (f *healing) coarser(ctx context.Context) (*healing, error) {
	c := newHealing((f.w+1)/2, (f.h+1)/2)
	c.screen = 4 * f.screen
	at := func(x, y int) int {
		if x >= f.w || y >= f.h {
			return -1
		}
		return y*f.w + x
	}
	return c, parallel(ctx, bands, func(b int) {
		for y := c.h * b / bands; y < c.h*(b+1)/bands; y++ {
			for x := range c.w {
				i := y*c.w + x
				for _, j := range [4]int{at(2*x, 2*y), at(2*x+1, 2*y), at(2*x, 2*y+1), at(2*x+1, 2*y+1)} {
					if j < 0 || !f.open[j] {
						continue
					}
					c.open[i] = true
					c.pinW[i] += f.pinW[j] / 2
					for k := range 3 {
						c.pin[i][k] += f.pin[j][k] / 2
					}
				}
				c.right[i], c.rightW[i] = f.along(f.right, f.rightW, [2]int{at(2*x, 2*y), at(2*x, 2*y+1)}, 1, 2*x+2 < f.w)
				c.below[i], c.belowW[i] = f.along(f.below, f.belowW, [2]int{at(2*x, 2*y), at(2*x+1, 2*y)}, f.w, 2*y+2 < f.h)
			}
		}
	})
}

// along is what is wanted over three steps that begin at each of starts: half of the outer ones and all of the inner
// one, which alone decides how much it is wanted.
func (f *healing) along(wanted [][3]float32, weight []float32, starts [2]int, step int, inside bool) (d [3]float32, w float32) {
	if !inside {
		return d, 0
	}
	for _, s := range starts {
		if s < 0 || weight[s+step] == 0 {
			continue
		}
		inner := weight[s+step]
		before, after := weight[s], float32(0)
		if s+2*step < len(weight) {
			after = weight[s+2*step]
		}
		for k := range 3 {
			v := wanted[s+step][k] + before*wanted[s][k]/2
			if after > 0 {
				v += after * wanted[s+2*step][k] / 2
			}
			d[k] += inner * v
		}
		w += inner
	}
	if w == 0 {
		return d, 0
	}
	for k := range 3 {
		d[k] /= w
	}
	return d, w / 2
}

// correct adds the healing to the filled pixels at full size.
func (p *problem) correct(ctx context.Context, f *healing) error {
	sx, sy := float32(f.w)/float32(p.dst.w), float32(f.h)/float32(p.dst.h)
	return parallel(ctx, bands*4, func(b int) {
		from, to := p.dst.h*b/(bands*4), p.dst.h*(b+1)/(bands*4)
		for y := from; y < to; y++ {
			fy := max(0, (float32(y)+0.5)*sy-0.5)
			y0 := min(int(fy), f.h-1)
			y1 := min(y0+1, f.h-1)
			fy -= float32(y0)
			for x := range p.dst.w {
				i := y*p.dst.w + x
				if p.state[i] != hole {
					continue
				}
				fx := max(0, (float32(x)+0.5)*sx-0.5)
				x0 := min(int(fx), f.w-1)
				x1 := min(x0+1, f.w-1)
				fx -= float32(x0)
				near := [4]int{y0*f.w + x0, y0*f.w + x1, y1*f.w + x0, y1*f.w + x1}
				part := [4]float32{(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy}
				var sum [3]float32
				var total float32
				for n, j := range near {
					if !f.open[j] || part[n] == 0 {
						continue
					}
					for k := range 3 {
						sum[k] += part[n] * f.value[j][k]
					}
					total += part[n]
				}
				if total == 0 {
					continue
				}
				q := p.dst.pix[4*i : 4*i+3 : 4*i+3]
				for k := range 3 {
					q[k] = uint8(min(255, max(0, float32(q[k])+sum[k]/total+0.5)))
				}
			}
		}
	})
}
