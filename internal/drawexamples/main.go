// Command drawexamples makes the pictures that show what each agent of the catalog does, and writes them as NAME.webp into a
// folder. Pictures of agents that the catalog no longer has are removed.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/video"
	"atelier/service/examples"
)

// quality keeps all pictures together well below the 6 MB that they and those of the presets may have.
const quality = 86

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: drawexamples FOLDER [AGENT…]")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "drawexamples:", err)
		os.Exit(1)
	}
}

// run makes the pictures of the named agents, or of all.
func run(ctx context.Context, folder string, names []string) error {
	tool, err := video.Find(ctx, video.Limits{})
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	known := map[string]bool{}
	for _, a := range catalog.All() {
		if known[a.Name] {
			continue
		}
		known[a.Name] = true
		if len(wanted) > 0 && !wanted[a.Name] {
			continue
		}
		if err := draw(ctx, a, tool, filepath.Join(folder, a.Name+".webp")); err != nil {
			return err
		}
	}
	return tidy(folder, known)
}

func draw(ctx context.Context, a catalog.Agent, tool *video.Tool, path string) (err error) {
	bench, err := os.MkdirTemp("", "example-")
	if err != nil {
		return fmt.Errorf("make a folder for the example of %s: %w", a.Name, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(bench)) }()
	img, err := examples.Draw(ctx, a, tool, bench)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.WebP, Quality: quality, Speed: imaging.Small}); err != nil {
		return fmt.Errorf("encode the example of %s: %w", a.Name, err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil { //nolint:gosec // a picture of the sources
		return fmt.Errorf("write the example of %s: %w", a.Name, err)
	}
	fmt.Println(a.Name, b.Len())
	return nil
}

// tidy removes the pictures of agents that are not known.
func tidy(folder string, known map[string]bool) error {
	pictures, err := filepath.Glob(filepath.Join(folder, "*.webp"))
	for _, path := range pictures {
		if !known[strings.TrimSuffix(filepath.Base(path), ".webp")] {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}
