package mask

import (
	"image"
	"image/color"
	"math"
)

// Look is how a mask is shown above its picture: as a hatched tint over what is kept, or over what is redrawn.
type Look struct {
	Fill   color.NRGBA // of the tint
	Hatch  color.NRGBA // of the fine diagonal lines in it
	Under  color.NRGBA // covers the picture below the tint; zero for nothing
	Redraw bool        // the tint is over what is redrawn
	Side   int         // from one line to the next, in pixels of the screen along a row
	Line   float64     // how wide a line is
}

// Place is where a picture stands on a screen: its top left corner, how many pixels of the screen one of its own takes, and by how
// many degrees it is turned around that corner, clockwise.
type Place struct{ X, Y, Scale, Angle float64 }

// Bounds is the part of the screen that pixels of the picture take.
func (at Place) Bounds(r image.Rectangle) image.Rectangle {
	if r.Empty() {
		return image.Rectangle{}
	}
	sin, cos := math.Sincos(at.Angle * math.Pi / 180)
	lowX, lowY, highX, highY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, corner := range [4]image.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, {X: r.Min.X, Y: r.Max.Y}, r.Max} {
		u, v := float64(corner.X)*at.Scale, float64(corner.Y)*at.Scale
		x, y := at.X+u*cos-v*sin, at.Y+u*sin+v*cos
		lowX, lowY, highX, highY = min(lowX, x), min(lowY, y), max(highX, x), max(highY, y)
	}
	const most = 1 << 24
	whole := func(v float64) int { return int(min(max(v, -most), most)) }
	return image.Rect(whole(math.Floor(lowX)), whole(math.Floor(lowY)), whole(math.Ceil(highX)), whole(math.Ceil(highY)))
}

// Screen shows a plane at the resolution of a screen: the cost is that of the pixels drawn, however large the picture is. It keeps
// smaller copies of the plane, a third of its size together, so that a picture shown small has smooth edges.
type Screen struct {
	plane Plane
	small []Plane // how much of each pixel is covered, at half, a quarter … of the size
	hard  bool

	look    Look
	colours []uint32 // by phase of the hatch and how much is covered
	values  []uint32 // by phase of the hatch and value of the plane
	columns []int32  // of the picture, for each column of the screen
}

// NewScreen shows a plane, which has to be empty or be told of with Update.
func NewScreen(p Plane) *Screen {
	s := &Screen{plane: p}
	for w, h := p.W, p.H; min(w, h) > 32; {
		w, h = (w+1)/2, (h+1)/2
		s.small = append(s.small, New(w, h))
	}
	return s
}

// Harden shows soft edges as the export makes them, firm at Level, or no longer. Update of the whole plane has to follow.
func (s *Screen) Harden(hard bool) {
	s.hard = hard
	s.colours = nil
}

// covered is how much of the tint a value of the plane has, 0 to 255. A soft edge fades out towards Level, to half of it, so the line
// where it ends is the one that is exported.
func (s *Screen) covered(v uint8) uint8 {
	switch {
	case v < Level:
		return 0
	case s.hard:
		return 255
	}
	return v/2 + 128
}

// Update follows a change of the plane within r.
func (s *Screen) Update(r image.Rectangle) {
	r = r.Intersect(s.plane.Rect())
	if r.Empty() {
		return
	}
	var covered [256]uint8
	for v := range covered {
		covered[v] = s.covered(uint8(v))
	}
	from := s.plane
	for n, to := range s.small {
		r = image.Rect(r.Min.X/2, r.Min.Y/2, (r.Max.X+1)/2, (r.Max.Y+1)/2)
		if n == 1 {
			for v := range covered {
				covered[v] = uint8(v)
			}
		}
		halve(to, from, r, &covered)
		from = to
	}
}

// halve writes the pixels of dst within r: the mean of four of src each, as covered says.
func halve(dst, src Plane, r image.Rectangle, covered *[256]uint8) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		out := dst.Row(y)
		upper, lower := src.Row(2*y), src.Row(min(2*y+1, src.H-1))
		x := r.Min.X
		for x < r.Max.X {
			if x+4 <= r.Max.X && 2*x+8 <= src.W {
				a, b := load64(upper[2*x:]), load64(lower[2*x:])
				if a == b && (a == 0 || a == math.MaxUint64) {
					store32(out[x:], uint32(a))
					x += 4
					continue
				}
			}
			i, j := 2*x, min(2*x+1, src.W-1)
			sum := uint(covered[upper[i]]) + uint(covered[upper[j]]) + uint(covered[lower[i]]) + uint(covered[lower[j]])
			out[x] = uint8((sum + 2) / 4)
			x++
		}
	}
}

