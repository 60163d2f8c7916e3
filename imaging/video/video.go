// Package video reads and writes moving pictures with the system's ffmpeg: frames in and out one at a time, sound kept or
// laid under, pictures of single frames. Every call has limits on time, memory and size, reads local files only, with the
// reader its content asks for, and leaves nothing behind when its context ends.
package video

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"atelier/atelier"
)

// ErrMissing means that ffmpeg or ffprobe is not installed.
var ErrMissing = errors.New(atelier.VideosNeedFFmpeg) //nolint:staticcheck // ST1005: people read it as it is

// ErrSlow means that ffmpeg or ffprobe is installed and took too long to start: trying again may succeed.
var ErrSlow = errors.New("ffmpeg is installed, but took too long to start: this server is very busy")

// Tool is the installed ffmpeg and how much it may use. It is safe for concurrent use.
type Tool struct {
	ffmpeg, ffprobe string
	limits          Limits
}

// Limits bound what one file may ask for and what one call may use. A zero field takes the value of DefaultLimits.
type Limits struct {
	MaxSeconds float64 // length of a file that is read
	MaxPixels  int     // width × height of a file that is read
	MaxBytes   int64   // size of a file that is read, and of one that is written
	Memory     int64   // address space of one program, bytes
	Time       time.Duration
	Threads    int // of one program
}

// DefaultLimits suit what people send to be worked on: ten minutes, up to 4096 × 2304, 1 GiB.
var DefaultLimits = Limits{
	MaxSeconds: 600,
	MaxPixels:  4096 * 2304,
	MaxBytes:   1 << 30,
	Memory:     6 << 30,
	Time:       30 * time.Minute,
	Threads:    2,
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	if l.MaxSeconds > 0 {
		d.MaxSeconds = l.MaxSeconds
	}
	if l.MaxPixels > 0 {
		d.MaxPixels = l.MaxPixels
	}
	if l.MaxBytes > 0 {
		d.MaxBytes = l.MaxBytes
	}
	if l.Memory > 0 {
		d.Memory = l.Memory
	}
	if l.Time > 0 {
		d.Time = l.Time
	}
	if l.Threads > 0 {
		d.Threads = l.Threads
	}
	return d
}

// Find looks for ffmpeg and ffprobe and checks that they start; ErrMissing when there are none. Callers find them once and
// keep the Tool. When the context's time runs out first, the Tool comes with ErrSlow and can be used all the same.
func Find(ctx context.Context, limits Limits) (*Tool, error) {
	t := &Tool{limits: limits.orDefault()}
	var slow error
	for _, p := range []struct {
		name string
		path *string
	}{{"ffmpeg", &t.ffmpeg}, {"ffprobe", &t.ffprobe}} {
		path, err := exec.LookPath(p.name)
		if err != nil {
			return nil, fmt.Errorf("%w (%s: %w)", ErrMissing, p.name, err)
		}
		*p.path = path
		if _, err := t.run(ctx, path, "-hide_banner", "-loglevel", "error", "-version"); errors.Is(err, context.DeadlineExceeded) {
			slow = fmt.Errorf("%w (%s: %w)", ErrSlow, path, err)
		} else if err != nil {
			return nil, fmt.Errorf("%w (%s does not start: %w)", ErrMissing, path, err)
		}
	}
	return t, slow
}

// Error is a file that cannot be used, or a program that ended badly, with a sentence fit to show.
type Error struct {
	Message string
	Err     error // the cause with the last lines of the program, for the log
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

func refuse(sentence string) error { return &Error{Message: sentence} }
