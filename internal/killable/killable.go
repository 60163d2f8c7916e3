// Package killable runs a test program again as a process of its own, which the test ends as a power cut or an operator
// would: by SIGKILL, in the middle of anything, or by SIGTERM.
package killable

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Ready is what the child says, as a line of its own on standard output, once it answers.
const Ready = "ready"

// Process is the child. It is used by one goroutine, Kill excepted.
type Process struct {
	t    testing.TB
	env  []string
	mu   sync.Mutex
	life *life // the last one, nil before the first
}

// life is one process.
type life struct {
	cmd   *exec.Cmd
	ended chan struct{}
	err   error // what Wait gave; set before ended is closed
}

func (p *Process) last() *life {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.life
}

// New makes a child that is the running test program with these variables, each NAME=value, added to its environment: its
// TestMain tells by them that it is the child. Whatever runs when the test ends is killed.
func New(t testing.TB, env ...string) *Process {
	p := &Process{t: t, env: env}
	t.Cleanup(func() {
		if p.last() != nil {
			p.Kill()
		}
	})
	return p
}

// Start runs the child, with more variables for this life alone, and waits until it is ready; alive is false when it was
// killed before.
func (p *Process) Start(env ...string) (alive bool) {
	p.t.Helper()
	l := &life{cmd: exec.CommandContext(p.t.Context(), os.Args[0]), ended: make(chan struct{})} //nolint:gosec // the running program itself
	l.cmd.Env = append(append(os.Environ(), p.env...), env...)
	l.cmd.Stderr = p.t.Output()
	out, err := l.cmd.StdoutPipe()
	if err == nil {
		err = l.cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	p.life = l
	p.mu.Unlock()
	line, rerr := bufio.NewReader(out).ReadString('\n')
	go func() {
		l.err = l.cmd.Wait()
		close(l.ended)
	}()
	if rerr == nil && line == Ready+"\n" {
		return true
	}
	<-l.ended
	if status, ok := l.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		p.t.Fatalf("the child said %q, %v, and ended with %v", line, rerr, l.err)
	}
	return false
}

// Ended is closed when the child has ended by itself or was ended.
func (p *Process) Ended() <-chan struct{} { return p.last().ended }

// PID is the process number of the child that was started last.
func (p *Process) PID() int { return p.last().cmd.Process.Pid }

// Kill is kill -9: nothing is flushed, nothing is said. It does nothing when the child has ended.
func (p *Process) Kill() {
	l := p.last()
	_ = l.cmd.Process.Signal(syscall.SIGKILL) // an error means that it has ended
	<-l.ended
}

// Terminate asks the child to end, as an operator does, waits until it has and gives what it ended with.
func (p *Process) Terminate() error {
	p.t.Helper()
	l := p.last()
	if err := l.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("ask the child to end: %w", err)
	}
	<-l.ended
	return l.err
}

// Kills is how many kills a test makes: as many as ATELIER_TEST_KILLS says, else its ordinary number.
func Kills(ordinary int) int { return number("ATELIER_TEST_KILLS", ordinary) }

// Rounds is how many times a test does what it does: as many as ATELIER_TEST_ROUNDS says, else its ordinary number.
func Rounds(ordinary int) int { return number("ATELIER_TEST_ROUNDS", ordinary) }

// Unable passes over a test that this machine, or this user, cannot run. Where everything must run (ATELIER_TEST_ALL=1, as in .ci/run), that
// is a failure.
func Unable(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("ATELIER_TEST_ALL") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// PowerCuts is how many times the power is to be cut: ATELIER_TEST_POWER, or 0.
func PowerCuts() int { return number("ATELIER_TEST_POWER", 0) }

func number(name string, ordinary int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return ordinary
}

// Seed is what a test's random choices begin with: ATELIER_TEST_SEED, to see again what a run saw, else 7.
func Seed() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("ATELIER_TEST_SEED"), 10, 64); err == nil {
		return n
	}
	return 7
}

// Day counts the days, in UTC, by which tests choose another part of what is too much for every run: ATELIER_TEST_DAY, to see
// again what a day saw, else today's.
func Day() int { return number("ATELIER_TEST_DAY", int(time.Now().Unix()/(24*60*60))) }

// Ports that Address gives: below those that systems give out by themselves, so that a port which is free now is not that of
// somebody's connection when the child comes to listen.
const (
	firstPort = 20000
	endPort   = 32000
)

// Address finds an address of this machine, as host:port, where each life of a child can listen anew.
func Address(t testing.TB) string {
	t.Helper()
	for range endPort - firstPort {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(firstPort+rand.IntN(endPort-firstPort)))
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
		if err != nil {
			continue // somebody listens there
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return address
	}
	t.Fatal("no port of this machine is free")
	return ""
}
