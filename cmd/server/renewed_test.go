package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Who renews the certificate writes its files; the server speaks with the new one from then on, and with the last good one meanwhile.
func TestARenewedCertificateIsUsedWithoutARestart(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	cert, key, _ := certificate(t)
	c, err := certificates(config{TLSCert: cert, TLSKey: key}, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	serves := func() string {
		t.Helper()
		got, err := c.GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(got.Certificate[0])
	}
	writes := 0
	write := func(file string, data []byte) {
		t.Helper()
		writes++
		at := time.Now().Add(time.Duration(writes) * time.Second)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	copied := func(from, to string) {
		t.Helper()
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(to, data)
	}
	first := serves()
	renewed, itsKey, _ := certificate(t)
	copied(renewed, cert) // and its key is still the old one's
	if serves() != first || !strings.Contains(log.String(), "cannot be used") {
		t.Errorf("with half of the new one it does not speak with the old one; the log: %s", log.String())
	}
	copied(itsKey, key)
	second := serves()
	if second == first {
		t.Error("it speaks with the old one")
	}
	write(cert, []byte("nonsense"))
	if serves() != second {
		t.Error("with nonsense in the file it does not speak with the last good one")
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if serves() != second {
		t.Error("without the file it does not speak with the last good one")
	}
}

// A panic of work in the background ends nothing, and is counted.
func TestAPanicInTheBackgroundIsCounted(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var panics atomic.Int64
	func() {
		defer survive(slog.New(slog.NewTextHandler(&log, nil)), &panics, "trying this")
		panic("on purpose")
	}()
	if panics.Load() != 1 || !strings.Contains(log.String(), "on purpose") || !strings.Contains(log.String(), "renewed_test.go") {
		t.Errorf("%d are counted; the log: %s", panics.Load(), log.String())
	}
}

// childStubborn says that this process does not end when it is told to, however long one waits.
const childStubborn = "ATELIER_TEST_CHILD_STUBBORN"

// Told once, the server ends in order, which may take a while. Told again, it ends.
func TestASecondSignalEndsTheServerAtOnce(t *testing.T) {
	if os.Getenv(childStubborn) != "" {
		ctx, stop := untilSignal()
		defer stop()
		fmt.Println("ready")
		<-ctx.Done()
		fmt.Println("told")
		select {} // it waits for something that does not end
	}
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), childStubborn+"=1")
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, want := range []string{"ready", "told"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("it says %q, want %q", lines.Text(), want)
		}
		if err := child.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	// The first signal may be taken in a moment later than it is told of.
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = child.Wait() // how it ended is looked at below
	}()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-again.C:
			_ = child.Process.Signal(syscall.SIGTERM) // an error means that it has ended
			continue
		case <-ended:
		}
		break
	}
	if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %v", child.ProcessState)
	}
}
