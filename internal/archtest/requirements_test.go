package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// numbered are the requirements on safety and durability, with how many there are of each letter, and those that no test can hold:
// what a file system or a linter does. SECURITY.md and docs/operations.md say how far each goes.
var numbered = []struct {
	letter  string
	last    int
	without map[int]bool
}{
	{"K", 9, nil},
	{"C", 10, nil},
	{"R", 22, nil},
	{"D", 10, nil},
	// 15 are the fuzz targets, 16 the linters, 18 the race detector.
	{"F", 18, map[int]bool{15: true, 16: true, 18: true}},
}

// Each requirement has a test whose name begins with its number.
func TestRequirementsHaveTests(t *testing.T) {
	begins, number := regexp.MustCompile(`(?m)^func Test(?:Slow)?((?:[KCRDF]\d+)+)[A-Z]\w*\(`), regexp.MustCompile(`[KCRDF]\d+`)
	held := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(s.file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range begins.FindAllSubmatch(text, -1) {
			for _, n := range number.FindAllString(string(found[1]), -1) {
				held[n] = true
			}
		}
	}
	for _, of := range numbered {
		for n := 1; n <= of.last; n++ {
			if name := of.letter + strconv.Itoa(n); !held[name] && !of.without[n] {
				t.Errorf("no test has %s in its name", name)
			}
		}
	}
}

// Versions with known weaknesses in what reads hostile input are not built with: Go before 1.26.6, golang.org/x/image before 0.45.0.
func TestD10NothingWeakIsBuiltWith(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for what, least := range map[string][3]int{`(?m)^toolchain go`: {1, 26, 6}, `(?m)^\s*golang\.org/x/image v`: {0, 45, 0}} {
		found := regexp.MustCompile(what + `(\d+)\.(\d+)\.(\d+)`).FindSubmatch(text)
		if found == nil {
			t.Fatalf("go.mod says nothing of %s", what)
		}
		var have [3]int
		for i := range have {
			if have[i], err = strconv.Atoi(string(found[i+1])); err != nil {
				t.Fatal(err)
			}
		}
		if have[0] < least[0] || have[0] == least[0] && (have[1] < least[1] || have[1] == least[1] && have[2] < least[2]) {
			t.Errorf("%s%v, at least %v is needed", what, have, least)
		}
	}
}
