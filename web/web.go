// Package web serves what the browser loads before any data: one static page for every route, style sheets and scripts
// under URLs that name their content, and the compiled client, compressed at build time.
package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	scripts "text/template"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

//go:embed all:dist
var dist embed.FS

//go:embed static
var static embed.FS

// Site is everything a browser loads from us except the API.
type Site struct {
	files map[string]*file // by URL path
	pages []string
	page  *file
	built bool
	build string
	// selector is the URL of smart select's program, "" when it was not built.
	selector string
}

//go:embed worker.js
var worker string

var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
	".jpg": "image/jpeg", ".woff2": "font/woff2",
}

// Load prepares the site. pages are the routes of the client; a page ending in / stands for everything below it.
func Load(pages []string) (*Site, error) {
	s := &Site{files: map[string]*file{}, pages: pages}
	s.loadClient()
	if err := s.loadStatic(); err != nil {
		return nil, err
	}
	if err := s.loadFramework(); err != nil {
		return nil, err
	}
	return s, s.loadPage()
}

// Build is the hash of the client, "" when it was not built.
func (s *Site) Build() string { return s.build }

// Built says whether the client is embedded; a plain `go build` on a fresh clone leaves it out.
func (s *Site) Built() bool { return s.built }

// loadClient takes the packed client where it was built, and smart select, which the client loads when it is first used.
func (s *Site) loadClient() {
	if s.build = s.loadProgram("app"); s.build == "" {
		return // not built: the page says so
	}
	s.built = true
	if hash := s.loadProgram("select"); hash != "" {
		s.selector = "/web/select." + hash + ".wasm"
	}
}

// loadProgram takes one packed program and returns the hash in its URL, "" when it was not built.
func (s *Site) loadProgram(name string) (hash string) {
	var parts [3][]byte
	for i, form := range []string{".wasm.br", ".wasm.gz", ".wasm.hash"} {
		b, err := dist.ReadFile("dist/" + name + form)
		if err != nil {
			return ""
		}
		parts[i] = b
	}
	hash = string(parts[2])
	s.files["/web/"+name+"."+hash+".wasm"] = &file{contentType: "application/wasm", br: parts[0], gz: parts[1], hash: hash, immutable: true}
	return hash
}

func (s *Site) clientPath() string { return "/web/app." + s.build + ".wasm" }

func (s *Site) clientSize() string {
	b, err := dist.ReadFile("dist/app.wasm.size")
	if err != nil {
		return "0"
	}
	return string(b)
}

// sheet is the URL of all style sheets in one.
const sheet = "/web/atelier.css"

// loadStatic puts every static file under its plain name, for links that can't know its hash, and under a hashed one. The
// style sheets become one file, in the order of their names: a first visit then waits for one answer.
func (s *Site) loadStatic() error {
	var css []byte
	err := fs.WalkDir(static, "static", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		kind, ok := contentTypes[path.Ext(p)]
		if !ok {
			return nil
		}
		data, err := static.ReadFile(p)
		if err != nil {
			return fmt.Errorf("read %s: %w", p, err)
		}
		switch path.Ext(p) {
		case ".css":
			css = append(css, data...)
			return nil
		case ".js":
			if data, err = say(p, string(data)); err != nil {
				return err
			}
		}
		return s.add("/web/"+strings.TrimPrefix(p, "static/"), kind, data)
	})
	if err != nil {
		return err
	}
	return s.add(sheet, contentTypes[".css"], css)
}

func (s *Site) add(name, kind string, data []byte) error {
	f, err := newFile(kind, data)
	if err != nil {
		return fmt.Errorf("prepare %s: %w", name, err)
	}
	s.files[name] = f
	hashed := *f
	hashed.immutable = true
	s.files[s.hashed(name)] = &hashed
	return nil
}

