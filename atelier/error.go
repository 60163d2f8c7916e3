// Package atelier holds the words of the product as types: runs, results, assets, masks, boards, presets, events,
// and the one error type that crosses package borders. It does no I/O and imports nothing of ours.
package atelier

import (
	"errors"
	"time"
)

// Code says what kind of failure an Error is. It decides the HTTP status and what a client may do next.
type Code string

// The codes of the studio's HTTP contract, each with the status it is answered with.
const (
	Invalid      Code = "invalid"       // 400: the request itself is wrong; Fields says where
	Unauthorized Code = "unauthorized"  // 401: no session
	Forbidden    Code = "forbidden"     // 403: a session, but not allowed
	NotFound     Code = "not_found"     // 404
	Conflict     Code = "conflict"      // 409: the thing changed or is in the wrong state
	TooLarge     Code = "too_large"     // 413
	WrongType    Code = "wrong_type"    // 415: not a picture the service takes
	Refused      Code = "refused"       // 422: the image service refused it
	Unclear      Code = "unclear"       // 422: the region to keep is not clear; ask the user, then start with Unsure
	TooMany      Code = "too_many"      // 429
	Internal     Code = "internal"      // 500
	UpstreamBad  Code = "upstream"      // 502: the image service answered with something unusable
	UpstreamBusy Code = "upstream_busy" // 503: the image service is not reachable or busy
	DiskFull     Code = "disk_full"     // 507
)

// Error is a failure with a message fit for a designer to read.
type Error struct {
	Code      Code              `json:"code"`
	Message   string            `json:"message"`
	Fields    map[string]string `json:"fields,omitempty"` // parameter name to what is wrong with it
	Retryable bool              `json:"retryable"`
	RequestID string            `json:"requestId,omitempty"`
	Wait      time.Duration     `json:"-"` // how long not to ask again, of those that are busy or too many; 0 = a few seconds
	Err       error             `json:"-"` // the cause, for the log
}

// Error gives the message and, where there is one, the cause behind it: the text for logs.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + " (" + e.Err.Error() + ")"
	}
	return e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Refuse makes an error of the given code with a message that is shown as it is.
func Refuse(code Code, message string) error { return &Error{Code: code, Message: message} }

// Wrap is Refuse with the cause kept for the log; the cause is never shown.
func Wrap(code Code, cause error, message string) error {
	return &Error{Code: code, Message: message, Err: cause}
}

// FieldError makes an Invalid error about one parameter.
func FieldError(field, message string) error {
	return &Error{Code: Invalid, Message: message, Fields: map[string]string{field: message}}
}

// CodeOf gives the code of the first Error in err's chain, Internal for any other error and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return Internal
}

// ErrorBody is the JSON every refused request is answered with.
type ErrorBody struct {
	Error *Error `json:"error"`
}
