package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/internal/killable"
)

// TestSlowStartOnFullDiskServesReads plays fault K5: a studio that was ended, or killed, starts on a full disk, three times in a row.
func TestSlowStartOnFullDiskServesReads(t *testing.T) { startOnFullDisk(t, 3, "killed", "ended") }

// TestK5StartOnFullDiskServesReads is the short form of TestSlowStartOnFullDiskServesReads.
func TestK5StartOnFullDiskServesReads(t *testing.T) { startOnFullDisk(t, 1, "ended") }

// startOnFullDisk ends a studio in each of some ways and starts it on a full disk several times: it serves what is stored, refuses what would
// be stored with a sentence, and works again when there is room. It needs the right to mount.
func startOnFullDisk(t *testing.T, times int, ends ...string) {
	t.Helper()
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=48m"); err != nil {
		killable.Unable(t, "a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	address := killable.Address(t)
	p := killable.New(t, childServer+"=1", "ATELIER_LISTEN="+address, "ATELIER_DATA="+filepath.Join(disk, "data"), "ATELIER_LAUNCH_TOKEN="+testToken, "ATELIER_LOG=error")
	p.Start()
	v := visit(t, address)
	if _, err := v.start(1); err != nil {
		t.Fatal(err)
	}
	v.allDone(1)
	ballast := filepath.Join(disk, "ballast")
	runs := 1
	// onFullDisk starts the studio on a disk without a free byte and looks at what it does.
	onFullDisk := func(t *testing.T) {
		t.Helper()
		if err := os.WriteFile(ballast, make([]byte, 48<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("the disk is not full: %v", err)
		}
		p.Start()
		v.http.CloseIdleConnections()
		var results atelier.ResultPage
		if err := v.send("GET", "/api/results", "", nil, &results); err != nil || len(results.Results) != runs {
			t.Fatalf("%d results are listed, %v", len(results.Results), err)
		}
		if err := v.send("GET", results.Results[0].File, "", nil, nil); err != nil {
			t.Errorf("a result cannot be read: %v", err)
		}
		err := v.send("POST", "/api/assets?name=more.jpg", "image/jpeg", testpics.PadTo(testpics.JPEG(testpics.Swatch(530, 560, 9)), 4<<20), nil)
		if err == nil || !strings.Contains(err.Error(), "507") {
			t.Errorf("a picture that does not fit is answered with %v, want 507", err)
		}
	}
	// withRoom gives the room back and waits until a new run is done.
	withRoom := func(t *testing.T) {
		t.Helper()
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		runs++
		if _, err := v.start(runs); err != nil {
			t.Fatal(err)
		}
		v.allDone(runs)
	}
	for _, name := range ends {
		for range times {
			if name == "killed" {
				p.Kill()
			} else if err := p.Terminate(); err != nil {
				t.Fatal(err)
			}
			onFullDisk(t)
		}
		withRoom(t)
	}
	if err := p.Terminate(); err != nil {
		t.Error(err)
	}
}
