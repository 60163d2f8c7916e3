package segment

import "image"

// unbarred is the canvas without bars: stripes of one colour along two opposite sides, as around films on a screen of another shape.
// They are no part of what was photographed, and what they border says nothing about its background.
func (c *canvas) unbarred() Rect {
	whole := image.Rect(0, 0, c.w, c.h)
	row := func(y, x int) int { return y*c.w + x }
	column := func(x, y int) int { return y*c.w + x }
	up := func(y, x int) int { return row(c.h-1-y, x) }
	back := func(x, y int) int { return column(c.w-1-x, y) }
	top, bottom := c.bar(c.h, c.w, row), c.bar(c.h, c.w, up)
	left, right := c.bar(c.w, c.h, column), c.bar(c.w, c.h, back)
	level, upright := top > 0 && bottom > 0, left > 0 && right > 0
	if level == upright || c.apart(0, len(c.pix)/3-1) > barColour*barColour {
		return whole // what has margins all around lies on paper
	}
	var from, to int
	if level {
		from, to = c.end(c.h, c.w, top, row), c.end(c.h, c.w, bottom, up)
	} else {
		from, to = c.end(c.w, c.h, left, column), c.end(c.w, c.h, right, back)
	}
	switch {
	case from == 0 || to == 0:
		return whole
	case level:
		return image.Rect(0, from, c.w, c.h-to)
	}
	return image.Rect(from, 0, c.w-to, c.h)
}

const (
	barColour = 10   // levels a bar may vary by
	leastBar  = 0.02 // of the picture's size across
	mostBar   = 0.3
)

// bar is how many lines at one side are of one colour, 0 for hardly any; at gives the pixel of a line and how far along it.
func (c *canvas) bar(lines, long int, at func(line, along int) int) int {
	n := 0
	for n < int(mostBar*float64(lines)) && c.same(long, n, at) == long {
		n++
	}
	if float64(n) < leastBar*float64(lines) {
		return 0
	}
	return n
}

// end is the line that a bar ends at all along, 0 for none: paper that something lies on ends only where that is. Between may be a few
// lines that compression has mixed.
func (c *canvas) end(lines, long, bar int, at func(line, along int) int) int {
	const most = 0.15 // of the line that goes on
	for n := bar; n <= bar+max(2, lines/50) && 2*n < lines; n++ {
		if float64(c.same(long, n, at)) < most*float64(long) {
			return n
		}
	}
	return 0
}

// same is how many pixels of a line have the colour of the corner.
func (c *canvas) same(long, line int, at func(line, along int) int) int {
	n := 0
	for k := range long {
		if c.apart(at(0, 0), at(line, k)) < barColour*barColour {
			n++
		}
	}
	return n
}
