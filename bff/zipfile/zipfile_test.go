package zipfile

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"testing"
	"time"
)

type content struct{ *bytes.Reader }

func (content) Close() error { return nil }

var then = time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)

func file(name string, data []byte) Entry {
	return Entry{
		Name: name, Modified: then,
		Size: func(context.Context) (int64, error) { return int64(len(data)), nil },
		CRC:  func(context.Context) (uint32, error) { return crc32.ChecksumIEEE(data), nil },
		Open: func(context.Context) (io.ReadSeekCloser, error) { return content{bytes.NewReader(data)}, nil },
	}
}

func noise(n int) []byte {
	b := make([]byte, n)
	source := rand.NewChaCha8([32]byte{byte(n)})
	_, _ = source.Read(b)
	return b
}

func whole(t *testing.T, entries []Entry) []byte {
	t.Helper()
	a, err := New(entries)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := a.WriteTo(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if size, err := a.Size(t.Context()); err != nil || size != int64(b.Len()) {
		t.Fatalf("Size = %d, %v; %d bytes were written", size, err, b.Len())
	}
	return b.Bytes()
}

func TestAnotherReaderReadsTheFiles(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 3, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			var entries []Entry
			var want [][]byte
			for i := range n {
				want = append(want, noise(i*37))
				entries = append(entries, file(fmt.Sprintf("Kleid %d 衣服.png", i), want[i]))
			}
			data := whole(t, entries)
			z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
			if err != nil || len(z.File) != n {
				t.Fatalf("%d files, %v", len(z.File), err)
			}
			for i, f := range z.File {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r) // compares the checksum too
				if err != nil || !bytes.Equal(got, want[i]) || f.Name != fmt.Sprintf("Kleid %d 衣服.png", i) || f.NonUTF8 || !f.Modified.Equal(then) {
					t.Errorf("%q of %v: %d bytes, %v", f.Name, f.Modified, len(got), err)
				}
			}
		})
	}
}

func TestEveryPartIsThatOfTheWhole(t *testing.T) {
	t.Parallel()
	entries := []Entry{file("a.png", noise(5000)), file("empty", nil), file("b.jpg", noise(70000)), file("c", noise(1))}
	want := whole(t, entries)
	a, err := New(entries)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Reader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(r); err != nil || !bytes.Equal(all, want) {
		t.Fatalf("read in order: %d bytes, %v", len(all), err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		from := chance.IntN(len(want) + 1)
		n := min(chance.IntN(9000), len(want)-from)
		if _, err := r.Seek(int64(from-len(want)), io.SeekEnd); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, n)
		if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, want[from:from+n]) {
			t.Fatalf("%d bytes from %d differ: %v", n, from, err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// sparse is a file of zeros, of any length.
type sparse struct{ at, size int64 }

func (s *sparse) Close() error { return nil }

func (s *sparse) Read(p []byte) (int, error) {
	if s.at >= s.size {
		return 0, io.EOF
	}
	n := min(int64(len(p)), s.size-s.at)
	clear(p[:n])
	s.at += n
	return int(n), nil
}

func (s *sparse) Seek(offset int64, _ int) (int64, error) {
	s.at = offset
	return offset, nil
}

func zeros(name string, size int64) Entry {
	return Entry{
		Name: name, Modified: then,
		Size: func(context.Context) (int64, error) { return size, nil },
		CRC:  func(context.Context) (uint32, error) { return 0x12345678, nil },
		Open: func(context.Context) (io.ReadSeekCloser, error) { return &sparse{size: size}, nil },
	}
}

// at lets a Reader be read like a file.
type at struct{ r *Reader }

func (a at) ReadAt(p []byte, offset int64) (int, error) {
	if _, err := a.r.Seek(offset, io.SeekStart); err != nil {
		return 0, err
	}
	return io.ReadFull(a.r, p)
}

func TestLargeFilesAndLargeArchives(t *testing.T) {
	t.Parallel()
	const gig = 1 << 30
	for name, sizes := range map[string][]int64{
		"just below the limit":     {most32 - 1},
		"at the limit":             {most32},
		"above the limit":          {5 * gig, 7},
		"only together":            {2 * gig, 2 * gig, 2 * gig, 9},
		"a directory at the limit": {most32 - localSize - timeExtra - 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var entries []Entry
			for i, size := range sizes {
				entries = append(entries, zeros(string(rune('a'+i)), size))
			}
			last := []byte("the last file")
			entries = append(entries, file("last", last))
			a, err := New(entries)
			if err != nil {
				t.Fatal(err)
			}
			r, err := a.Reader(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			z, err := zip.NewReader(at{r}, r.size)
			if err != nil || len(z.File) != len(entries) {
				t.Fatalf("another reader: %v", err)
			}
			for i, size := range sizes {
				if f := z.File[i]; int64(f.UncompressedSize64) != size || f.CRC32 != 0x12345678 {
					t.Errorf("file %d has %d bytes, want %d", i, f.UncompressedSize64, size)
				}
			}
			f, err := z.File[len(sizes)].Open()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, last) {
				t.Errorf("the last file is %q, %v", got, err)
			}
		})
	}
}

func TestAFileThatIsShorterThanItSaidBreaksTheArchiveOff(t *testing.T) {
	t.Parallel()
	short := file("a", noise(10))
	short.Size = func(context.Context) (int64, error) { return 11, nil }
	a, err := New([]Entry{short})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.WriteTo(t.Context(), io.Discard); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("WriteTo = %v", err)
	}
	r, err := a.Reader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Read = %v", err)
	}
}

func TestNamesThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", string(make([]byte, 1<<16))} {
		if _, err := New([]Entry{file(name, nil)}); err == nil {
			t.Errorf("a name of %d bytes is taken", len(name))
		}
	}
	if _, err := New(make([]Entry, MaxEntries+1)); err == nil {
		t.Error("too many files are taken")
	}
}
