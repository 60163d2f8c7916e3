package segment

import "math"

// patches are a canvas in a few hundred pieces of about one colour and size each (Achanta et al., "SLIC Superpixels Compared to
// State-of-the-Art Superpixel Methods", 2012).
type patches struct {
	of   []int32 // patch of each pixel
	list []patch
}

type patch struct {
	lab    [3]float64
	x, y   float64 // centre on the canvas
	size   float64 // pixels
	border float64 // pixels at the frame's edge; those below count little, since people and things are often cut off there
	beside []int32
}

const (
	patchCount  = 280
	patchRounds = 6
	compactness = 20 // how much the shape of a patch counts against its colour
	lowerEdge   = 0.3
)

func newPatches(c *canvas) *patches {
	lab := c.lab()
	step := max(2, math.Sqrt(float64(c.w*c.h)/patchCount))
	cols, rows := max(1, int(float64(c.w)/step+0.5)), max(1, int(float64(c.h)/step+0.5))
	p := &patches{of: make([]int32, c.w*c.h), list: make([]patch, cols*rows)}
	for i := range p.of {
		p.of[i] = int32(min(i/c.w*rows/c.h, rows-1)*cols + min(i%c.w*cols/c.w, cols-1))
	}
	p.measure(c, lab)
	for range patchRounds {
		p.assign(c, lab, cols, rows, step)
		p.measure(c, lab)
	}
	p.join(c)
	return p
}

// assign gives each pixel to the nearest, in colour and place, of the nine patches that began around it.
func (p *patches) assign(c *canvas, lab []float32, cols, rows int, step float64) {
	shape := float32(compactness * compactness / (step * step))
	spread(c.h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			row := min(y*rows/c.h, rows-1)
			for x := range c.w {
				i, col := y*c.w+x, min(x*cols/c.w, cols-1)
				best, least := p.of[i], float32(math.MaxFloat32)
				for r := max(row-1, 0); r <= min(row+1, rows-1); r++ {
					for k := max(col-1, 0); k <= min(col+1, cols-1); k++ {
						q := &p.list[r*cols+k]
						if q.size == 0 {
							continue
						}
						dl, da, db := lab[3*i]-float32(q.lab[0]), lab[3*i+1]-float32(q.lab[1]), lab[3*i+2]-float32(q.lab[2])
						dx, dy := float32(x)-float32(q.x), float32(y)-float32(q.y)
						if d := dl*dl + da*da + db*db + shape*(dx*dx+dy*dy); d < least {
							best, least = int32(r*cols+k), d
						}
					}
				}
				p.of[i] = best
			}
		}
	})
}

// measure takes the means of the patches.
func (p *patches) measure(c *canvas, lab []float32) {
	clear(p.list)
	for i, n := range p.of {
		q := &p.list[n]
		q.size++
		q.x += float64(i % c.w)
		q.y += float64(i / c.w)
		for k := range 3 {
			q.lab[k] += float64(lab[3*i+k])
		}
		switch x, y := i%c.w, i/c.w; {
		case x == 0 || y == 0 || x == c.w-1:
			q.border++
		case y == c.h-1:
			q.border += lowerEdge
		}
	}
	for n := range p.list {
		q := &p.list[n]
		if q.size == 0 {
			continue
		}
		q.x, q.y = q.x/q.size, q.y/q.size
		for k := range q.lab {
			q.lab[k] /= q.size
		}
	}
}

// join notes which patches touch.
func (p *patches) join(c *canvas) {
	seen := map[[2]int32]bool{}
	touch := func(a, b int32) {
		if a == b || seen[[2]int32{a, b}] {
			return
		}
		seen[[2]int32{a, b}], seen[[2]int32{b, a}] = true, true
		p.list[a].beside = append(p.list[a].beside, b)
		p.list[b].beside = append(p.list[b].beside, a)
	}
	for y := range c.h {
		for x := range c.w {
			i := y*c.w + x
			if x+1 < c.w {
				touch(p.of[i], p.of[i+1])
			}
			if y+1 < c.h {
				touch(p.of[i], p.of[i+c.w])
			}
		}
	}
}

// lab is the canvas in CIE L*a*b*, for light as of day.
func (c *canvas) lab() []float32 {
	var linear [256]float64
	for i := range linear {
		if v := float64(i) / 255; v <= 0.04045 {
			linear[i] = v / 12.92
		} else {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	root := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	out := make([]float32, len(c.pix))
	spread(c.h, func(lo, hi int) {
		for i := lo * c.w; i < hi*c.w; i++ {
			r, g, b := linear[uint8(c.pix[3*i]+0.5)], linear[uint8(c.pix[3*i+1]+0.5)], linear[uint8(c.pix[3*i+2]+0.5)]
			x := root((0.4124*r + 0.3576*g + 0.1805*b) / 0.9505)
			y := root(0.2126*r + 0.7152*g + 0.0722*b)
			z := root((0.0193*r + 0.1192*g + 0.9505*b) / 1.089)
			out[3*i], out[3*i+1], out[3*i+2] = float32(116*y-16), float32(500*(x-y)), float32(200*(y-z))
		}
	})
	return out
}