// Draw writes the part r of the screen into dst, the pixels of the whole screen, width of them a row: four bytes each, R G B A, not
// multiplied, as a canvas takes them. r must lie on the screen.
func (s *Screen) Draw(dst []byte, width int, r image.Rectangle, at Place, look Look) {
	if r.Empty() || at.Scale <= 0 {
		return
	}
	s.colour(look)
	from, colours, shift := s.plane, s.values, 0
	if n := min(int(math.Round(math.Log2(1/at.Scale))), len(s.small)); n > 0 {
		from, colours, shift = s.small[n-1], s.colours, n
	}
	left, top := int(math.Floor(at.X)), int(math.Floor(at.Y))
	d := drawing{from: from, colours: colours, side: look.Side, shift: shift, size: s.plane.Rect().Max}
	if at.Angle == 0 {
		s.place(r, at)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := dst[4*(y*width+r.Min.X) : 4*(y*width+r.Max.X)]
		d.phase = ((r.Min.X-left+y-top)%look.Side + look.Side) % look.Side
		if at.Angle == 0 {
			d.straight(row, s.columns[:r.Dx()], int(math.Floor((float64(y)+0.5-at.Y)/at.Scale)))
		} else {
			d.turned(row, float64(r.Min.X)+0.5-at.X, float64(y)+0.5-at.Y, at)
		}
	}
}

// place finds the columns of the picture for those of the screen, -1 beside it.
func (s *Screen) place(r image.Rectangle, at Place) {
	if cap(s.columns) < r.Dx() {
		s.columns = make([]int32, r.Dx())
	}
	s.columns = s.columns[:r.Dx()]
	for i := range s.columns {
		u := math.Floor((float64(r.Min.X+i) + 0.5 - at.X) / at.Scale)
		if u < 0 || u >= float64(s.plane.W) {
			u = -1
		}
		s.columns[i] = int32(u)
	}
}

// drawing is what rows of the screen are drawn with.
type drawing struct {
	from    Plane
	colours []uint32
	side    int
	phase   int // of the hatch at the row's first pixel
	shift   int // halvings of the plane
	size    image.Point
}

// straight draws a row along one row of the picture.
func (d *drawing) straight(row []byte, columns []int32, v int) {
	if v < 0 || v >= d.size.Y {
		clear(row)
		return
	}
	values := d.from.Row(v >> d.shift)
	first, last := 0, len(columns)
	for first < last && columns[first] < 0 {
		first++
	}
	for last > first && columns[last-1] < 0 {
		last--
	}
	clear(row[:4*first])
	clear(row[4*last:])
	phase := (d.phase + first) % d.side
	out := row[4*first : 4*last]
	for _, u := range columns[first:last] {
		store32(out, d.colours[phase<<8|int(values[u>>d.shift])])
		out = out[4:]
		if phase++; phase == d.side {
			phase = 0
		}
	}
}

// turned draws a row of a picture that is turned; x and y are of the row's first pixel, from the picture's corner.
func (d *drawing) turned(row []byte, x, y float64, at Place) {
	sin, cos := math.Sincos(at.Angle * math.Pi / 180)
	dx, dy := cos/at.Scale, -sin/at.Scale
	u, v := x*dx-y*dy, x*dy+y*dx
	phase := d.phase
	w, h := float64(d.size.X), float64(d.size.Y)
	for i := 0; i < len(row); i += 4 {
		colour := uint32(0)
		if u >= 0 && v >= 0 && u < w && v < h {
			colour = d.colours[phase<<8|int(d.from.Pix[int(v)>>d.shift*d.from.W+int(u)>>d.shift])]
		}
		store32(row[i:], colour)
		u, v = u+dx, v+dy
		if phase++; phase == d.side {
			phase = 0
		}
	}
}

// colour readies the colours of a look.
func (s *Screen) colour(look Look) {
	if s.look == look && s.colours != nil {
		return
	}
	s.look = look
	s.colours, s.values = make([]uint32, look.Side<<8), make([]uint32, look.Side<<8)
	for phase := range look.Side {
		tint := look.tint(phase)
		colours := s.colours[phase<<8:][:256]
		for c := range colours {
			part := float64(c) / 255
			if look.Redraw {
				part = 1 - part
			}
			colours[c] = over(fade(tint, part), mixed(look.Under)).pixel()
		}
		for v := range 256 {
			s.values[phase<<8|v] = colours[s.covered(uint8(v))]
		}
	}
}

// tint is the colour of the hatched tint so many pixels of a row past a line.
func (l Look) tint(phase int) mix {
	// The lines run from below left to above right: their distance is that along a row, seen from the side.
	past := float64(phase+1) / float64(l.Side)
	away := float64(l.Side) * min(past, math.Abs(1-past)) / math.Sqrt2
	return over(fade(mixed(l.Hatch), min(max(l.Line/2+0.5-away, 0), 1)), mixed(l.Fill))
}

// mix is a colour multiplied by its opacity, each 0 to 1.
type mix [4]float64

func mixed(c color.NRGBA) mix {
	a := float64(c.A) / 255
	return mix{float64(c.R) / 255 * a, float64(c.G) / 255 * a, float64(c.B) / 255 * a, a}
}

func fade(m mix, by float64) mix {
	for k := range m {
		m[k] *= by
	}
	return m
}

// over puts one colour above another.
func over(upper, lower mix) mix {
	for k, v := range lower {
		upper[k] += v * (1 - upper[3])
	}
	return upper
}

// pixel is the colour as four bytes, R lowest, not multiplied.
func (m mix) pixel() (p uint32) {
	if m[3] <= 0 {
		return 0
	}
	for k := range 3 {
		p |= uint32(min(m[k]/m[3], 1)*255+0.5) << (8 * k)
	}
	return p | uint32(min(m[3], 1)*255+0.5)<<24
}
