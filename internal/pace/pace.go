// Package pace bounds how slowly a client may speak and listen, so that nobody holds connections by sending or taking next to
// nothing. How much is read and written in all is bounded by who reads and writes it: an upload may take minutes.
package pace

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// What a slow connection is granted: a body must come at 16 KiB/s after ten seconds, each piece of an answer must be taken
// within a minute, and what is left of a body that nobody reads any more must come within two seconds.
const (
	readGrace = 10 * time.Second
	readRate  = 16 << 10
	writeWait = time.Minute
	restWait  = 2 * time.Second
)

// Handler serves next within these bounds.
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		b := &body{ReadCloser: r.Body, control: control, began: time.Now(), ended: r.Body == nil || r.Body == http.NoBody}
		a := &answer{ResponseWriter: w, control: control, body: b}
		if !b.ended {
			r = r.WithContext(r.Context()) // a copy: net/http goes by the body of its own
			r.Body = b
		}
		// When the handler has returned, net/http reads what is left of the body and sends what is left of the answer.
		defer a.hurry()
		next.ServeHTTP(a, r)
	})
}

// body must not come too slowly: the deadline moves on with every byte that came.
type body struct {
	io.ReadCloser
	control *http.ResponseController
	began   time.Time
	n       int64
	ended   bool
	err     error
}

// Read reads under the deadline that the bytes so far have earned. Once it fails it goes on failing.
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	earned := time.Duration(b.n) * time.Second / readRate
	if err := keepUp(b.control.SetReadDeadline(b.began.Add(readGrace + earned))); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	b.err = err
	if errors.Is(err, io.EOF) {
		b.ended = true
		// A deadline that stays would end the request while it is worked on.
		if cerr := keepUp(b.control.SetReadDeadline(time.Time{})); cerr != nil {
			return n, errors.Join(err, cerr)
		}
	}
	return n, err
}

// answer must be taken in time.
type answer struct {
	http.ResponseWriter
	control  *http.ResponseController
	body     *body
	hijacked bool
}

// hurry sets the deadlines of what happens next: net/http reads the rest of a body before it sends the head of an answer.
func (a *answer) hurry() {
	if a.hijacked {
		return
	}
	now := time.Now()
	if !a.body.ended {
		wait := restWait
		if a.body.err != nil {
			wait = 0 // it was waited for already
		}
		_ = a.control.SetReadDeadline(now.Add(wait)) // a connection without deadlines is one of a test
	}
	_ = a.control.SetWriteDeadline(now.Add(writeWait))
}

// WriteHeader begins the answer.
func (a *answer) WriteHeader(status int) {
	a.hurry()
	a.ResponseWriter.WriteHeader(status)
}

// Write sends a piece.
func (a *answer) Write(p []byte) (int, error) {
	a.hurry()
	return a.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// Hijack hands the connection over, for websockets.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	a.hijacked = true
	return a.control.Hijack()
}

// keepUp forgives connections that know no deadlines, which are those of tests.
func keepUp(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
