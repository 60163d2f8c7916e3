package render

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"
)

// contour is one or more closed outlines in pixels, curves already divided into lines. Where outlines overlap that run
// the same way round, both are inside.
type contour [][]spot

// polygon is an outline with corners.
func polygon(points ...spot) contour { return contour{points} }

// curved is a closed outline without corners through all points.
func curved(points ...spot) contour { return contour{through(true, points)} }

// through divides a smooth line through points into short lines.
func through(closed bool, points []spot) []spot {
	const parts = 12
	n := len(points)
	if n < 3 {
		return points
	}
	at := func(i int) spot {
		if closed {
			return points[(i+n)%n]
		}
		return points[max(0, min(n-1, i))]
	}
	last := n - 1
	if closed {
		last = n
	}
	var out []spot
	for i := range last {
		a, b, c, d := at(i-1), at(i), at(i+1), at(i+2)
		for j := range parts {
			t := float64(j) / parts
			out = append(out, spot{hermite(a.x, b.x, c.x, d.x, t), hermite(a.y, b.y, c.y, d.y, t)})
		}
	}
	if !closed {
		out = append(out, points[n-1])
	}
	return out
}

// hermite is the smooth curve from b to c at t, that comes from a and goes on to d.
func hermite(a, b, c, d, t float64) float64 {
	return b + 0.5*t*(c-a+t*(2*a-5*b+4*c-d+t*(3*(b-c)+d-a)))
}

// oval is an ellipse turned clockwise by degrees.
func oval(cx, cy, rx, ry, degrees float64) contour {
	n := max(16, min(180, int(2*math.Sqrt(rx+ry))+12))
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	points := make([]spot, n)
	for i := range points {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		x, y := rx*c, ry*s
		points[i] = spot{cx + x*cos - y*sin, cy + x*sin + y*cos}
	}
	return contour{points}
}

// card is a box with round corners.
func card(x0, y0, x1, y1, radius float64) contour {
	radius = math.Max(0, math.Min(radius, math.Min(x1-x0, y1-y0)/2))
	if radius < 0.5 {
		return polygon(spot{x0, y0}, spot{x1, y0}, spot{x1, y1}, spot{x0, y1})
	}
	const parts = 10
	var points []spot
	for corner, c := range [4]spot{{x1 - radius, y1 - radius}, {x0 + radius, y1 - radius}, {x0 + radius, y0 + radius}, {x1 - radius, y0 + radius}} {
		for i := range parts + 1 {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(corner) + float64(i)/parts))
			points = append(points, spot{c.x + radius*cos, c.y + radius*sin})
		}
	}
	return contour{points}
}

// line is a band of changing width along points, with round ends and corners.
func line(from, to float64, points ...spot) contour {
	var out contour
	n := len(points)
	for i, p := range points {
		half := (from + (to-from)*float64(i)/float64(max(1, n-1))) / 2
		out = append(out, oval(p.x, p.y, half, half, 0)...)
		if i == 0 {
			continue
		}
		q := points[max(0, i-1)]
		was := (from + (to-from)*float64(i-1)/float64(max(1, n-1))) / 2
		long := math.Hypot(p.x-q.x, p.y-q.y)
		if long < 1e-6 {
			continue
		}
		nx, ny := (p.y-q.y)/long, -(p.x-q.x)/long
		out = append(out, []spot{
			{q.x + nx*was, q.y + ny*was},
			{p.x + nx*half, p.y + ny*half},
			{p.x - nx*half, p.y - ny*half},
			{q.x - nx*was, q.y - ny*was},
		})
	}
	return out
}

// sector is a part of a ring: between two radii, from one turn to another, in whole turns clockwise from above.
func sector(cx, cy, inner, outer, from, to float64) contour {
	n := max(2, int(math.Abs(to-from)*140))
	var points []spot
	edge := func(r float64, i int) {
		sin, cos := math.Sincos(2 * math.Pi * (from + (to-from)*float64(i)/float64(n)))
		points = append(points, spot{cx + r*sin, cy - r*cos})
	}
	for i := range n + 1 {
		edge(outer, i)
	}
	for i := n; i >= 0; i-- {
		edge(inner, i)
	}
	return contour{points}
}

