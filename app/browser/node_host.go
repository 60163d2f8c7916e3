//go:build !js || !wasm

package browser

// Rows are the rows of a wall; there are none outside of a browser.
type Rows struct{}

// Draw does nothing.
func (r *Rows) Draw(id string, height float64, from, to int, stale func(k int) bool, row func(k int) Row) {
}

// OnPress never calls f.
func OnPress(string, func(Press)) (release func()) { return nothing }
