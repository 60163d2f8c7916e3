//go:build !js || !wasm

package browser

// Rows are the rows of a wall; there are none outside of a browser.
type Rows struct{}

// Draw does nothing.
func (r *Rows) Draw(id string, height float64, from, to int, row func(k int, stands bool) (Row, bool)) {
}

// OnPress never calls f.
func OnPress(string, func(Press)) (release func()) { return nothing }
