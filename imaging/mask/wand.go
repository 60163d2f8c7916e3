package mask

import "image"

// Source is the picture a mask belongs to, as a canvas gives it: four bytes a pixel, R G B A, row by row without gaps.
type Source struct {
	W, H int
	Pix  []byte
}

// whole reports whether the source has all its pixels.
func (s Source) whole() bool { return s.W > 0 && s.H > 0 && len(s.Pix) >= 4*s.W*s.H }

// Wand says what the colour wand selects.
type Wand struct {
	At         image.Point // the pixel whose colour is looked for
	Tolerance  int         // by how much each of red, green, blue and opacity may differ, 0 to 255
	Contiguous bool        // only what is connected with At; otherwise the whole picture
	// Around averages the colour over the square of pixels that far to each side of At; 0 takes the one pixel.
	Around int
	// Into is a plane to write into when it has the source's size, so that a tolerance that is being dragged takes no new memory
	// each time. It must not be in use.
	Into Plane
}

// Wand makes the selection of similar colours: 255 where a pixel is similar, otherwise 0. While it works, Plane already shows what has
// been reached. A point outside the source selects nothing.
func (s Source) Wand(w Wand) *Making {
	m := &Making{plane: w.Into}
	if w.Into.W != s.W || w.Into.H != s.H {
		m.plane = New(s.W, s.H)
	}
	m.Job = newJob(func(work *pace) {
		m.touch(m.plane.Rect())
		if !s.whole() || !w.At.In(m.plane.Rect()) {
			clear(m.plane.Pix)
			return
		}
		near := s.near(w)
		if !w.Contiguous {
			work.expect(len(m.plane.Pix))
			for y := range s.H {
				row := m.plane.Row(y)
				near.match(s, y, row)
				for x, v := range row {
					row[x] = -v
				}
				m.touch(image.Rect(0, y, s.W, y+1))
				if !work.spend(s.W) {
					return
				}
			}
			return
		}
		work.expect(2 * len(m.plane.Pix))
		if w.Into.W == s.W {
			clear(m.plane.Pix) // rows that are never reached have to be empty, too
		}
		f := newFlood(m.plane, false, func(y int, row []uint8) { near.match(s, y, row) })
		if f.region(work, w.At.X, w.At.Y, func(part span) { m.touch(part.rect()) }) {
			f.settle(work)
		}
	})
	return m
}

// nearness is a box of colours: a pixel is within when each channel less low is at most size.
type nearness struct{ low, size [4]uint8 }

func (s Source) near(w Wand) nearness {
	r := image.Rect(w.At.X-w.Around, w.At.Y-w.Around, w.At.X+w.Around+1, w.At.Y+w.Around+1).Intersect(image.Rect(0, 0, s.W, s.H))
	var sum [4]int
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			for k, v := range s.Pix[4*(y*s.W+x):][:4] {
				sum[k] += int(v)
			}
		}
	}
	var n nearness
	count := r.Dx() * r.Dy()
	tolerance := min(max(w.Tolerance, 0), 255)
	for k := range sum {
		v := (sum[k] + count/2) / count
		low := max(v-tolerance, 0)
		n.low[k], n.size[k] = uint8(low), uint8(min(v+tolerance, 255)-low)
	}
	return n
}

// match writes open where a pixel of the row is near and barred where it is not.
func (n nearness) match(s Source, y int, row []uint8) {
	src := s.Pix[4*y*s.W:][: 4*len(row) : 4*len(row)]
	low := uint32(n.low[0]) | uint32(n.low[1])<<8 | uint32(n.low[2])<<16 | uint32(n.low[3])<<24
	exact := n.size == [4]uint8{}
	for x := range row {
		p := src[4*x : 4*x+4 : 4*x+4]
		var v uint8
		if exact {
			if load32(p) == low {
				v = open
			}
		} else if p[0]-n.low[0] <= n.size[0] && p[1]-n.low[1] <= n.size[1] && p[2]-n.low[2] <= n.size[2] && p[3]-n.low[3] <= n.size[3] {
			v = open
		}
		row[x] = v
	}
}
