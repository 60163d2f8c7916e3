//go:build linux

package crashes

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/internal/killable"
	"atelier/upstream"
)

// childFlushes says that this process counts what it flushes to the disk; its value is the folder of a studio.
const childFlushes = "ATELIER_TEST_CHILD_FLUSHES"

// cannotCount is how the child ends where a process may not watch its own calls of the system.
const cannotCount = 3

// K6: whoever is told that a run is recorded or a picture is stored can rely on it, whatever becomes of the power: before each
// answer the disk was told to keep what was written. The process that answers counts its own flushes.
func TestK6D7NothingIsAcknowledgedBeforeItIsOnTheDisk(t *testing.T) {
	t.Parallel()
	b, folder := beginIn(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childFlushes+"="+folder, "ATELIER_TEST_COOKIE="+b.cookie, "ATELIER_TEST_ASSET="+string(b.asset), "GOMAXPROCS=4")
	out, err := cmd.CombinedOutput()
	if e, ok := errors.AsType[*exec.ExitError](err); ok && e.ExitCode() == cannotCount {
		killable.Unable(t, "a process may not watch its own calls here: %s", out)
	}
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	t.Logf("%s", out)
}

// countFlushes is the child.
func countFlushes(folder string) error {
	// The collector stops everything, and whoever waits for a flush that is being counted does not stop.
	debug.SetGCPercent(-1)
	ctx := context.Background()
	s, err := open(ctx, folder, overTasks, upstream.InProcess(newLedger()), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	if err := s.server.Close(); err != nil { // nothing in the background flushes beside us
		return err
	}
	var flushes atomic.Int64
	if err := watchFlushes(&flushes); err != nil {
		fmt.Println(err)
		os.Exit(cannotCount)
	}
	cookie, asset := os.Getenv("ATELIER_TEST_COOKIE"), atelier.AssetID(os.Getenv("ATELIER_TEST_ASSET"))
	const runs = 100
	for i := range runs {
		before := flushes.Load()
		if _, err := s.start(ctx, cookie, key(i), asset); err != nil {
			return err
		}
		if flushes.Load() == before {
			return fmt.Errorf("run %d was acknowledged and nothing was flushed", i)
		}
	}
	recorded := flushes.Load()
	const pictures = 5
	for i := range pictures {
		before := flushes.Load()
		if err := s.ask(ctx, cookie, http.MethodPost, "/api/assets?name=dress.jpg", testpics.JPEG(testpics.Swatch(520, 520, uint64(i)+2)), nil); err != nil {
			return err
		}
		if n := flushes.Load() - before; n < 3 {
			return fmt.Errorf("picture %d was acknowledged after %d flushes, want the file, its folder and the row", i, n)
		}
	}
	// Where the disk is not waited for, this test sees it.
	if _, err := s.db.Write.ExecContext(ctx, "PRAGMA synchronous = normal"); err != nil {
		return err
	}
	before := flushes.Load()
	for i := range runs {
		if _, err := s.start(ctx, cookie, key(runs+i), asset); err != nil {
			return err
		}
	}
	careless := flushes.Load() - before
	if careless >= runs {
		return fmt.Errorf("%d flushes for %d runs without waiting for the disk: they are not counted rightly", careless, runs)
	}
	fmt.Printf("%d flushes for %d runs; %d when the disk is not waited for\n", recorded, runs, careless)
	return errors.Join(s.db.Close(), s.store.Close())
}

// watchFlushes counts every fsync and fdatasync of this process from now on: the kernel tells of each before it is made
// (seccomp(2), SECCOMP_RET_USER_NOTIF).
func watchFlushes(n *atomic.Int64) error {
	seccomp := map[string]uintptr{"amd64": 317, "arm64": 277}[runtime.GOARCH]
	if seccomp == 0 {
		return errors.New("not on this kind of processor")
	}
	const (
		noNewPrivileges             = 38    // PR_SET_NO_NEW_PRIVS
		setFilter, newListener      = 1, 8  // SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER
		allThreads, tellWhich       = 1, 16 // SECCOMP_FILTER_FLAG_TSYNC, _TSYNC_ESRCH
		tell, allow                 = 0x7fc00000, 0x7fff0000
		load, jumpIfEqual, giveBack = 0x20, 0x15, 0x06          // BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
		receive, send, goOn         = 0xc0502100, 0xc0182101, 1 // SECCOMP_IOCTL_NOTIF_RECV, _SEND, SECCOMP_USER_NOTIF_FLAG_CONTINUE
	)
	filter := []syscall.SockFilter{
		{Code: load}, // the number of the call
		{Code: jumpIfEqual, K: syscall.SYS_FSYNC, Jt: 1},
		{Code: jumpIfEqual, K: syscall.SYS_FDATASYNC, Jf: 1},
		{Code: giveBack, K: tell},
		{Code: giveBack, K: allow},
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, e := syscall.Syscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); e != 0 {
		return e
	}
	fd, _, e := syscall.Syscall(seccomp, setFilter, newListener|allThreads|tellWhich, uintptr(unsafe.Pointer(&program)))
	if e != 0 {
		return e
	}
	go func() {
		for {
			var question [80]byte // struct seccomp_notif begins with the id
			var answer struct {
				id, value uint64
				err       int32
				flags     uint32
			}
			if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, fd, receive, uintptr(unsafe.Pointer(&question))); e != 0 {
				continue // whoever asked is gone
			}
			n.Add(1)
			answer.id, answer.flags = *(*uint64)(unsafe.Pointer(&question)), goOn
			_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, fd, send, uintptr(unsafe.Pointer(&answer)))
		}
	}()
	return nil
}
