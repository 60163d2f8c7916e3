package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// Once the drawing of the samples is stopped, nothing is written into the data folder any more: its lock is let go of next.
func TestNothingIsDrawnAfterTheEnd(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "samples")
	s := newSamples(t.Context(), folder, new(atomic.Int64), slog.New(slog.DiscardHandler))
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	names := func() (names []string) {
		list, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for _, f := range list {
			names = append(names, f.Name())
		}
		return names
	}
	atTheEnd, drawn := names(), 0
	for name, picture := range s.pictures {
		switch _, err := picture(); {
		case err == nil:
			drawn++
		case !errors.Is(err, context.Canceled):
			t.Errorf("%s: %v", name, err)
		}
	}
	if later := names(); len(later) != len(atTheEnd) || drawn != len(later) {
		t.Errorf("%q were there at the end, %q later, and %d are drawn", atTheEnd, later, drawn)
	}
}
