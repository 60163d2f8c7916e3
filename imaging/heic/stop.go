package heic

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// stopAddress is where the decoder looks for the sign to stop: below everything a linker places (its global base is 1024), so 0 until it is set.
const stopAddress = 16

// stoppable rewrites a WebAssembly module so that each turn of a loop reads the byte at stopAddress and traps once it is not 0. wazero's own
// WithCloseOnContextDone makes this decoder five times slower, since it leaves the compiled code at each turn; a load and a branch are 3 %.
func stoppable(module []byte) ([]byte, error) {
	if len(module) < 8 || string(module[:4]) != "\x00asm" {
		return nil, errModule
	}
	out := append([]byte(nil), module[:8]...)
	for r := (wasmReader{data: module, at: 8}); r.at < len(module); {
		id := r.byte()
		body := r.take(r.u32())
		if r.err != nil {
			return nil, r.err
		}
		const codeSection = 10
		if id == codeSection {
			var err error
			if body, err = stoppableCode(body); err != nil {
				return nil, err
			}
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
	}
	return out, nil
}

var errModule = errors.New("not a WebAssembly module that can be rewritten")

func stoppableCode(section []byte) ([]byte, error) {
	r := wasmReader{data: section}
	count := r.u32()
	out := binary.AppendUvarint(nil, uint64(count))
	for range count {
		body, err := stoppableFunction(r.take(r.u32()))
		if err = errors.Join(r.err, err); err != nil {
			return nil, err
		}
		out = append(binary.AppendUvarint(out, uint64(len(body))), body...)
	}
	return out, nil
}

// stopCheck is: i32.const stopAddress, i32.load8_u, if, unreachable, end.
var stopCheck = []byte{0x41, stopAddress, 0x2d, 0, 0, 0x04, 0x40, 0x00, 0x0b}

func stoppableFunction(body []byte) ([]byte, error) {
	const loop = 0x03
	r := wasmReader{data: body}
	for range r.u32() { // kinds of local variables
		r.u32()
		r.byte()
	}
	var out []byte
	copied := 0
	for r.err == nil && r.at < len(body) {
		if op := r.instruction(); op == loop {
			out = append(append(out, body[copied:r.at]...), stopCheck...)
			copied = r.at
		}
	}
	return append(out, body[copied:]...), r.err
}

// wasmReader reads the binary format of WebAssembly (Core Specification 2.0, chapter 5). The first error stays.
type wasmReader struct {
	data []byte
	at   int
	err  error
}

func (r *wasmReader) byte() byte {
	if r.at >= len(r.data) {
		r.err = errModule
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

func (r *wasmReader) take(n int) []byte {
	if n > len(r.data)-r.at {
		r.err = errModule
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

// u32 also passes over signed numbers, which end the same way.
func (r *wasmReader) u32() int {
	n := uint64(0)
	for shift := 0; ; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << min(shift, 63)
		if b < 0x80 {
			return int(n & 0xffffffff)
		}
	}
}

// instruction passes over one instruction and gives its first byte.
func (r *wasmReader) instruction() byte {
	op := r.byte()
	switch {
	case op >= 0x02 && op <= 0x04, op == 0x0c, op == 0x0d, op == 0x10, op >= 0x20 && op <= 0x26, op == 0x41, op == 0x42, op == 0xd2:
		r.u32() // a type, a label, an index or a constant
	case op >= 0x28 && op <= 0x3e, op == 0x11:
		r.u32()
		r.u32()
	case op == 0x0e:
		for range r.u32() + 1 {
			if r.u32(); r.err != nil {
				return op
			}
		}
	case op == 0x1c:
		r.take(r.u32())
	case op == 0x3f, op == 0x40, op == 0xd0:
		r.byte()
	case op == 0x43:
		r.take(4)
	case op == 0x44:
		r.take(8)
	case op == 0xfc:
		switch sub := r.u32(); {
		case sub <= 7:
		case sub == 8, sub == 10, sub == 12, sub == 14:
			r.u32()
			r.u32()
		case sub <= 17:
			r.u32()
		default:
			r.err = fmt.Errorf("%w: instruction fc %d", errModule, sub)
		}
	case op <= 0x01, op == 0x05, op == 0x0b, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4, op == 0xd1:
	default:
		r.err = fmt.Errorf("%w: instruction %#x", errModule, op)
	}
	return op
}
