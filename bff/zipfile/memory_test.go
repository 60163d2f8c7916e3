package zipfile

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
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

// BenchmarkArchive sends 200 files of 2 MB in an archive; times-reading is how much longer that takes than only to read them.
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
	buffer := make([]byte, 32<<10)
	read := func() error {
		for _, name := range names {
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			_, err = io.CopyBuffer(onlyWriter{}, onlyReader{f}, buffer)
			if err := errors.Join(err, f.Close()); err != nil {
				return err
			}
		}
		return nil
	}
	send := func() error {
		a, err := New(entries)
		if err != nil {
			return err
		}
		r, err := a.Reader(b.Context())
		if err != nil {
			return err
		}
		_, err = io.CopyBuffer(onlyWriter{}, r, buffer)
		return errors.Join(err, r.Close())
	}
	timed := func(do func() error) time.Duration {
		began := time.Now()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	// The two take turns, so that whatever else the machine does slows both.
	var reading, sending time.Duration
	b.SetBytes(2 * files * size)
	b.ReportAllocs()
	for b.Loop() {
		reading += timed(read)
		sending += timed(send)
	}
	b.ReportMetric(sending.Seconds()/reading.Seconds(), "times-reading")
}

// onlyReader keeps a file from choosing a way of its own to be copied.
type onlyReader struct{ io.Reader }
