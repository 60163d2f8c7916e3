package browser

// MenuAsk asks for the menu of something that says by data-menu what it is. X and Y are where, CSS px from the window's corner.
type MenuAsk struct {
	Of   string // "" = outside of everything that has a menu, while one is open
	X, Y float64
}
