package segment

import (
	"image"
	"math"

	"atelier/imaging/net"
)

const (
	// viewSize is the long side in pixels of what the networks look at, whose own pictures have 192 or 256: on
	// photographs of people 512 is as good as 1024, and takes less sampling.
	viewSize = 512
	// nearWeight is what the second look counts, against 1 for the first: on photographs of people 2 was best of 1, 2
	// and 4.
	nearWeight = 2
	// nearMargin is added around what the first look found, in parts of its sides.
	nearMargin = 0.15
	// seen is the chance from which a pixel counts as seen.
	seen = 0.5
)

// look holds what the person network sees: for each pixel of the coarse canvas the chance of a person. It also sees
// animals and much of what people hold.
type look struct {
	whole  []float32 // of the whole picture
	near   []float32 // of the box around that
	chance []float32 // their mean
}

// picture returns the copy that the networks look at, and how many of its pixels are one of the coarse canvas.
func (s *scene) picture() (p net.Picture, scale float64) {
	if s.view == nil {
		s.view = reduce(s.img, viewSize)
	}
	return net.Picture{W: s.view.w, H: s.view.h, Pix: s.view.pix}, float64(s.view.w) / float64(s.cut.w)
}

// look asks the person network.
func (s *scene) look() look {
	p, scale := s.picture()
	w, h := s.cut.w, s.cut.h
	l := look{whole: spreadOver(net.People(p, p.Whole()), p.Whole(), scale, w, h)}
	l.near, l.chance = l.whole, l.whole
	box := boxAround(l.whole, w, h)
	if box.Empty() {
		return l
	}
	r := regionOf(widened(box, nearMargin).Intersect(image.Rect(0, 0, w, h)), scale)
	l.near = spreadOver(net.People(p, r), r, scale, w, h)
	l.chance = make([]float32, w*h)
	for i, v := range l.near {
		l.chance[i] = (l.whole[i] + nearWeight*v) / (1 + nearWeight)
	}
	return l
}

// widened is a rectangle with a margin, in parts of its sides.
func widened(r Rect, margin float64) Rect {
	dx, dy := int(margin*float64(r.Dx())), int(margin*float64(r.Dy()))
	return image.Rect(r.Min.X-dx, r.Min.Y-dy, r.Max.X+dx, r.Max.Y+dy)
}

// regionOf is a rectangle of the coarse canvas as a region of a picture scale times as large.
func regionOf(r Rect, scale float64) net.Region {
	return net.Region{
		X: scale * float64(r.Min.X+r.Max.X) / 2, Y: scale * float64(r.Min.Y+r.Max.Y) / 2,
		W: scale * float64(r.Dx()), H: scale * float64(r.Dy()),
	}
}

// boxAround is the rectangle around what is seen in a field.
func boxAround(field []float32, w, h int) Rect {
	var out Rect
	for y := range h {
		for x, v := range field[y*w:][:w] {
			if v > seen {
				out = out.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return out
}

// spreadOver lays a square grid over an upright region of a picture onto a canvas of w × h, scale times smaller than
// the picture. Outside the region everything is zero.
func spreadOver(grid []float32, r net.Region, scale float64, w, h int) []float32 {
	out := make([]float32, w*h)
	size := int(math.Sqrt(float64(len(grid))))
	n := float64(size)
	spread(h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			v := (((float64(y)+0.5)*scale-r.Y)/r.H+0.5)*n - 0.5
			if v < -0.5 || v > n-0.5 {
				continue
			}
			y0 := min(int(max(v, 0)), size-2)
			down := float32(min(max(v-float64(y0), 0), 1))
			above, below := grid[y0*size:][:size], grid[(y0+1)*size:][:size]
			for x := range w {
				u := (((float64(x)+0.5)*scale-r.X)/r.W+0.5)*n - 0.5
				if u < -0.5 || u > n-0.5 {
					continue
				}
				x0 := min(int(max(u, 0)), size-2)
				across := float32(min(max(u-float64(x0), 0), 1))
				top := above[x0] + (above[x0+1]-above[x0])*across
				bottom := below[x0] + (below[x0+1]-below[x0])*across
				out[y*w+x] = top + (bottom-top)*down
			}
		}
	})
	return out
}
