package upstream

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Kind says what a failed call means for the caller.
type Kind string

// The kinds of failure.
const (
	// Refused: the service answered and said no. Nothing was started; what was asked for is not there.
	Refused Kind = "refused"
	// Key: the service does not accept the API key.
	Key Kind = "key"
	// Busy: too many at once (code 40005, status 429 or 503), or our own breaker is open. Wait and queue again.
	Busy Kind = "busy"
	// Broken: the service's answer cannot be used, or there was none, or it has a problem of its own with a question;
	// asking again does no harm.
	Broken Kind = "broken"
	// NotSent: nothing of the request reached the service (DNS, connect, TLS, or it never left).
	NotSent Kind = "notSent"
	// Ambiguous: a request that starts something was sent and no usable answer came: it may have been accepted.
	Ambiguous Kind = "ambiguous"
	// Redirected: the service pointed elsewhere; the key is not taken there.
	Redirected Kind = "redirected"
)

// maxRaw is how much of an answer an Error and OnAnswer carry, in bytes.
const maxRaw = 64 << 10

// Error is every failure of a call that went towards the service. It never contains the key.
type Error struct {
	Op         string        // "execute task"
	Kind       Kind          //
	Code       string        // the service's code, such as "40005"; "" when it gave none
	Message    string        // the service's words in one line, or ours
	HTTPStatus int           // 0 when there was no answer
	Retryable  bool          // trying the same again may succeed and cannot pay twice
	RetryAfter time.Duration // how long the service asks to wait; 0 when it does not say
	Sent       bool          // the request may have reached the service
	Raw        []byte        // the answer as it came, at most 64 KiB
	Err        error         // the cause, where there is one
}

// Error says what was tried, what came of it and the service's code and words.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Op, e.Kind)
	switch {
	case e.Code != "" && e.HTTPStatus != 0:
		fmt.Fprintf(&b, " (code %s, HTTP %d)", e.Code, e.HTTPStatus)
	case e.Code != "":
		fmt.Fprintf(&b, " (code %s)", e.Code)
	case e.HTTPStatus != 0:
		fmt.Fprintf(&b, " (HTTP %d)", e.HTTPStatus)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf gives the kind of the first Error in err's chain, "" when there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// TooMany says whether the service itself has answered that there are too many runs or requests at once.
func (e *Error) TooMany() bool {
	return e.Kind == Busy && e.HTTPStatus != 0 && (e.Code == strconv.Itoa(CodeTooMany) || e.HTTPStatus == http.StatusTooManyRequests)
}
