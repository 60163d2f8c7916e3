// Command testrun runs `go test` with its arguments and says what go test keeps to itself of tests that pass: the lines they
// begin with "counted:", which tell how much was tried, and which tests were skipped and why. It prints a line per package, all of what
// failed, and ends as go test does.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(1)
	}
}

func run(args []string, out, errs io.Writer) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...) //nolint:gosec // the arguments are the caller's own
	cmd.Stderr = errs
	lines, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("read what go test says: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start go test: %w", err)
	}
	err = told(lines, out)
	if waited := cmd.Wait(); waited != nil {
		return fmt.Errorf("go test: %w", waited)
	}
	return err
}

// event is one line of `go test -json`.
type event struct{ Action, Package, Test, Output string }

// told reads the events and prints what is worth reading.
func told(events io.Reader, out io.Writer) error {
	var failed error
	say := func(text string) {
		if _, err := io.WriteString(out, text); failed == nil {
			failed = err
		}
	}
	said := map[[2]string][]string{} // by package and test
	var counted, skipped []string
	in := bufio.NewScanner(events)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var e event
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			say(in.Text() + "\n") // not of a test: the compiler's words
			continue
		}
		key := [2]string{e.Package, e.Test}
		switch e.Action {
		case "output":
			said[key] = append(said[key], e.Output)
			if _, count, ok := strings.Cut(e.Output, ": counted: "); ok {
				counted = append(counted, strings.TrimSpace(count))
			}
		case "build-output":
			say(e.Output)
		case "fail":
			say(strings.Join(said[key], ""))
			delete(said, key)
			if e.Test != "" {
				continue
			}
			for other := range said { // tests that had no end: where the program died, they say why
				if other[0] == e.Package {
					say(strings.Join(said[other], ""))
					delete(said, other)
				}
			}
		case "pass", "skip":
			if e.Action == "skip" && e.Test != "" {
				skipped = append(skipped, e.Package+" "+e.Test+reason(said[key]))
			}
			if list := said[key]; e.Test == "" && len(list) > 0 {
				say(list[len(list)-1]) // ok, and how long it took
			}
			delete(said, key)
		}
	}
	slices.Sort(counted)
	for _, line := range counted {
		say("counted: " + line + "\n")
	}
	slices.Sort(skipped)
	for _, line := range skipped {
		say("skipped: " + line + "\n")
	}
	say(fmt.Sprintf("%d tests were skipped\n", len(skipped)))
	return errors.Join(in.Err(), failed)
}

// reason is what a test said last before it was skipped, without the place in the code; "" when it said nothing.
func reason(said []string) string {
	for _, line := range slices.Backward(said) {
		line = strings.TrimSpace(line)
		if _, why, ok := strings.Cut(line, ".go:"); ok {
			_, why, _ = strings.Cut(why, ": ")
			return ": " + why
		}
	}
	return ""
}
