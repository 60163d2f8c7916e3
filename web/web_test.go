package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func site(t *testing.T) *Site {
	t.Helper()
	s, err := Load([]string{"/", "/gallery", "/run/"})
	if err != nil {
		t.Fatal(err)
	}
	// The page is tested as if the client were built, whether this checkout has built it or not.
	s.built = true
	return s
}

func get(t *testing.T, h http.Handler, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAcceptEncodingIsReadAsTheStandardSays(t *testing.T) {
	for _, tt := range []struct {
		header, coding string
		want           bool
	}{
		{"", "br", false},
		{"br", "br", true},
		{"gzip, deflate, br", "br", true},
		{"BR;q=0.5", "br", true},
		{"br;q=0", "br", false},
		{"*", "br", true},
		{"*;q=0", "br", false},
		{"br;q=0, *", "br", false},
		{"gzip", "br", false},
		{"brotli", "br", false},
		{"gzip; q=0.0", "gzip", false},
	} {
		if got := accepts(tt.header, tt.coding); got != tt.want {
			t.Errorf("accepts(%q, %q) = %v, want %v", tt.header, tt.coding, got, tt.want)
		}
	}
}

func TestEveryRouteGetsTheSamePageAndNothingElseDoes(t *testing.T) {
	s := site(t)
	want := body(t, get(t, s, "/").Body)
	if !strings.Contains(want, s.hashed("/app.js")) || !strings.Contains(want, `id="app-wasm-loader-label"`) {
		t.Fatalf("the page lacks what the client needs:\n%s", want)
	}
	for path, status := range map[string]int{
		"/gallery": 200, "/run/123": 200, "/nowhere": 404, "/web/": 404, "/web/none.css": 404, "/robots.txt": 404,
		"/sitemap.xml": 404, "/ads.txt": 404, "/app.wasm": 404, "/web/app.wasm": 404,
	} {
		resp := get(t, s, path)
		if resp.StatusCode != status {
			t.Errorf("%s: %d, want %d", path, resp.StatusCode, status)
		}
		if status == 200 && body(t, resp.Body) != want {
			t.Errorf("%s: not the same page", path)
		}
	}
}

func TestFilesComeInTheFormTheClientTakes(t *testing.T) {
	s := site(t)
	plain := body(t, get(t, s, "/wasm_exec.js").Body)
	br := get(t, s, "/wasm_exec.js", "Accept-Encoding", "gzip, br")
	if br.Header.Get("Content-Encoding") != "br" || body(t, brotli.NewReader(br.Body)) != plain {
		t.Error("the brotli copy differs or is not used")
	}
	gz := get(t, s, "/wasm_exec.js", "Accept-Encoding", "gzip")
	zr, err := gzip.NewReader(gz.Body)
	if err != nil {
		t.Fatal(err)
	}
	if gz.Header.Get("Content-Encoding") != "gzip" || body(t, zr) != plain {
		t.Error("the gzip copy differs or is not used")
	}
	etag := br.Header.Get("ETag")
	if again := get(t, s, "/wasm_exec.js", "Accept-Encoding", "br", "If-None-Match", etag); again.StatusCode != http.StatusNotModified {
		t.Errorf("with its ETag: %d, want 304", again.StatusCode)
	}
}

func TestHashedFilesAreImmutableAndPlainOnesAreNot(t *testing.T) {
	s := site(t)
	style := get(t, s, s.hashed(sheet))
	if cc := style.Header.Get("Cache-Control"); !strings.Contains(cc, "immutable") {
		t.Errorf("the style sheet: Cache-Control %q", cc)
	}
	if css := body(t, style.Body); strings.Index(css, "--accent") > strings.Index(css, ".boot") || !strings.Contains(css, ".boot") {
		t.Error("the style sheets are not in order, or some are missing")
	}
	page := body(t, get(t, s, "/").Body)
	scripts := regexp.MustCompile(`<script[^>]* src="([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(scripts) != 3 {
		t.Errorf("the page loads %d scripts, want 3:\n%s", len(scripts), page)
	}
	for _, script := range scripts {
		if cc := get(t, s, script[1]).Header.Get("Cache-Control"); !strings.Contains(cc, "immutable") {
			t.Errorf("%s: Cache-Control %q, want immutable", script[1], cc)
		}
	}
	if cc := get(t, s, "/app.js").Header.Get("Cache-Control"); cc != "no-cache" {
		t.Errorf("/app.js: Cache-Control %q, want no-cache", cc)
	}
}

func TestTextStandsInTheSizesOfTheScaleAlone(t *testing.T) {
	s := site(t)
	css := body(t, get(t, s, s.hashed(sheet)).Body)
	for _, step := range regexp.MustCompile(`--f(\d+): ([^;]*);`).FindAllStringSubmatch(css, -1) {
		if step[2] != step[1]+"px" || !slices.Contains([]string{"12", "13", "14", "16", "20", "28"}, step[1]) {
			t.Errorf("%s is no step of the scale", step[0])
		}
	}
	rule, size := regexp.MustCompile(`([^{}]*){([^{}]*)}`), regexp.MustCompile(`(?:^|[;\s])font(?:-size)?: *([^;]*)`)
	onScale, found := regexp.MustCompile(`^(inherit|var\(--f\d+\)( .*)?)\s*$`), 0
	for _, r := range rule.FindAllStringSubmatch(css, -1) {
		for _, f := range size.FindAllStringSubmatch(r[2], -1) {
			if found++; !onScale.MatchString(f[1]) {
				t.Errorf("%s: %s is off the scale", strings.TrimSpace(r[1]), f[1])
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d sizes of text were found", found)
	}
}

// Who cannot see the page is told it in the order in which it stands there: no style may show it in another one where that says something
// else (WCAG 2.2, 1.3.2).
func TestNothingIsShownInAnotherOrder(t *testing.T) {
	s := site(t)
	css := body(t, get(t, s, s.hashed(sheet)).Body)
	harmless := map[string]string{
		".stage__tools":  "a tool is chosen before what can be set of it, and stands below that where the thumb is",
		".client-bar h1": "the name of the picture stands below the buttons of the same bar on a phone",
	}
	rule, turned := regexp.MustCompile(`([^{}]*){([^{}]*)}`), regexp.MustCompile(`(?:^|[;\s])order:|-reverse`)
	for _, r := range rule.FindAllStringSubmatch(css, -1) {
		selector := strings.TrimSpace(r[1])
		if !turned.MatchString(r[2]) {
			continue
		}
		if harmless[selector] == "" {
			t.Errorf("%s is shown in another order", selector)
		}
		delete(harmless, selector)
	}
	for selector := range harmless {
		t.Errorf("%s is no longer shown in another order", selector)
	}
}

// Browsers resolve a style that hangs on :has() again whenever something comes into what it asks about, and with it those of every element
// that any such style ends in: around whole pages it names each step, and nowhere does it end in all elements of a kind.
func TestNoStyleIsResolvedAgainForWhateverComesIntoThePage(t *testing.T) {
	s := site(t)
	css := regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(body(t, get(t, s, s.hashed(sheet)).Body), "")
	rule, has := regexp.MustCompile(`([^{}]*){`), regexp.MustCompile(`([^\s,(]*):has\(([^()]*(?:\([^()]*\)[^()]*)*)\)([^,]*)`)
	around, kind := regexp.MustCompile(`^(html|body|:root|\.app|\.app__page|\.page|\.studio|\.gallery|\.boards|\.library|\.tasks)\b`), regexp.MustCompile(`(^|[\s>+~(])[a-z]`)
	found := 0
	for _, r := range rule.FindAllStringSubmatch(css, -1) {
		for _, m := range has.FindAllStringSubmatch(r[1], -1) {
			found++
			if steps := strings.TrimSpace(m[2]); around.MatchString(m[1]) && strings.Count(steps, ">") != len(strings.Fields(strings.ReplaceAll(steps, ">", " "))) {
				t.Errorf("%s hangs on something anywhere in the page", strings.TrimSpace(r[1]))
			}
			if kind.MatchString(m[3]) {
				t.Errorf("%s ends in all elements of a kind", strings.TrimSpace(r[1]))
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d styles with :has() were found", found)
	}
}

func TestThePageNamesTheWorkerOfSmartSelect(t *testing.T) {
	s := site(t)
	worker := s.hashed("/web/selectworker.js")
	page := body(t, get(t, s, "/").Body)
	if !strings.Contains(page, `<meta name="select-worker" content="`+worker+`">`) || !strings.Contains(page, `<meta name="select-program" content="`+s.selector+`">`) {
		t.Fatalf("the page does not name the worker %s and its program %q:\n%s", worker, s.selector, page)
	}
	r := get(t, s, worker)
	if r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("the worker's script: %d %v", r.StatusCode, r.Header)
	}
	if s.selector == "" {
		return // this checkout has not built the client
	}
	if r := get(t, s, s.selector, "Accept-Encoding", "br"); r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "application/wasm" {
		t.Errorf("the program: %d %v", r.StatusCode, r.Header)
	}
}

func TestOnlyGETAndHEAD(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/app.js", http.NoBody)
	w := httptest.NewRecorder()
	site(t).ServeHTTP(w, r)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d, want 405", w.Code)
	}
}

func TestAnUnbuiltClientIsSaidNotServed(t *testing.T) {
	s := site(t)
	s.built = false
	if resp := get(t, s, "/"); resp.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body(t, resp.Body), "make build") {
		t.Errorf("status %d, want 503 with the command to run", resp.StatusCode)
	}
}

// The framework embeds its own copy of the loader; the two must belong to the same Go release.
func TestTheLoaderMatchesTheToolchain(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	if body(t, get(t, site(t), "/wasm_exec.js").Body) != string(want) {
		t.Error("the framework's wasm_exec.js is not the toolchain's")
	}
}
