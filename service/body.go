package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"reflect"
	"strings"
	"unicode/utf8"

	"atelier/upstream"
)

// maxDepth is how deep objects and lists of a body may lie in one another. ASSUMED [Bodies that are no plain JSON]: the documents give no limit; their
// deepest request has four.
const maxDepth = 32

// maxTokens is how many names, values and brackets a body holds, far beyond what a request needs: each value of its own takes many times the
// bytes it is written with.
const maxTokens = 100_000

// readJSON decodes a request's body into v. Unknown fields are ignored, as public clients of this API send some.
func readJSON(r *http.Request, v any) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	return parseJSON(body, v)
}

// readBody reads a JSON body whole (Task API, "Endpoints": JSON requests use Content-Type: application/json).
// ASSUMED [Bodies that are no plain JSON]: a body that does not say what it is is read as JSON.
func readBody(r *http.Request) ([]byte, error) {
	if given := r.Header.Get("Content-Type"); given != "" {
		if kind, _, err := mime.ParseMediaType(given); err != nil || (kind != "application/json" && !strings.HasSuffix(kind, "+json")) {
			return nil, wrongMedia("Send the body as application/json; this one says it is %q.", clip(given))
		}
	}
	var body bytes.Buffer
	if gathered := r.ContentLength; gathered > 0 && gathered <= largestBody {
		body.Grow(int(gathered) + bytes.MinRead)
	}
	if _, err := body.ReadFrom(r.Body); err != nil {
		return nil, brokenBody(r, err)
	}
	return body.Bytes(), nil
}

// brokenBody says why a body could not be read.
func brokenBody(r *http.Request, err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || r.Context().Err() != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	return refuse("The request ended before its body was complete.")
}

// How much memory all larger requests take together. A body is read, parsed, its mask decoded and its params encoded anew, which
// is up to perBodyByte bytes for each of its own at once.
const (
	smallBody   = 64 << 10
	perBodyByte = 5
	bodyMemory  = perBodyByte * largestBody
)

// gather reads the body of a request before it is worked on. A large one lies on disk until it is its turn to be in memory, so
// that neither many at once nor slow ones hold any. done lets go of it.
func (s *Service) gather(r *http.Request) (done func(), err error) {
	head, err := io.ReadAll(io.LimitReader(r.Body, smallBody+1))
	if err != nil {
		return nil, brokenBody(r, err)
	}
	if len(head) <= smallBody {
		r.Body = io.NopCloser(bytes.NewReader(head))
		return func() {}, nil
	}
	file, err := os.CreateTemp(s.files.tmp(), "")
	if err != nil {
		return nil, fmt.Errorf("keep a request: %w", err)
	}
	drop := func() {
		if err := errors.Join(file.Close(), os.Remove(file.Name())); err != nil {
			s.cfg.Logger.Warn("remove a request that was kept", "error", err)
		}
	}
	size, err := s.spool(file, head, r)
	if err != nil {
		drop()
		return nil, err
	}
	release, err := s.takeLarge(r.Context(), perBodyByte*size)
	if err != nil {
		drop()
		return nil, err
	}
	r.Body, r.ContentLength = file, size
	return func() {
		r.Body = http.NoBody
		drop()
		release()
	}, nil
}

