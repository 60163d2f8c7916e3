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

// Limits is what a slow connection is granted.
type Limits struct {
	Grace time.Duration // for a body to begin
	Rate  int           // bytes a second that it must come at from then on
	Rest  time.Duration // for what is left of a body that nobody reads any more
	Take  time.Duration // for each piece of an answer to be taken
}

// Ordinary is what the product grants.
var Ordinary = Limits{Grace: 10 * time.Second, Rate: 16 << 10, Rest: 2 * time.Second, Take: time.Minute}

// Handler serves next within these bounds.
func (l Limits) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		b := &body{ReadCloser: r.Body, limits: l, control: control, began: time.Now(), ended: r.Body == nil || r.Body == http.NoBody}
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
	limits  Limits
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
	earned := time.Duration(b.n) * time.Second / time.Duration(b.limits.Rate)
	if err := keepUp(b.control.SetReadDeadline(b.began.Add(b.limits.Grace + earned))); err != nil {
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
		wait := a.body.limits.Rest
		if a.body.err != nil {
			wait = 0 // it was waited for already
		}
		_ = a.control.SetReadDeadline(now.Add(wait)) // a connection without deadlines is one of a test
	}
	_ = a.control.SetWriteDeadline(now.Add(a.body.limits.Take))
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
