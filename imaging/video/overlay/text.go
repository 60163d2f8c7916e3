package overlay

import (
	"image"
	"math"
	"slices"

	"atelier/imaging/mask"
	"atelier/imaging/video/flow"
)

// outlast is how many frames, of TitleRate a second, letters must outlast: what moves even slowly has gone on by then.
const outlast = 2

// letters finds lines of lettering in a frame: strokes much brighter than what is beside them, all of about one brightness,
// that are as they were a moment before or will be a moment later, side by side in a line. Only the lower and the uppermost
// part of the frame are looked at, where subtitles and captions stand, and nothing that belongs to the scenery.
// The pictures are of one size; before and after may be nil at the ends of a scene, and scenery empty. bright are the
// frame's strokes.
func letters(before, now, after *flow.Gray, bright, scenery mask.Plane) []image.Rectangle {
	w, h := now.W, now.H
	var out []image.Rectangle
	stroke := bright.Clone()
	for i, v := range stroke.Pix {
		if v == 0 {
			continue
		}
		if scenery.W == w && scenery.H == h && scenery.Pix[i] != 0 || !steadyAt(before, now.Pix[i], i) && !steadyAt(after, now.Pix[i], i) {
			stroke.Pix[i] = 0
		}
	}
	// Letters of a line join when they are grown sideways by about their distance.
	lines := sideways(stroke, max(3, h/28))
	all := pieces(lines)
	taken := 0
	for _, c := range all {
		if !isLine(stroke, c.box, w, h) || !even(now, stroke, c.box) || !alone(stroke, c.box) {
			continue
		}
		line := c.box
		// Words beside it that are too short to be told for lettering by themselves.
		for _, other := range all {
			near := image.Rect(c.box.Min.X-c.box.Dy()*5/4, c.box.Min.Y, c.box.Max.X+c.box.Dy()*5/4, c.box.Max.Y)
			if common := other.box.Intersect(near); 2*common.Dy() > other.box.Dy() && !common.Empty() && other.box.Dx() < c.box.Dx() {
				line = line.Union(other.box)
			}
		}
		// With what hangs below, its outline and its shadow.
		pad := max(2, c.box.Dy()/4)
		line = line.Inset(-pad).Intersect(image.Rect(0, 0, w, h))
		out = append(out, line)
		taken += line.Dx() * line.Dy()
	}
	if taken*7 > w*h {
		return nil // that much is no lettering
	}
	return out
}

// alone reports whether a line stands by itself: right above and below it there are few strokes, as there are all over in
// what only looks like lettering.
func alone(stroke mask.Plane, box image.Rectangle) bool {
	count := func(y0, y1 int) (n, all int) {
		for y := max(0, y0); y < min(stroke.H, y1); y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				all++
				if stroke.Pix[y*stroke.W+x] != 0 {
					n++
				}
			}
		}
		return n, all
	}
	in, inside := count(box.Min.Y, box.Max.Y)
	gap := max(2, box.Dy()/4)
	above, a := count(box.Min.Y-gap, box.Min.Y)
	below, b := count(box.Max.Y, box.Max.Y+gap)
	return 5*(above+below)*inside <= in*max(1, a+b)
}

// strokes are the pixels of thin bright shapes in the parts of a frame where letters are looked for.
func strokes(g *flow.Gray) mask.Plane {
	w, h := g.W, g.H
	out := mask.New(w, h)
	r := max(2, h/45) // half of the thickest stroke
	for _, band := range [2][2]int{{0, h * 22 / 100}, {h * 58 / 100, h}} {
		opened := open(g, band[0], band[1], r)
		for i := band[0] * w; i < band[1]*w; i++ {
			if v := g.Pix[i]; v > 160 && v-opened[i-band[0]*w] > 70 {
				out.Pix[i] = 255
			}
		}
	}
	return out
}

// even reports whether the strokes of a line are of one brightness, as letters are.
func even(g *flow.Gray, stroke mask.Plane, box image.Rectangle) bool {
	var values []float32
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if i := y*g.W + x; stroke.Pix[i] != 0 {
				values = append(values, g.Pix[i])
			}
		}
	}
	slices.Sort(values)
	n := len(values)
	// Soft edges fill the lower part; the upper half is the letters' own colour.
	return n > 0 && values[n*19/20]-values[n*3/5] < 55 && values[n*3/4] > 168
}

func steadyAt(other *flow.Gray, v float32, i int) bool {
	return other != nil && other.Pix[i]-v < 14 && v-other.Pix[i] < 14
}

// isLine tells a line of letters from a bright patch: as high as letters are, longer than high, and changing between
// stroke and gap many times.
func isLine(stroke mask.Plane, box image.Rectangle, w, h int) bool {
	high, wide := box.Dy(), box.Dx()
	if high < max(5, h/60) || high > h/6 || wide < 2*high || wide < w/16 {
		return false
	}
	n, changes, rows := 0, 0, 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		last, here := false, 0
		for x := box.Min.X; x < box.Max.X; x++ {
			on := stroke.Pix[y*w+x] != 0
			if on {
				n++
			}
			if on != last {
				here++
			}
			last = on
		}
		if here >= 4 {
			rows++
		}
		changes += here
	}
	density := float64(n) / float64(wide*high)
	// A letter is about two thirds as wide as the line is high and has two to four edges a row.
	perLetter := float64(changes) / float64(high) / (float64(wide) / (0.75 * float64(high)))
	return density > 0.1 && density < 0.72 && rows*2 > high && perLetter > 0.9
}

// open takes away everything bright that is thinner than 2r+1 pixels, in rows from top to low.
func open(g *flow.Gray, top, low, r int) []float32 {
	w := g.W
	rows := low - top
	p := make([]float32, w*rows)
	copy(p, g.Pix[top*w:low*w])
	for _, most := range [2]bool{false, true} {
		p = extreme(p, w, rows, r, most)
	}
	return p
}

// extreme is the least, or the most, over (2r+1)² pixels.
func extreme(p []float32, w, h, r int, most bool) []float32 {
	pick := func(a, b float32) float32 {
		if most == (a > b) {
			return a
		}
		return b
	}
	tmp, out := make([]float32, len(p)), make([]float32, len(p))
	for y := range h {
		for x := range w {
			v := p[y*w+x]
			for k := max(0, x-r); k <= min(w-1, x+r); k++ {
				v = pick(v, p[y*w+k])
			}
			tmp[y*w+x] = v
		}
	}
	for y := range h {
		for x := range w {
			v := tmp[y*w+x]
			for k := max(0, y-r); k <= min(h-1, y+r); k++ {
				v = pick(v, tmp[k*w+x])
			}
			out[y*w+x] = v
		}
	}
	return out
}

// sideways joins what is no farther apart than reach pixels in a row.
func sideways(p mask.Plane, reach int) mask.Plane {
	out := p.Clone()
	for y := range p.H {
		last := math.MinInt / 2
		for x := range p.W {
			if p.Pix[y*p.W+x] == 0 {
				continue
			}
			if gap := x - last; gap > 1 && gap <= reach {
				for k := last + 1; k < x; k++ {
					out.Pix[y*p.W+k] = 255
				}
			}
			last = x
		}
	}
	return out
}
