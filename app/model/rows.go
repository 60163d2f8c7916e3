package model

import (
	"math"
	"slices"
)

// Rows lays a wall of pictures out in rows of which only those on screen need to exist in the page. A tile never changes
// its place because of what is added after it, nor, against the tile at Lead, because of what is added before it: those
// above Lead are laid from it upwards, the others from it downwards.
type Rows struct {
	Width float64 // of the wall, CSS px
	Size  float64 // the least width of a square, or the height a row of whole pictures aims at
	Gap   float64
	Foot  float64 // room below the picture of a tile
	Whole bool    // show whole pictures in their own shapes; else squares
	Lead  int     // how many tiles stand above the one the wall was opened at
	rows  []Row
	laid  squares // as rows are laid, zero where they hold whole pictures
}

// squares is what the rows of squares depend on, but for how many there are.
type squares struct {
	width, size, gap, foot float64
	lead                   int
}

// Row is one row: the tiles from From to before To, all of one height.
type Row struct {
	From, To    int
	Top, Height float64 // of the pictures, without the foot
	Left        float64 // where the first begins
}

// Place is where the picture of a tile is on the wall, CSS px.
type Place struct{ X, Y, W, H float64 }

// The shapes a tile of a whole picture may have, as width by height: beyond them it is cropped.
const (
	narrowest = 0.4
	widest    = 2.5
)

// Lay lays n tiles; ratio gives the width of each divided by its height. Squares that are laid already stay, whichever tiles are in
// them: of a long wall that a tile came into only the end is laid.
func (r *Rows) Lay(n int, ratio func(int) float64) {
	was := r.laid
	if r.laid = (squares{}); !r.Whole {
		r.laid = squares{r.Width, r.Size, r.Gap, r.Foot, r.Lead}
	}
	if last := len(r.rows) - 1; !r.Whole && was == r.laid && last >= 0 && r.rows[last].From >= r.Lead && r.rows[last].To <= n {
		r.Grow(n, ratio)
		return
	}
	r.rows = r.rows[:0]
	if n == 0 || r.Width <= 0 {
		return
	}
	lead := min(max(r.Lead, 0), n)
	for to := lead; to > 0; {
		row := r.back(to, ratio)
		r.rows = append(r.rows, row)
		to = row.From
	}
	for i, j := 0, len(r.rows)-1; i < j; i, j = i+1, j-1 {
		r.rows[i], r.rows[j] = r.rows[j], r.rows[i]
	}
	top := 0.0
	for i := range r.rows {
		r.rows[i].Top = top
		top += r.rows[i].Height + r.Foot + r.Gap
	}
	r.follow(lead, n, ratio)
}

// Grow lays the tiles that were added behind the others. Only the last row, which may have had room, is laid again.
func (r *Rows) Grow(n int, ratio func(int) float64) {
	if last := len(r.rows) - 1; last >= 0 && r.rows[last].From >= r.Lead {
		from := r.rows[last].From
		r.rows = r.rows[:last]
		r.follow(from, n, ratio)
		return
	}
	r.Lay(n, ratio)
}

// follow lays the tiles from one on below what is laid.
func (r *Rows) follow(from, n int, ratio func(int) float64) {
	top := 0.0
	if last := len(r.rows) - 1; last >= 0 {
		top = r.rows[last].Top + r.rows[last].Height + r.Foot + r.Gap
	}
	for from < n {
		row := r.on(from, n, ratio)
		row.Top = top
		r.rows = append(r.rows, row)
		top += row.Height + r.Foot + r.Gap
		from = row.To
	}
}

// Columns is how many squares stand side by side.
func (r *Rows) Columns() int { return max(1, int((r.Width+r.Gap)/(r.Size+r.Gap))) }

// Side is the width of a square, which shares the room left over.
func (r *Rows) Side() float64 {
	n := float64(r.Columns())
	return math.Floor((r.Width - (n-1)*r.Gap) / n)
}

func (r *Rows) shape(i int, ratio func(int) float64) float64 {
	if !r.Whole {
		return 1
	}
	k := ratio(i)
	if k <= 0 || math.IsNaN(k) || math.IsInf(k, 0) {
		return 1
	}
	return min(max(k, narrowest), widest)
}

// on makes the row that begins with a tile.
func (r *Rows) on(from, n int, ratio func(int) float64) Row {
	if !r.Whole {
		return Row{From: from, To: min(from+r.Columns(), n), Height: r.Side()}
	}
	sum := 0.0
	for to := from; to < n; to++ {
		sum += r.shape(to, ratio)
		if height := r.filled(sum, to+1-from); height <= r.Size {
			return Row{From: from, To: to + 1, Height: height}
		}
	}
	return Row{From: from, To: n, Height: min(r.Size, r.filled(sum, n-from))} // the last row is not stretched
}

