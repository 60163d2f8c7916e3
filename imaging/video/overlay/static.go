// Package overlay finds what was laid over a film, logos, watermarks, subtitles and other text, by what gives it away: it
// stays where it is while the film moves, or it is made of letters' strokes in lines. It then takes it out, frame by frame:
// first with what other frames show of the same place, else with a completion that is carried along from frame to frame, so
// that nothing flickers.
package overlay

import (
	"image"
	"math"
	"slices"

	"atelier/imaging/mask"
	"atelier/imaging/video/flow"
)

// Side is the longer side of the copies in which overlays are looked for.
const Side = 560

// Survey looks for overlays that stay through a film, in frames spread over it. Each frame counts once, so they should
// lie far apart; more than MaxFrames are not looked at.
type Survey struct {
	w, h   int
	dx, dy [][]int8 // gradients of each frame
	bright []int    // in how many frames a pixel is part of a bright stroke
}

// MaxFrames is how many frames a Survey takes.
const MaxFrames = 40

// Add takes in one frame.
func (s *Survey) Add(img *image.NRGBA) {
	if len(s.dx) >= MaxFrames {
		return
	}
	g := flow.GrayOf(img, Side)
	s.w, s.h = g.W, g.H
	dx, dy := make([]int8, g.W*g.H), make([]int8, g.W*g.H)
	for y := 1; y < g.H-1; y++ {
		for x := 1; x < g.W-1; x++ {
			i := y*g.W + x
			dx[i] = int8(max(-127, min(127, (g.Pix[i+1]-g.Pix[i-1])/2)))
			dy[i] = int8(max(-127, min(127, (g.Pix[i+g.W]-g.Pix[i-g.W])/2)))
		}
	}
	s.dx, s.dy = append(s.dx, dx), append(s.dy, dy)
	if s.bright == nil {
		s.bright = make([]int, g.W*g.H)
	}
	for i, v := range strokes(g).Pix {
		if v != 0 {
			s.bright[i]++
		}
	}
}

// Scenery are the bright strokes that are there nearly always, in the size letters are looked for in: the film's own, since
// subtitles come and go.
func (s *Survey) Scenery() mask.Plane {
	out := mask.New(s.w, s.h)
	for i, n := range s.bright {
		if 10*n >= 8*len(s.dx) {
			out.Pix[i] = 255
		}
	}
	return out
}

// What makes an edge an overlay's.
const (
	leastSeen   = 2.0  // levels per pixel that count as an edge at all
	leastEdge   = 6.0  // levels per pixel of its mean gradient
	leastSteady = 0.72 // how much of its gradient is left in the median of all frames
	leastAgree  = 0.85 // share of frames that have about that gradient
)

// Static is the overlay that stays through the film, in frames of w × h pixels, with a margin; empty when there is none.
// moving is false when the film's own edges hardly move either: then only what lies along the frame's border and looks
// like lettering is taken for an overlay.
func (s *Survey) Static(w, h int) (m mask.Plane, moving bool) {
	out := mask.New(w, h)
	if len(s.dx) < 3 {
		return out, false
	}
	steady, sure := mask.New(s.w, s.h), mask.New(s.w, s.h)
	loose := mask.New(s.w, s.h) // strong edges that come and go or move
	strong, still := 0, 0
	var sizes []float64              // of the film's edges
	edge := make([]float32, s.w*s.h) // of the steady ones
	xs, ys := make([]int8, len(s.dx)), make([]int8, len(s.dx))
	for i := range s.w * s.h {
		size := 0.0
		for k := range s.dx {
			xs[k], ys[k] = s.dx[k][i], s.dy[k][i]
			size += math.Hypot(float64(xs[k]), float64(ys[k]))
		}
		size /= float64(len(s.dx))
		if size < leastSeen {
			continue
		}
		slices.Sort(xs)
		slices.Sort(ys)
		strong++
		sizes = append(sizes, size)
		mid := math.Hypot(float64(xs[len(xs)/2]), float64(ys[len(ys)/2]))
		if mid < leastSteady*size {
			if size > leastEdge {
				loose.Pix[i] = 255
			}
			continue
		}
		still++
		if mid < leastEdge {
			continue
		}
		steady.Pix[i], edge[i] = 255, float32(mid)
		mx, my := float64(xs[len(xs)/2]), float64(ys[len(ys)/2])
		if s.agree(i, mx, my) >= leastAgree*float64(len(s.dx)) {
			sure.Pix[i] = 255
		}
	}
	moving = still*3 < strong
	if strong > 0 && !moving {
		// Of a scene that hardly moves, only edges as sharp as lettering's come into question.
		slices.Sort(sizes)
		least := float32(math.Max(18, 2.2*sizes[len(sizes)/2]))
		for i := range edge {
			if edge[i] < least {
				steady.Pix[i], sure.Pix[i] = 0, 0
			}
		}
	}
	reach := float64(max(2, s.h/90))
	joined := shrink(steady.Grow(reach*1.5), reach*1.5)
	for _, c := range pieces(joined) {
		if !s.overlaid(c, steady, sure, loose, moving) {
			continue
		}
		c.fillInto(&joined)
		for _, i := range c.pixels {
			out = markScaled(out, i%s.w, i/s.w, s.w, s.h)
		}
	}
	if out.Empty() {
		return out, moving
	}
	return out.Grow(1.8 * reach * float64(h) / float64(s.h)), moving
}

