//go:build linux

package crashes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/internal/killable"
	"atelier/upstream"
)

// K5, F13: a disk of its own that is full at another write each time. A picture or a run is kept whole and answered for, or
// refused with 507; nothing is sent that has no row; when there is room again, everything that was begun is finished. It needs
// the right to mount.
func TestK5F13AFullDiskLosesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	b, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=24m"); err != nil {
		killable.Unable(t, "a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	ctx := context.WithoutCancel(t.Context())
	folder := filepath.Join(disk, "data")
	copyFolder(t, b.folder, folder)
	far := newLedger()
	s, err := open(ctx, folder, overTasks, upstream.InProcess(far), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(disk, "ballast")
	// leave lets only so many bytes of the disk be free.
	leave := func(bytes uint64) {
		t.Helper()
		_ = os.Remove(ballast) // there may be none yet
		var fs syscall.Statfs_t
		if err := syscall.Statfs(disk, &fs); err != nil {
			t.Fatal(err)
		}
		free := fs.Bavail * uint64(fs.Bsize)
		if free <= bytes {
			return
		}
		if err := os.WriteFile(ballast, make([]byte, free-bytes), 0o600); err != nil && !errors.Is(err, syscall.ENOSPC) { // the studio writes too
			t.Fatal(err)
		}
	}
	refused, kept := 0, 0
	judge := func(what string, err error) (ok bool) {
		t.Helper()
		switch {
		case err == nil:
			kept++
			return true
		case strings.Contains(err.Error(), "= 507 ") && strings.Contains(err.Error(), "disk"):
			refused++
		default:
			t.Errorf("%s: %v", what, err)
		}
		return false
	}
	acknowledged := map[string]atelier.RunID{}
	for i := range 24 {
		leave(uint64(i) * 4096)
		picture := testpics.JPEG(testpics.Swatch(520, 520, uint64(i)+100))
		var asset atelier.Asset
		if judge("a picture", s.ask(ctx, b.cookie, http.MethodPost, "/api/assets?name=dress.jpg", picture, &asset)) {
			var back bytes.Buffer
			if f, err := s.store.Open(asset.SHA256); err != nil {
				t.Errorf("a picture that was kept: %v", err)
			} else if _, err := back.ReadFrom(f); errors.Join(err, f.Close()) != nil || back.Len() != len(picture) {
				t.Errorf("%d bytes were kept of %d", back.Len(), len(picture))
			}
		}
		run, err := s.start(ctx, b.cookie, key(i), b.asset)
		if judge("a run", err) {
			acknowledged[key(i)] = run.ID
		}
	}
	if refused == 0 || len(acknowledged) == 0 {
		t.Errorf("%d refused, %d kept: the disk was never full, or always", refused, kept)
	}
	leave(1 << 30)
	if err := s.settled(ctx); err != nil {
		t.Error(err)
	}
	problems, _ := audit(ctx, s, b.cookie, overTasks, far.book(), acknowledged, len(acknowledged))
	for _, p := range problems {
		t.Error(p)
	}
	t.Logf("%d refused, %d kept, %d of them runs", refused, kept, len(acknowledged))
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

// F13: a studio that can open no more files, because too many connections hold them, answers nobody for a while. It lives on,
// loses nothing it has acknowledged, and works again as soon as there are files.
func TestF13AStudioWithoutFilesToOpenWorksAgainWhenThereAre(t *testing.T) {
	t.Parallel()
	b, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.WithoutCancel(t.Context())
	folder, listen := t.TempDir(), killable.Address(t)
	copyFolder(t, b.folder, folder)
	far := newLedger()
	server := httptest.NewServer(far)
	t.Cleanup(server.Close)
	p := killable.New(t, childFolder+"="+folder, childWire+"="+strings.TrimPrefix(server.URL, "http://"), childListen+"="+listen, childFiles+"=24")
	p.Start()
	acknowledged := map[string]atelier.RunID{}
	browser := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	kept := &http.Client{Timeout: time.Minute} // its connection stays open, so that it needs no file of its own
	t.Cleanup(kept.CloseIdleConnections)
	post := func(by *http.Client, path, kind string, body []byte) (status int, raw []byte, err error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+listen+path, bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		req.Header.Set("X-Atelier", "1")
		req.Header.Set("Content-Type", kind)
		req.Header.Set("Cookie", b.cookie)
		resp, err := by.Do(req)
		if err != nil {
			return 0, nil, err
		}
		raw, err = io.ReadAll(resp.Body)
		return resp.StatusCode, raw, errors.Join(err, resp.Body.Close())
	}
	upload := func(n uint64) (status int, raw []byte, err error) {
		return post(kept, "/api/assets?name=dress.jpg", "image/jpeg", testpics.JPEG(testpics.Swatch(520, 520, n)))
	}
	ask := func(i int) error {
		body, err := json.Marshal(startOf(key(i), b.asset))
		if err != nil {
			return err
		}
		status, raw, err := post(browser, "/api/runs", "application/json", body)
		if err != nil {
			return err
		}
		var run atelier.RunBody
		if status != http.StatusAccepted {
			return fmt.Errorf("%d %s", status, raw)
		}
		if err := json.Unmarshal(raw, &run); err != nil {
			return err
		}
		acknowledged[key(i)] = run.Run.ID
		return nil
	}
	runs := 0
	try := func() error {
		runs++
		return ask(runs - 1)
	}
	if err := try(); err != nil {
		t.Fatalf("before: %v", err)
	}
	if status, raw, err := upload(200); err != nil || status != http.StatusCreated {
		t.Fatalf("a picture before = %d %s, %v", status, raw, err)
	}
	var held []net.Conn
	for range 40 {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", listen)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, c)
	}
	if err := try(); err == nil {
		t.Error("a run was taken although no file could be opened: the test shows nothing")
	} else if strings.HasPrefix(err.Error(), "500") {
		t.Errorf("a run without files = %v", err)
	}
	if status, raw, err := upload(201); err != nil || status != http.StatusServiceUnavailable {
		t.Errorf("a picture without files = %d %s, %v; want 503", status, raw, err)
	}
	for _, c := range held {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	for deadline := time.Now().Add(time.Minute); ; {
		err := try()
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after: %v", err)
		}
	}
	if err := p.Terminate(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	s, err := open(ctx, folder, overTasks, upstream.InProcess(far), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs { // whoever had no answer asks again with the same key
		if _, err := s.start(ctx, b.cookie, key(i), b.asset); err != nil {
			t.Error(err)
		}
	}
	if err := s.settled(ctx); err != nil {
		t.Error(err)
	}
	problems, _ := audit(ctx, s, b.cookie, overTasks, far.book(), acknowledged, runs)
	for _, problem := range problems {
		t.Error(problem)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

// openFiles is how many files this process has open.
func openFiles() (int, error) {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0, fmt.Errorf("count the open files: %w", err)
	}
	return len(list), nil
}

// allowFiles lets this process open only so many files more.
func allowFiles(more int) error {
	n, err := openFiles()
	if err != nil {
		return err
	}
	limit := syscall.Rlimit{Cur: uint64(n + more), Max: uint64(n + more)}
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
}
