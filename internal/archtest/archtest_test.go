// Package archtest holds the table of who may import whom as a test. A package that the table does not name may import
// nothing of ours, so that each new folder is placed on purpose.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "atelier"

// mayImport lists, for each package, the packages of ours it may import. A trailing /...
// stands for a folder and everything below it. Longest match wins.
var mayImport = map[string][]string{
	"atelier":                 nil,
	"catalog":                 nil,
	"catalog/overlay":         {"catalog"},
	"catalog/catalogtest":     {"catalog"},
	"upstream":                nil,
	"upstream/upstreamtest":   {"upstream"},
	"imaging/...":             {"atelier", "imaging/..."},
	"imaging/mask":            nil,
	"imaging/video/videotest": {"imaging/...", "internal/killable"},
	"imaging/colour":          nil,
	"imaging/probe":           {"imaging/colour"},
	"imaging/cut":             nil,
	"imaging/net":             nil,
	"imaging/segment":         {"imaging/cut", "imaging/mask", "imaging/net", "imaging/parallel"},
	"imaging/smartselect":     {"imaging/mask", "imaging/net"},
	"internal/folder":         nil,
	"internal/sqldb":          {"internal/folder"},
	"internal/outbound":       nil,
	"internal/pace":           nil,
	"internal/clientmod":      nil,
	"internal/packwasm":       nil,
	"internal/agentsdoc":      {"catalog"},
	"internal/drawexamples":   {"catalog", "imaging/...", "service/examples"},
	"internal/benchreport":    {"imaging/..."},
	"internal/killable":       nil,
	"db/...":                  {"atelier", "internal/sqldb", "db/..."},
	"service/...":             {"catalog", "upstream", "imaging/...", "internal/folder", "internal/sqldb", "internal/outbound", "service/..."},
	"service/presets":         {"imaging", "imaging/probe"},
	"service/render":          {"catalog", "imaging/...", "service/presets"},
	"service/engine/...":      {"imaging/...", "internal/outbound", "service/engine/..."},
	"service/generate":        {"catalog", "imaging/...", "service/engine", "service/presets", "service/render"},
	"bff/...":                 {"atelier", "catalog", "upstream", "db/...", "imaging/...", "internal/folder", "internal/outbound", "internal/sqldb", "bff/..."},
	"bff/words":               nil,
	"app/...":                 {"atelier", "catalog", "imaging/mask", "imaging/segment", "imaging/probe"},
	"app/words":               {"atelier", "catalog"},
	"app/routes":              nil,
	"app/pages":               {"atelier", "catalog", "imaging/mask", "imaging/probe", "imaging/video/container", "app/components", "app/model", "app/client", "app/browser", "app/words"},
	"app/gallery":             {"atelier", "catalog", "catalog/catalogtest", "imaging/mask", "app/pages", "app/components", "app/model", "app/client", "app/browser", "app/words"},
	"app/components":          {"atelier", "catalog", "imaging/mask", "imaging/probe", "app/model", "app/browser", "app/words"},
	"app/client":              {"atelier", "catalog", "app/model", "app/browser", "app/words"},
	"app/model":               {"atelier", "catalog", "imaging/mask", "imaging/probe", "app/words"},
	"app/model/modeltest":     {"atelier", "catalog", "catalog/catalogtest", "app/model"},
	"app/browser":             nil,
	"web":                     nil,
	"web/examples":            nil,
	"cmd/wasm":                {"app/gallery", "app/pages", "app/routes"},
	"cmd/selectwasm":          {"imaging/mask", "imaging/smartselect"},
	"cmd/server":              {"..."},
	"e2e":                     {"..."},
}

// testMayAlso lists what the tests of a package may import beyond its own rule: the real other half instead of a mock.
var testMayAlso = map[string][]string{
	"catalog/...":     {"catalog/catalogtest"},
	"imaging/net":     {"imaging/testpics"},
	"imaging/segment": {"imaging/testpics"},
	"imaging/probe":   {"imaging/testpics"},
	"imaging/video":   {"internal/killable"},
	"bff/...":         {"catalog/...", "app/model/modeltest", "service/...", "upstream/upstreamtest", "db/dbtest", "imaging/testpics", "internal/killable"},
	"service/...":     {"catalog/...", "upstream/upstreamtest", "imaging/testpics", "internal/killable"},
	"upstream":        {"upstream/..."},
	"app/...":         {"catalog/...", "app/model/modeltest", "imaging/testpics"},

	"imaging/smartselect": {"imaging", "imaging/testpics"},
}

