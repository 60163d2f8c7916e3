package upstream

import (
	"bufio"
	"io"
)

const (
	maxSent   = 256 << 20 // bytes of an answer as it is sent
	shortText = 64 << 10  // bytes of a text that are always kept
	longTexts = 6 << 20   // bytes of all texts beyond that, together
)

// lean is a JSON answer whose long texts end early once together they are too long: executions repeat their params, and a mask among
// those may be larger than everything else that is told of a run. What was cut off is no mask any more; all else stays readable.
type lean struct {
	from    *bufio.Reader
	room    int  // for long texts
	text    int  // bytes of the text we are in, 0 outside
	cut     bool // the rest of it goes
	escaped int  // bytes that still belong to an escape sequence
}

func newLean(r io.Reader) *lean {
	return &lean{from: bufio.NewReaderSize(io.LimitReader(r, maxSent), 32<<10), room: longTexts}
}

// Read is part of io.Reader.
func (l *lean) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if n > 0 && l.from.Buffered() == 0 {
			return n, nil
		}
		b, err := l.from.ReadByte()
		if err != nil {
			return n, err
		}
		if l.keeps(b) {
			p[n] = b
			n++
		}
	}
	return n, nil
}

// keeps follows the text and says whether a byte stays.
func (l *lean) keeps(b byte) bool {
	if l.text == 0 {
		if b == '"' {
			l.text = 1
		}
		return true
	}
	begun := l.escaped > 0
	switch {
	case l.escaped == 5 && b != 'u':
		l.escaped = 0
	case begun:
		l.escaped--
	case b == '"':
		l.text, l.cut = 0, false
		return true
	case b == '\\':
		l.escaped = 5
	}
	if l.text++; l.text <= shortText {
		return true
	}
	l.room--
	l.cut = l.cut || l.room < 0 && !begun // an escape sequence stays whole, or goes whole
	return !l.cut
}
