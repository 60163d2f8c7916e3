package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// program is a WebAssembly program of a memory section and these segments, written as Go's linker writes them.
func program(segments ...segment) []byte {
	return dataProgram(writeSegments(segments))
}

func dataProgram(body []byte) []byte {
	out := append([]byte(wasmHeader), 5, 3, 1, 0, 32)
	out = append(out, dataSection)
	for n := len(body); ; n >>= 7 {
		if n < 0x80 {
			return append(append(out, byte(n)), body...)
		}
		out = append(out, byte(n)|0x80)
	}
}

// memory returns what memory holds once the program is loaded, and in how many segments that came.
func memory(t *testing.T, wasm []byte, size int) (mem []byte, segments int) {
	t.Helper()
	r := reader{data: wasm[len(wasmHeader):]}
	mem = make([]byte, size)
	for len(r.data) > 0 {
		id := r.byte()
		body := reader{data: r.bytes()}
		if id != dataSection {
			continue
		}
		for range body.uvarint() {
			body.byte()
			body.byte()
			at := body.varint()
			body.byte()
			copy(mem[at:], body.bytes())
			segments++
		}
		if body.short || len(body.data) > 0 {
			t.Fatal("the data section is not well formed")
		}
	}
	if r.short {
		t.Fatal("the program is not well formed")
	}
	return mem, segments
}

func TestDataIsJoinedAndMemoryStaysTheSame(t *testing.T) {
	const size = 200_000
	rnd := rand.New(rand.NewPCG(1, 2))
	var many []segment
	for at := int64(0); at < size-50; at += int64(10 + rnd.IntN(60)) {
		s := segment{address: at}
		for range 1 + rnd.IntN(9) {
			s.data = append(s.data, byte(rnd.IntN(256)))
		}
		many = append(many, s)
	}
	rnd.Shuffle(len(many), func(i, j int) { many[i], many[j] = many[j], many[i] })
	in := program(many...)
	out, err := joinSegments(in)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := memory(t, in, size)
	got, segments := memory(t, out, size)
	if !bytes.Equal(got, want) {
		t.Error("memory holds something else")
	}
	if segments != 1 {
		t.Errorf("%d segments, want 1", segments)
	}
	if !bytes.HasPrefix(out, in[:len(wasmHeader)+5]) {
		t.Error("the memory section changed")
	}
}

func TestOnlyLongGapsBetweenSegmentsStay(t *testing.T) {
	for gap, want := range map[int64]int{0: 1, 1: 1, joinGap - 1: 1, joinGap: 1, joinGap + 1: 2} {
		in := program(segment{64, []byte("abc")}, segment{67 + gap, []byte("de")})
		out, err := joinSegments(in)
		if err != nil {
			t.Fatalf("gap %d: %v", gap, err)
		}
		before, _ := memory(t, in, 3*joinGap)
		after, segments := memory(t, out, 3*joinGap)
		if segments != want || !bytes.Equal(before, after) {
			t.Errorf("gap %d: %d segments, want %d; same memory: %v", gap, segments, want, bytes.Equal(before, after))
		}
	}
}

func TestSignedNumbersAreReadAsWritten(t *testing.T) {
	for _, n := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20, math.MaxInt32, -1, -64, -65, math.MinInt32} {
		r := reader{data: appendVarint(nil, n)}
		if got := r.varint(); got != n || r.short || len(r.data) > 0 {
			t.Errorf("%d is read as %d (short %v, %d bytes over)", n, got, r.short, len(r.data))
		}
	}
	if got := appendVarint(nil, 64); !slices.Equal(got, []byte{0xc0, 0x00}) {
		t.Errorf("64 is written as % x", got)
	}
}

func TestDamagedProgramsAreRefused(t *testing.T) {
	whole := program(segment{8, []byte("abc")})
	for name, wasm := range map[string][]byte{
		"empty":                     {},
		"no program":                []byte("<html></html>"),
		"version 2":                 []byte("\x00asm\x02\x00\x00\x00"),
		"cut within a section":      whole[:len(whole)-1],
		"cut after a section's id":  append(bytes.Clone(whole), 0),
		"overlap":                   program(segment{8, []byte("abc")}, segment{10, []byte("d")}),
		"negative address":          program(segment{-8, []byte("abc")}),
		"passive segment":           dataProgram([]byte{1, 1, 1, 'a'}),
		"address of a global":       dataProgram([]byte{1, 0, 0x23, 0, opEnd, 1, 'a'}),
		"address is a sum":          dataProgram([]byte{1, 0, opI32Const, 1, 0x6a, 1, 'a'}),
		"address without end":       dataProgram([]byte{1, 0, opI32Const, 0xff, 0xff, 0xff, 0xff, 0xff, 1, opEnd, 1, 'a'}),
		"segment longer than it is": dataProgram([]byte{1, 0, opI32Const, 1, opEnd, 2, 'a'}),
		"fewer segments than said":  dataProgram([]byte{2, 0, opI32Const, 1, opEnd, 1, 'a'}),
		"more segments than said":   dataProgram([]byte{0, 0, opI32Const, 1, opEnd, 1, 'a'}),
	} {
		if _, err := joinSegments(wasm); err == nil {
			t.Errorf("%s: is taken", name)
		}
	}
	if _, err := joinSegments(whole); err != nil {
		t.Errorf("whole: %v", err)
	}
}
