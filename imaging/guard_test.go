package imaging

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

func TestR6DecodingWaitsForMemoryAndGivesUpWithTheContext(t *testing.T) {
	data := testpics.JPEG(testpics.Photo(64, 64, 1))
	synctest.Test(t, func(t *testing.T) {
		if err := memory.Acquire(t.Context(), memoryTotal); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := Decode(ctx, data, Limits{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Decode = %v, want the context's deadline", err)
		}

		done := make(chan error)
		go func() {
			_, _, err := Decode(t.Context(), data, Limits{})
			done <- err
		}()
		synctest.Wait()
		select {
		case err := <-done:
			t.Errorf("Decode did not wait for memory: %v", err)
		default:
		}
		memory.Release(memoryTotal)
		if err := <-done; err != nil {
			t.Errorf("Decode = %v once there is memory", err)
		}
		if !memory.TryAcquire(memoryTotal) {
			t.Error("memory was not given back")
		}
		memory.Release(memoryTotal)
	})
}

func TestR6ReadingEndsWithTheContextAndTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		src := bytes.NewReader(make([]byte, 4096))
		r := &guardedReader{ctx: ctx, src: src, end: time.Now().Add(time.Second)}
		buf := make([]byte, 4096)
		if n, err := r.Read(buf); n != guardedPiece || err != nil {
			t.Fatalf("Read = %d, %v, want %d bytes", n, err, guardedPiece)
		}
		cancel()
		if n, err := r.Read(buf); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("Read = %d, %v after cancel", n, err)
		}

		late := &guardedReader{ctx: t.Context(), src: src, end: time.Now().Add(time.Second)}
		if _, err := late.Read(buf); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second)
		for range 2 {
			if n, err := late.Read(buf); n != 0 || !errors.Is(err, errDeadline) {
				t.Errorf("Read = %d, %v after the deadline", n, err)
			}
		}
	})
}

// FuzzScans drives the scans of all formats over the same bytes, whatever their
// magic says.
func FuzzScans(f *testing.F) {
	photo := testpics.Photo(20, 16, 1)
	for _, data := range [][]byte{
		testpics.PNG(photo), testpics.WithOrientation(testpics.JPEG(photo), 6), testpics.WithOrientation(testpics.WebP(photo), 3),
		testpics.LosslessWebP(photo), testpics.ManyScansJPEG(16, 16, 4), testpics.CMYKJPEG(16, 16, 0, 1, 2, 3),
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := probe.Read(data, int64(len(data)))
		if err != nil || facts.Pixels() > DefaultLimits.MaxPixels { // such a file comes to no scan
			return
		}
		lim := DefaultLimits
		lim.MaxScans, lim.MaxChunks = 3, 9
		scan := map[probe.Format]func([]byte, probe.Facts, Limits) (plan, error){probe.PNG: scanPNG, probe.JPEG: scanJPEG, probe.WebP: scanWebP}[facts.Format]
		p, err := scan(data, facts, lim)
		if err != nil {
			return
		}
		if p.pixels < 0 || p.extra < 0 {
			t.Errorf("a plan for %d and %d bytes", p.pixels, p.extra)
		}
		read, err := io.ReadAll(p.reader())
		if err != nil || len(read) == 0 || len(read) > len(data)+40 {
			t.Errorf("the decoder would read %d of %d bytes, %v", len(read), len(data), err)
		}
	})
}
