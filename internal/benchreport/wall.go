package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// wallFigures are those of a scroll through the gallery, beside one through a plain wall of the same pictures that knows all of them
// before it begins: what that takes is the browser's own, as an ordinary page asks it to, without layers for its rows. What is counted, and memory, is written without a unit.
var wallFigures = []deskFigure{
	{"25 px a frame, time between two frames, p50", "calmscroll/p50", "calmplain/p50", 0, 1},
	{"… p95", "calmscroll/p95", "calmplain/p95", 0, 1},
	{"… p99", "calmscroll/p99", "calmplain/p99", 0, 1},
	{"… longest", "calmscroll/max", "calmplain/max", 50, 0},
	{"… frames over 50 ms", "calmover/bytes", "calmplainover/bytes", 0, 1},
	{"… pictures asked for", "calmimages/bytes", "calmplainimages/bytes", 0, 0},
	{"120 px a frame, where our tiles wait with their pictures, p50", "scroll/p50", "plain/p50", 0, 1},
	{"… p95", "scroll/p95", "plain/p95", 0, 1},
	{"… p99", "scroll/p99", "plain/p99", 0, 1},
	{"… longest", "scroll/max", "plain/max", 50, 0},
	{"… frames over 50 ms", "over/bytes", "plainover/bytes", 0, 1},
	{"… pictures asked for", "images/bytes", "plainimages/bytes", 0, 0},
	{"Most elements in the page at once", "elements/bytes", "plainelements/bytes", 2500, 0},
	{"Memory of the program at first, bytes", "first/bytes", "", 0, 0},
	{"… with all results", "loaded/bytes", "", 0, 0},
	{"… more for each result, bytes", "result/bytes", "", 2048, 0},
	{"… after going through them again", "last/bytes", "loaded/bytes", 0, 1.1},
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
	t.add(name, "ours", "plain wall", "ratio", "goal", "reached")
	for _, f := range wallFigures {
		t.add(f.cells(said)...)
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
