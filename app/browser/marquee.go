package browser

// Marquee is a rectangle being drawn over an element by dragging, in CSS pixels of the element's whole content.
type Marquee struct {
	From, To Point
	Add      bool // Ctrl, Cmd or Shift was held: beside what was chosen before
	Start    bool // the first of this rectangle
	Done     bool
}
