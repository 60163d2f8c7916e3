package video

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// program is one ffmpeg or ffprobe at work: in its own process group, at low priority, with its memory, processor time and
// output bounded, and killed with everything it started when its context ends.
type program struct {
	cmd    *exec.Cmd
	ctx    context.Context
	cancel context.CancelFunc
	said   tail
}

// limited starts a program through the shell, which sets the limits and then becomes it. A system without one of the limits
// goes on without it.
const limited = `ulimit -c 0; ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -f "$3" 2>/dev/null; shift 3; exec "$@"`

// start prepares and starts name; in and out may be nil.
func (t *Tool) start(ctx context.Context, in io.Reader, out io.Writer, name string, args ...string) (*program, error) {
	p := t.prepare(ctx, name, args...)
	p.cmd.Stdin, p.cmd.Stdout = in, out
	if err := p.cmd.Start(); err != nil {
		p.cancel()
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	lowerPriority(p.cmd.Process.Pid)
	return p, nil
}

func (t *Tool) prepare(ctx context.Context, name string, args ...string) *program {
	ctx, cancel := context.WithTimeout(ctx, t.limits.Time)
	seconds := int(t.limits.Time/time.Second) * max(1, t.limits.Threads)
	argv := append([]string{
		"-c", limited, "sh",
		strconv.FormatInt(t.limits.Memory>>10, 10), strconv.Itoa(max(1, seconds)), strconv.FormatInt(t.limits.MaxBytes>>9, 10), name,
	}, args...)
	p := &program{ctx: ctx, cancel: cancel}
	p.cmd = exec.CommandContext(ctx, "/bin/sh", argv...) //nolint:gosec // the program is what LookPath found, the arguments are ours, no text is a script
	p.cmd.Stderr = &p.said
	p.cmd.Env = []string{"LC_ALL=C", "AV_LOG_FORCE_NOCOLOR=1"}
	p.cmd.WaitDelay = 5 * time.Second
	ownGroup(p.cmd)
	return p
}

// wait ends the program's life: its error in words, or the context's own.
func (p *program) wait() error {
	err := p.cmd.Wait()
	cause := p.ctx.Err()
	p.cancel()
	if err == nil {
		return nil
	}
	if cause != nil {
		return fmt.Errorf("%s: %w", p.name(), cause)
	}
	return &Error{Message: p.sentence(), Err: fmt.Errorf("%s: %w: %s", p.name(), err, p.said.text())}
}

// kill ends the program without asking why.
func (p *program) kill() {
	p.cancel()
	// The error is that of a program that was killed.
	_ = p.cmd.Wait()
}

func (p *program) name() string {
	if strings.HasSuffix(p.cmd.Args[7], "ffprobe") {
		return "ffprobe"
	}
	return "ffmpeg"
}

// sentence turns what the program said last into words.
func (p *program) sentence() string {
	said := p.said.text()
	for _, known := range []struct{ sign, sentence string }{
		{"No space left on device", saidDisk},
		{"File too large", saidOutgrown},
		{"Cannot allocate memory", saidMemory},
		{"moov atom not found", saidIncomplete},
		{"Invalid data found", saidInvalid},
		{"does not contain any stream", saidNothing},
		{"matches no streams", saidMissing},
		{"Decoder not found", saidCoding},
		{"not in whitelist", saidCodingOther},
	} {
		if strings.Contains(said, known.sign) {
			return known.sentence
		}
	}
	return saidGaveUp
}

// run starts a program, waits for it and gives what it wrote, at most maxOutput bytes.
func (t *Tool) run(ctx context.Context, name string, args ...string) ([]byte, error) {
	out := &tail{keep: maxOutput}
	p, err := t.start(ctx, nil, out, name, args...)
	if err != nil {
		return nil, err
	}
	if err := p.wait(); err != nil {
		return nil, err
	}
	return out.bytes(), nil
}

// How much of what a program says is kept.
const (
	maxOutput = 1 << 20
	maxSaid   = 4 << 10
)

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	keep int // 0 means maxSaid
	buf  bytes.Buffer
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	keep := t.keep
	if keep == 0 {
		keep = maxSaid
	}
	if len(p) > keep {
		p = p[len(p)-keep:]
	}
	if over := t.buf.Len() + len(p) - keep; over > 0 {
		t.buf.Next(over)
	}
	t.buf.Write(p)
	return n, nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.buf.Bytes())
}

func (t *tail) text() string { return strings.TrimSpace(string(t.bytes())) }

// isPipe says that the other end of a pipe went away: its own error says why.
func isPipe(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || errors.Is(err, errBrokenPipe)
}
