package lettering

import (
	"image"
	"slices"

	"atelier/imaging/parallel"
)

// plane is one way to tell ink from paper: brightness, or one of two axes of colour.
type plane struct {
	w, h int
	pix  []uint8
	step int // between the levels it is cut at
	firm int // least difference between ink and paper
}

func planesOf(img *image.NRGBA) [3]plane {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	var out [3]plane
	for k := range out {
		out[k] = plane{w: w, h: h, pix: make([]uint8, w*h), step: 14, firm: 30}
	}
	for i := range w * h {
		r, g, b := int(img.Pix[4*i]), int(img.Pix[4*i+1]), int(img.Pix[4*i+2])
		out[0].pix[i] = uint8((77*r + 150*g + 29*b) >> 8)
		out[1].pix[i] = uint8((255 + r - g) / 2)
		out[2].pix[i] = uint8((510 + 2*b - r - g) / 4)
	}
	for k := 1; k < 3; k++ {
		out[k].step, out[k].firm = 8, 22
	}
	return out
}

// glyph is a shape that may be a letter, or some that touch.
type glyph struct {
	box    image.Rectangle
	pixels []int32
	plane  int
	bright bool
	cut    int     // level that parts it from its paper
	firm   float64 // mean difference across its rim
	stroke float64 // mean width of its strokes
	fill   float64 // share of its box
	colour [3]float64
}

// A letter's limits.
const (
	lowest  = 7   // pixels
	highest = 0.5 // of the picture's height
	narrow  = 0.06
	broad   = 2.2 // widths over heights
)

// glyphsOf cuts the planes at many levels and keeps, of what hangs together, each shape once, where its rim is sharpest.
func glyphsOf(img *image.NRGBA, planes [3]plane) []glyph {
	type cut struct{ plane, level int }
	var cuts []cut
	for k, p := range planes {
		low, high := span(p.pix)
		for t := low + p.step; t < high; t += p.step {
			cuts = append(cuts, cut{k, t})
		}
	}
	found := make([][]glyph, len(cuts))
	parallel.Spread(len(cuts), 4, func(from, to int) {
		l := newLabels(planes[0].w, planes[0].h)
		for n := from; n < to; n++ {
			c := cuts[n]
			p := planes[c.plane]
			l.cut(p, c.level)
			for _, g := range l.shapes() {
				g.plane, g.cut = c.plane, c.level
				if g.measure(p) {
					g.colour = colourOf(img, g.pixels)
					found[n] = append(found[n], g)
				}
			}
		}
	})
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b glyph) int {
		// Brightness first: colour is coarser in most files.
		return int(b.score() - a.score())
	})
	var out []glyph
	taken := map[image.Point][]int{} // by the cell their middle lies in
	const cell = 32
	for _, g := range all {
		m := image.Pt((g.box.Min.X+g.box.Max.X)/2/cell, (g.box.Min.Y+g.box.Max.Y)/2/cell)
		known := false
		for dy := -1; dy <= 1 && !known; dy++ {
			for dx := -1; dx <= 1 && !known; dx++ {
				for _, i := range taken[m.Add(image.Pt(dx, dy))] {
					o := out[i].box
					common := o.Intersect(g.box)
					if c := common.Dx() * common.Dy(); 10*c > 6*(o.Dx()*o.Dy()+g.box.Dx()*g.box.Dy()-c) {
						known = true
						break
					}
				}
			}
		}
		if !known {
			taken[m] = append(taken[m], len(out))
			out = append(out, g)
		}
	}
	return out
}

func (g glyph) score() float64 {
	if g.plane == 0 {
		return 16 * g.firm
	}
	return 20 * g.firm
}

// span is from where to where a plane's values go, without its rarest.
func span(pix []uint8) (low, high int) {
	var count [256]int
	for _, v := range pix {
		count[v]++
	}
	least := len(pix) / 2000
	for n := 0; low < 255; low++ {
		if n += count[low]; n > least {
			break
		}
	}
	high = 255
	for n := 0; high > 0; high-- {
		if n += count[high]; n > least {
			break
		}
	}
	return low, high
}

