// Package imaging opens, scales and writes pictures. Files come from people
// and from the internet, so everything that is opened passes one guard: limits
// on size, structure, memory and time that hold before and while a decoder runs.
//
// Pictures are *image.NRGBA with their origin at (0, 0), upright, in sRGB, as browsers show them (imaging/probe, imaging/colour).
// Metadata never survives: what is written here holds pixels only.
package imaging

import (
	"errors"
	"fmt"
	"time"

	"atelier/imaging/probe"
)

// Limits is how much a file may ask for. The zero value of a field takes the
// value of DefaultLimits.
type Limits struct {
	MaxPixels int64         // width × height; fewer of those that take long
	MaxBytes  int64         // the decoded picture in memory; 16-bit channels count double
	MaxScans  int           // scans of a JPEG
	MaxVisits int64         // blocks of a JPEG that all its scans together visit; those with more to do count several times
	MaxChunks int           // chunks of a PNG or WebP
	Deadline  time.Duration // wall time from the first byte read to the last
	Converts  bool          // HEIC and TIFF too, which the studio takes and nobody else
}

// DefaultLimits suit everything people upload: 50 megapixels, 256 MiB. What a file within the other limits can cost is a few
// seconds of a processor; the deadline is a multiple of that, since it goes on while others have the processor.
var DefaultLimits = Limits{
	MaxPixels: probe.MaxPixels,
	MaxBytes:  256 << 20,
	MaxScans:  probe.MaxScans,
	MaxVisits: probe.MaxVisits,
	MaxChunks: 4096,
	Deadline:  15 * time.Second,
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	if l.MaxPixels > 0 {
		d.MaxPixels = l.MaxPixels
	}
	if l.MaxBytes > 0 {
		d.MaxBytes = l.MaxBytes
	}
	if l.MaxScans > 0 {
		d.MaxScans = l.MaxScans
	}
	if l.MaxVisits > 0 {
		d.MaxVisits = l.MaxVisits
	}
	if l.MaxChunks > 0 {
		d.MaxChunks = l.MaxChunks
	}
	if l.Deadline > 0 {
		d.Deadline = l.Deadline
	}
	d.Converts = l.Converts
	return d
}

// Code says why a file was not opened.
type Code string

// The codes of Error.
const (
	WrongType     Code = "wrong_type"      // not a picture of a format and kind that is opened
	Animated      Code = "animated"        // more than one frame
	TooLarge      Code = "too_large"       // needs more memory than allowed
	TooManyPixels Code = "too_many_pixels" // larger than allowed
	TooSlow       Code = "too_slow"        // took, or would take, too long
	Corrupt       Code = "corrupt"         // breaks the rules of its format
)

// Error is a file that was refused. A cancelled context is not one: it comes
// back as the context's own error.
type Error struct {
	Code    Code
	Message string // one sentence or two, fit to show
	Err     error  // the cause, for the log; may be nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return fmt.Sprintf("%s (%v)", e.Message, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// reasons for refusing, as causes in Error.Err
var (
	errDeadline = errors.New("decoding took longer than allowed")
	errChunks   = errors.New("more chunks than allowed")
	errEffort   = errors.New("more pixels than allowed of a kind that takes long")
)

func corrupt(f probe.Format, cause error) *Error {
	return &Error{Corrupt, saidDamaged(f.Label()), cause}
}

func tooSlow(f probe.Format, cause error) *Error {
	return &Error{TooSlow, probe.TooSlow(f).Sentence(), cause}
}

func tooManyPixels(w, h int, limit int64) *Error {
	return &Error{TooManyPixels, saidPixels(w, h, limit/1_000_000), nil}
}

func tooLarge(limit int64, fix string) *Error {
	return &Error{TooLarge, probe.TooMuchMemory(limit).Message() + " " + fix, nil}
}
