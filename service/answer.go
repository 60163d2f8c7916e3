package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"atelier/internal/sqldb"
	"atelier/upstream"
)

// failure is a refusal or fault in words for the caller. Both envelopes are made from it.
// ASSUMED [HTTP status of refusals]: HTTP statuses say the same as the bodies; the documents show neither codes nor statuses (Task API, "Errors").
type failure struct {
	status    int
	code      int
	message   string
	retryable bool
	err       error // the cause, for the log
}

func (f *failure) Error() string {
	if f.err != nil {
		return f.message + ": " + f.err.Error()
	}
	return f.message
}

func (f *failure) Unwrap() error { return f.err }

func refuse(format string, args ...any) error {
	return &failure{status: http.StatusBadRequest, code: upstream.CodeParameter, message: fmt.Sprintf(format, args...)}
}

func unknown(what, id string) error {
	return &failure{
		status: http.StatusNotFound, code: upstream.CodeParameter,
		message: fmt.Sprintf("There is no %s %q for this key.", what, clip(id)),
	}
}

// clip shortens what came in, so that a message stays a sentence.
func clip(s string) string {
	r := []rune(s)
	if len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// asFailure turns any error into words; what was not meant for the caller stays out of them.
func asFailure(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &failure{
			status: http.StatusRequestEntityTooLarge, code: upstream.CodeParameter,
			message: fmt.Sprintf("The request is larger than %d bytes.", big.Limit), err: err,
		}
	}
	if sqldb.IsDiskFull(err) {
		return &failure{
			status: http.StatusInsufficientStorage, code: upstream.CodeSystem,
			message: "The service's disk is full.", retryable: true, err: err,
		}
	}
	return &failure{
		status: http.StatusInternalServerError, code: upstream.CodeSystem,
		message: "The service could not do this. Try again in a moment.", retryable: true, err: err,
	}
}

// reply is what a handler gives: the payload and, on the run surface, the handle in meta.
type reply struct {
	data any // nil = no data field
	long *longTexts
	meta *upstream.RunMeta
}

type handler func(r *http.Request, c caller) (reply, error)

// envelope writes a reply or a failure in the form of one surface.
type envelope func(s *Service, rep reply, f *failure) any

// successText is what a success says of itself. ASSUMED [Fixed success text]: the fixed text is not given.
const successText = "success"

// taskEnvelope is Task API, "Response envelope of this surface".
func taskEnvelope(s *Service, rep reply, f *failure) any {
	sw := s.switches.Load()
	code, message := 0, successText
	if f != nil {
		code, message = f.code, f.message
	}
	body := map[string]any{"success": f == nil, "code": code}
	if sw.CodeAsString {
		body["code"] = strconv.Itoa(code)
	}
	if sw.MessageField {
		body["message"] = message
	} else {
		body["msg"] = message
	}
	if f == nil && rep.data != nil {
		body["data"] = rep.data
	} else if f == nil && sw.BooleanData {
		body["data"] = true
	}
	return body
}

// runEnvelope is Run API, "Success envelope" and "Error envelope".
// ASSUMED [Error codes of the run surface]: error codes are the task surface's numbers as text.
func runEnvelope(_ *Service, rep reply, f *failure) any {
	if f != nil {
		return map[string]any{
			"success": false,
			"error":   upstream.RunError{Code: strconv.Itoa(f.code), Message: f.message, Retryable: f.retryable},
		}
	}
	body := map[string]any{"success": true, "data": rep.data}
	if rep.meta != nil {
		body["meta"] = rep.meta
	}
	return body
}

// serve is the only place where a handler's outcome becomes a response.
func (s *Service) serve(form envelope, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body
		rep, err := s.attempt(w, r, h)
		if r.Context().Err() != nil && err != nil {
			return // nobody is there to read it
		}
		var f *failure
		status := http.StatusOK
		if err != nil {
			f = asFailure(err)
			status = f.status
			level := s.cfg.Logger.Info
			if status >= http.StatusInternalServerError {
				level = s.cfg.Logger.Error
			}
			level("request refused", "method", r.Method, "path", r.URL.Path, "status", status, "error", err)
			if s.switches.Load().ErrorsAs200 {
				status = http.StatusOK
			}
			// What was not read yet would otherwise reset the connection before the answer is seen.
			if _, err := io.CopyN(io.Discard, body, drainBytes); err != nil && !errors.Is(err, io.EOF) {
				s.cfg.Logger.Debug("drain a refused request", "error", err)
			}
		}
		s.send(w, r, status, form(s, rep, f), rep.long)
	})
}

// drainBytes is how much of a refused body is still read: as much as a photo has that a camera writes without loss.
const drainBytes = 64 << 20

// attempt runs h for an authenticated caller and turns a panic into an error.
func (s *Service) attempt(w http.ResponseWriter, r *http.Request, h handler) (rep reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			if cause, ok := p.(error); ok && errors.Is(cause, http.ErrAbortHandler) {
				panic(p)
			}
			err = s.counted(fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack()))
		}
	}()
	c, err := s.authenticate(r)
	if err != nil {
		return reply{}, err
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return reply{}, wrongMedia("Send the body as it is: Content-Encoding %q is not taken.", clip(coding))
	}
	r.Body = http.MaxBytesReader(w, r.Body, bodyLimit(r.URL.Path))
	if r.Method == http.MethodPost && !uploads(r.URL.Path) {
		done, err := s.gather(r)
		if err != nil {
			return reply{}, err
		}
		defer done()
	}
	return h(r, c)
}

// largestBody is the largest body of a request that is no video or sound.
const largestBody = 32 << 20

// uploads says whether a path takes files, which are never in memory whole.
func uploads(path string) bool {
	switch path {
	case upstream.PathUploadImage, upstream.PathRunUpload, upstream.PathRunVideos, upstream.PathRunAudios:
		return true
	}
	return false
}

// bodyLimit is the largest body accepted at a path. Params may carry a mask of 4096² as base64, uncompressed in the worst
// case; uploads have their own limit with a sentence of its own, so theirs is only a backstop.
// ASSUMED [Largest body of a request]: the documents give no limit.
func bodyLimit(path string) int64 {
	switch path {
	case upstream.PathTaskExecute, upstream.PathRuns, upstream.PathEstimates, upstream.PathUploadImage, upstream.PathRunUpload:
		return largestBody
	case upstream.PathRunVideos, upstream.PathRunAudios:
		return maxMediaBytes + 1<<20
	}
	return 1 << 20
}

// send writes an answer, whose long texts are read while it is written. One that cannot be written whole is broken off, so
// that nobody takes it for the whole.
func (s *Service) send(w http.ResponseWriter, r *http.Request, status int, body any, long *longTexts) {
	answer, err := encodeAnswer(body, long)
	if err != nil {
		s.cfg.Logger.Error("encode an answer", "error", err)
		http.Error(w, "{}", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.FormatInt(answer.bytes, 10))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := answer.send(w, answer.reader(r.Context(), s.read())); err != nil {
		s.cfg.Logger.Debug("an answer breaks off", "path", r.URL.Path, "error", err)
		panic(http.ErrAbortHandler)
	}
}

// encodeJSON leaves &, < and > as they are: values come back exactly as they were sent.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// detached is ctx without its end: what was promised is stored even when the caller has hung up.
func detached(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
