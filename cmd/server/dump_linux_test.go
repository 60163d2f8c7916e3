package main

import (
	"bytes"
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// F12: whatever a command does, no image of its memory is written, and no other process of the same user may read it.
func TestF12NoImageOfTheMemoryIsWritten(t *testing.T) {
	before, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Prctl(unix.PR_SET_DUMPABLE, uintptr(before), 0, 0, 0); err != nil {
			t.Error(err)
		}
	})
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"config"}, env(map[string]string{"ATELIER_DATA": t.TempDir()}), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || got != 0 {
		t.Errorf("dumpable is %d, %v, want 0", got, err)
	}
	// What the program reads of itself it still can.
	if _, err := os.ReadDir("/proc/self/fd"); err != nil {
		t.Error(err)
	}
}
