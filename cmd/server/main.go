// Command atelier is the server: the studio, the image service, or both.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// version is set when a release is built.
var version = "0.1.0-dev"

const usage = `usage: atelier [command]

commands:
  (none), serve   the studio, with the embedded image service unless ATELIER_UPSTREAM_URL names another
  studio          the studio alone; needs ATELIER_UPSTREAM_URL
  service         the image service alone
  keys            create NAME | list | revoke ID: keys of the embedded service for outside clients
  users           list | create NAME [viewer|designer|admin] | role NAME ROLE | password NAME | disable NAME | enable NAME |
                  allow NAME RESULTS-A-MONTH|any: accounts of the studio, also while it runs
  agents          [--json]: the agents that are offered, as ATELIER_CATALOG changes them
  backup          FILE: everything in the data folder but its keys as one new file, also while the program works; -with-keys: these too
  restore         FILE: a new data folder made of a backup
  check           read everything in the data folder and say what is wrong, also while the program works
  config          check the configuration and show it, without secrets
  version         print the version; with -licences the licences of the data files in the program
  help            print this

The configuration is read from ATELIER_… variables; README.md lists them.
`

func main() {
	ctx, stop := untilSignal()
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "atelier:", err)
		os.Exit(1)
	}
}

// untilSignal gives a context that ends when the process is told to. Told twice, it ends at once, whatever is under way.
func untilSignal() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// run carries out one command line.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	command, rest := "serve", []string(nil)
	if len(args) > 0 {
		command, rest = args[0], args[1:]
	}
	if command == "help" || slices.ContainsFunc(args, asksForHelp) {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	if command == "-version" || command == "--version" {
		command = "version"
	}
	if command == "version" && len(rest) == 1 && (rest[0] == "-licences" || rest[0] == "--licences") {
		return writeLicences(stdout)
	}
	switch command {
	case "serve", "studio", "service", "version", "config":
		if len(rest) > 0 {
			return fmt.Errorf("%s takes nothing more, and %q is given; `atelier help` lists the commands", command, rest[0])
		}
	}
	switch command {
	case "version":
		_, err := fmt.Fprintln(stdout, version)
		return err
	case "agents":
		return agents(getenv, rest, stdout)
	}
	unkept := keepMemory() // before keys are read
	cfg, err := loadConfig(getenv)
	if err != nil {
		return fmt.Errorf("the configuration has problems:\n%w", err)
	}
	logger := newLogger(cfg, stderr)
	if unkept != nil {
		logger.Warn("an image of the memory, with keys in it, may be written when the program dies", "error", unkept)
	}
	for _, name := range cfg.strangers(os.Environ()) {
		logger.Warn("this variable means nothing to the program; README.md lists those that do", "name", name)
	}
	switch command {
	case "serve":
		return serve(ctx, cfg, logger, stdout, halves{studio: true, service: cfg.embedded()})
	case "studio":
		if cfg.embedded() {
			return errors.New("the studio alone needs ATELIER_UPSTREAM_URL and ATELIER_API_KEY")
		}
		return serve(ctx, cfg, logger, stdout, halves{studio: true})
	case "service":
		return serve(ctx, cfg, logger, stdout, halves{service: true})
	case "keys":
		return keys(ctx, cfg, logger, rest, stdout)
	case "users":
		return users(ctx, cfg, rest, stdout)
	case "backup":
		return backup(ctx, cfg, rest, stdout)
	case "restore":
		return restore(ctx, cfg, rest, stdout)
	case "check":
		return check(ctx, cfg, rest, stdout)
	case "config":
		return printConfig(cfg, stdout)
	}
	return fmt.Errorf("there is no command %q; `atelier help` lists them", command)
}

// asksForHelp says whether a word of the command line asks what there is, whichever command it follows: nothing is done then.
func asksForHelp(word string) bool { return word == "-h" || word == "-help" || word == "--help" }

func newLogger(c config, w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: redact}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
