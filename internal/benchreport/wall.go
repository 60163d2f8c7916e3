package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// wallFigures are those of a scroll through the gallery, beside one through a plain wall of the same pictures that knows all of them
// before it begins: what that takes is the browser's own, as an ordinary page asks it to, without layers for its rows. What is counted, and memory, is written without a unit.
var wallFigures = []deskFigure{
	{"25 px a frame, time between two frames, p50", "calmscroll/p50", "calmplain/p50", 0, 1},
	{"… p95", "calmscroll/p95", "calmplain/p95", 0, 1},
	{"… p99", "calmscroll/p99", "calmplain/p99", 0, 1},
	{"… longest", "calmscroll/max", "calmplain/max", 50, 0},
	{"… frames over 50 ms", "calmscroll,_over/bytes", "calmplain,_over/bytes", 0, 1},
	{"… pictures asked for", "calmscroll,_images/bytes", "calmplain,_images/bytes", 0, 0},
	{"120 px a frame, where our tiles wait with their pictures, p50", "scroll/p50", "plain/p50", 0, 1},
	{"… p95", "scroll/p95", "plain/p95", 0, 1},
	{"… p99", "scroll/p99", "plain/p99", 0, 1},
	{"… longest", "scroll/max", "plain/max", 50, 0},
	{"… frames over 50 ms", "scroll,_over/bytes", "plain,_over/bytes", 0, 1},
	{"… pictures asked for", "scroll,_images/bytes", "plain,_images/bytes", 0, 0},
	{"Most elements in the page at once", "scroll,_elements/bytes", "plain,_elements/bytes", 2500, 0},
	{"Memory of the program at first, bytes", "first/bytes", "", 0, 0},
	{"… with all results", "loaded/bytes", "", 0, 0},
	{"… more for each result, bytes", "result/bytes", "", 2048, 0},
	{"… after going through them again", "last/bytes", "loaded/bytes", 0, 1.1},
}

// longFigures are those of a history of 100,000 results. What the processor worked at a task is what of it no other program took.
var longFigures = slices.Concat(
	longPass("wheel", "By wheel, 400 turns", ""),
	longPass("months", "From month to month, twelve times", ""),
	longPass("end", "To the end of the oldest", ""),
	longPass("through", "Through all of them, reading on, 600 px a frame", ""),
	longPass("bar", "With all of them there: 120 leaps of the bar, one in 8 frames", "barplain"),
	longPass("rest", "… 40 leaps, one in 30 frames", "restplain"),
	longPass("again", "… through all again, 1,200 px a frame", ""),
	longPass("arrives", "… six more arrive, below the pointer nothing moves", ""),
	[]deskFigure{
		{"Memory of the program at first, bytes", "first/bytes", "", 0, 0},
		{"… with all results", "loaded/bytes", "", 0, 0},
		{"… more for each result, bytes", "result/bytes", "", 2048, 0},
		{"… at last", "last/bytes", "loaded/bytes", 0, 1.1},
	},
)

// longPass are the figures of one way through the wall, and of the same way through the plain one where it was gone there: a screen of
// other pictures takes the browser itself longer than a frame where it draws without a graphics processor.
func longPass(name, title, plain string) []deskFigure {
	return []deskFigure{
		{title + ": time between two frames, p95", name + "/p95", plain + "/p95", 0, 0},
		{"… longest", name + "/max", plain + "/max", 50, 0},
		{"… frames over 50 ms", name + ",_over/bytes", plain + ",_over/bytes", 0, 0},
		{"… longest task", name + "/longest", plain + "/longest", 0, 0},
		{"… longest work of the processor at a task", name + "/worked", plain + "/worked", 50, 0},
		{"… most elements at once", name + ",_elements/bytes", plain + ",_elements/bytes", 2500, 0},
		{"… pictures asked for", name + ",_images/bytes", plain + ",_images/bytes", 0, 0},
		{"… other requests", name + ",_requests/bytes", "", 0, 0},
	}
}

// wall runs the benchmarks of the gallery in the browser.
func (m machine) wall() error {
	if err := m.wallOf("Gallery: a scroll through 10,000 results", "BenchmarkGallery", "plain wall", wallFigures); err != nil {
		return err
	}
	return m.wallOf("Gallery: 100,000 results", "BenchmarkLongGallery", "plain wall", longFigures)
}

func (m machine) wallOf(name, benchmark, beside string, figures []deskFigure) error {
	if !m.chosen.MatchString(name) {
		return nil
	}
	m.say("measuring " + name)
	said, failure, err := m.trace(benchmark, "wall.trace")
	if err != nil {
		return err
	}
	if failure != "" {
		return m.print(name + ": not measured: " + failure + "\n\n")
	}
	t := &table{}
	t.add(name, "ours", beside, "ratio", "goal", "reached")
	for _, f := range figures {
		t.add(f.cells(said)...)
	}
	return m.print(t.String())
}

// trace runs a benchmark of the browser and returns the figures it writes; failure says why it wrote none.
func (m machine) trace(benchmark, name string) (said map[string]float64, failure string, err error) {
	file := filepath.Join(m.folder, name)
	cmd := exec.CommandContext(m.ctx, "go", "test", "-timeout", "30m", "-run", "^$", "-bench", "^"+benchmark+"$", "-benchtime", "1x", "./e2e") //nolint:gosec // the name of one of our benchmarks
	cmd.Env = append(os.Environ(), "ATELIER_TRACE="+file)
	if os.Getenv("ATELIER_BINARY") == "" {
		built, err := filepath.Abs(filepath.Join("build", "atelier"))
		if err != nil {
			return nil, "", fmt.Errorf("find the built server: %w", err)
		}
		cmd.Env = append(cmd.Env, "ATELIER_BINARY="+built)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Sprintf("%v\n%s", err, bytes.TrimSpace(out)), nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, "", fmt.Errorf("read the trace: %w", err)
	}
	said, err = parseSaid(string(data))
	if err != nil {
		return nil, "", fmt.Errorf("read the trace: %w", err)
	}
	return said, "", nil
}
