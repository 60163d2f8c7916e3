package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Parts of the WebAssembly binary format, version 1: "5.5 Modules" of the core specification.
const (
	wasmHeader  = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
	opI32Const  = 0x41
	opEnd       = 0x0b
)

// joinGap is how many zero bytes between two segments of data are written out rather than skipped.
const joinGap = 4096

// segment is data that is put at an address of the memory before the program starts.
type segment struct {
	address int64
	data    []byte
}

// joinSegments writes the program's data as few segments. Go's linker leaves out every run of eight zeros and starts a segment after it,
// up to a hundred thousand of them. Uncompressed that is smaller; but zeros compress to nothing and the segments' addresses hardly at all.
// Memory holds the same bytes afterwards, but for what dropLines takes out.
func joinSegments(wasm []byte) ([]byte, error) {
	if !bytes.HasPrefix(wasm, []byte(wasmHeader)) {
		return nil, errors.New("this is not a WebAssembly program of version 1")
	}
	out := append(make([]byte, 0, len(wasm)), wasmHeader...)
	rest := reader{data: wasm[len(wasmHeader):]}
	for len(rest.data) > 0 {
		id := rest.byte()
		body := rest.bytes()
		if rest.short {
			return nil, errors.New("the program ends within a section")
		}
		if id == dataSection {
			segments, err := readSegments(body)
			if err != nil {
				return nil, err
			}
			for _, s := range segments {
				if err := dropLines(s.data); err != nil {
					return nil, err
				}
			}
			body = writeSegments(withoutGaps(segments))
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
	}
	return out, nil
}

// readSegments reads a data section and returns its segments by address, those joined that lie close together.
func readSegments(body []byte) ([]segment, error) {
	r := reader{data: body}
	count := r.uvarint()
	var all []segment
	for range count {
		if kind, op := r.byte(), r.byte(); !r.short && (kind != 0 || op != opI32Const) {
			return nil, fmt.Errorf("data segment %d is of a kind this does not know", len(all))
		}
		address := r.varint()
		if end := r.byte(); !r.short && end != opEnd {
			return nil, fmt.Errorf("the address of data segment %d is not a single number", len(all))
		}
		data := r.bytes()
		if r.short {
			return nil, errors.New("the data section ends within a segment")
		}
		if address < 0 {
			return nil, fmt.Errorf("data segment %d lies in the upper half of memory, which this does not know", len(all))
		}
		all = append(all, segment{address: address, data: data})
	}
	if len(r.data) > 0 {
		return nil, errors.New("the data section goes on after its last segment")
	}
	slices.SortStableFunc(all, func(a, b segment) int { return cmp.Compare(a.address, b.address) })

	var joined []segment
	for _, s := range all {
		if len(joined) == 0 {
			joined = append(joined, segment{address: s.address, data: slices.Clone(s.data)})
			continue
		}
		last := &joined[len(joined)-1]
		gap := s.address - last.address - int64(len(last.data))
		switch {
		case gap < 0:
			return nil, fmt.Errorf("data segments overlap at address %d", s.address)
		case gap <= joinGap:
			last.data = append(append(last.data, make([]byte, gap)...), s.data...)
		default:
			joined = append(joined, segment{address: s.address, data: slices.Clone(s.data)})
		}
	}
	return joined, nil
}

// withoutGaps cuts segments where nothing but zeros stands for longer than joinGap.
func withoutGaps(segments []segment) []segment {
	var cut []segment
	for _, s := range segments {
		for {
			gap := bytes.Index(s.data, zeros[:])
			if gap < 0 {
				break
			}
			cut = append(cut, segment{address: s.address, data: s.data[:gap]})
			rest := bytes.TrimLeft(s.data[gap:], "\x00")
			s = segment{address: s.address + int64(len(s.data)-len(rest)), data: rest}
		}
		cut = append(cut, s)
	}
	return cut
}

// zeros are one more than are written out.
var zeros [joinGap + 1]byte

func writeSegments(segments []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		out = append(appendVarint(append(out, 0, opI32Const), s.address), opEnd)
		out = append(binary.AppendUvarint(out, uint64(len(s.data))), s.data...)
	}
	return out
}

// appendVarint appends a signed LEB128 number ("5.2.2 Integers"), which is not the zigzag form of encoding/binary.
func appendVarint(out []byte, n int64) []byte {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

// reader takes numbers and bytes off the front of data. It is short once it was asked for more than there is.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) byte() byte {
	if len(r.data) == 0 {
		r.short = true
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		r.data, r.short = nil, true
		return 0
	}
	r.data = r.data[size:]
	return n
}

// varint reads a signed LEB128 number of at most 32 bits.
func (r *reader) varint() int64 {
	var n int64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 {
				n -= 1 << (shift + 7)
			}
			return n
		}
	}
	r.short = true
	return 0
}

// bytes reads a length and as many bytes.
func (r *reader) bytes() []byte {
	n := r.uvarint()
	if n > uint64(len(r.data)) {
		r.data, r.short = nil, true
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}
