package segment

// How the shadow of a thing is told from the thing. Chosen on photographs of shoes, bags and bottles laid before plain floors.
const (
	shadeMost    = 0.3  // of the cut
	shadeOwn     = 0.5  // of the rest of the cut, alike: what is coloured as the floor is takes its shadow along
	shadeLow     = 0.6  // of the cut's height
	shadeTouch   = 0.15 // of a shadow's outline, beside what is not cut
	shadeUmbra   = 0.25 // of the floor's light
	shadeBlurred = 0.5  // of what a shadow is darker, in one step at its outline
)

// dropShade takes the shadow that a thing throws on a plain floor out of its cut: what lies low, has the floor's colour in less light, and goes
// over into the floor without a step or within a blurred outline.
func (s *scene) dropShade(f *finding, b backdrop) {
	c := s.cut.canvas
	colour := c.behind(b.reached)
	smooth, alike, dark := make([]uint8, c.w*c.h), make([]uint8, c.w*c.h), make([]float32, c.w*c.h)
	top, bottom, area, like := c.h, 0, 0, 0
	for i, l := range f.labels {
		if l == 0 {
			continue
		}
		area++
		top, bottom = min(top, i/c.w), max(bottom, i/c.w)
		behind := colour[3*i : 3*i+3]
		lit, off := litBy(c.pix[3*i:3*i+3], behind)
		dark[i] = float32(1-lit) * max(behind[0], behind[1], behind[2])
		if b.reached[i] == 1 || b.speaks[i] == plainShade {
			smooth[i] = 1
		}
		if smooth[i] == 1 || off < clearlyOff*max(lit, 0.5) && lit > shadeUmbra && lit < asBright {
			alike[i] = 1
			like++
		}
	}
	least := float64(top) + shadeLow*float64(bottom-top)
	shade, n := make([]uint8, c.w*c.h), 0
	for _, p := range append(pieces(smooth, c.w, c.h), pieces(alike, c.w, c.h)...) {
		if p.label == 0 || c.heightOf(p) < least {
			continue
		}
		steps, rim := c.outside(p, f.labels, b.step)
		if float64(len(steps)) < shadeTouch*float64(rim) {
			continue
		}
		even := true
		darker := float32(0)
		for _, i := range p.pixels {
			even = even && smooth[i] == 1
			darker += dark[i] / float32(len(p.pixels))
		}
		if !even && quantile(steps, 0.5) > shadeBlurred*darker {
			continue
		}
		for _, i := range p.pixels {
			n += int(1 - shade[i])
		}
		paint(shade, p, 1)
	}
	if float64(n) > shadeMost*float64(area) || float64(like-n) > shadeOwn*float64(area-n) {
		return
	}
	for i, v := range shade {
		if v == 1 {
			f.labels[i] = 0
		}
	}
}

// heightOf is the mean row of a piece.
func (c *canvas) heightOf(p piece) float64 {
	sum := 0
	for _, i := range p.pixels {
		sum += int(i) / c.w
	}
	return float64(sum) / float64(len(p.pixels))
}

// outside are the steps at that part of a piece's outline that lies beside what is not cut, and how many pixels the outline has in all.
func (c *canvas) outside(p piece, labels []uint8, step []float32) (steps []float32, rim int) {
	in := make(map[int]bool, len(p.pixels))
	for _, i := range p.pixels {
		in[int(i)] = true
	}
	for i := range in {
		x, y := i%c.w, i/c.w
		outer, out := false, false
		for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			if u, v := x+d[0], y+d[1]; u >= 0 && v >= 0 && u < c.w && v < c.h && !in[v*c.w+u] {
				outer, out = true, out || labels[v*c.w+u] == 0
			}
		}
		if outer {
			rim++
		}
		if out {
			steps = append(steps, step[i])
		}
	}
	return steps, rim
}
