package mask

// The codes of Error.
const (
	CodeEmpty = "mask_empty" // nothing is painted
	CodeFull  = "mask_full"  // everything is painted
	CodeSize  = "mask_size"  // not the size of the picture
)

// Error is a mask that must not be sent, with a sentence fit to show.
type Error struct {
	Code    string // CodeEmpty, CodeFull, CodeSize or CodeImport
	Message string
}

func (e *Error) Error() string { return e.Message }

// Validate reports why the plane cannot be the mask of a picture of w × h
// pixels (orientation applied) as an *Error: wrong size, nothing kept, or
// everything kept. Task API, "Shared mask and execution parameters": the mask
// has the dimensions of the original.
func (p Plane) Validate(w, h int) error {
	switch {
	case p.W != w || p.H != h:
		return sizeError(w, h, p.W, p.H)
	case p.Empty():
		return errPaintNone
	case p.Full():
		return errPaintAll
	}
	return nil
}

// The two masks that say nothing.
var (
	errPaintNone = &Error{CodeEmpty, saidNone}
	errPaintAll  = &Error{CodeFull, saidAll}
)

func sizeError(w, h, gotW, gotH int) *Error {
	return &Error{CodeSize, saidSize(gotW, gotH, w, h)}
}
