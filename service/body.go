package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"atelier/upstream"
)

// maxDepth is how deep objects and lists of a body may lie in one another. ASSUMED [Bodies that are no plain JSON]: the documents give no limit; their
// deepest request has four.
const maxDepth = 32

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
	body, err := io.ReadAll(r.Body)
	if err == nil {
		return body, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || r.Context().Err() != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	return nil, refuse("The request ended before its body was complete.")
}

// wrongMedia refuses a body of another kind than the endpoint reads.
func wrongMedia(format string, args ...any) error {
	return &failure{status: http.StatusUnsupportedMediaType, code: upstream.CodeParameter, message: fmt.Sprintf(format, args...)}
}

func parseJSON(body []byte, v any) error {
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

// scanJSON refuses what is no JSON, what lies too deep, and names that stand twice in one object: of two values nobody
// could say which one was meant.
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
		if err := s.take(token); err != nil {
			return err
		}
	}
}

// scan is how far scanJSON has come.
type scan struct {
	open []level
	done bool // something was read
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