// spool writes a body whose head has been read into a file, which then stands at its beginning.
func (s *Service) spool(file *os.File, head []byte, r *http.Request) (size int64, err error) {
	if _, err := file.Write(head); err != nil {
		return 0, fmt.Errorf("keep a request: %w", err)
	}
	body := &reading{r: r.Body}
	rest, err := io.Copy(file, body)
	switch {
	case body.err != nil:
		return 0, brokenBody(r, body.err)
	case err != nil:
		return 0, fmt.Errorf("keep a request: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, fmt.Errorf("read a request again: %w", err)
	}
	return int64(len(head)) + rest, nil
}

// reading remembers why reading failed, apart from why writing what was read did.
type reading struct {
	r   io.Reader
	err error
}

// Read is part of io.Reader.
func (r *reading) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// takeLarge waits for so many bytes of the memory for large requests.
func (s *Service) takeLarge(ctx context.Context, bytes int64) (release func(), err error) {
	bytes = min(bytes, bodyMemory)
	if err := s.bodies.Acquire(ctx, bytes); err != nil {
		return nil, fmt.Errorf("wait for memory: %w", err)
	}
	return func() { s.bodies.Release(bytes) }, nil
}

// wrongMedia refuses a body of another kind than the endpoint reads.
func wrongMedia(format string, args ...any) error {
	return &failure{status: http.StatusUnsupportedMediaType, code: upstream.CodeParameter, message: fmt.Sprintf(format, args...)}
}

func parseJSON(body []byte, v any) error {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")) // the mark some writers of text begin with
	if len(bytes.TrimSpace(body)) == 0 {
		return refuse("The body is empty; a JSON object is needed.")
	}
	if !utf8.Valid(body) {
		return refuse("The body is not valid JSON: it is not in UTF-8.")
	}
	if err := scanJSON(body); err != nil {
		return err
	}
	err := json.Unmarshal(body, v)
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		where := wrong.Field
		if where == "" {
			where = "The body"
		}
		return refuse("%s: %s is needed here, not %s.", where, kindInWords(wrong.Type), valueInWords(wrong.Value))
	}
	return refuse("The body is not valid JSON.")
}

func kindInWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number of ordinary size"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// valueInWords names what encoding/json found, such as "array" or "number 1.5".
func valueInWords(found string) string {
	if n, ok := strings.CutPrefix(found, "number "); ok {
		return clip(n)
	}
	words := map[string]string{"string": "a text", "number": "a number", "array": "a list", "object": "an object", "bool": "true or false"}
	if w, ok := words[found]; ok {
		return w
	}
	return clip(found)
}

// scanJSON refuses what is no JSON, what lies too deep or is far too much, and names that stand twice in one object: of two values
// nobody could say which one was meant.
func scanJSON(body []byte) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	s := scan{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && s.done && len(s.open) == 0 {
			return nil
		}
		if err != nil || (s.done && len(s.open) == 0) {
			return refuse("The body is not valid JSON, from byte %d on.", d.InputOffset())
		}
		s.done = true
		if s.tokens++; s.tokens > maxTokens {
			return refuse("The body holds more than %d values; no request needs so many.", maxTokens)
		}
		if err := s.take(token); err != nil {
			return err
		}
	}
}

// scan is how far scanJSON has come.
type scan struct {
	open   []level
	done   bool // something was read
	tokens int
}

// level is an object or list that is not closed yet.
type level struct {
	names   map[string]bool // of the object so far; nil for a list
	name    string          // of the value that comes next, or was last
	isValue bool            // a name was read, its value comes next
}

func (s *scan) take(token json.Token) error {
	delim, isDelim := token.(json.Delim)
	if isDelim && (delim == '}' || delim == ']') {
		s.open = s.open[:len(s.open)-1]
		return nil
	}
	if n := len(s.open); n > 0 && s.open[n-1].names != nil {
		at := &s.open[n-1]
		if name, ok := token.(string); ok && !at.isValue {
			return s.named(at, name)
		}
		at.isValue = false
	}
	if !isDelim {
		return nil
	}
	if len(s.open) == maxDepth {
		return refuse("The body is nested deeper than %d levels, at %s.", maxDepth, clip(s.where()))
	}
	var l level
	if delim == '{' {
		l.names = map[string]bool{}
	}
	s.open = append(s.open, l)
	return nil
}

// named notes a name. At the top, names that differ in their case alone are one: encoding/json reads them so.
func (s *scan) named(at *level, name string) error {
	key := name
	if len(s.open) == 1 {
		key = strings.ToLower(name)
	}
	at.name, at.isValue = name, true
	if at.names[key] {
		return refuse("%s stands twice in the body; each field may stand once.", clip(s.where()))
	}
	at.names[key] = true
	return nil
}

// where is the way to what was read last, such as params.pose.
func (s *scan) where() string {
	var names []string
	for _, l := range s.open {
		if l.name != "" {
			names = append(names, l.name)
		}
	}
	return strings.Join(names, ".")
}
