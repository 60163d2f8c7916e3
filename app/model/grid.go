package model

import "math"

// Grid is a wall of equal cells of which only the part on screen exists in the page.
type Grid struct {
	Count  int
	Width  float64 // of the wall, CSS px
	Height float64 // of the part on screen
	Top    float64 // how far it is scrolled
	Cell   float64 // the least width of a cell
	Gap    float64
	Foot   float64 // room below the square picture of a cell
}

// Columns is how many cells stand side by side.
//
//go:noinline
func (g Grid) Columns() int {
	return max(1, int((g.Width+g.Gap)/(g.Cell+g.Gap)))
}

// Side is the width of a cell, which shares the room left over.
//
//go:noinline
func (g Grid) Side() float64 {
	n := float64(g.Columns())
	return math.Floor((g.Width - (n-1)*g.Gap) / n)
}

// Row is the height from the top of one row to the top of the next.
func (g Grid) Row() float64 { return g.Side() + g.Foot + g.Gap }

// Rows is how many rows there are.
func (g Grid) Rows() int { return (g.Count + g.Columns() - 1) / g.Columns() }

// Total is the height of the whole wall.
func (g Grid) Total() float64 { return max(0, float64(g.Rows())*g.Row()-g.Gap) }

// Window is the range of cells that should exist, and the top of the first of them: one row more than is seen on either
// side.
func (g Grid) Window() (from, to int, top float64) {
	if g.Count == 0 || g.Row() <= 0 {
		return 0, 0, 0
	}
	first := min(max(0, int(g.Top/g.Row())-1), max(0, g.Rows()-1))
	last := int((g.Top+g.Height)/g.Row()) + 2
	return first * g.Columns(), min(last*g.Columns(), g.Count), float64(first) * g.Row()
}

// NearEnd says that the next page should be fetched.
func (g Grid) NearEnd() bool { return g.Top+2*g.Height >= g.Total() }

// RowOf is the top and bottom of the row a cell is in.
func (g Grid) RowOf(i int) (top, bottom float64) {
	top = float64(i/g.Columns()) * g.Row()
	return top, top + g.Row()
}
