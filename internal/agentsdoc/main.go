// Command agentsdoc writes docs/agents.md out of the catalog, or with -check fails when that file is out of date.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"atelier/catalog"
)

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	flag.Parse()
	if err := run(flag.Arg(0), *check); err != nil {
		fmt.Fprintln(os.Stderr, "agentsdoc:", err)
		os.Exit(1)
	}
}

func run(file string, check bool) error {
	text := []byte(page(catalog.All()))
	if !check {
		return os.WriteFile(file, text, 0o600)
	}
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, text) {
		return fmt.Errorf("%s does not tell what the catalog holds; run `make generate`", file)
	}
	return nil
}
