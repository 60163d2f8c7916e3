package segment

import (
	"image"
	"math"
	"slices"
)

// How outlines of shoes are followed, in face diameters where nothing else is said.
const (
	shoeAbove  = 1.5 // of the lowest that was found, where it is looked
	shoeBelow  = 1.2
	shoeAside  = 1.3  // beyond the legs
	shoeFine   = 3.0  // pixels for one of the coarse canvas, if the picture has as many
	shoeMost   = 0.75 // of the square of a diameter, for one of them
	shoeLeast  = 0.06
	shoeStep   = 2.2  // of what the usual step on the ground is, for an outline
	shoeSoft   = 1.6  // of that, within a soft shade
	shoeLevels = 7    // the least step of one, in levels
	shoeDark   = 0.93 // of the ground's light, for a shade of it
	shoeShade  = 0.5  // of what is enclosed on a plain ground, for a shadow
	shoeLight  = 0.97 // of the ground's light at least, where it is not plain
	shoeBright = 1.06 // of that light, for what is not ground whatever lies below
	shoeEnd    = 0.15 // above the lowest of the legs, at most
	shoeAnkle  = 0.5
	shoeSole   = 0.3  // below what is enclosed, at most
	shoeLeak   = 0.13 // half of what an outline may leave open behind a gap
)

// outlinedShoes marks on the coarse canvas what outlines enclose at the ends of legs, be it as white as the ground around it: what can be
// reached from the sides only across a step that is larger than most on the ground. The lowest row, in pixels, and the diameter of a face there
// are given. Shadows are told by their light: what is enclosed is not mostly darker than the ground and, where that is not plain, no darker at all.
func (s *scene) outlinedShoes(f *finding, lowest int, size float64, plain bool) []uint8 {
	k := s.cut
	out := make([]uint8, len(f.labels))
	legs := k.legEnds(f.labels, max(0, lowest-int(size*shoeAbove)), lowest)
	aside, below := int(size*shoeAside), int(size*shoeBelow)
	at := image.Rect(legs.Min.X-aside, legs.Min.Y, legs.Max.X+aside, lowest+below).Intersect(image.Rect(0, 0, k.w, k.h))
	if at.Dx() < 4 || at.Dy() < 4 {
		return out
	}
	g := s.ground(f.labels, at)
	for _, p := range pieces(g.enclosed(), g.w, g.h) {
		if p.label == 1 && g.shoe(p, size*g.zoom, plain) {
			for _, i := range p.pixels {
				g.shod[i] = 1
			}
		}
	}
	leak := float32(shoeLeak * size * g.zoom)
	g.shod = dilate(dilate(g.shod, g.w, g.h, leak), g.w, g.h, -leak)
	g.lay(out, k.w, at)
	return out
}