// banned lists packages that some folder must never import, and why.
var banned = []struct{ folder, pkg, why string }{
	{"app", "net/http", "adds 1.2 MB to every visitor's download; app/browser has fetch"},
	{"app", "github.com/gorilla/websocket", "adds 1.0 MB to every visitor's download; app/browser has the browser's own"},
	{"app", "log/slog", "adds size to every visitor's download"},
	{"app", "text/template", "turns the linker's dead code elimination off"},
	{"app", "html/template", "turns the linker's dead code elimination off"},
	{"app", "image/png", "the browser decodes pictures; imaging/mask writes masks"},
	{"app", "image/jpeg", "the browser decodes pictures"},
	{"app/pages", "crypto/sha256", "adds 35 kB to every visitor's download; hash/fnv is there anyway"},
	{"imaging/mask", "image/png", "runs in the browser"},
	{"imaging/smartselect", "image/png", "runs in the browser"},
	{"imaging/smartselect", "image/jpeg", "runs in the browser"},
	{"cmd/selectwasm", "encoding/json", "its download is kept small"},
	{"imaging/segment", "golang.org/x/image", "runs in the browser"},
	{"imaging/segment", "image/png", "runs in the browser"},
	{"imaging/segment", "image/jpeg", "runs in the browser"},
	{"imaging/probe", "image", "runs in the browser; it reads headers only"},
	{"imaging/probe", "net/http", "runs in the browser"},
	{"imaging/colour", "image", "runs in the browser; it knows no pixels"},
	{"imaging/mask", "net/http", "runs in the browser"},
	{"catalog", "net/http", "runs in the browser"},
	{"atelier", "net/http", "runs in the browser"},
}

type source struct {
	dir, file string
	test      bool
	imports   []string
}

func sources(t *testing.T) []source {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	var out []source
	err = fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || p == "tools" || p == "build" || p == "data") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, p), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		s := source{dir: path.Dir(p), file: p, test: strings.HasSuffix(p, "_test.go")}
		for _, imp := range f.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, name)
		}
		out = append(out, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("only %d Go files found below %s", len(out), root)
	}
	return out
}

func matches(pattern, dir string) bool {
	if pattern == "..." {
		return true
	}
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return dir == base || strings.HasPrefix(dir, base+"/")
	}
	return pattern == dir
}

// lookup gives the value of the longest pattern that matches dir.
func lookup(table map[string][]string, dir string) (allowed []string, found bool) {
	best := ""
	for pattern := range table {
		if matches(pattern, dir) && len(pattern) > len(best) {
			best = pattern
		}
	}
	return table[best], best != ""
}

func TestPackagesImportOnlyWhatTheTableAllows(t *testing.T) {
	for _, s := range sources(t) {
		allowed, found := lookup(mayImport, s.dir)
		if s.test {
			more, _ := lookup(testMayAlso, s.dir)
			allowed = append(slices.Clone(allowed), more...)
		}
		for _, imp := range s.imports {
			dir, ours := strings.CutPrefix(imp, module+"/")
			if !ours {
				continue
			}
			// The package under test.
			if s.test && dir == s.dir {
				continue
			}
			if !slices.ContainsFunc(allowed, func(p string) bool { return matches(p, dir) }) {
				if !found {
					t.Errorf("%s: package %s is not in the table, so it may import nothing of ours (it imports %s)", s.file, s.dir, dir)
				} else {
					t.Errorf("%s: %s may not import %s", s.file, s.dir, dir)
				}
			}
		}
	}
}

func TestBannedPackagesStayOut(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, b := range banned {
			if !matches(b.folder+"/...", s.dir) {
				continue
			}
			for _, imp := range s.imports {
				if imp == b.pkg || strings.HasPrefix(imp, b.pkg+"/") && b.pkg != "image" {
					t.Errorf("%s imports %s: %s", s.file, imp, b.why)
				}
			}
		}
	}
}

// Nothing but internal/outbound and the client of the image service may open connections: every other way out would skip
// the address check. The browser's side cannot dial at all.
func TestR1NothingElseDialsOut(t *testing.T) {
	allowed := []string{"internal/outbound", "upstream", "upstream/upstreamtest", "e2e"}
	root := filepath.Join("..", "..")
	for _, s := range sources(t) {
		if s.test || slices.Contains(allowed, s.dir) || s.dir == "internal/archtest" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range []string{"http.DefaultClient", "http.Get(", "http.Post(", "http.PostForm(", "http.Head(", "net.Dial(", "net.DialTimeout(", "net.Dialer{", "&http.Client{", "http.Client{"} {
			if strings.Contains(string(text), call) {
				t.Errorf("%s uses %s; go through internal/outbound", s.file, call)
			}
		}
	}
}

func TestTheTableNamesNoFolderThatIsGone(t *testing.T) {
	for _, table := range []map[string][]string{mayImport, testMayAlso} {
		for pattern := range table {
			dir := strings.TrimSuffix(pattern, "/...")
			if _, err := os.Stat(filepath.Join("..", "..", dir)); err != nil {
				t.Errorf("%s is in the table and not in the tree", pattern)
			}
		}
	}
}
