// Command clientmod writes the module file the browser client is built with: that of the product, with go-app taken from a
// copy without its server half. go-app builds its HTTP handler for the browser too, and with it net/http and TLS: a fifth
// of the download, which no browser ever runs. Routes by regular expression and encrypted browser storage, which the client does not
// use, stay out of the copy too: they bring regexp with the tables of Unicode, and ciphers. go-app's two random names are made by
// a package of our own, which needs neither hashes nor databases as google/uuid does. One line of go-app's loop is mended.
//
//	clientmod folder
//
// It leaves folder/client.mod and folder/client.sum, for `go build -modfile`, folder/go-app and folder/uuid. The folder must
// lie inside the product's.
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

const (
	goApp = "github.com/maxence-charriere/go-app/v10"
	uuid  = "github.com/google/uuid"
)

// leftOut are the files of go-app that the browser's copy goes without: what only a server needs, routes and ciphers.
var leftOut = []string{"pkg/app/http.go", "pkg/app/resource.go", "pkg/app/route.go", "pkg/app/crypto.go"}

// mended are lines of go-app that are others in the browser's copy. Between frames its loop sets the ticker of the frames an hour ahead,
// and at the next event back to eight milliseconds. Where Go's scheduler clears stopped timers away (timers.check in runtime/time.go, seen
// in Go 1.26.8), it does not see that a timer was set to an earlier time, and in the browser it then sleeps until the one after it: what
// had changed was not drawn until something else woke the program. A ticker that is stopped between frames is not overlooked.
var mended = []struct{ file, line, instead string }{
	{"pkg/app/engine.go", "frames.Reset(iddleFrameDuration)", "frames.Stop()"},
}

// browserHalf stands in for what the files that stay name of those that go.
const browserHalf = `//go:build wasm

package app

import "errors"

// Handler is only named here: what it does is done by servers.
type Handler struct{}

// clientResourceResolver leaves addresses as they are: the server already names each of its files by its content.
func clientResourceResolver(string) func(string) string {
	return func(location string) string { return location }
}

// router knows the pages by their whole path.
type router struct {
	routes map[string]func() Composer
}

func makeRouter() router { return router{routes: map[string]func() Composer{}} }

func (r *router) route(path string, newComponent func() Composer) { r.routes[path] = newComponent }

func (r *router) routeWithRegexp(string, func() Composer) {
	panic("this client is built without routes by regular expression")
}

func (r *router) routed(path string) bool {
	_, known := r.routes[path]
	return known
}

func (r *router) createComponent(path string) (Composer, bool) {
	newComponent, known := r.routes[path]
	if !known {
		return nil, false
	}
	return newComponent(), true
}

var errNoCiphers = errors.New("this client is built without encrypted storage")

func encrypt(string, []byte) ([]byte, error) { return nil, errNoCiphers }

func decrypt(string, []byte) ([]byte, error) { return nil, errNoCiphers }
`

// uuidModule and uuidPackage stand in for google/uuid, of which go-app calls one function.
const (
	uuidModule  = "module " + uuid + "\n\ngo 1.24\n"
	uuidPackage = `// Package uuid makes names that nothing else has.
package uuid

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
)

// NewString makes a random UUID (RFC 9562, section 5.4). The numbers come from Go's own generator, which the browser's
// cryptographic one seeds.
func NewString() string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], rand.Uint64())
	binary.BigEndian.PutUint64(id[8:], rand.Uint64())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	s := hex.EncodeToString(id[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
`
)

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
	return errors.Join(
		write(root, "uuid/go.mod", []byte(uuidModule)), write(root, "uuid/uuid.go", []byte(uuidPackage)),
		writeModule(root, folder), root.Close(),
	)
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

// copyBrowserHalf copies what go-app is built from and shuts what the client goes without out of the browser's build.
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
		for _, s := range leftOut {
			if name == s {
				if data, err = serverOnly(data); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				shut[name] = true
			}
		}
		if data, err = mend(name, data); err != nil {
			return err
		}
		return write(root, path.Join("go-app", name), data)
	})
	if err != nil {
		return err
	}
	for _, name := range leftOut {
		if !shut[name] {
			return fmt.Errorf("this version has no %s: see where it keeps now what the client goes without", name)
		}
	}
	for _, m := range mended {
		if _, err := root.Stat("go-app/" + m.file); err != nil {
			return fmt.Errorf("this version has no %s: see where it keeps now what is mended in it: %w", m.file, err)
		}
	}
	return write(root, "go-app/pkg/app/browserhalf.go", []byte(browserHalf))
}

// mend puts the lines of a file that have to be others in their place.
func mend(name string, data []byte) ([]byte, error) {
	for _, m := range mended {
		if m.file != name {
			continue
		}
		if n := bytes.Count(data, []byte(m.line)); n != 1 {
			return nil, fmt.Errorf("%s has %q %d times: see whether it still has to be mended", name, m.line, n)
		}
		data = bytes.Replace(data, []byte(m.line), []byte(m.instead), 1)
	}
	return data, nil
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
	module = fmt.Appendf(bytes.TrimRight(module, "\n"), "\n\nreplace %s => ./%s/go-app\n\nreplace %s => ./%s/uuid\n", goApp, folder, uuid, folder)
	return errors.Join(write(root, "client.sum", sums), write(root, "client.mod", module))
}

func write(root *os.Root, name string, data []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o750); err != nil {
		return err
	}
	return root.WriteFile(name, data, 0o600)
}