// legEnds is where labels lie within some rows of a canvas.
func (c *canvas) legEnds(labels []uint8, from, to int) image.Rectangle {
	var out image.Rectangle
	for y := from; y <= to; y++ {
		for x := range c.w {
			if labels[y*c.w+x] == 1 {
				out = out.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return out
}

// ground is a part of the picture around the ends of legs, finer than the coarse canvas.
type ground struct {
	*canvas
	zoom    float64 // its pixels for one of the coarse canvas
	labels  []uint8
	shod    []uint8
	reached []uint8 // from the sides
	step    []float32
	colour  []float32 // of the ground there, see behind
	limit   float32   // of a step on the ground
}

// ground looks closer at a part of the coarse canvas.
func (s *scene) ground(labels []uint8, at image.Rectangle) *ground {
	k := s.cut
	b := s.img.Bounds()
	part := image.Rect(
		b.Min.X+int(float64(at.Min.X)*s.zoom), b.Min.Y+int(float64(at.Min.Y)*s.zoom),
		b.Min.X+int(math.Ceil(float64(at.Max.X)*s.zoom)), b.Min.Y+int(math.Ceil(float64(at.Max.Y)*s.zoom)),
	).Intersect(b)
	img, _ := s.img.SubImage(part).(*image.NRGBA)
	c := reduce(img, int(shoeFine*float64(max(at.Dx(), at.Dy())))).in(s.light)
	g := &ground{canvas: c, zoom: float64(c.w) / float64(at.Dx()), shod: make([]uint8, c.w*c.h), step: c.steps()}
	crop := make([]uint8, at.Dx()*at.Dy())
	for y := range at.Dy() {
		copy(crop[y*at.Dx():(y+1)*at.Dx()], labels[(at.Min.Y+y)*k.w+at.Min.X:])
	}
	g.labels = resize(crop, at.Dx(), at.Dy(), c.w, c.h)
	return g
}

// wall is how wide a gap in an outline may be, as a radius in pixels.
func (g *ground) wall() int { return max(1, int(g.zoom*0.6+0.5)) }

// enclosed marks what lies behind outlines.
func (g *ground) enclosed() []uint8 {
	r := g.wall()
	barrier := greatest(g.step, g.w, g.h, r)
	far := dilate(g.labels, g.w, g.h, float32(8*g.zoom))
	var usual []float32
	for i, v := range barrier {
		if far[i] == 0 {
			usual = append(usual, v)
		}
	}
	g.limit = max(shoeLevels, shoeStep*quantile(usual, 0.5))
	open := make([]uint8, len(barrier))
	for i, v := range barrier {
		if v < g.limit && g.labels[i] == 0 {
			open[i] = 1
		}
	}
	g.reached = make([]uint8, len(barrier))
	for _, p := range pieces(open, g.w, g.h) {
		if p.label == 1 && p.edge {
			paint(g.reached, p, 1)
		}
	}
	g.reached = dilate(g.reached, g.w, g.h, float32(r))
	g.colour = g.behind(g.reached)
	g.shade()
	closed := make([]uint8, len(barrier))
	for i, v := range g.reached {
		closed[i] = 1 - v
	}
	// Lines on the ground and the rims of legs enclose nothing.
	thin := float32(r) + 1
	for i, v := range dilate(closed, g.w, g.h, -thin) {
		closed[i] = v &^ g.labels[i]
	}
	closed = dilate(dilate(closed, g.w, g.h, -1), g.w, g.h, thin+1)
	for i, v := range closed {
		closed[i] = v &^ (g.reached[i] | g.labels[i])
	}
	return closed
}

// shade adds to what is reached the soft shades that hang together with it.
func (g *ground) shade() {
	soft := make([]uint8, len(g.reached))
	for i, v := range g.reached {
		lit, off := litBy(g.pix[3*i:3*i+3], g.colour[3*i:3*i+3])
		if v == 1 || g.labels[i] == 0 && lit < shoeLight && lit > darkest && off < clearlyOff && g.step[i] < shoeSoft*g.limit {
			soft[i] = 1
		}
	}
	for _, p := range pieces(soft, g.w, g.h) {
		if p.label == 1 && slices.ContainsFunc(p.pixels, func(i int32) bool { return g.reached[i] == 1 }) {
			paint(g.reached, p, 1)
		}
	}
}

// greatest is the greatest of a field within r pixels to each side.
func greatest(f []float32, w, h, r int) []float32 {
	rows, out := make([]float32, len(f)), make([]float32, len(f))
	for i := range f {
		x := i % w
		for j := i - min(r, x); j <= i+min(r, w-1-x); j++ {
			rows[i] = max(rows[i], f[j])
		}
	}
	for i := range f {
		y := i / w
		for n := -min(r, y); n <= min(r, h-1-y); n++ {
			out[i] = max(out[i], rows[i+n*w])
		}
	}
	return out
}

// shoe tells whether something enclosed may be one, where a face has a diameter of size pixels.
func (g *ground) shoe(p piece, size float64, plain bool) bool {
	n := float64(len(p.pixels))
	if g.leaves(p, size) || n < shoeLeast*size*size || n > 2*shoeMost*size*size {
		return false
	}
	mine := map[int32]bool{}
	for _, i := range p.pixels {
		mine[i] = true
	}
	border, legs, lit, dark := 0.0, 0.0, 0.0, 0.0
	for _, i := range p.pixels {
		v, off := litBy(g.pix[3*i:3*i+3], g.colour[3*i:3*i+3])
		lit += v
		if v < shoeDark && off < clearlyOff {
			dark++
		}
		for _, j := range [4]int32{i - 1, i + 1, i - int32(g.w), i + int32(g.w)} {
			if j >= 0 && !mine[j] {
				border++
				legs += float64(g.labels[j])
			}
		}
	}
	switch {
	case legs == 0:
		return false
	case plain && lit > shoeBright*n:
		return true
	case !g.stands(p, size):
		return false
	case plain:
		return dark < shoeShade*n
	}
	return lit > shoeLight*n
}

// leaves tells whether a piece goes on beyond the part that is looked at. At its upper side ankles may.
func (g *ground) leaves(p piece, size float64) bool {
	above := 0
	for _, i := range p.pixels {
		switch x, y := int(i)%g.w, int(i)/g.w; {
		case x == 0 || x == g.w-1 || y == g.h-1:
			return true
		case y == 0:
			above++
		}
	}
	return float64(above) > shoeAnkle*size
}

// stands tells whether a piece is where its legs end, and nothing of them is below most of its columns but a sole: below a gap between legs are
// shoes.
func (g *ground) stands(p piece, size float64) bool {
	lowest := map[int]int{} // row of each column
	for _, i := range p.pixels {
		x, y := int(i)%g.w, int(i)/g.w
		lowest[x] = max(lowest[x], y)
	}
	left, right := g.w, 0
	bottom, legs := 0, 0
	for x, y := range lowest {
		left, right, bottom = min(left, x), max(right, x), max(bottom, y)
	}
	for i, l := range g.labels {
		if x := i % g.w; l == 1 && x >= left && x <= right {
			legs = max(legs, i/g.w)
		}
	}
	if float64(bottom) < float64(legs)-shoeEnd*size {
		return false
	}
	n := 0
	for x, y := range lowest {
		if g.labels[min(g.h-1, y+int(shoeSole*size))*g.w+x] == 0 {
			n++
		}
	}
	return 2*n > len(lowest)
}

// lay puts what was found on the coarse canvas w pixels wide.
func (g *ground) lay(out []uint8, w int, at image.Rectangle) {
	for i, v := range resize(g.shod, g.w, g.h, at.Dx(), at.Dy()) {
		if v == 1 {
			out[(at.Min.Y+i/at.Dx())*w+at.Min.X+i%at.Dx()] = 1
		}
	}
}
