package engine

import (
	"errors"
	"fmt"
	"time"
)

// Reason tells failures of an engine apart.
type Reason string

// The reasons.
const (
	Unreachable  Reason = "unreachable"   // no answer, or one of a gateway: 502, 503, 504, other 5xx
	Busy         Reason = "busy"          // 429, a full queue
	Refused      Reason = "refused"       // the request was not understood or not allowed: 400, 404, 422
	Unauthorized Reason = "unauthorized"  // 401, 403
	Unpaid       Reason = "unpaid"        // 402, no credit, no plan
	Declined     Reason = "declined"      // the content was moderated
	OutOfMemory  Reason = "out of memory" // of the server's graphics card
	Failed       Reason = "failed"        // the work began and failed
	Lost         Reason = "lost"          // the server does not know the work any more
	Unknown      Reason = "unknown"       // a picture may have been made and paid for, and is not to be had any more
	TooLong      Reason = "too long"      // the picture was not done within Options.Timeout
	OtherShape   Reason = "other shape"   // the picture has another ratio of width to height than the job
	Shifted      Reason = "shifted"       // what had to stay is at another place in the picture
	Unusable     Reason = "unusable"      // the answer is no picture of the form that the protocol has
)

// maxDetail is how much of a server's own sentence is passed on, in characters.
const maxDetail = 300

// Error is a failure of an engine.
type Error struct {
	Reason Reason
	// Host is the server's host and port.
	Host string
	// Detail is the server's own sentence, cut to 300 characters, without prompts, paths or keys; "" when it gave none.
	Detail string
	// After is how long the server asks to wait, 0 when it does not say.
	After time.Duration
	// MaybeMade means that the server may have made the picture all the same: the request reached it and no answer
	// came.
	MaybeMade bool
	// Full is the server's answer for the log; it may hold prompts and paths, and never holds a key.
	Full string
}

// Error names the reason and the host, for logs.
func (e *Error) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("image engine at %s: %s", e.Host, e.Reason)
	}
	return fmt.Sprintf("image engine at %s: %s: %s", e.Host, e.Reason, e.Detail)
}

// Sentence is the failure as a user reads it.
func (e *Error) Sentence() string {
	switch e.Reason {
	case Unreachable:
		return "The image engine at " + e.Host + " does not answer. Try again later."
	case Busy:
		return "The image engine at " + e.Host + " is busy. Try again later."
	case Unauthorized:
		return "The image engine refuses its key. Ask an administrator to check it."
	case Unpaid:
		return "The image engine's plan is used up. Ask an administrator to check it."
	case Declined:
		return "The engine declined this picture or these words."
	case OutOfMemory:
		return "The engine ran out of memory. Try a smaller size."
	case Lost:
		return "The image engine lost this picture. Try again."
	case Unknown:
		return "It is not known whether the engine made this picture."
	case TooLong:
		return "The image engine took too long. Try again, or try a smaller size."
	case OtherShape:
		return "The engine returned another shape. Try again."
	case Shifted:
		return "The engine moved the part that must stay. Try again."
	case Unusable:
		return "The image engine's answer is no usable picture. Try again."
	case Refused, Failed:
	}
	if e.Detail == "" {
		return "The image engine could not make this picture."
	}
	return "The image engine could not make this picture: " + e.Detail
}

// ReasonOf is the reason in an error's chain, "" without one.
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return ""
}
