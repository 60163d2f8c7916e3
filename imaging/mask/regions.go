package mask

import "image"

// Stats describes a plane in numbers the editor shows.
type Stats struct {
	Kept   int             // painted pixels
	Share  float64         // of all pixels, 0 to 1
	Bounds image.Rectangle // around everything painted
	Specks int             // painted islands of fewer than the asked pixels
	Holes  int             // unpainted islands of fewer than the asked pixels
}

// Stats measures the plane; islands of fewer than minArea pixels count as
// specks and holes. Pixels that touch at a corner belong together when painted.
func (p Plane) Stats(minArea int) Stats {
	s := Stats{Bounds: p.Bounds()}
	for _, v := range p.Pix {
		s.Kept += int(v >> 7)
	}
	if len(p.Pix) > 0 {
		s.Share = float64(s.Kept) / float64(len(p.Pix))
	}
	s.Specks = len(p.islands(true).smaller(minArea))
	s.Holes = len(p.islands(false).smaller(minArea))
	return s
}

// Clean erases painted islands of fewer than minArea pixels and paints over
// holes of fewer than minArea pixels, in place.
func (p Plane) Clean(minArea int) {
	for _, kept := range []bool{true, false} {
		is := p.islands(kept)
		small := is.smaller(minArea)
		for i, r := range is.runs {
			if _, ok := small[is.root(i)]; ok {
				row := p.Row(r.y)[r.from:r.to]
				for x := range row {
					row[x] = paintValue(kept)
				}
			}
		}
	}
}

// run is a stretch of a row, from ≤ x < to.
type run struct {
	y, from, to int
	parent      int // index of another run of the same island, or its own
}

// islands are the connected regions of a plane as runs that know each other.
type islands struct {
	runs []run
}

// islands finds the connected painted regions, or the unpainted ones. Painted
// pixels connect across corners, unpainted ones do not, so that a painted line
// one pixel wide separates what is on either side of it.
func (p Plane) islands(kept bool) islands {
	var is islands
	corner := 0
	if kept {
		corner = 1
	}
	above := 0 // first run of the row above
	for y := range p.H {
		row := p.Row(y)
		start := len(is.runs)
		for x := 0; x < p.W; {
			if (row[x] >= Level) != kept {
				x++
				continue
			}
			from := x
			for x < p.W && (row[x] >= Level) == kept {
				x++
			}
			is.runs = append(is.runs, run{y, from, x, len(is.runs)})
		}
		for i, j := above, start; i < start && j < len(is.runs); {
			a, b := is.runs[i], is.runs[j]
			if a.from < b.to+corner && b.from < a.to+corner {
				is.join(i, j)
			}
			if a.to < b.to {
				i++
			} else {
				j++
			}
		}
		above = start
	}
	return is
}

func (is islands) root(i int) int {
	for is.runs[i].parent != i {
		is.runs[i].parent = is.runs[is.runs[i].parent].parent
		i = is.runs[i].parent
	}
	return i
}

func (is islands) join(i, j int) {
	a, b := is.root(i), is.root(j)
	is.runs[max(a, b)].parent = min(a, b)
}

// smaller is the islands of fewer than area pixels: their area by root run.
func (is islands) smaller(area int) map[int]int {
	if area <= 1 {
		return map[int]int{}
	}
	areas := map[int]int{}
	for i, r := range is.runs {
		areas[is.root(i)] += r.to - r.from
	}
	for i, n := range areas {
		if n >= area {
			delete(areas, i)
		}
	}
	return areas
}
