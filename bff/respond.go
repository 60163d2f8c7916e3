package bff

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/internal/sqldb"
)

// statuses are the HTTP statuses of the codes.
var statuses = map[atelier.Code]int{
	atelier.Invalid: http.StatusBadRequest, atelier.Unauthorized: http.StatusUnauthorized, atelier.Forbidden: http.StatusForbidden,
	atelier.NotFound: http.StatusNotFound, atelier.Conflict: http.StatusConflict, atelier.TooLarge: http.StatusRequestEntityTooLarge,
	atelier.WrongType: http.StatusUnsupportedMediaType, atelier.Refused: http.StatusUnprocessableEntity,
	atelier.Unclear: http.StatusUnprocessableEntity,
	atelier.TooMany: http.StatusTooManyRequests, atelier.Internal: http.StatusInternalServerError,
	atelier.UpstreamBad: http.StatusBadGateway, atelier.UpstreamBusy: http.StatusServiceUnavailable, atelier.DiskFull: http.StatusInsufficientStorage,
}

// answer makes a handler of a function: it is the only place where an error becomes a response.
func (s *Server) answer(h func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.refuse(w, r, err)
		}
	})
}

// refuse answers with an error. What is not an *atelier.Error is ours alone: it is logged, and the user reads a fixed sentence.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	gone := r.Context().Err() != nil
	if rec, ok := w.(*recorder); ok && gone && rec.status != 0 {
		return // it was being answered
	}
	err = upstreamError(err)
	e, ok := errors.AsType[*atelier.Error](err)
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		e, ok = &atelier.Error{Code: atelier.TooLarge, Message: words.RequestLarge(large.Limit)}, true
	}
	switch {
	case sqldb.IsDiskFull(err):
		e, ok = &atelier.Error{Code: atelier.DiskFull, Message: atelier.NoRoom}, true
	case (!ok || e.Code == atelier.Internal) && sqldb.IsUnusable(err):
		e, ok = &atelier.Error{
			Code: atelier.UpstreamBusy, Retryable: true,
			Message: words.StudioFiles,
		}, true
	}
	if gone && (!ok || e.Code == atelier.Internal) {
		// Whoever asked has left, or was too slow to send, and that one still hears of it: not net/http's own 200.
		e, ok = &atelier.Error{Code: atelier.Invalid, Message: words.RequestBrokenOff, Retryable: true}, true
	}
	shown := atelier.Error{Code: atelier.Internal, Message: words.StudioFailed, Retryable: true}
	if ok && e.Code != atelier.Internal {
		shown = *e
	}
	shown.RequestID = requestID(r.Context())
	status := statuses[shown.Code]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	if status >= http.StatusInternalServerError && !gone {
		s.log.ErrorContext(r.Context(), "a request failed", "path", loggedPath(r), "error", err)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		drain(r.Body)
	}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		wait := cmp.Or(shown.Wait, 5*time.Second)
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	}
	w.Header().Del("Content-Disposition")
	if err := writeJSON(w, status, atelier.ErrorBody{Error: &shown}); err != nil {
		s.log.DebugContext(r.Context(), "an error was not delivered", "error", err)
	}
}

// drainLimit is how much of a refused body is read, so that the answer reaches a client that is still sending.
const drainLimit = 4 << 20

func drain(body io.Reader) {
	if body != nil {
		_, _ = io.CopyN(io.Discard, body, drainLimit) // whatever comes of it, the answer is written
	}
}

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	if _, err := w.Write(raw); err != nil {
		return nil //nolint:nilerr // the client has gone: there is nobody to tell
	}
	return nil
}

// queryInt reads a whole number from 1 to high; 0 when it is not given.
func queryInt(r *http.Request, name string, high int) (int, error) {
	v := r.URL.Query().Get(name)
	if v == "" {
		return 0, nil
	}
	var n int
	if _, err := fmt.Sscanf(v, "%d", &n); err != nil || fmt.Sprint(n) != v || n < 1 || n > high {
		return 0, atelier.FieldError(name, words.RequestWhole(name, 1, high))
	}
	return n, nil
}

// queryBool reads 1, true, 0, false or nothing.
func queryBool(r *http.Request, name string) (bool, error) {
	switch r.URL.Query().Get(name) {
	case "", "0", "false":
		return false, nil
	case "1", "true":
		return true, nil
	}
	return false, atelier.FieldError(name, words.RequestFlag(name))
}

// queryTime reads an RFC 3339 time or a date.
func queryTime(r *http.Request, name string) (time.Time, error) {
	v := r.URL.Query().Get(name)
	if v == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, v); err == nil {
			return t, nil
		}
	}
	return time.Time{}, atelier.FieldError(name, words.RequestTime(name))
}

// queryCursor reads a cursor: an id of ours, or nothing.
func queryCursor(r *http.Request) (string, error) {
	v := r.URL.Query().Get("cursor")
	if v != "" && !isID(v) {
		return "", atelier.FieldError("cursor", db.CursorForeign)
	}
	return v, nil
}

// isID says whether s has the form of an id of ours.
func isID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
