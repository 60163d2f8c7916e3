// Command benchreport measures what `make bench` prints: our picture work against the programs others use for it, where
// they are installed, each in a process of its own and in turns; what is found on photographs beside its goals; the mask desk in the browser beside a plain canvas; then the Go
// benchmarks with all their figures.
//
//	benchreport [-only regexp] [-repeat 3] [-keep folder]
//
// Times depend on the machine and on what else it does: medians and the spread are printed, and ratios are what carries.
// A folder of photographs named by ATELIER_PHOTOS replaces drawn pictures; without one what needs photographs is not measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "benchreport:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	if len(args) > 0 && args[0] == "task" {
		return runTask(ctx, args[1:], out)
	}
	flags := flag.NewFlagSet("benchreport", flag.ContinueOnError)
	only := flags.String("only", "", "measure only what has a name that matches")
	repeat := flags.Int("repeat", 3, "how often each is measured")
	keep := flags.String("keep", "", "leave the pictures worked on in this folder")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 0 || *repeat < 1 {
		return errors.New("usage: benchreport [-only regexp] [-repeat 3] [-keep folder]")
	}
	chosen, err := regexp.Compile("(?i)" + *only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	folder := *keep
	if folder == "" {
		if folder, err = os.MkdirTemp("", "benchreport"); err != nil {
			return fmt.Errorf("make a folder: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	}
	say := func(text string) { fmt.Fprintln(os.Stderr, text) }
	m := machine{ctx: ctx, out: out, say: say, folder: folder, repeat: *repeat, chosen: chosen}
	if err := m.print(fmt.Sprintf("%d processors, %s%s\n\n", runtime.NumCPU(), runtime.Version(), load())); err != nil {
		return err
	}
	if err := m.contests(); err != nil {
		return err
	}
	if err := m.pixels(); err != nil {
		return err
	}
	if err := m.desk(); err != nil {
		return err
	}
	if err := m.wall(); err != nil {
		return err
	}
	if err := m.visit(); err != nil {
		return err
	}
	return m.benchmarks()
}

// load tells what the machine was doing before, where the system says so.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) == 0 {
		return ""
	}
	return ", load before " + fields[0]
}

// machine is where and how things are measured.
type machine struct {
	ctx    context.Context
	out    io.Writer
	say    func(text string) // tells what is being done, beside the report
	folder string
	repeat int
	chosen *regexp.Regexp
}

func (m machine) print(text string) error {
	if _, err := io.WriteString(m.out, text); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	return nil
}
