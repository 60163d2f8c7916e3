package browser

// Press is a click on something that says by data-act what it is for, in something that says by data-of what it is about.
type Press struct {
	Act, Of     string
	Shift, Ctrl bool // Ctrl or Cmd
}
