package zipfile

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// An archive is laid out and sent in the memory of its directory, however large its files are.
func TestAnArchiveTakesNoMemoryForItsFiles(t *testing.T) {
	const files, size = 200, 2 << 20
	var entries []Entry
	for i := range files {
		entries = append(entries, zeros(fmt.Sprintf("picture %d.png", i), size))
	}
	allocated := func(do func(*Archive)) uint64 {
		a, err := New(entries)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do(a)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	buffer := make([]byte, 32<<10)
	for name, do := range map[string]func(*Archive){
		"in one go": func(a *Archive) {
			if err := a.WriteTo(t.Context(), onlyWriter{}); err != nil {
				t.Error(err)
			}
		},
		"in parts": func(a *Archive) {
			r, err := a.Reader(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.CopyBuffer(onlyWriter{}, r, buffer); err != nil || n < files*size {
				t.Errorf("%d bytes, %v", n, err)
			}
		},
	} {
		// 32 KiB to copy each file with, headers and a directory: nothing that grows with the files.
		if got := allocated(do); got > files*(48<<10) {
			t.Errorf("%s: %d KiB for %d MiB", name, got>>10, files*size>>20)
		}
	}
}

// onlyWriter throws away; io.Discard would lend its own buffer.
type onlyWriter struct{}

// Write takes everything.
func (onlyWriter) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkArchive sends 200 files of 2 MB, against only reading them.
func BenchmarkArchive(b *testing.B) {
	const files, size = 200, 2 << 20
	folder := b.TempDir()
	data := noise(size)
	sum := crc32.ChecksumIEEE(data)
	var entries []Entry
	var names []string
	for i := range files {
		name := filepath.Join(folder, fmt.Sprint(i))
		if err := os.WriteFile(name, data, 0o600); err != nil {
			b.Fatal(err)
		}
		names = append(names, name)
		entries = append(entries, Entry{
			Name: fmt.Sprintf("picture %d.png", i), Modified: then,
			Size: func(context.Context) (int64, error) { return size, nil },
			CRC:  func(context.Context) (uint32, error) { return sum, nil },
			Open: func(context.Context) (io.ReadSeekCloser, error) { return os.Open(name) },
		})
	}
	b.Run("reading alone", func(b *testing.B) {
		b.SetBytes(files * size)
		buffer := make([]byte, 32<<10)
		for b.Loop() {
			for _, name := range names {
				f, err := os.Open(name)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.CopyBuffer(onlyWriter{}, onlyReader{f}, buffer); err != nil {
					b.Fatal(err)
				}
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("an archive of 200", func(b *testing.B) {
		b.SetBytes(files * size)
		buffer := make([]byte, 32<<10)
		for b.Loop() {
			a, err := New(entries)
			if err != nil {
				b.Fatal(err)
			}
			r, err := a.Reader(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.CopyBuffer(onlyWriter{}, r, buffer); err != nil {
				b.Fatal(err)
			}
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// onlyReader keeps a file from choosing a way of its own to be copied.
type onlyReader struct{ io.Reader }