// say puts the words of this package into a script, where it names them between [[ and ]].
func say(name, script string) ([]byte, error) {
	t, err := scripts.New(name).Delims("[[", "]]").Parse(script)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, said); err != nil {
		return nil, fmt.Errorf("put the words into %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// hashed gives the URL of a static file that names its content.
func (s *Site) hashed(name string) string {
	f, ok := s.files[name]
	if !ok {
		return name
	}
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + f.hash + ext
}

// resolver gives the framework the client's hashed URL. It must not be an http.Handler: the framework would then hand it
// every path below /web/ and fetch some files from whatever host a request names.
type resolver struct{ client string }

func (r resolver) Resolve(location string) string {
	if location == "/web/app.wasm" {
		return r.client
	}
	return location
}

// The scripts of the framework that every visit needs, under the names that the framework gives them.
const (
	frameworkScript = "/app.js"
	runtimeScript   = "/wasm_exec.js"
)

// loadFramework takes the framework's own scripts once, to serve them compressed and with our headers, also under URLs that
// name their content: a second visit then asks for none of them.
func (s *Site) loadFramework() error {
	serviceWorker, err := say("worker.js", worker)
	if err != nil {
		return err
	}
	h := &app.Handler{
		Name: said.Title, ShortName: said.Title, Title: said.Title, Lang: said.Lang, Version: s.build,
		Description:     said.About,
		BackgroundColor: "#1e1e1e", ThemeColor: "#1e1e1e", LoadingLabel: "{progress}",
		Icon:      app.Icon{Default: "/web/icons/icon-192.png", Large: "/web/icons/icon-512.png", SVG: "/web/icons/icon.svg"},
		Resources: resolver{s.clientPath()}, WasmContentLength: s.clientSize(), ServiceWorkerTemplate: string(serviceWorker),
	}
	for _, p := range []string{frameworkScript, runtimeScript, "/app-worker.js", "/manifest.webmanifest"} {
		r, err := http.NewRequest(http.MethodGet, "http://localhost"+p, http.NoBody)
		if err != nil {
			return fmt.Errorf("prepare %s: %w", p, err)
		}
		rec := &recorder{header: http.Header{}}
		h.ServeHTTP(rec, r)
		if rec.status != http.StatusOK {
			return fmt.Errorf("prepare %s: the framework answered %d", p, rec.status)
		}
		if err := s.add(p, rec.header.Get("Content-Type"), rec.body.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// recorder keeps one answer of the framework.
type recorder struct {
	header http.Header
	body   bytes.Buffer
	status int
}

func (r *recorder) Header() http.Header { return r.header }
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(b)
}

// loadPage makes the one page every route is answered with. It holds no data of anybody, so one copy serves all.
func (s *Site) loadPage() error {
	t, err := template.ParseFS(static, "static/page.html")
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{
		"Built": s.built, "Client": s.clientPath(), "Style": s.hashed(sheet), "Boot": s.hashed("/web/boot.js"),
		"Framework": s.hashed(frameworkScript), "Runtime": s.hashed(runtimeScript),
		"Words": said, "Select": s.selector, "SelectWorker": s.hashed("/web/selectworker.js"),
	}); err != nil {
		return fmt.Errorf("make the page: %w", err)
	}
	s.page, err = newFile("text/html; charset=utf-8", b.Bytes())
	return err
}

// ServeHTTP serves files, then pages, then says not found.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f, ok := s.files[r.URL.Path]; ok {
		f.ServeHTTP(w, r)
		return
	}
	if r.URL.Path == "/favicon.ico" {
		http.Redirect(w, r, "/web/icons/icon.svg", http.StatusMovedPermanently)
		return
	}
	if !s.isPage(r.URL.Path) {
		http.NotFound(w, r)
		return
	}
	if !s.built {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(said.NotBuilt + "\n"))
		return
	}
	s.page.ServeHTTP(w, r)
}

func (s *Site) isPage(p string) bool {
	return slices.ContainsFunc(s.pages, func(page string) bool {
		return p == page || page != "/" && strings.HasSuffix(page, "/") && strings.HasPrefix(p, page)
	})
}
