package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// packages hold the Go benchmarks of the report.
var packages = []string{"./imaging/...", "./service/...", "./db/...", "./catalog/...", "./bff/...", "./upstream/...", "./app/model/...", "./app/pages/..."}

// benchmark is one line of `go test -bench`, of all runs together.
type benchmark struct {
	pkg, name string
	units     []string // in the order they were first seen
	values    map[string]sample
}

// processors is what go test appends to a benchmark's name.
var processors = regexp.MustCompile(`-\d+$`)

// parseBenchmarks reads the output of `go test -bench`. It keeps every figure of every benchmark, whatever its unit.
func parseBenchmarks(r io.Reader) ([]*benchmark, error) {
	var all []*benchmark
	byName := map[string]*benchmark{}
	pkg := ""
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 2 && fields[0] == "pkg:" {
			pkg = fields[1]
		}
		// Benchmark, runs, then a value and its unit in turns.
		if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		if _, err := strconv.Atoi(fields[1]); err != nil {
			continue
		}
		name := processors.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
		b := byName[pkg+" "+name]
		if b == nil {
			b = &benchmark{pkg: pkg, name: name, values: map[string]sample{}}
			byName[pkg+" "+name] = b
			all = append(all, b)
		}
		for i := 2; i < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("a figure of %s: %w", name, err)
			}
			unit := fields[i+1]
			if !slices.Contains(b.units, unit) {
				b.units = append(b.units, unit)
			}
			b.values[unit] = append(b.values[unit], v)
		}
	}
	return all, lines.Err()
}

// benchmarks runs the Go benchmarks and prints one line for each. A package whose benchmarks fail is named, and the
// others are printed all the same.
func (m machine) benchmarks() error {
	m.say("running the Go benchmarks")
	pattern := "."
	if only := m.chosen.String(); only != "(?i)" {
		pattern = only
	}
	cmd := exec.CommandContext(m.ctx, "go", append([]string{ //nolint:gosec // the pattern is the caller's own, and go test takes it as one argument
		"test", "-p", "1", "-timeout", "60m", "-run", "^$", "-bench", pattern, "-skip", photographs, "-benchmem", "-benchtime", "0.2s", "-count", strconv.Itoa(m.repeat),
	}, packages...)...)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("go test: %w", err)
	}
	found, parseErr := parseBenchmarks(bytes.NewReader(output))
	if parseErr != nil {
		return fmt.Errorf("read the benchmarks: %w", parseErr)
	}
	var t table
	t.add("Go benchmark", "time", "other figures", "allocated", "package")
	for _, b := range found {
		var others []string
		for _, unit := range b.units {
			switch unit {
			case "ns/op", "B/op", "allocs/op":
			default:
				others = append(others, figure(b.values[unit].median(), unit))
			}
		}
		time := sample{}
		for _, ns := range b.values["ns/op"] {
			time = append(time, ns/1e9)
		}
		allocated := fmt.Sprintf("%.3g MB in %.0f", b.values["B/op"].median()/1e6, b.values["allocs/op"].median())
		if b.values["B/op"] == nil {
			allocated = ""
		}
		t.add(b.name, time.timing(), strings.Join(others, ", "), allocated, strings.TrimPrefix(b.pkg, "atelier/"))
	}
	text := ""
	if len(found) > 0 {
		text = t.String()
	}
	for _, part := range benchGoals {
		if judges := slices.ContainsFunc(part.goals, func(g benchGoal) bool { return m.chosen.MatchString(g.bench) }); judges {
			text += judged(part.title, found, part.goals).String()
		}
	}
	for line := range strings.Lines(string(output)) {
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") {
			text += line
		}
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	return m.print(text)
}

// figure writes a benchmark's own figure; those in ns are times.
func figure(v float64, unit string) string {
	if name, ok := strings.CutPrefix(unit, "ns"); ok {
		return strings.TrimSpace(strings.TrimLeft(name, "/-")+" ") + " " + duration(v/1e9)
	}
	if name, ok := strings.CutSuffix(unit, "-ns"); ok {
		return name + " " + duration(v/1e9)
	}
	return fmt.Sprintf("%.4g %s", v, unit)
}
