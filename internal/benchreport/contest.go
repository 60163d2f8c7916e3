package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// contest is one piece of work that several programs do, in turns, so that what else the machine does meets all alike.
type contest struct {
	name     string
	entrants []entrant
	verdicts []verdict
	// repeat is how often each does it; 0 means as often as the caller asked.
	repeat int
}

// entrant is one way to do the work, as a command.
type entrant struct {
	name string
	argv []string // empty when it is not installed
	env  []string
	// whole counts the time of the process, with its start and its reading and writing; otherwise the process says how
	// long the work took.
	whole bool
}

// verdict is a line of the report: one of ours against a peer, or alone.
type verdict struct {
	ours, peer string // names of entrants; peer may be empty
	goal       goal
}

// goal is what is to be reached; zero parts ask for nothing.
type goal struct {
	seconds, ratio, megabytes float64
	memory                    float64 // ratio of the most that was held at once
}

func (g goal) String() string {
	var parts []string
	if g.seconds > 0 {
		parts = append(parts, "≤ "+duration(g.seconds))
	}
	if g.ratio > 0 {
		parts = append(parts, fmt.Sprintf("≤ %.4g×", g.ratio))
	}
	if g.megabytes > 0 {
		parts = append(parts, fmt.Sprintf("≤ %.0f MB", g.megabytes))
	}
	if g.memory > 0 {
		parts = append(parts, fmt.Sprintf("≤ %.4g× memory", g.memory))
	}
	return strings.Join(parts, ", ")
}

// reached says whether ours is within the goal: yes, no, or nothing when it cannot be told.
func (g goal) reached(ours, peer *record) string {
	if g == (goal{}) || ours.failed() || (g.ratio > 0 || g.memory > 0) && (peer == nil || peer.failed()) {
		return ""
	}
	if g.seconds > 0 && ours.seconds.median() > g.seconds ||
		g.megabytes > 0 && ours.megabytes.median() > g.megabytes ||
		g.ratio > 0 && ours.seconds.median() > g.ratio*peer.seconds.median() ||
		g.memory > 0 && ours.megabytes.median() > g.memory*peer.megabytes.median() {
		return "no"
	}
	return "yes"
}

// record is what was measured of one entrant.
type record struct {
	seconds   sample
	cpu       sample // seconds of all processors, which another program's load hardly changes
	megabytes sample // most memory the process held at once
	overlap   sample // with a known mask, where there is one
	err       error
	absent    bool
}

func (r *record) failed() bool { return r.absent || r.err != nil || len(r.seconds) == 0 }

func (r *record) String() string {
	switch {
	case r.absent:
		return "not installed"
	case r.err != nil:
		return "failed"
	}
	s := r.seconds.timing()
	if len(r.overlap) > 0 {
		s += fmt.Sprintf(", IoU %.3f", r.overlap.median())
	}
	return s
}

func (r *record) memory() string {
	if r.failed() {
		return ""
	}
	return fmt.Sprintf("%.0f MB", r.megabytes.median())
}

// run lets all entrants do the work in turns.
func (c contest) run(ctx context.Context, repeat int) map[string]*record {
	if c.repeat > 0 {
		repeat = min(repeat, c.repeat)
	}
	records := map[string]*record{}
	for _, e := range c.entrants {
		records[e.name] = &record{absent: len(e.argv) == 0}
	}
	for range repeat {
		for _, e := range c.entrants {
			r := records[e.name]
			if r.absent || r.err != nil || ctx.Err() != nil {
				continue
			}
			_, r.err = e.measure(ctx, r)
		}
	}
	return records
}

// measure does the work once, keeps in r what was measured and returns what the process said.
func (e entrant) measure(ctx context.Context, r *record) (map[string]float64, error) {
	cmd := exec.CommandContext(ctx, e.argv[0], e.argv[1:]...) //nolint:gosec // the commands are those of contests.go
	cmd.Env = append(os.Environ(), e.env...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	begin := time.Now()
	err := cmd.Run()
	took := time.Since(begin).Seconds()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", e.name, err, bytes.TrimSpace(complaints.Bytes()))
	}
	said, err := parseSaid(out.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	if !e.whole {
		var ok bool
		if took, ok = said["seconds"]; !ok {
			return nil, fmt.Errorf("%s did not say how long it took", e.name)
		}
	}
	r.seconds = append(r.seconds, took)
	cpu, ok := said["cpu"]
	if !ok || e.whole {
		cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	r.cpu = append(r.cpu, cpu)
	if v, ok := said["IoU"]; ok {
		r.overlap = append(r.overlap, v)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.megabytes = append(r.megabytes, float64(usage.Maxrss)*1024/1e6)
	}
	return said, nil
}

// parseSaid reads lines of a name and a number, and the lines of a Go benchmark; others are passed over.
func parseSaid(out string) (map[string]float64, error) {
	said := map[string]float64{}
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) == 2 {
			if v, err := strconv.ParseFloat(f[1], 64); err == nil {
				said[f[0]] = v
			}
		}
	}
	benchmarks, err := parseBenchmarks(strings.NewReader(out))
	if err != nil {
		return nil, err
	}
	for _, b := range benchmarks {
		said["seconds"] = b.values["ns/op"].median() / 1e9
		if v, ok := b.values["IoU"]; ok {
			said["IoU"] = v.median()
		}
	}
	return said, nil
}

// report runs contests and prints their verdicts. What failed is told after the table.
func (m machine) report(title string, contests []contest) error {
	var t table
	t.add(title, "ours", "peer", "", "ratio", "of CPU", "goal", "reached", "memory, ours", "peer", "ratio")
	var faults []error
	for _, c := range contests {
		if !m.chosen.MatchString(c.name) {
			continue
		}
		m.say("measuring " + c.name)
		records := c.run(m.ctx, m.repeat)
		for _, v := range c.verdicts {
			t.add(v.cells(c.name, records)...)
		}
		for _, e := range c.entrants {
			if err := records[e.name].err; err != nil {
				faults = append(faults, err)
			}
		}
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	text := ""
	if len(t.rows) > 1 {
		text = t.String()
	}
	if err := errors.Join(faults...); err != nil {
		text += fmt.Sprintf("Not measured:\n%v\n\n", err)
	}
	return m.print(text)
}

func (v verdict) cells(name string, records map[string]*record) []string {
	ours := records[v.ours]
	if v.ours != "ours" {
		name += ", " + v.ours
	}
	if v.peer == "" {
		return []string{name, ours.String(), "—", "", "", "", v.goal.String(), v.goal.reached(ours, nil), ours.memory(), "", ""}
	}
	peer := records[v.peer]
	var ratio, cpu, memory string
	if !ours.failed() && !peer.failed() {
		ratio = fmt.Sprintf("%.3g×", ours.seconds.median()/peer.seconds.median())
		cpu = fmt.Sprintf("%.3g×", ours.cpu.median()/peer.cpu.median())
		memory = fmt.Sprintf("%.3g×", ours.megabytes.median()/peer.megabytes.median())
	}
	return []string{name, ours.String(), v.peer, peer.String(), ratio, cpu, v.goal.String(), v.goal.reached(ours, peer), ours.memory(), peer.memory(), memory}
}
