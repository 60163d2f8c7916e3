package bff

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"atelier/bff/media"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// toConvert is a plan of different pictures of w × h pixels to be sent in a format.
func toConvert(tb testing.TB, s *media.Store, as probe.Format, pictures, w, h int) zipPlan {
	tb.Helper()
	plan := zipPlan{At: time.Now()}
	for i := range pictures {
		wr, err := s.Writer()
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := wr.Write(testpics.JPEG(testpics.Photo(w, h, uint64(i+1)))); err != nil {
			tb.Fatal(err)
		}
		sha, _, err := wr.Commit()
		if err != nil {
			tb.Fatal(err)
		}
		plan.Records = append(plan.Records, zipRecord{File: fmt.Sprintf("Look %03d%s", i+1, as.Extension())})
		plan.Entries = append(plan.Entries, zipEntry{SHA256: sha, CRC: -1, Convert: &media.Conversion{Format: as, Quality: 85}})
	}
	return plan
}

// Pictures are converted before it is their turn, one for each processor, and no further ahead of who reads slowly.
func TestAnArchiveIsConvertedAheadOfWhoReadsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		store, err := media.OpenStore(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = store.Close() }()
		processors := runtime.GOMAXPROCS(0)
		pictures := processors + 4
		s := &Server{c: Config{Store: store}, log: slog.New(slog.DiscardHandler)}
		plan := toConvert(t, store, probe.WebP, pictures, 60, 80)
		a := &ahead{s: s, entries: plan.Entries}
		archive, err := s.archive(plan, a)
		if err != nil {
			t.Fatal(err)
		}
		r, w := io.Pipe()
		go func() { _ = w.CloseWithError(archive.WriteTo(t.Context(), w)) }()
		made := func() int {
			t.Helper()
			synctest.Wait()
			files, err := filepath.Glob(filepath.Join(folder, "*", "*", "*-as-webp-*"))
			if err != nil {
				t.Fatal(err)
			}
			return len(files)
		}
		if got := made(); got != 1+processors {
			t.Errorf("while the first is sent, %d are converted, want it and one for each of %d processors", got, processors)
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			t.Fatal(err)
		}
		if got := made(); got != pictures {
			t.Errorf("in the end %d are converted, want %d", got, pictures)
		}
		a.work.Wait()
	})
}

// BenchmarkZipConverted sends 24 results of 800 × 1000 px as one archive, none of which was converted before. times-one-by-one is how long
// that takes against converting them one behind the other.
func BenchmarkZipConverted(b *testing.B) {
	for _, as := range []probe.Format{probe.JPEG, probe.WebP} {
		b.Run(string(as), func(b *testing.B) { benchmarkConverted(b, as) })
	}
}

func benchmarkConverted(b *testing.B, as probe.Format) {
	store, err := media.OpenStore(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	s := &Server{c: Config{Store: store}, log: slog.New(slog.DiscardHandler)}
	plan := toConvert(b, store, as, 24, 800, 1000)
	best := func(old time.Duration, work func() error) time.Duration {
		for _, e := range plan.Entries {
			if err := store.RemoveMade(e.SHA256); err != nil {
				b.Fatal(err)
			}
		}
		begun := time.Now()
		if err := work(); err != nil {
			b.Fatal(err)
		}
		return min(old, time.Since(begun))
	}
	single, sending := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		single = best(single, func() error {
			for _, e := range plan.Entries {
				if err := s.convert(b.Context(), e); err != nil {
					return err
				}
			}
			return nil
		})
		sending = best(sending, func() error {
			s.checksums.sums, s.hashes.sums = nil, nil
			a := &ahead{s: s, entries: plan.Entries}
			defer a.work.Wait()
			archive, err := s.archive(plan, a)
			if err != nil {
				return err
			}
			return archive.WriteTo(b.Context(), io.Discard)
		})
	}
	b.ReportMetric(sending.Seconds()/single.Seconds(), "times-one-by-one")
	b.ReportMetric(sending.Seconds()*1e3/float64(len(plan.Entries)), "ms/picture")
}
