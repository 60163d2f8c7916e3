// Package browser is the thin layer between the studio and the web page it runs in: requests, sockets, files, storage,
// pointer input and the canvas. Everything that touches JavaScript lives here. The host twin of each function keeps the
// rest of the studio buildable and testable without a browser: it does nothing, or answers with ErrNoBrowser.
package browser

import (
	"errors"
	"image"
)

// ErrNoBrowser is what everything that needs a page answers with outside one.
var ErrNoBrowser = errors.New("browser: not running in a page")

// ErrOffline says a request got no answer at all: no connection, or it broke.
var ErrOffline = errors.New("browser: no answer")

// Request is one request to the server the page came from.
type Request struct {
	Method string
	URL    string
	Header map[string]string
	Body   []byte
}

// Response is what came back, whatever its status.
type Response struct {
	Status int
	Body   []byte
	Header func(name string) string // nil where nobody asks
}

// Key is a key that was pressed.
type Key struct {
	Key    string // as typed: "b", "Enter", " ", "["
	Code   string // the key itself, whatever is typed with it: "KeyB", "Digit1"
	Ctrl   bool   // Ctrl, or Cmd on a Mac
	Shift  bool
	Alt    bool
	Up     bool // released, not pressed
	Repeat bool
	// Typing says the focus is in a field that takes text, where letters are not shortcuts.
	Typing bool
	// Button says the focus came by the keyboard to a control that itself answers to Space and Enter: one that was pressed with the
	// mouse keeps the focus too, but the keys are the page's then.
	Button bool
	// Range says that it is one the arrow keys move.
	Range bool
}

// PointerKind says what a pointer did.
type PointerKind int

// What pointers do.
const (
	PointerDown PointerKind = iota
	PointerMove
	PointerUp
	PointerCancel
	PointerLeave
)

// Point is a place in CSS pixels from the top left corner of the element listened on.
type Point struct{ X, Y float64 }

// Pointer is one event of a mouse, pen or finger. Points holds the places the browser merged into it, oldest first, and
// at least the event's own.
type Pointer struct {
	Kind   PointerKind
	ID     int
	Touch  bool
	Pen    bool
	Rubber bool // the other end of the pen, or its rubber button
	Button int  // 0 left, 1 middle, 2 right, 5 a pen's rubber; -1 when no button changed
	Points []Point
	Press  []float64 // how hard a pen presses at each point, 0 to 1; nil for anything else
	Tilt   float64   // of a pen, degrees from upright
	Shift  bool
	Alt    bool
	Ctrl   bool // Ctrl, or Cmd on a Mac
}

// At is the latest place of the event.
func (p Pointer) At() Point { return p.Points[len(p.Points)-1] }

// Wheel is one turn of the wheel, or a pinch on a trackpad (Zoom).
type Wheel struct {
	At     Point
	DX, DY float64 // CSS pixels
	Zoom   bool    // Ctrl was held, which is also how browsers report a pinch
}

// Box is the place and size of an element in CSS pixels, relative to the window.
type Box struct{ X, Y, W, H float64 }

// Place is the part of the stage a picture covers: its top left corner and its scale, in CSS pixels, and how far it is turned
// around that corner, in degrees clockwise.
type Place struct{ X, Y, Scale, Angle float64 }

// Shape is an outline drawn above the mask, in pixels of the picture.
type Shape struct {
	Points []Point
	Closed bool
	Dots   bool    // its corners are marked
	Width  float64 // of a stroke, in pixels of the picture; 0 for a thin outline
	Colour string  // of a stroke
}

// Scene is what is drawn above the mask.
type Scene struct {
	Place  Place
	Size   image.Point // of the picture, in its own pixels
	Shapes []Shape
	Cross  *Point          // where the keyboard's cursor is, in pixels of the picture; nil for nowhere
	Frame  image.Rectangle // the canvas around or within the picture, in its pixels, with handles; empty for none
	Guides Guides          // lines across the frame, where something snapped
}

// Guides are a line down and a line across, in pixels of the picture; nil for none.
type Guides struct{ X, Y *float64 }
