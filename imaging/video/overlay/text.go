package overlay

import (
	"image"
	"math"

	"atelier/imaging/mask"
	"atelier/imaging/video/flow"
)

// letters finds lines of lettering in a frame: strokes much brighter than what is beside them, that are as they were a
// moment before or will be a moment later, side by side in a line. Only the lower and the uppermost part of the frame are
// looked at, where subtitles and captions stand.
// All three are of one size; before and after may be nil at the ends of a film.
func letters(before, now, after *flow.Gray) mask.Plane {
	w, h := now.W, now.H
	out := mask.New(w, h)
	r := max(2, h/45) // half of the thickest stroke
	stroke := mask.New(w, h)
	for _, band := range [2][2]int{{0, h * 24 / 100}, {h * 55 / 100, h}} {
		opened := open(now, band[0], band[1], r)
		for y := band[0]; y < band[1]; y++ {
			for x := range w {
				i := y*w + x
				v := now.Pix[i]
				if v < 145 || v-opened[(y-band[0])*w+x] < 38 {
					continue
				}
				if steadyAt(before, v, i) || steadyAt(after, v, i) {
					stroke.Pix[i] = 255
				}
			}
		}
	}
	// Letters of a line join when they are grown sideways by about their distance.
	lines := sideways(stroke, max(3, h/28))
	all := pieces(lines)
	for _, c := range all {
		if !isLine(stroke, c.box, w, h) {
			continue
		}
		line := c.box
		// Words at the ends that are too short to be told for lettering by themselves, and what hangs above or below.
		for range 3 {
			for _, other := range all {
				near := line.Inset(-line.Dy() / 4)
				near.Min.X, near.Max.X = line.Min.X-line.Dy()*5/4, line.Max.X+line.Dy()*5/4
				if other.box.Overlaps(near) && other.box.Dy() <= line.Dy()*3/2 {
					line = line.Union(other.box)
				}
			}
		}
		// With its outline and shadow.
		pad := max(2, line.Dy()/5)
		out.FillRect(line.Inset(-pad).Intersect(image.Rect(0, 0, w, h)), 255)
	}
	return out
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
