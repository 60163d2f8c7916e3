package heic

import (
	"errors"
	"fmt"
)

// Stream is what the sequence parameter set in an hvcC says of its pictures.
type Stream struct {
	Width, Height int // as shown, without the padding of the last blocks
	Described     bool
	FullRange     bool
	// The code points of ISO/IEC 23091-2; 2 = unspecified.
	Primaries, Transfer, Matrix int
}

var errConfig = errors.New("heic: hvcC without a sequence parameter set that can be read")

const unspecified = 2

// minConfig is the fixed part of hvcC (ISO/IEC 14496-15, 8.3.3.1.2).
const minConfig = 23

// ReadConfig reads the first sequence parameter set of an hvcC. All of them must have the same size: with another the decoder would do work that nobody
// announced.
func ReadConfig(config []byte) (s Stream, err error) {
	const spsType = 33
	if len(config) < minConfig {
		return s, errConfig
	}
	found := false
	rest := config[minConfig:]
	for range config[minConfig-1] {
		if len(rest) < 3 {
			return s, errConfig
		}
		kind, count := rest[0]&0x3f, int(rest[1])<<8|int(rest[2])
		rest = rest[3:]
		for range count {
			if len(rest) < 2 {
				return s, errConfig
			}
			n := int(rest[0])<<8 | int(rest[1])
			if n > len(rest)-2 {
				return s, errConfig
			}
			nal := rest[2 : 2+n]
			rest = rest[2+n:]
			if kind != spsType {
				continue
			}
			one, err := readSPS(nal)
			if err != nil {
				return s, err
			}
			if found && (one.Width != s.Width || one.Height != s.Height) {
				return s, fmt.Errorf("%w: several sizes", errConfig)
			}
			s, found = one, true
		}
	}
	if !found {
		return s, errConfig
	}
	return s, nil
}

// bits reads a parameter set (ITU-T H.265, 7.2 and 9.2). Past the end it gives zeros and remembers that.
type bits struct {
	data  []byte
	at    int // bits
	short bool
}

func (b *bits) u(n int) (v int) {
	for range n {
		v <<= 1
		if b.at>>3 >= len(b.data) {
			b.short = true
			continue
		}
		v |= int(b.data[b.at>>3]>>(7-b.at&7)) & 1
		b.at++
	}
	return v
}

func (b *bits) flag() bool { return b.u(1) == 1 }

func (b *bits) skip(n int) {
	if b.at += n; b.at > 8*len(b.data) {
		b.short = true
	}
}

// ue is a number in Exp-Golomb code; se is as long.
func (b *bits) ue() int {
	zeros := 0
	for !b.flag() {
		if zeros++; zeros > 31 || b.short {
			b.short = true
			return 0
		}
	}
	return 1<<zeros - 1 + b.u(zeros)
}

// readSPS reads a sequence parameter set (ITU-T H.265, 7.3.2.2 and E.2.1) as far as the colours.
func readSPS(nal []byte) (s Stream, err error) {
	if len(nal) < 2 {
		return s, errConfig
	}
	b := &bits{data: unescaped(nal[2:])}
	b.skip(4)
	layers := b.u(3)
	b.skip(1)
	b.profile(layers)
	b.ue()
	chroma := b.ue()
	if chroma == 3 {
		b.skip(1)
	}
	w, h := b.ue(), b.ue()
	if b.flag() {
		across, down := 1, 1
		switch chroma {
		case chroma420:
			across, down = 2, 2
		case chroma422:
			across = 2
		}
		w -= across * (b.ue() + b.ue())
		h -= down * (b.ue() + b.ue())
	}
	b.ue()
	b.ue()
	poc := b.ue() + 4
	first := layers
	if b.flag() {
		first = 0
	}
	for range layers - first + 1 {
		b.ue()
		b.ue()
		b.ue()
	}
	for range 6 {
		b.ue()
	}
	if b.flag() { // scaling lists are in use
		if b.flag() { // and stand here
			b.scalingLists()
		}
	}
	b.skip(2)
	if b.flag() {
		b.skip(8)
		b.ue()
		b.ue()
		b.skip(1)
	}
	b.pictureSets()
	if b.flag() {
		for range min(b.ue(), 32) {
			b.skip(poc + 1)
		}
	}
	b.skip(2)
	s = Stream{Width: w, Height: h, Primaries: unspecified, Transfer: unspecified, Matrix: unspecified}
	if b.flag() {
		if b.flag() && b.u(8) == 255 { // a shape of pixels of its own
			b.skip(32)
		}
		if b.flag() {
			b.skip(1)
		}
		if b.flag() {
			b.skip(3)
			s.Described, s.FullRange = true, b.flag()
			if b.flag() {
				s.Primaries, s.Transfer, s.Matrix = b.u(8), b.u(8), b.u(8)
			}
		}
	}
	if b.short || w < 1 || h < 1 {
		return s, errConfig
	}
	return s, nil
}

// unescaped takes out the bytes that keep a start code from appearing (ITU-T H.265, 7.3.1.1).
func unescaped(nal []byte) []byte {
	out := make([]byte, 0, len(nal))
	zeros := 0
	for _, b := range nal {
		if zeros >= 2 && b == 3 {
			zeros = 0
			continue
		}
		if out = append(out, b); b == 0 {
			zeros++
		} else {
			zeros = 0
		}
	}
	return out
}

// profile passes over profile, tier and level (ITU-T H.265, 7.3.3).
func (b *bits) profile(layers int) {
	const general, level = 88, 8
	b.skip(general + level)
	if layers == 0 {
		return
	}
	lengths := 0
	for i := range 8 {
		profiled, levelled := b.flag(), b.flag()
		if i >= layers {
			continue
		}
		if profiled {
			lengths += general
		}
		if levelled {
			lengths += level
		}
	}
	b.skip(lengths)
}

// scalingLists passes over lists of factors (ITU-T H.265, 7.3.4).
func (b *bits) scalingLists() {
	for size := range 4 {
		step := 1
		if size == 3 {
			step = 3
		}
		for matrix := 0; matrix < 6; matrix += step {
			if !b.flag() {
				b.ue()
				continue
			}
			if size > 1 {
				b.ue()
			}
			for range min(64, 1<<(4+2*size)) {
				b.ue()
			}
		}
	}
}

// pictureSets passes over sets of reference pictures (ITU-T H.265, 7.3.7).
func (b *bits) pictureSets() {
	before := 0
	for i := range min(b.ue(), 64) {
		if i > 0 && b.flag() {
			b.skip(1)
			b.ue()
			n := 0
			for range before + 1 {
				used := b.flag()
				if used = used || b.flag(); used {
					n++
				}
			}
			before = n
			continue
		}
		if before = b.ue() + b.ue(); before > 32 {
			b.short = true
			return
		}
		for range before {
			b.ue()
			b.skip(1)
		}
	}
}
