package model

import "math"

// DeskLimit is how many results lie on the desk at once.
const DeskLimit = 16

// The looks of the desk.
const (
	LookResult     = "result"
	LookSplit      = "split" // source and result, parted by a line
	LookDifference = "difference"
	LookHeat       = "heat" // where the kept part changed
)

// Looks lists the looks in the order a key goes through them.
var Looks = []string{LookResult, LookSplit, LookDifference, LookHeat}

// Desk is how the pictures on the desk are looked at. All of them show the same part at the same size.
type Desk struct {
	Zoom float64 // CSS px for each pixel of the reference picture; 0 fits every picture into its cell
	X, Y float64 // the point in the middle of every cell, as a share of the picture
}

// maxDeskZoom is as near as the desk goes: single pixels can be told apart.
const maxDeskZoom = 8

// Place is where a picture lies in its cell. reference is the size that 100 % is about: a smaller or larger picture of the
// same thing is scaled to match.
func (d Desk) Place(picture, cell, reference Size) View {
	if picture.W <= 0 || picture.H <= 0 || cell.W <= 0 || cell.H <= 0 {
		return View{Scale: 1}
	}
	fit := min(cell.W/picture.W, cell.H/picture.H)
	scale := fit
	if d.Zoom > 0 && reference.W > 0 {
		scale = d.Zoom * reference.W / picture.W
	}
	at := func(share, length, room float64) float64 {
		if length <= room {
			return (room - length) / 2
		}
		return min(0, max(room-length, room/2-share*length))
	}
	return View{X: at(d.X, picture.W*scale, cell.W), Y: at(d.Y, picture.H*scale, cell.H), Scale: scale}
}

// Fitted is the zoom at which the reference picture just fits its cell.
func (d Desk) Fitted(reference, cell Size) float64 {
	if reference.W <= 0 || reference.H <= 0 {
		return 1
	}
	return min(cell.W/reference.W, cell.H/reference.H)
}

// Toggle goes to 100 % and back to the whole picture. 100 % is a pixel of the picture as one of the screen, of which ratio make up a
// CSS px.
func (d Desk) Toggle(ratio float64) Desk {
	if d.Zoom > 0 {
		return Desk{X: .5, Y: .5}
	}
	return Desk{Zoom: 1 / ratio, X: d.X, Y: d.Y}
}

// ZoomAt changes the zoom by a factor and keeps the point (x, y) of a cell where it is.
func (d Desk) ZoomAt(factor, x, y float64, reference, cell Size) Desk {
	fit := d.Fitted(reference, cell)
	from := d.Place(reference, cell, reference)
	zoom := min(from.Scale*factor, max(maxDeskZoom, fit))
	if zoom <= fit {
		return Desk{X: .5, Y: .5}
	}
	px, py := from.ToPicture(x, y)
	// The middle of the cell must show the point that is as far from (px, py) as the middle is from (x, y).
	return Desk{
		Zoom: zoom,
		X:    share((px + (cell.W/2-x)/zoom) / reference.W),
		Y:    share((py + (cell.H/2-y)/zoom) / reference.H),
	}
}

// Pan moves the pictures by so many CSS px.
func (d Desk) Pan(dx, dy float64, reference Size) Desk {
	if d.Zoom == 0 || reference.W <= 0 || reference.H <= 0 {
		return d
	}
	d.X, d.Y = share(d.X-dx/(d.Zoom*reference.W)), share(d.Y-dy/(d.Zoom*reference.H))
	return d
}

func share(n float64) float64 { return min(max(n, 0), 1) }

// Percent is the zoom as it is shown, on a screen of which ratio pixels make up a CSS px.
func (d Desk) Percent(reference, cell Size, ratio float64) int {
	return int(math.Round(100 * d.Place(reference, cell, reference).Scale * ratio))
}

// Arrange says in how many columns n pictures of a shape (width by height) are largest on an area, with so much room below
// each.
func Arrange(n int, area Size, shape, foot float64) (columns, rows int) {
	columns, rows = 1, max(1, n)
	best := 0.0
	for c := 1; c <= n; c++ {
		r := (n + c - 1) / c
		w, h := area.W/float64(c), area.H/float64(r)-foot
		if size := min(w, h*shape); size > best+.5 {
			best, columns, rows = size, c, r
		}
	}
	return columns, rows
}