// agree counts the frames whose gradient at a pixel goes the way of (x, y), by at least a part of it: what lies beside a
// letter changes with the film, and its edge stays an edge in the same direction.
func (s *Survey) agree(i int, x, y float64) float64 {
	size := math.Hypot(x, y)
	n := 0.0
	for k := range s.dx {
		gx, gy := float64(s.dx[k][i]), float64(s.dy[k][i])
		if along, across := (gx*x+gy*y)/size, math.Abs(gx*y-gy*x)/size; along > 0.4*size && across < 0.5*size+1.5 {
			n++
		}
	}
	return n
}

// overlaid decides whether a piece of steady edges is an overlay.
func (s *Survey) overlaid(c piece, steady, sure, loose mask.Plane, moving bool) bool {
	box := c.box
	var n, certain, moved, upright, level int
	for _, i := range c.pixels {
		if steady.Pix[i] == 0 {
			continue
		}
		n++
		if sure.Pix[i] != 0 {
			certain++
		}
		k := len(s.dx) / 2
		if x, y := max(s.dx[k][i], -s.dx[k][i]), max(s.dy[k][i], -s.dy[k][i]); x > y {
			upright++
		} else {
			level++
		}
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if loose.Pix[y*s.w+x] != 0 {
				moved++
			}
		}
	}
	area, own := s.w*s.h, box.Dx()*box.Dy()
	switch {
	case n < max(12, area/6000), certain*3 < n, certain < max(8, area/9000):
		return false
	case box.Dx() > s.w*7/10 && box.Dy() < s.h/40, box.Dy() > s.h*7/10 && box.Dx() < s.w/40:
		return false // the border of a letterbox
	case min(upright, level)*6 < n:
		return false // along the way the film moves its own edges stand still too, but only those
	}
	// Where it stands, and whether it is made of strokes rather than of one outline.
	mx, my := float64(box.Min.X+box.Max.X)/2/float64(s.w), float64(box.Min.Y+box.Max.Y)/2/float64(s.h)
	corner := math.Min(mx, 1-mx) < 0.27 && math.Min(my, 1-my) < 0.24
	band := math.Min(my, 1-my) < 0.2 && box.Dx() > 2*box.Dy()
	word := box.Dx() > 2*box.Dy() && box.Dy() < s.h/7
	dense := float64(n) > 0.15*float64(own)
	if moving {
		// What the camera follows stands still as well; what is laid over the film has few moving edges between its own.
		return dense && moved*3 < n && own < area/8 && (corner || band || word)
	}
	return dense && (corner || band) && own < area/12
}

// markScaled paints the pixels of a larger plane that lie over one pixel of a small one.
func markScaled(p mask.Plane, x, y, w, h int) mask.Plane {
	p.FillRect(image.Rect(x*p.W/w, y*p.H/h, (x+1)*p.W/w+1, (y+1)*p.H/h+1), 255)
	return p
}

// shrink takes r pixels off the edge of what is painted.
func shrink(p mask.Plane, r float64) mask.Plane {
	p = p.Clone()
	p.Invert()
	p = p.Grow(r)
	p.Invert()
	return p
}

// piece is a group of painted pixels that touch one another.
type piece struct {
	box    image.Rectangle
	pixels []int
}

// fillInto also takes in the holes of the piece: what its own box holds and the outside cannot reach.
func (c *piece) fillInto(p *mask.Plane) {
	w, h := c.box.Dx()+2, c.box.Dy()+2
	seen := make([]bool, w*h) // by the flood from outside, or part of the piece
	for _, i := range c.pixels {
		seen[(i/p.W-c.box.Min.Y+1)*w+i%p.W-c.box.Min.X+1] = true
	}
	part := slices.Clone(seen)
	stack := []int{0}
	seen[0] = true
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, n := range [4]int{i - 1, i + 1, i - w, i + w} {
			if n < 0 || n >= w*h || seen[n] || (n == i-1 && i%w == 0) || (n == i+1 && n%w == 0) {
				continue
			}
			seen[n] = true
			stack = append(stack, n)
		}
	}
	for i := range seen {
		if x, y := i%w-1+c.box.Min.X, i/w-1+c.box.Min.Y; !seen[i] && !part[i] {
			c.pixels = append(c.pixels, y*p.W+x)
		}
	}
}

// pieces finds the groups of painted pixels.
func pieces(p mask.Plane) []piece {
	seen := make([]bool, len(p.Pix))
	var out []piece
	var stack []int
	for start, v := range p.Pix {
		if v < mask.Level || seen[start] {
			continue
		}
		c := piece{box: image.Rect(start%p.W, start/p.W, start%p.W+1, start/p.W+1)}
		seen[start] = true
		stack = append(stack[:0], start)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			c.pixels = append(c.pixels, i)
			x, y := i%p.W, i/p.W
			c.box = c.box.Union(image.Rect(x, y, x+1, y+1))
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					nx, ny := x+dx, y+dy
					if nx < 0 || ny < 0 || nx >= p.W || ny >= p.H {
						continue
					}
					if n := ny*p.W + nx; p.Pix[n] >= mask.Level && !seen[n] {
						seen[n] = true
						stack = append(stack, n)
					}
				}
			}
		}
		out = append(out, c)
	}
	return out
}
