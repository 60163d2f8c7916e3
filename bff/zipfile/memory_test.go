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

// An archive is laid out and sent in the memory of its directory, however large its files are and however many: ten times the files take no
// more than their names, headers and sums.
func TestAnArchiveTakesNoMemoryForItsFiles(t *testing.T) {
	const size, forEach = 2 << 20, 2 << 10
	peak := func(files int, send func(*Archive, io.Writer) error) uint64 {
		var entries []Entry
		for i := range files {
			entries = append(entries, zeros(fmt.Sprintf("picture %d.png", i), size))
		}
		a, err := New(entries)
		if err != nil {
			t.Fatal(err)
		}
		var w peakWriter
		w.look()
		before := w.peak
		if err := send(a, &w); err != nil {
			t.Fatal(err)
		}
		if w.bytes < files*size {
			t.Errorf("%d bytes of %d files", w.bytes, files)
		}
		return w.peak - before
	}
	for name, send := range map[string]func(*Archive, io.Writer) error{
		"in one go": func(a *Archive, w io.Writer) error { return a.WriteTo(t.Context(), w) },
		"in parts": func(a *Archive, w io.Writer) error {
			r, err := a.Reader(t.Context())
			if err != nil {
				return err
			}
			_, err = io.CopyBuffer(w, r, make([]byte, 32<<10))
			return errors.Join(err, r.Close())
		},
	} {
		few, many := peak(20, send), peak(200, send)
		if few > 256<<10 || many > few+180*forEach {
			t.Errorf("%s: %d KiB are held for 20 files, %d KiB for 200", name, few>>10, many>>10)
		}
	}
}

// peakWriter throws away, and looks now and then at how much is held.
type peakWriter struct {
	bytes, looked int
	peak          uint64
}

// Write takes everything.
func (w *peakWriter) Write(p []byte) (int, error) {
	if w.bytes += len(p); w.bytes-w.looked >= 8<<20 {
		w.look()
	}
	return len(p), nil
}

func (w *peakWriter) look() {
	w.looked = w.bytes
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	w.peak = max(w.peak, m.HeapAlloc)
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
