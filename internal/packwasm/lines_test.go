package main

import (
	"bytes"
	"debug/gosym"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goProgram is a program that Go's own linker wrote, and the data it begins with.
func goProgram(t *testing.T) (wasm, data []byte) {
	t.Helper()
	dir := t.TempDir()
	source := "package main\n\nfunc main() { println(deep(40)) }\n\nfunc deep(n int) int {\n\tif n == 0 {\n\t\treturn 1\n\t}\n\treturn deep(n-1) + 1\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(dir, "program.wasm")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", built, filepath.Join(dir, "main.go"))
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	wasm, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	data, _ = memory(t, wasm, 8<<20)
	return wasm, data
}

// functions reads the table of functions with the reader of the standard library.
func functions(t *testing.T, data []byte) *gosym.Table {
	t.Helper()
	at := bytes.Index(data, []byte(tableHeader))
	if at < 0 {
		t.Fatal("there is no table of functions")
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data[at:], 0))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// running are the tables that a running program asks for, of each function by its place: that of stack sizes, then the others
// except the two that are dropped, and what else is known of it.
func running(t *testing.T, data []byte) [][]byte {
	t.Helper()
	order := binary.LittleEndian
	table := data[bytes.Index(data, []byte(tableHeader)):]
	tables, funcs := table[order.Uint64(table[56:]):], table[order.Uint64(table[64:]):]
	read := func(at uint32) []byte {
		if at == 0 {
			return nil
		}
		length, whole := pcTable(tables, at)
		if !whole {
			t.Fatalf("the table at %d has no end", at)
		}
		return tables[at : at+length]
	}
	var all [][]byte
	for i := range order.Uint64(table[8:]) {
		f := funcs[order.Uint32(funcs[8*i+4:]):]
		all = append(all, f[:16], read(order.Uint32(f[16:])), f[28:32], f[40:44])
		count := order.Uint32(f[28:])
		for k := range count {
			if k != 0 && k != 3 {
				all = append(all, read(order.Uint32(f[44+4*k:])))
			}
		}
		for k := range uint32(f[43]) {
			if k != 5 {
				all = append(all, f[44+4*(count+k):][:4])
			}
		}
	}
	return all
}

func TestLinesAreDroppedAndWhatRunningTakesStays(t *testing.T) {
	wasm, before := goProgram(t)
	packed, err := joinSegments(wasm)
	if err != nil {
		t.Fatal(err)
	}
	after, segments := memory(t, packed, len(before))
	if segments > 20 {
		t.Errorf("the data lies in %d segments", segments)
	}

	was, is := functions(t, before), functions(t, after)
	if len(was.Funcs) < 500 || len(is.Funcs) != len(was.Funcs) {
		t.Fatalf("%d functions were known and %d are", len(was.Funcs), len(is.Funcs))
	}
	for i := range was.Funcs {
		if was.Funcs[i].Name != is.Funcs[i].Name || was.Funcs[i].Entry != is.Funcs[i].Entry {
			t.Fatalf("%s at %d is now %s at %d", was.Funcs[i].Name, was.Funcs[i].Entry, is.Funcs[i].Name, is.Funcs[i].Entry)
		}
	}
	f := was.LookupFunc("main.deep")
	if f == nil {
		t.Fatal("the table does not know the program's own function")
	}
	if file, line, _ := was.PCToLine(f.Entry); !strings.HasSuffix(file, "main.go") || line != 5 {
		t.Fatalf("before, the function is at %s:%d", file, line)
	}
	if file, line, _ := is.PCToLine(f.Entry); file != "" || line > 0 {
		t.Errorf("the function is still at %s:%d", file, line)
	}

	want, got := running(t, before), running(t, after)
	if len(got) != len(want) {
		t.Fatalf("%d tables were there and %d are", len(want), len(got))
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Fatalf("table %d was % x and is % x", i, want[i], got[i])
		}
	}

	// Everything outside the table of functions is as it was.
	from := bytes.Index(before, []byte(tableHeader))
	tables, rows := binary.LittleEndian.Uint64(before[from+56:]), binary.LittleEndian.Uint64(before[from+64:])
	end := from + int(rows)
	for _, f := range functionsEnd(before[from+int(rows):], len(was.Funcs)) {
		end = max(end, from+int(rows)+f)
	}
	if !bytes.Equal(before[:from+int(tables)], after[:from+int(tables)]) || !bytes.Equal(before[end:], after[end:]) {
		t.Error("other data than the table changed")
	}
}

// functionsEnd are the offsets at which the functions of a table end.
func functionsEnd(rows []byte, count int) []int {
	var ends []int
	for i := range count {
		at := int(binary.LittleEndian.Uint32(rows[8*i+4:]))
		ends = append(ends, at+44+4*int(binary.LittleEndian.Uint32(rows[at+28:]))+4*int(rows[at+43]))
	}
	return ends
}

func TestDamagedTablesOfFunctionsAreRefused(t *testing.T) {
	_, whole := goProgram(t)
	from := bytes.Index(whole, []byte(tableHeader))
	rows := from + int(binary.LittleEndian.Uint64(whole[from+64:]))
	first := rows + int(binary.LittleEndian.Uint32(whole[rows+4:]))
	tables := from + int(binary.LittleEndian.Uint64(whole[from+56:]))
	put := func(at int, n uint32) []byte {
		data := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(data[at:], n)
		return data
	}
	for name, data := range map[string][]byte{
		"cut within the header":           bytes.Clone(whole[:from+40]),
		"two tables":                      append(bytes.Clone(whole), tableHeader...),
		"more functions than there can":   put(from+8, 1<<30),
		"tables after the functions":      put(from+56, uint32(rows-from)+1),
		"functions after the end":         put(from+64, 1<<30),
		"a function outside the data":     put(rows+4, 1<<31),
		"more tables than there can be":   put(first+28, 1<<31),
		"a table outside the tables":      put(first+16, uint32(rows-tables)),
		"tables that go on over the rows": append(append(bytes.Clone(whole[:tables]), bytes.Repeat([]byte{1}, rows-tables)...), whole[rows:]...),
	} {
		if err := dropLines(data); !errors.Is(err, errDamaged) && name != "two tables" || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := dropLines(whole); err != nil {
		t.Errorf("whole: %v", err)
	}
	other := []byte("no program of Go")
	if err := dropLines(other); err != nil || string(other) != "no program of Go" {
		t.Errorf("data without a table: %q, %v", other, err)
	}
}