// moved is the contour enlarged by k about the origin and shifted.
func (c contour) moved(k, dx, dy float64) contour {
	out := make(contour, len(c))
	for i, ring := range c {
		out[i] = make([]spot, len(ring))
		for j, p := range ring {
			out[i][j] = spot{p.x*k + dx, p.y*k + dy}
		}
	}
	return out
}

// bounds is the rectangle of pixels a contour touches.
func (c contour) bounds() image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, ring := range c {
		for _, p := range ring {
			x0, x1 = math.Min(x0, p.x), math.Max(x1, p.x)
			y0, y1 = math.Min(y0, p.y), math.Max(y1, p.y)
		}
	}
	if x0 > x1 {
		return image.Rectangle{}
	}
	const far = 1 << 15
	limit := func(v float64) int { return int(math.Max(-far, math.Min(far, v))) }
	return image.Rect(limit(math.Floor(x0)), limit(math.Floor(y0)), limit(math.Ceil(x1))+1, limit(math.Ceil(y1))+1)
}

// cover calls each with every pixel of img that a contour covers, and by how much, 0 … 1.
func (c contour) cover(img *image.NRGBA, each func(x, y int, share float64, p []uint8)) {
	r := c.bounds().Intersect(img.Rect)
	if r.Empty() {
		return
	}
	z := vector.NewRasterizer(r.Dx(), r.Dy())
	for _, ring := range c {
		for i, p := range ring {
			x, y := float32(p.x-float64(r.Min.X)), float32(p.y-float64(r.Min.Y))
			if i == 0 {
				z.MoveTo(x, y)
			} else {
				z.LineTo(x, y)
			}
		}
		z.ClosePath()
	}
	alpha := image.NewAlpha(image.Rect(0, 0, r.Dx(), r.Dy()))
	z.Draw(alpha, alpha.Rect, image.Opaque, image.Point{})
	parallelRows(r.Dy(), func(row int) {
		for x, a := range alpha.Pix[row*alpha.Stride:][:r.Dx()] {
			if a == 0 {
				continue
			}
			i := img.PixOffset(r.Min.X+x, r.Min.Y+row)
			each(r.Min.X+x, r.Min.Y+row, float64(a)/255, img.Pix[i:i+4:i+4])
		}
	})
}

// fill paints a contour in one colour; the colour's alpha counts.
func (c contour) fill(img *image.NRGBA, in color.NRGBA) {
	rgb := channels(in)
	c.cover(img, func(_, _ int, share float64, p []uint8) { blend(p, rgb, share*float64(in.A)/255) })
}

// shade paints a contour in a colour that changes from place to place.
func (c contour) shade(img *image.NRGBA, in func(x, y float64) [3]float64) {
	c.cover(img, func(x, y int, share float64, p []uint8) { blend(p, in(float64(x)+0.5, float64(y)+0.5), share) })
}

// blend lays a colour over a pixel by a share.
func blend(p []uint8, c [3]float64, share float64) {
	a := float64(p[3]) / 255
	all := share + a*(1-share)
	if all <= 0 {
		return
	}
	for k := range 3 {
		p[k] = byte255((c[k]*share + float64(p[k])*a*(1-share)) / all)
	}
	p[3] = byte255(255 * all)
}

// arrowTo paints a line of a width along corners, which are rounded a little, with a head at its end.
func arrowTo(img *image.NRGBA, width float64, c color.NRGBA, points ...spot) {
	n := len(points)
	if n < 2 {
		return
	}
	a, b := points[n-2], points[n-1]
	long := math.Hypot(b.x-a.x, b.y-a.y)
	if long < 1e-6 {
		return
	}
	ux, uy := (b.x-a.x)/long, (b.y-a.y)/long
	head := math.Min(5*width, 0.9*long)
	shaft := append([]spot(nil), points...)
	shaft[n-1] = spot{b.x - ux*head*0.8, b.y - uy*head*0.8}
	line(width, width, shaft...).fill(img, c)
	polygon(b, spot{b.x - ux*head - uy*head*0.5, b.y - uy*head + ux*head*0.5}, spot{b.x - ux*head + uy*head*0.5, b.y - uy*head - ux*head*0.5}).fill(img, c)
}
