package bff

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// What a slow connection is granted: a body must come at 16 KiB/s after ten seconds, and each piece of an answer must be
// taken within a minute.
const (
	readGrace = 10 * time.Second
	readRate  = 16 << 10
	writeWait = time.Minute
)

// paced is a body that must not come too slowly: the deadline moves on with every byte that came.
type paced struct {
	io.ReadCloser
	control *http.ResponseController
	began   time.Time
	n       int64
}

// Read reads under the deadline that the bytes so far have earned.
func (p *paced) Read(b []byte) (int, error) {
	earned := time.Duration(p.n) * time.Second / readRate
	if err := keepUp(p.control.SetReadDeadline(p.began.Add(readGrace + earned))); err != nil {
		return 0, err
	}
	n, err := p.ReadCloser.Read(b)
	p.n += int64(n)
	if err != nil {
		// It has ended: a deadline that stays would end the request while it is worked on.
		if cerr := keepUp(p.control.SetReadDeadline(time.Time{})); cerr != nil {
			return n, errors.Join(err, cerr)
		}
	}
	return n, err
}

// keepUp forgives connections that know no deadlines, which are those of tests.
func keepUp(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
