package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// wallFigures are those of a scroll through the gallery; the two counts are written like bytes, without a unit.
var wallFigures = []deskFigure{
	{"Time between two frames, p50", "scroll/p50", "", 0, 0},
	{"… p95", "scroll/p95", "", 0, 0},
	{"… p99", "scroll/p99", "", 0, 0},
	{"… longest", "scroll/max", "", 50, 0},
	{"Frames over 50 ms", "over/bytes", "", 0, 0},
	{"Most elements in the page at once", "elements/bytes", "", 4000, 0},
}

// wall lets the browser test of the gallery measure itself.
func (m machine) wall() error {
	const name = "Gallery: a scroll through 10,000 results"
	if !m.chosen.MatchString(name) {
		return nil
	}
	m.say("measuring " + name)
	said, failure, err := m.trace("TestTheWallIsScrolledThroughTenThousandResults", "wall.trace")
	if err != nil {
		return err
	}
	if failure != "" {
		return m.print(name + ": not measured: " + failure + "\n\n")
	}
	t := &table{}
	t.add(name, "ours", "", "", "goal", "reached")
	for _, f := range wallFigures {
		cells := f.cells(said)
		cells[2] = ""
		t.add(cells...)
	}
	return m.print(t.String())
}

// trace has a browser test write down what it measures; failure says why it did not.
func (m machine) trace(test, name string) (said map[string]float64, failure string, err error) {
	file := filepath.Join(m.folder, name)
	cmd := exec.CommandContext(m.ctx, "go", "test", "-count=1", "-timeout", "15m", "-run", "^"+test+"$", "./e2e") //nolint:gosec // the name of one of our tests
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
