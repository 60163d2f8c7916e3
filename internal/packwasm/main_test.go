package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func TestThePackedCopiesHoldTheProgram(t *testing.T) {
	dir := t.TempDir()
	// A program of one custom section (0), whose bytes stay as they are.
	wasm := binary.AppendUvarint([]byte(wasmHeader+"\x00"), 19*5000)
	wasm = append(wasm, bytes.Repeat([]byte("wasm is repetitive "), 5000)...)
	in := filepath.Join(dir, "in.wasm")
	if err := os.WriteFile(in, wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.wasm")
	if err := os.WriteFile(other, wasm[:len(wasmHeader)], 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run([]string{"-q", "5", in, other, dir}, &out); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(read("in.wasm.br")))); err != nil || !bytes.Equal(got, wasm) {
		t.Errorf("the brotli copy differs: %v", err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(read("in.wasm.gz")))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(zr); err != nil || !bytes.Equal(got, wasm) {
		t.Errorf("the gzip copy differs: %v", err)
	}
	if got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(read("other.wasm.br")))); err != nil || string(got) != wasmHeader {
		t.Errorf("the brotli copy of a program packed at the same time is %q: %v", got, err)
	}
	if got := string(read("in.wasm.size")); got != strconv.Itoa(len(wasm)) {
		t.Errorf("size = %s, want %d", got, len(wasm))
	}
	for _, program := range []string{"in.wasm", "other.wasm"} {
		if want := program + " " + string(read(program+".hash")); !strings.Contains(out.String(), want) {
			t.Errorf("what is printed, %q, does not say %q", out.String(), want)
		}
	}
	budget := func(most int) error {
		script := filepath.Join("..", "..", "scripts", "budget")
		return exec.CommandContext(t.Context(), script, filepath.Join(dir, "in.wasm.br"), strconv.Itoa(most)).Run()
	}
	br := len(read("in.wasm.br"))
	if err := budget(br); err != nil {
		t.Errorf("at the budget: %v", err)
	}
	if err := budget(br - 1); err == nil {
		t.Error("one byte over the budget passes")
	}
}
