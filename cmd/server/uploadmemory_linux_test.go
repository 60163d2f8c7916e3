package main

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"os"
	"strings"
	"sync"
	"testing"

	"atelier/imaging/testpics"
	"atelier/internal/killable"
)

// uploadMemory is the memory, in MiB, that a process may take while many photos of 24 megapixels are uploaded at once.
const uploadMemory = 640

// TestSlowUploadsAtOnceNeedLittleMemory uploads photos of 24 megapixels, all at once, and reads the most memory that the process had
// (proc(5), VmHWM). ATELIER_TEST_ROUNDS says how many; 40 by default, since more of them only wait longer.
func TestSlowUploadsAtOnceNeedLittleMemory(t *testing.T) {
	t.Parallel()
	address := killable.Address(t)
	p := killable.New(t, childServer+"=1", "ATELIER_LISTEN="+address, "ATELIER_DATA="+t.TempDir(), "ATELIER_LAUNCH_TOKEN="+testToken, "ATELIER_LOG=error")
	p.Start()
	v := visit(t, address)
	v.http.Timeout = 0 // the last one waits for all others
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, testpics.Photo(6000, 4000, 3), &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	const tries = 5 // a busy machine may keep a connection waiting for so long that the server takes it for a slow one
	var sending sync.WaitGroup
	for i := range killable.Rounds(40) {
		sending.Go(func() {
			own := append(bytes.Clone(photo.Bytes()), fmt.Sprint(i)...)
			var err error
			for range tries {
				if err = v.send("POST", fmt.Sprintf("/api/assets?name=%d.jpg", i), "image/jpeg", own, nil); err == nil {
					return
				}
			}
			t.Error(err)
		})
	}
	sending.Wait()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
	if err != nil {
		t.Fatal(err)
	}
	var kib int
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscanf(rest, "%d", &kib); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MiB of memory at most", kib>>10)
	if kib>>10 > uploadMemory {
		t.Errorf("%d MiB of memory, want at most %d", kib>>10, uploadMemory)
	}
}