func colourOf(img *image.NRGBA, pixels []int32) (out [3]float64) {
	for _, i := range pixels {
		for k := range out {
			out[k] += float64(img.Pix[4*int(i)+k])
		}
	}
	for k := range out {
		out[k] /= float64(len(pixels))
	}
	return out
}

// shape is the glyph's box with a margin of one pixel, with its pixels.
func (g *glyph) shape() shape {
	out := shape{w: g.box.Dx() + 2, left: g.box.Min.X - 1, top: g.box.Min.Y - 1}
	out.in = make([]bool, out.w*(g.box.Dy()+2))
	return out
}

type shape struct {
	w, left, top int
	in           []bool
}

// edge measures how firm the glyph's rim is, across it in all four directions from one pixel inside to two outside, and
// gives the share of it that is not and how long it is.
func (g *glyph) edge(p plane, s shape) (weak float64, rim int) {
	for _, i := range g.pixels {
		s.in[(int(i)/p.w-s.top)*s.w+int(i)%p.w-s.left] = true
	}
	at := func(x, y int) int {
		x, y = min(max(x, 0), p.w-1), min(max(y, 0), p.h-1)
		return int(p.pix[y*p.w+x])
	}
	sign := 1
	if !g.bright {
		sign = -1
	}
	soft, sum := 0, 0
	for _, i := range g.pixels {
		x, y := int(i)%p.w, int(i)/p.w
		k := (y-s.top)*s.w + x - s.left
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			step := d[1]*s.w + d[0]
			if s.in[k+step] {
				continue
			}
			ink := at(x, y)
			if s.in[k-step] {
				ink = at(x-d[0], y-d[1])
			}
			diff := sign * (ink - at(x+2*d[0], y+2*d[1]))
			rim++
			sum += diff
			if 2*diff < p.firm {
				soft++
			}
		}
	}
	g.firm = float64(sum) / float64(rim)
	return float64(soft) / float64(rim), rim
}

// measure takes a shape's measures and reports whether it may be a letter.
func (g *glyph) measure(p plane) bool {
	wide, high := g.box.Dx(), g.box.Dy()
	s := g.shape()
	weak, rim := g.edge(p, s)
	if g.firm < float64(p.firm) || 7*weak > 1 {
		return false
	}
	// The widest stroke, by the distance to the rim.
	deep := depth(s.in, s.w)
	widest := 2*deep - 1
	g.stroke = 2 * float64(len(g.pixels)) / float64(rim)
	g.fill = float64(len(g.pixels)) / float64(wide*high)
	if widest > 0.55*float64(high) || widest > 0.75*float64(max(wide, high)) || g.stroke < 0.03*float64(high) {
		return false
	}
	// Strokes are of one width: the widest place of a blot is much wider than the rest.
	if widest > 2.2*g.stroke+1 {
		return false
	}
	// It is of one colour: few of its pixels differ much from the middle one.
	values := make([]int, 0, len(g.pixels))
	for _, i := range g.pixels {
		values = append(values, int(p.pix[i]))
	}
	slices.Sort(values)
	n := len(values)
	spread := values[n*9/10] - values[n*4/10] // soft rims lie at one end
	if !g.bright {
		spread = values[n*6/10] - values[n/10]
	}
	return float64(spread) < 0.5*g.firm+6
}

// depth is the largest distance to what lies outside, in pixels, of a shape with a free margin of one pixel.
func depth(inside []bool, w int) float64 {
	d := make([]int, len(inside)) // in thirds of a pixel: 3 straight, 4 aslant
	for i := range d {
		if inside[i] {
			d[i] = min(d[i-1]+3, d[i-w]+3, d[i-w-1]+4, d[i-w+1]+4)
		}
	}
	most := 0
	for i := len(d) - 1; i >= 0; i-- {
		if inside[i] {
			d[i] = min(d[i], d[i+1]+3, d[i+w]+3, d[i+w+1]+4, d[i+w-1]+4)
			most = max(most, d[i])
		}
	}
	return float64(most) / 3
}
