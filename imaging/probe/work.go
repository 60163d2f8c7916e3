package probe

import (
	"bytes"
	"errors"
)

// Work is what a whole JPEG asks of its decoder. Each scan walks over the whole picture, however few bytes it has.
type Work struct {
	Planes int64 // bytes of the decoded planes
	Kept   int64 // bytes beside them, for a progressive picture: of the coefficients that are kept between scans
	Scans  int
	Visits int64 // blocks that the scans visit; those with more to do count several times
	Ended  bool  // the end mark is there
}

// ErrWork says that a JPEG asks for more scans or visits than are granted.
var ErrWork = errors.New("probe: more scans than allowed")

// ReadWork adds up what a whole JPEG asks for, without decoding it; facts are those Read gives. It ends with ErrWork as soon as there are
// more scans or visits than granted. It is no validator: what it lets pass a decoder may still refuse.
func ReadWork(data []byte, facts Facts, scans int, visits int64) (w Work, err error) {
	var frame jpegFrame
	for at := 2; at+1 < len(data); {
		if data[at] != 0xff {
			// Between the pixels and the next marker.
			next := bytes.IndexByte(data[at:], 0xff)
			if next < 0 {
				break
			}
			at += next
			continue
		}
		marker := data[at+1]
		switch {
		case marker == 0xff:
			at++
			continue
		case marker == 0x00, marker == 0x01, marker >= 0xd0 && marker <= 0xd8:
			at += 2
			continue
		case marker == 0xd9:
			w.Ended = true
			return w, nil
		}
		if at+4 > len(data) {
			break
		}
		size := be16(data[at+2:])
		if size < 2 || at+2+size > len(data) {
			return w, ErrCorrupt // it ends early
		}
		body := data[at+4 : at+2+size]
		switch {
		case marker == 0xda:
			w.Scans++
			if w.Visits += frame.visits(body); w.Scans > scans || w.Visits > visits {
				return w, ErrWork
			}
		case marker >= 0xc0 && marker <= 0xc2 && len(body) >= 6 && frame.n == 0:
			frame = newJPEGFrame(body, marker == 0xc2, facts)
			w.Planes, w.Kept = frame.memory()
		}
		at += 2 + size
	}
	// Many files lack their end mark and nothing else.
	return w, nil
}

// checkWork gives what is wrong with a whole JPEG for the work it asks for. What is broken otherwise its decoder tells.
func checkWork(data []byte, facts Facts) []Problem {
	w, err := ReadWork(data, facts, MaxScans, MaxVisits)
	switch {
	case errors.Is(err, ErrWork):
		return []Problem{TooSlow(JPEG)}
	case err == nil && w.Planes+w.Kept > MaxMemory:
		return []Problem{TooMuchMemory(MaxMemory)}
	}
	return nil
}

// jpegFrame is what the head of a JPEG says of its blocks.
type jpegFrame struct {
	progressive bool
	n           int
	parts       [4]jpegBlocks // the components, n of them
}

// jpegBlocks is how many blocks of 8 × 8 a component has, those beyond the edge included.
type jpegBlocks struct {
	id           byte
	across, down int64 // blocks of each unit
	count        int64
}

func newJPEGFrame(body []byte, progressive bool, facts Facts) jpegFrame {
	f := jpegFrame{progressive: progressive, n: min(facts.Channels, (len(body)-6)/3, 4)}
	across, down := int64(8), int64(8) // pixels of a unit
	parts := f.parts[:f.n]
	for c := range parts {
		p, says := &parts[c], body[6+3*c:]
		p.id, p.across, p.down = says[0], 1, 1
		if facts.Channels > 1 {
			p.across, p.down = max(int64(says[1]>>4), 1), max(int64(says[1]&15), 1)
		}
		across, down = max(across, 8*p.across), max(down, 8*p.down)
	}
	units := ((int64(facts.RawWidth) + across - 1) / across) * ((int64(facts.RawHeight) + down - 1) / down)
	for c := range parts {
		parts[c].count = units * parts[c].across * parts[c].down
	}
	return f
}

// memory is the bytes of the decoded planes and, for a progressive picture, of the coefficients that are kept between scans, 4
// bytes each. There are at least as many planes as pixels, whatever a frame says that no decoder takes.
func (f *jpegFrame) memory() (planes, kept int64) {
	for _, p := range f.parts[:f.n] {
		planes += 64 * p.count
	}
	if f.progressive {
		kept = 4 * planes
	}
	return planes, kept
}

// What a visit to a block costs, in those that change nothing: about 20 ns.
const (
	visitPassing  = 1
	visitRefining = 3 // looks at every coefficient
	visitPlain    = 6 // makes pixels
)

// visits is the work of a scan, by its head. One that names what is not there costs nothing: no decoder takes it.
func (f *jpegFrame) visits(head []byte) (sum int64) {
	if len(head) < 1 || len(head) < 4+2*int(head[0]) {
		return 0
	}
	n := int(head[0])
	first, approximation := head[1+2*n], head[3+2*n]
	each := int64(visitPassing)
	switch {
	case !f.progressive:
		each = visitPlain
	case first > 0 && approximation>>4 > 0:
		each = visitRefining
	}
	for i := range n {
		for _, p := range f.parts[:f.n] {
			if p.id == head[1+2*i] {
				sum += each * p.count
			}
		}
	}
	return sum
}
