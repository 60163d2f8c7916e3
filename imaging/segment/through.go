package segment

import "slices"

// seeThrough takes out of a cut of a thing what shows through it before a plain backdrop: between the bars of a chair, within a handle. That has
// the backdrop's colour at its place and ends at a clear outline. Before pure white, where paper and glass are as white as the wall, nothing is
// told by that.
func (s *scene) seeThrough(f *finding, b backdrop) {
	const (
		clear  = 35   // levels of the step around what shows through
		least  = 3000 // the smallest is that part of the picture
		rounds = 4    // what was found tells of the backdrop's light farther in
	)
	c := s.cut.canvas
	shows, through := slices.Clone(b.reached), make([]uint8, c.w*c.h)
	for range rounds {
		like := c.likeBehind(f.labels, shows)
		either := union(like, through)
		found := false
		for _, p := range pieces(like, c.w, c.h) {
			if p.label == 0 || p.edge || len(p.pixels) < max(6, c.w*c.h/least) || c.edgeOf(p, either, b.step) < clear {
				continue
			}
			found = true
			paint(shows, p, 1)
			paint(through, p, 1)
			for _, i := range p.pixels {
				f.labels[i] = 0
			}
		}
		if !found {
			return
		}
	}
}

// likeBehind marks what of labels has the colour of a backdrop that shows elsewhere, without what is no wider than a line.
func (c *canvas) likeBehind(labels, shows []uint8) []uint8 {
	const (
		alike  = 7.0 // levels, at most
		burned = 248 // levels of pure white
	)
	colour := c.behind(shows)
	like := make([]uint8, c.w*c.h)
	for i, l := range labels {
		off, bright := float32(0), float32(255)
		for k := range 3 {
			off = max(off, abs(c.pix[3*i+k]-colour[3*i+k]))
			bright = min(bright, colour[3*i+k])
		}
		if l == 1 && shows[i] == 0 && off < alike && bright < burned {
			like[i] = 1
		}
	}
	whole := dilate(dilate(like, c.w, c.h, -1), c.w, c.h, 1.4)
	for i, v := range like {
		whole[i] &= v
	}
	return whole
}
