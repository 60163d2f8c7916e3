package compose

import (
	"image"
	"math"
	"slices"

	"atelier/imaging/mask"
)

// Bend moves the parts of a cut-out: it is divided into squares of cell pixels, and move says for each of their corners
// where it goes and how far in front it lies. Neighbouring squares stay together, so nothing tears; what lies farther in
// front covers the rest. It gives the bent cut-out and where its top left corner lies in the picture it came from.
func Bend(cut *image.NRGBA, cell int, move func(x, y float64) (mx, my, front float64)) (*image.NRGBA, image.Point) {
	cell = max(2, cell)
	w, h := cut.Rect.Dx(), cut.Rect.Dy()
	nx, ny := (w+cell-1)/cell, (h+cell-1)/cell
	corners := make([]corner, (nx+1)*(ny+1))
	for j := range ny + 1 {
		for i := range nx + 1 {
			c := &corners[j*(nx+1)+i]
			c.u, c.v = float64(min(i*cell, w)), float64(min(j*cell, h))
			c.x, c.y, c.front = move(c.u, c.v)
		}
	}
	matte := Matte(cut)
	type square struct {
		i, j  int
		front float64
	}
	var squares []square
	low := [2]float64{math.Inf(1), math.Inf(1)}
	high := [2]float64{math.Inf(-1), math.Inf(-1)}
	for j := range ny {
		for i := range nx {
			if !seenIn(matte, image.Rect(i*cell, j*cell, min((i+1)*cell, w), min((j+1)*cell, h))) {
				continue
			}
			s := square{i: i, j: j}
			for _, c := range [4]corner{corners[j*(nx+1)+i], corners[j*(nx+1)+i+1], corners[(j+1)*(nx+1)+i], corners[(j+1)*(nx+1)+i+1]} {
				s.front += c.front
				low[0], low[1] = math.Min(low[0], c.x), math.Min(low[1], c.y)
				high[0], high[1] = math.Max(high[0], c.x), math.Max(high[1], c.y)
			}
			squares = append(squares, s)
		}
	}
	if len(squares) == 0 {
		return image.NewNRGBA(image.Rectangle{}), image.Point{}
	}
	slices.SortStableFunc(squares, func(a, b square) int {
		switch {
		case a.front < b.front:
			return -1
		case a.front > b.front:
			return 1
		}
		return 0
	})
	at := image.Pt(int(math.Floor(low[0])), int(math.Floor(low[1])))
	out := image.NewNRGBA(image.Rect(0, 0, min(2*w, int(math.Ceil(high[0]))-at.X), min(2*h, int(math.Ceil(high[1]))-at.Y)))
	for i := range corners {
		corners[i].x -= float64(at.X)
		corners[i].y -= float64(at.Y)
	}
	for _, s := range squares {
		a, b := corners[s.j*(nx+1)+s.i], corners[s.j*(nx+1)+s.i+1]
		c, d := corners[(s.j+1)*(nx+1)+s.i], corners[(s.j+1)*(nx+1)+s.i+1]
		triangle(out, cut, a, b, d)
		triangle(out, cut, a, d, c)
	}
	return out, at
}

// corner is where a corner of the mesh lies in the cut-out (u, v) and where it goes (x, y).
type corner struct{ u, v, x, y, front float64 }

// seenIn tells whether anything is visible within r.
func seenIn(m mask.Plane, r image.Rectangle) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, v := range m.Row(y)[r.Min.X:r.Max.X] {
			if v > 0 {
				return true
			}
		}
	}
	return false
}

// triangle paints one triangle of the mesh. Every pixel on the border of two is painted by one of them.
func triangle(out, cut *image.NRGBA, a, b, c corner) {
	area := (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x)
	if area == 0 {
		return
	}
	if area < 0 {
		b, c, area = c, b, -area
	}
	side := func(p, q corner, x, y float64) (float64, bool) {
		v := (q.x-p.x)*(y-p.y) - (q.y-p.y)*(x-p.x)
		owned := q.y < p.y || q.y == p.y && q.x > p.x
		return v, v > 0 || v == 0 && owned
	}
	y0, y1 := max(0, int(math.Floor(min(a.y, b.y, c.y)-0.5))), min(out.Rect.Dy()-1, int(math.Ceil(max(a.y, b.y, c.y)-0.5)))
	x0, x1 := max(0, int(math.Floor(min(a.x, b.x, c.x)-0.5))), min(out.Rect.Dx()-1, int(math.Ceil(max(a.x, b.x, c.x)-0.5)))
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			px, py := float64(x)+0.5, float64(y)+0.5
			wc, in1 := side(a, b, px, py)
			wa, in2 := side(b, c, px, py)
			wb, in3 := side(c, a, px, py)
			if !in1 || !in2 || !in3 {
				continue
			}
			u := (wa*a.u + wb*b.u + wc*c.u) / area
			v := (wa*a.v + wb*b.v + wc*c.v) / area
			s := sample(cut, u-0.5, v-0.5)
			over(out.Pix[out.PixOffset(x, y):][:4:4], s[:])
		}
	}
}
