// Command clientmod writes the module file the browser client is built with: that of the product, with go-app taken from a
// copy without its server half. go-app builds its HTTP handler for the browser too, and with it net/http and TLS: a fifth
// of the download, which no browser ever runs.
//
//	clientmod folder
//
// It leaves folder/client.mod and folder/client.sum, for `go build -modfile`, and folder/go-app. The folder must lie
// inside the product's.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/build/constraint"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

const goApp = "github.com/maxence-charriere/go-app/v10"

// serverHalf are the files of go-app that only a server needs.
var serverHalf = []string{"pkg/app/http.go", "pkg/app/resource.go"}

// browserHalf stands in for what the files that stay name of those that go.
const browserHalf = `//go:build wasm

package app

// Handler is only named here: what it does is done by servers.
type Handler struct{}

// clientResourceResolver leaves addresses as they are: the server already names each of its files by its content.
func clientResourceResolver(string) func(string) string {
	return func(location string) string { return location }
}
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "clientmod:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: clientmod folder")
	}
	folder := filepath.ToSlash(filepath.Clean(args[0]))
	if out, err := exec.Command("go", "mod", "download", goApp).CombinedOutput(); err != nil {
		return fmt.Errorf("download go-app: %w: %s", err, out)
	}
	source, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", goApp).Output()
	if err != nil {
		return fmt.Errorf("find go-app: %w", err)
	}
	root, err := openFolder(folder)
	if err != nil {
		return err
	}
	if err := root.RemoveAll("go-app"); err != nil {
		return fmt.Errorf("remove the former copy: %w", err)
	}
	if err := copyBrowserHalf(root, os.DirFS(strings.TrimSpace(string(source)))); err != nil {
		return fmt.Errorf("copy go-app: %w", err)
	}
	return errors.Join(writeModule(root, folder), root.Close())
}

// openFolder makes the folder, which has to lie below the working one.
func openFolder(name string) (folder *os.Root, err error) {
	here, err := os.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, here.Close()) }()
	if err := here.MkdirAll(name, 0o750); err != nil {
		return nil, err
	}
	return here.OpenRoot(name)
}

// copyBrowserHalf copies what go-app is built from and shuts its server half out of the browser's build.
func copyBrowserHalf(root *os.Root, source fs.FS) error {
	shut := map[string]bool{}
	err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !wanted(name) {
			return err
		}
		data, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		for _, s := range serverHalf {
			if name == s {
				if data, err = serverOnly(data); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				shut[name] = true
			}
		}
		return write(root, path.Join("go-app", name), data)
	})
	if err != nil {
		return err
	}
	for _, name := range serverHalf {
		if !shut[name] {
			return fmt.Errorf("this version has no %s: see what its server half consists of now", name)
		}
	}
	return write(root, "go-app/pkg/app/browserhalf.go", []byte(browserHalf))
}

// wanted says whether a file is needed to build the packages, or is the licence they come under.
func wanted(name string) bool {
	if name == "go.mod" || name == "LICENSE" {
		return true
	}
	return strings.HasPrefix(name, "pkg/") && path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go")
}

// serverOnly keeps a file out of the browser's build.
func serverOnly(data []byte) ([]byte, error) {
	for line := range strings.Lines(string(data)) {
		if constraint.IsGoBuild(line) {
			return nil, errors.New("it says itself now where it is built")
		}
	}
	return append([]byte("//go:build !wasm\n\n"), data...), nil
}

func writeModule(root *os.Root, folder string) error {
	module, err := os.ReadFile("go.mod")
	if err != nil {
		return fmt.Errorf("read the module: %w", err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		return fmt.Errorf("read the module's sums: %w", err)
	}
	module = fmt.Appendf(bytes.TrimRight(module, "\n"), "\n\nreplace %s => ./%s/go-app\n", goApp, folder)
	return errors.Join(write(root, "client.sum", sums), write(root, "client.mod", module))
}

func write(root *os.Root, name string, data []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o750); err != nil {
		return err
	}
	return root.WriteFile(name, data, 0o600)
}
