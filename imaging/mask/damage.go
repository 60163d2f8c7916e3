package mask

import "image"

// Damage is what has to be drawn again, as a set of squares: unlike one rectangle around it all, a long thin stroke stays cheap.
// The zero value is empty and takes any coordinates from 0 on.
type Damage struct {
	tiles map[image.Point]image.Rectangle // by tile, what is damaged of it
}

// Add adds a rectangle.
func (d *Damage) Add(r image.Rectangle) {
	r = r.Intersect(image.Rect(0, 0, 1<<30, 1<<30))
	if r.Empty() {
		return
	}
	if d.tiles == nil {
		d.tiles = map[image.Point]image.Rectangle{}
	}
	for ty := r.Min.Y / tileSide; ty <= (r.Max.Y-1)/tileSide; ty++ {
		for tx := r.Min.X / tileSide; tx <= (r.Max.X-1)/tileSide; tx++ {
			at := image.Pt(tx, ty)
			tile := image.Rect(tx*tileSide, ty*tileSide, (tx+1)*tileSide, (ty+1)*tileSide)
			d.tiles[at] = d.tiles[at].Union(r.Intersect(tile))
		}
	}
}

// Empty reports whether nothing has to be drawn.
func (d *Damage) Empty() bool { return len(d.tiles) == 0 }

// Take removes rectangles of together at most pixels, but at least one, and returns them. Those in view come first.
func (d *Damage) Take(pixels int, view image.Rectangle) []image.Rectangle {
	var out []image.Rectangle
	for _, within := range []bool{true, false} {
		for at, r := range d.tiles {
			if r.Overlaps(view) != within {
				continue
			}
			area := r.Dx() * r.Dy()
			if len(out) > 0 && area > pixels {
				return out
			}
			pixels -= area
			out = append(out, r)
			delete(d.tiles, at)
		}
	}
	return out
}
