package presets

import "math"

// vec is a position or direction in a scene: x to the right, y up, z away from the camera, in metres.
type vec struct{ x, y, z float64 }

func (v vec) along(d vec, t float64) vec { return vec{v.x + d.x*t, v.y + d.y*t, v.z + d.z*t} }
func (v vec) dot(w vec) float64          { return v.x*w.x + v.y*w.y + v.z*w.z }

func (v vec) unit() vec {
	k := 1 / math.Sqrt(v.dot(v))
	return vec{v.x * k, v.y * k, v.z * k}
}

// camera looks along z from the origin; horizon is the y of the canvas at eye level, zoom the focal length in picture heights.
type camera struct{ horizon, zoom float64 }

func (cam camera) ray(x, y float64) vec { return vec{x, cam.horizon - y, cam.zoom} }

// see is where on the canvas a position appears.
func (cam camera) see(p vec) point {
	return point{p.x / p.z * cam.zoom, cam.horizon - p.y/p.z*cam.zoom}
}

// surface is a side of a room.
type surface int

const (
	surfaceBack surface = iota
	surfaceLeft
	surfaceRight
	surfaceFloor
	surfaceCeiling
)

// room is a box seen from within; the camera is at its origin.
type room struct {
	left, right, floor, ceiling, back float64 // distances from the camera, all positive
}

// hit is the first surface along a ray, and where it is met.
func (r room) hit(from, d vec) (surface, vec) {
	side, t := surfaceBack, math.Inf(1)
	if d.z > 0 {
		t = (r.back - from.z) / d.z
	}
	try := func(s surface, at float64) {
		if at > 1e-6 && at < t {
			side, t = s, at
		}
	}
	if d.x < 0 {
		try(surfaceLeft, (-r.left-from.x)/d.x)
	} else if d.x > 0 {
		try(surfaceRight, (r.right-from.x)/d.x)
	}
	if d.y < 0 {
		try(surfaceFloor, (-r.floor-from.y)/d.y)
	} else if d.y > 0 {
		try(surfaceCeiling, (r.ceiling-from.y)/d.y)
	}
	return side, from.along(d, t)
}

// corner is how open a position on a surface is, from about 0.5 in a corner to 1: light reaches corners less.
func (r room) corner(s surface, p vec) float64 {
	open := 1.0
	near := func(distance, strength float64) { open *= 1 - strength*math.Exp(-distance/0.45) }
	if s != surfaceLeft {
		near(p.x+r.left, 0.32)
	}
	if s != surfaceRight {
		near(r.right-p.x, 0.32)
	}
	if s != surfaceFloor {
		near(p.y+r.floor, 0.36)
	}
	if s != surfaceCeiling {
		near(r.ceiling-p.y, 0.3)
	}
	if s != surfaceBack {
		near(r.back-p.z, 0.34)
	}
	return open
}

// box is 1 inside an interval and falls to 0 over the width soft at its ends.
func box(a, b, soft, v float64) float64 {
	return smooth(a-soft/2, a+soft/2, v) * smooth(b+soft/2, b-soft/2, v)
}

// panes is the glass of a window of columns × rows panes with bars of some width, for u and v of 0 to 1: 1 glass, 0 bar or wall.
func panes(u, v float64, columns, rows int, bar, soft float64) float64 {
	inside := box(0, 1, soft, u) * box(0, 1, soft, v)
	if inside == 0 {
		return 0
	}
	cu, cv := u*float64(columns), v*float64(rows)
	cu -= math.Floor(cu)
	cv -= math.Floor(cv)
	bu, bv := bar*float64(columns), bar*float64(rows)
	return inside * box(bu/2, 1-bu/2, soft*float64(columns), cu) * box(bv/2, 1-bv/2, soft*float64(rows), cv)
}
