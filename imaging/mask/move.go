package mask

import (
	"image"
	"math"
)

// Alignment says where what one picture shows lies in another one of the same size: a point p of the first is at
// (p - middle) × Scale + middle + (DX, DY) in the second.
type Alignment struct {
	DX, DY     float64 // pixels
	Scale      float64
	Confidence float64 // 0 to 1: below ½ ask whether it fits
}

// Moved makes the plane as it lies on the other picture. What comes in from beyond the edge is not painted.
func (p Plane) Moved(a Alignment) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		if a.Scale <= 0 || math.IsNaN(a.Scale+a.DX+a.DY) || math.IsInf(a.Scale+a.DX+a.DY, 0) {
			return
		}
		cx, cy := float64(p.W)/2, float64(p.H)/2
		p.resample(m, work, 1/a.Scale, cx-(cx+a.DX)/a.Scale, 1/a.Scale, cy-(cy+a.DY)/a.Scale)
	})
}

// Fitted makes the plane stretched to another size: what repairs a mask of the wrong size. Edges stay where they are in proportion.
func (p Plane) Fitted(w, h int) *Making {
	return p.FittedPart(w, h, image.Rect(0, 0, max(w, 0), max(h, 0)))
}

// FittedPart makes the part r of what Fitted makes.
func (p Plane) FittedPart(w, h int, r image.Rectangle) *Making {
	return newMaking(r.Dx(), r.Dy(), func(m *Making, work *pace) {
		kx, ky := float64(p.W)/float64(max(w, 1)), float64(p.H)/float64(max(h, 1))
		p.resample(m, work, kx, kx*float64(r.Min.X), ky, ky*float64(r.Min.Y))
	})
}

// resample fills m's plane: its point (x, y) shows this plane's (kx·x + dx, ky·y + dy), between pixels in proportion.
func (p Plane) resample(m *Making, work *pace, kx, dx, ky, dy float64) {
	if len(p.Pix) == 0 {
		return
	}
	out := m.plane
	work.expect(len(out.Pix))
	// Where each column reads from, in 1/256 pixels; -1 outside.
	const one = 256
	columns := make([]int, out.W)
	for x := range columns {
		columns[x] = readFrom(kx*(float64(x)+0.5)+dx, p.W)
	}
	for y := range out.H {
		at := readFrom(ky*(float64(y)+0.5)+dy, p.H)
		if at >= 0 {
			upper, f := p.Row(at/one), at%one
			lower := p.Row(min(at/one+1, p.H-1))
			row := out.Row(y)
			for x, from := range columns {
				if from < 0 {
					continue
				}
				i, g := from/one, from%one
				j := min(i+1, p.W-1)
				if v := upper[i]; v == upper[j] && v == lower[i] && v == lower[j] { // nearly everywhere
					row[x] = v
					continue
				}
				top := int(upper[i])*(one-g) + int(upper[j])*g
				bottom := int(lower[i])*(one-g) + int(lower[j])*g
				row[x] = uint8((top*(one-f) + bottom*f + one*one/2) / (one * one))
			}
		}
		if !work.spend(out.W) {
			return
		}
	}
	m.touch(out.Rect())
}

// readFrom is where a point of a side reads, in 1/256 pixels from the middle of the first one; -1 beyond the side.
func readFrom(at float64, side int) int {
	if at < 0 || at >= float64(side) {
		return -1
	}
	return int(min(max(at-0.5, 0), float64(side-1)) * 256)
}
