package flow

import "math"

// Field is where each pixel of one picture went in another: (x, y) is found at (x + U, y + V), in pixels of the size the
// field has.
type Field struct {
	W, H int
	U, V []float32
	// Sure is how much detail each vector rests on, 0 where there was nothing to hold on to.
	Sure []float32
}

// At is the vector between pixels.
func (f *Field) At(x, y float32) (u, v float32) {
	x = min(max(x, 0), float32(f.W-1))
	y = min(max(y, 0), float32(f.H-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, f.W-1), min(y0+1, f.H-1)
	fx, fy := x-float32(x0), y-float32(y0)
	a, b, c, d := y0*f.W+x0, y0*f.W+x1, y1*f.W+x0, y1*f.W+x1
	wa, wb, wc, wd := (1-fx)*(1-fy), fx*(1-fy), (1-fx)*fy, fx*fy
	return f.U[a]*wa + f.U[b]*wb + f.U[c]*wc + f.U[d]*wd, f.V[a]*wa + f.V[b]*wb + f.V[c]*wc + f.V[d]*wd
}

// Between measures the motion from a to b, two pictures of one size. Weight, of that size or nil, says which pixels of a
// count: 0 for those that are not to be followed.
func Between(a, b *Gray, weight []float32) *Field {
	type level struct {
		a, b   *Gray
		weight []float32
	}
	levels := []level{{a, b, weight}}
	for l := levels[0]; min(l.a.W, l.a.H) > 24 && len(levels) < 7; {
		next := level{a: l.a.half(), b: l.b.half()}
		if l.weight != nil {
			next.weight = (&Gray{l.a.W, l.a.H, l.weight}).half().Pix
		}
		levels = append(levels, next)
		l = next
	}
	var f *Field
	for i := len(levels) - 1; i >= 0; i-- {
		l := levels[i]
		if f == nil {
			f = &Field{W: l.a.W, H: l.a.H, U: make([]float32, l.a.W*l.a.H), V: make([]float32, l.a.W*l.a.H)}
			f.whole(l.a, l.b, l.weight)
		} else {
			f = f.doubled(l.a.W, l.a.H)
		}
		for range 5 {
			f.step(l.a, l.b, l.weight)
		}
	}
	return f
}

// whole begins with the shift of the picture as one piece that fits best, where that is clearly better than none.
func (f *Field) whole(a, b *Gray, weight []float32) {
	reach := min(a.W, a.H) / 4
	best, bu, bv := math.Inf(1), 0, 0
	for v := -reach; v <= reach; v++ {
		for u := -reach; u <= reach; u++ {
			sum, n := 0.0, 0.0
			for y := max(0, -v); y < min(a.H, b.H-v); y++ {
				for x := max(0, -u); x < min(a.W, b.W-u); x++ {
					k := 1.0
					if weight != nil {
						k = float64(weight[y*a.W+x])
					}
					sum += k * math.Abs(float64(a.Pix[y*a.W+x]-b.Pix[(y+v)*b.W+x+u]))
					n += k
				}
			}
			if n < float64(a.W*a.H)/8 {
				continue
			}
			if cost := sum/n + 0.05*math.Hypot(float64(u), float64(v)); cost < best {
				best, bu, bv = cost, u, v
			}
		}
	}
	for i := range f.U {
		f.U[i], f.V[i] = float32(bu), float32(bv)
	}
}

// doubled is the field on a grid about twice as fine.
func (f *Field) doubled(w, h int) *Field {
	out := &Field{W: w, H: h, U: make([]float32, w*h), V: make([]float32, w*h)}
	for y := range h {
		for x := range w {
			u, v := f.At(float32(x)/2, float32(y)/2)
			out.U[y*w+x], out.V[y*w+x] = 2*u, 2*v
		}
	}
	return out
}

// step betters the field once: the shift that explains best what is left of the difference, per pixel over its window.
func (f *Field) step(a, b *Gray, weight []float32) {
	w, h := f.W, f.H
	n := w * h
	xx, xy, yy, xt, yt := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	for y := range h {
		for x := range w {
			i := y*w + x
			px, py := float32(x)+f.U[i], float32(y)+f.V[i]
			if px < 0 || py < 0 || px > float32(w-1) || py > float32(h-1) {
				continue
			}
			gx := (a.Pix[y*w+min(x+1, w-1)] - a.Pix[y*w+max(x-1, 0)] + b.At(px+1, py) - b.At(px-1, py)) / 4
			gy := (a.Pix[min(y+1, h-1)*w+x] - a.Pix[max(y-1, 0)*w+x] + b.At(px, py+1) - b.At(px, py-1)) / 4
			t := a.Pix[i] - b.At(px, py)
			// What cannot be explained by a small shift counts less: it was hidden, or lit differently.
			k := 1 / (1 + t*t/900)
			if weight != nil {
				k *= weight[i]
			}
			xx[i], xy[i], yy[i], xt[i], yt[i] = k*gx*gx, k*gx*gy, k*gy*gy, k*gx*t, k*gy*t
		}
	}
	const window = 3
	xx, xy, yy, xt, yt = box(xx, w, h, window), box(xy, w, h, window), box(yy, w, h, window), box(xt, w, h, window), box(yt, w, h, window)
	sure := make([]float32, n)
	for i := range n {
		const damp = 2
		p, q, r := xx[i]+damp, xy[i], yy[i]+damp
		det := p*r - q*q
		du, dv := (r*xt[i]-q*yt[i])/det, (p*yt[i]-q*xt[i])/det
		f.U[i] += min(max(du, -1), 1)
		f.V[i] += min(max(dv, -1), 1)
		// The smaller eigenvalue: detail in both directions.
		trace, gap := p+r-2*damp, float32(math.Sqrt(float64((p-r)*(p-r)+4*q*q)))
		sure[i] = max(0, (trace-gap)/2)
	}
	f.Sure = sure
	f.smooth()
}

// smooth gives each vector the mean of its surroundings, weighed by how sure they are.
func (f *Field) smooth() {
	n := len(f.U)
	k, u, v := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range n {
		k[i] = f.Sure[i] + 0.05
		u[i], v[i] = k[i]*f.U[i], k[i]*f.V[i]
	}
	r := max(2, min(f.W, f.H)/24)
	k, u, v = box(k, f.W, f.H, r), box(u, f.W, f.H, r), box(v, f.W, f.H, r)
	for i := range n {
		f.U[i], f.V[i] = u[i]/k[i], v[i]/k[i]
	}
}

// Motion is how a picture moves as a whole: p becomes Zoom·R(Turn)·(p − c) + c + (X, Y), c the middle, in shares of the
// picture's width.
type Motion struct {
	X, Y float64
	Zoom float64 // 1 for none
	Turn float64 // radians, clockwise on screen
}

// Global fits one Motion to the field, by those vectors that agree with one another; ok is false when there is nothing to
// hold on to.
func (f *Field) Global(weight []float32) (m Motion, ok bool) {
	a, b, tx, ty := 1.0, 0.0, 0.0, 0.0 // x' = a x − b y + tx; y' = b x + a y + ty
	cx, cy := float64(f.W-1)/2, float64(f.H-1)/2
	for round := range 6 {
		// Normal equations of the similarity, which part into two means and two sums.
		var n, sx, sy, su, sv, sxx, dot, cross float64
		for y := range f.H {
			for x := range f.W {
				i := y*f.W + x
				k := float64(f.Sure[i]) / (float64(f.Sure[i]) + 20)
				if weight != nil {
					k *= float64(weight[i])
				}
				if k < 1e-4 {
					continue
				}
				px, py := float64(x)-cx, float64(y)-cy
				qx, qy := px+float64(f.U[i]), py+float64(f.V[i])
				if round > 0 {
					ex, ey := a*px-b*py+tx-qx, b*px+a*py+ty-qy
					k /= 1 + (ex*ex+ey*ey)/0.25
				}
				n += k
				sx, sy, su, sv = sx+k*px, sy+k*py, su+k*qx, sv+k*qy
				sxx += k * (px*px + py*py)
				dot += k * (px*qx + py*qy)
				cross += k * (px*qy - py*qx)
			}
		}
		if n < 4 {
			return Motion{Zoom: 1}, false
		}
		mx, my, mu, mv := sx/n, sy/n, su/n, sv/n
		spread := sxx - n*(mx*mx+my*my)
		if spread <= 0 {
			return Motion{Zoom: 1}, false
		}
		a = (dot - n*(mx*mu+my*mv)) / spread
		b = (cross - n*(mx*mv-my*mu)) / spread
		tx, ty = mu-a*mx+b*my, mv-b*mx-a*my
	}
	return Motion{X: tx / float64(f.W), Y: ty / float64(f.W), Zoom: math.Hypot(a, b), Turn: math.Atan2(b, a)}, true
}
