package bff

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"golang.org/x/sync/semaphore"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
)

// How much memory all larger bodies take together. A body of one long text is held up to perBodyByte times: as it is read, while the
// buffer it is read into grows, and as what it means, until its request is answered.
const (
	smallBody   = 64 << 10
	perBodyByte = 5
	bodyMemory  = perBodyByte * maxRequest
)

// What a body may hold, far beyond what a request needs: each value of its own takes many times the bytes it is written with.
const (
	maxTokens = 100_000
	maxDepth  = 64
)

// bodies is where larger bodies lie, and the memory they may take together.
type bodies struct {
	store  *media.Store
	memory *semaphore.Weighted
}

func newBodies(store *media.Store) bodies { return bodies{store, semaphore.NewWeighted(bodyMemory)} }

// readJSON reads a body of at most limit bytes into v. Unknown fields are refused: a misspelt one would change what is paid for.
func readJSON(w http.ResponseWriter, r *http.Request, limit int64, v any) (err error) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return atelier.Refuse(atelier.WrongType, words.RequestNotJSON)
	}
	body, drop, err := gather(r, &sending{r: http.MaxBytesReader(w, r.Body, limit)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, drop()) }()
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return notJSON(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return atelier.Refuse(atelier.Invalid, words.RequestManyValues)
	}
	return nil
}

func notJSON(err error) error {
	return atelier.Wrap(atelier.Invalid, err, words.RequestUnread(err.Error()))
}

// gather reads a body before any of it is decoded. A large one lies on disk until there is memory for it, so that neither many at once
// nor slow ones hold any. drop lets go of the file, the end of the request of the memory.
func gather(r *http.Request, body *sending) (whole io.Reader, drop func() error, err error) {
	var s shape
	head, err := io.ReadAll(io.TeeReader(io.LimitReader(body, smallBody+1), &s))
	if err != nil {
		return nil, nil, body.broken(err)
	}
	if len(head) <= smallBody {
		return bytes.NewReader(head), func() error { return nil }, nil
	}
	seen, ok := r.Context().Value(seenKey{}).(*seen)
	if !ok {
		return nil, nil, errors.New("a large body came with no request that is observed")
	}
	file, err := seen.bodies.store.Writer()
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Discard())
		}
	}()
	if _, err := file.Write(head); err != nil {
		return nil, nil, fmt.Errorf("keep a request: %w", err)
	}
	if _, err := io.Copy(io.MultiWriter(&s, file), body); err != nil {
		return nil, nil, body.broken(err)
	}
	memory := min(perBodyByte*file.Len(), bodyMemory)
	if err := seen.bodies.memory.Acquire(r.Context(), memory); err != nil {
		return nil, nil, fmt.Errorf("wait for memory: %w", err)
	}
	seen.release = func() { seen.bodies.memory.Release(memory) }
	return file.Reader(), file.Discard, nil
}

// sending is a body that is being sent. It remembers why reading it failed, apart from why keeping it did.
type sending struct {
	r   io.Reader
	err error
}

// Read is part of io.Reader.
func (s *sending) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// broken says what err is of gathering the body.
func (s *sending) broken(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](s.err); ok || s.err == nil {
		return err
	}
	return notJSON(s.err)
}

// shape counts what is written to it as JSON, and gives an error as soon as that is more than a request needs. What is no JSON at all is
// left to the decoder.
type shape struct {
	tokens, depth   int
	inText, escaped bool
}

// Write is part of io.Writer.
func (s *shape) Write(p []byte) (int, error) {
	for _, c := range p {
		switch {
		case s.escaped:
			s.escaped = false
		case s.inText:
			s.escaped, s.inText = c == '\\', c != '"'
		case c == '"':
			s.inText = true
			s.tokens++
		case c == '{' || c == '[':
			s.tokens++
			if s.depth++; s.depth > maxDepth {
				return 0, atelier.Refuse(atelier.Invalid, words.RequestDeep(maxDepth))
			}
		case c == '}' || c == ']':
			s.depth--
		case c == ',': // numbers and the like, of which each but the first of a list follows one
			s.tokens++
		}
	}
	if s.tokens > maxTokens {
		return 0, atelier.Refuse(atelier.Invalid, words.RequestValues(maxTokens))
	}
	return len(p), nil
}
