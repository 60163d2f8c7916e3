package presets

import (
	"image"
	"math"

	"golang.org/x/image/vector"
)

// point is a position on a canvas, in units of its height.
type point struct{ x, y float64 }

// path is one or more closed outlines.
type path []segment

// segment is a line, or a curve bent by two handles.
type segment struct {
	kind segmentKind
	p    [3]point
}

type segmentKind int

const (
	segmentMove segmentKind = iota
	segmentLine
	segmentCurve
)

// polygon is an outline with corners.
func polygon(points ...point) path {
	var p path
	for i, q := range points {
		kind := segmentLine
		if i == 0 {
			kind = segmentMove
		}
		p = append(p, segment{kind: kind, p: [3]point{q}})
	}
	return p
}

func rectangle(x0, y0, x1, y1 float64) path {
	return polygon(point{x0, y0}, point{x1, y0}, point{x1, y1}, point{x0, y1})
}

// smoothThrough is a closed outline without corners through all points.
func smoothThrough(points ...point) path {
	n := len(points)
	p := path{{kind: segmentMove, p: [3]point{points[0]}}}
	for i := range n {
		before, from, to, after := points[(i+n-1)%n], points[i], points[(i+1)%n], points[(i+2)%n]
		p = append(p, segment{kind: segmentCurve, p: [3]point{
			{from.x + (to.x-before.x)/6, from.y + (to.y-before.y)/6},
			{to.x - (after.x-from.x)/6, to.y - (after.y-from.y)/6},
			to,
		}})
	}
	return p
}

// mirrored is a closed outline without corners, symmetric about x = 0. The points run down the right side, from top to bottom.
func mirrored(points ...point) path {
	all := append([]point{}, points...)
	for i := len(points) - 1; i >= 0; i-- {
		if points[i].x != 0 {
			all = append(all, point{-points[i].x, points[i].y})
		}
	}
	return smoothThrough(all...)
}

func ellipse(cx, cy, rx, ry float64) path {
	const k = 0.5523
	return path{
		{kind: segmentMove, p: [3]point{{cx + rx, cy}}},
		{kind: segmentCurve, p: [3]point{{cx + rx, cy + k*ry}, {cx + k*rx, cy + ry}, {cx, cy + ry}}},
		{kind: segmentCurve, p: [3]point{{cx - k*rx, cy + ry}, {cx - rx, cy + k*ry}, {cx - rx, cy}}},
		{kind: segmentCurve, p: [3]point{{cx - rx, cy - k*ry}, {cx - k*rx, cy - ry}, {cx, cy - ry}}},
		{kind: segmentCurve, p: [3]point{{cx + k*rx, cy - ry}, {cx + rx, cy - k*ry}, {cx + rx, cy}}},
	}
}

// leaf is a pointed oval from one point to another, belly wide.
func leaf(from, to point, belly float64) path {
	dx, dy := to.x-from.x, to.y-from.y
	nx, ny := -dy*belly, dx*belly
	return path{
		{kind: segmentMove, p: [3]point{from}},
		{kind: segmentCurve, p: [3]point{{from.x + dx*0.25 + nx, from.y + dy*0.25 + ny}, {from.x + dx*0.7 + nx, from.y + dy*0.7 + ny}, to}},
		{kind: segmentCurve, p: [3]point{{from.x + dx*0.7 - nx, from.y + dy*0.7 - ny}, {from.x + dx*0.25 - nx, from.y + dy*0.25 - ny}, from}},
	}
}

// stroke is a band of changing width along a smooth line: width w0 at its beginning, w1 at its end.
func stroke(w0, w1 float64, points ...point) path {
	var left, right []point
	n := len(points)
	for i, p := range points {
		a, b := points[max(i-1, 0)], points[min(i+1, n-1)]
		dx, dy := b.x-a.x, b.y-a.y
		l := max(math.Hypot(dx, dy), 1e-9)
		half := mix(w0, w1, float64(i)/float64(max(n-1, 1))) / 2
		left = append(left, point{p.x - dy/l*half, p.y + dx/l*half})
		right = append(right, point{p.x + dy/l*half, p.y - dx/l*half})
	}
	for i := n - 1; i >= 0; i-- {
		left = append(left, right[i])
	}
	return smoothThrough(left...)
}

// moved is the path enlarged by k and shifted.
func (p path) moved(k, dx, dy float64) path {
	out := make(path, len(p))
	for i, s := range p {
		for j, q := range s.p {
			s.p[j] = point{q.x*k + dx, q.y*k + dy}
		}
		out[i] = s
	}
	return out
}

// flipped is the path mirrored about x = 0.
func (p path) flipped() path {
	out := make(path, len(p))
	for i, s := range p {
		for j, q := range s.p {
			s.p[j] = point{-q.x, q.y}
		}
		out[i] = s
	}
	return out
}

// turned is the path rotated about a point, in radians.
func (p path) turned(about point, angle float64) path {
	sin, cos := math.Sincos(angle)
	out := make(path, len(p))
	for i, s := range p {
		for j, q := range s.p {
			x, y := q.x-about.x, q.y-about.y
			s.p[j] = point{about.x + x*cos - y*sin, about.y + x*sin + y*cos}
		}
		out[i] = s
	}
	return out
}

// bounds is the rectangle of pixels the path lies in.
func (p path) bounds(unit, middle float64) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, s := range p {
		for j := range s.count() {
			x, y := s.p[j].x*unit+middle, s.p[j].y*unit
			x0, x1 = min(x0, x), max(x1, x)
			y0, y1 = min(y0, y), max(y1, y)
		}
	}
	const far = 1 << 14
	return image.Rect(int(max(x0, -far)), int(max(y0, -far)), int(min(x1, far))+1, int(min(y1, far))+1)
}

func (s segment) count() int {
	if s.kind == segmentCurve {
		return 3
	}
	return 1
}

// trace hands the path to a rasterizer.
func (p path) trace(r *vector.Rasterizer, unit, dx, dy float64) {
	at := func(q point) (float32, float32) { return float32(q.x*unit + dx), float32(q.y*unit + dy) }
	open := false
	for _, s := range p {
		x, y := at(s.p[0])
		switch s.kind {
		case segmentMove:
			if open {
				r.ClosePath()
			}
			r.MoveTo(x, y)
			open = true
		case segmentLine:
			r.LineTo(x, y)
		case segmentCurve:
			x2, y2 := at(s.p[1])
			x3, y3 := at(s.p[2])
			r.CubeTo(x, y, x2, y2, x3, y3)
		}
	}
	if open {
		r.ClosePath()
	}
}