// back makes the row that ends before a tile. Where it is not full, it stands at the right: what comes before it is still
// to be loaded.
func (r *Rows) back(to int, ratio func(int) float64) Row {
	if !r.Whole {
		side, from := r.Side(), max(0, to-r.Columns())
		return Row{From: from, To: to, Height: side, Left: float64(r.Columns()-(to-from)) * (side + r.Gap)}
	}
	sum := 0.0
	for from := to - 1; from >= 0; from-- {
		sum += r.shape(from, ratio)
		if height := r.filled(sum, to-from); height <= r.Size {
			return Row{From: from, To: to, Height: height}
		}
	}
	row := Row{From: 0, To: to, Height: min(r.Size, r.filled(sum, to))}
	row.Left = max(0, r.Width-sum*row.Height-float64(to-1)*r.Gap)
	return row
}

// filled is the height at which so many tiles of a total shape fill a row.
func (r *Rows) filled(sum float64, n int) float64 {
	return math.Floor(max(1, r.Width-float64(n-1)*r.Gap) / sum)
}

// Total is the height of the whole wall.
func (r *Rows) Total() float64 {
	if len(r.rows) == 0 {
		return 0
	}
	last := r.rows[len(r.rows)-1]
	return last.Top + last.Height + r.Foot
}

// All lists the rows.
func (r *Rows) All() []Row { return r.rows }

// at is the row that covers a height, or the next below it.
func (r *Rows) at(y float64) int {
	low, high := 0, len(r.rows)
	for low < high {
		if middle := (low + high) / 2; r.rows[middle].Top+r.rows[middle].Height+r.Foot > y {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// Window is the range of rows that should exist while the wall is scrolled to top and so much of it is seen: those on
// screen and one more on either side.
func (r *Rows) Window(top, height float64) (from, to int) {
	if len(r.rows) == 0 {
		return 0, 0
	}
	from = min(max(0, r.at(top)-1), len(r.rows)-1)
	return from, min(len(r.rows), max(r.at(top+height), from)+2)
}

// RowOf is the row a tile is in, -1 for none.
func (r *Rows) RowOf(i int) int {
	low, high := 0, len(r.rows)
	for low < high {
		if middle := (low + high) / 2; r.rows[middle].To > i {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if low == len(r.rows) || i < r.rows[low].From {
		return -1
	}
	return low
}

// Places are where the pictures of a row are.
func (r *Rows) Places(row Row, ratio func(int) float64) []Place {
	places := make([]Place, 0, row.To-row.From)
	x := row.Left
	for i := row.From; i < row.To; i++ {
		w := math.Floor(r.shape(i, ratio) * row.Height)
		places = append(places, Place{X: x, Y: row.Top, W: w, H: row.Height})
		x += w + r.Gap
	}
	return places
}

// Hit lists the tiles a rectangle touches.
func (r *Rows) Hit(box Place, ratio func(int) float64) []int {
	var hit []int
	for k := r.at(box.Y); k < len(r.rows) && r.rows[k].Top <= box.Y+box.H; k++ {
		for j, p := range r.Places(r.rows[k], ratio) {
			if p.X <= box.X+box.W && p.X+p.W >= box.X {
				hit = append(hit, r.rows[k].From+j)
			}
		}
	}
	return hit
}

// Step is the tile so many columns and rows from another; up and down lead to the nearest above and below. At the ends it
// stays.
func (r *Rows) Step(i, columns, down int, ratio func(int) float64) int {
	row := r.RowOf(i)
	if row < 0 {
		return 0
	}
	last := r.rows[len(r.rows)-1].To - 1
	if i = min(max(i+columns, 0), last); down == 0 {
		return i
	}
	to := row + down
	if to < 0 || to >= len(r.rows) {
		return i
	}
	middle := func(p Place) float64 { return p.X + p.W/2 }
	x := middle(r.Places(r.rows[row], ratio)[i-r.rows[row].From])
	best, far := r.rows[to].From, math.Inf(1)
	for j, p := range r.Places(r.rows[to], ratio) {
		if d := math.Abs(middle(p) - x); d < far {
			best, far = r.rows[to].From+j, d
		}
	}
	return best
}

// StepLines is the tile so many places and lines from another, of tiles that stand in lines of different lengths. At the ends it stays.
func StepLines(lines [][]int, from, columns, down int) int {
	all := slices.Concat(lines...)
	at := slices.Index(all, from)
	if at < 0 {
		return from
	}
	at = min(max(at+columns, 0), len(all)-1)
	if down == 0 {
		return all[at]
	}
	for k, line := range lines {
		column := slices.Index(line, all[at])
		if column < 0 {
			continue
		}
		to := lines[min(max(k+down, 0), len(lines)-1)]
		return to[min(column, len(to)-1)]
	}
	return from
}
