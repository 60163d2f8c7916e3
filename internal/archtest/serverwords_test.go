package archtest

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// serverFolders are the packages whose sentences reach a user through the BFF. What service/ answers with is a part of the API that it
// speaks, and what cmd/ prints is for the operator: neither is translated.
var serverFolders = []string{"atelier/", "catalog/", "bff/", "db/", "upstream/", "imaging/"}

// notSaid are folders and files below those that speak to no user: tests in all but name, generated code, and what is for the operator.
var notSaid = []string{
	"upstream/upstreamtest/", "imaging/testpics/", "imaging/video/videotest/", "db/dbtest/", "db/gen/", "catalog/catalogtest/", "catalog/overlay/",
	"bff/metrics.go",
}

// agentsData are the files of the catalog that are words throughout: agents, their fields and rules.
var agentsData = regexp.MustCompile(`^catalog/(family_.|original|further|shared|shape)\.go$`)

// saying are the arguments, by the function's name, that a user reads as they are.
var saying = map[string][]int{
	"Refuse": {1}, "Wrap": {2}, "FieldError": {1}, // of atelier
	"refuse": {0}, "notComparable": {1}, "missing": {2}, "oneRow": {2}, "notHere": {1}, "setPSD": {3}, "missed": {3}, "loseSight": {2}, "unconfirmed": {2},
	"endItems": {1}, "waiting": {0}, "waitingFor": {0}, "givenUp": {0}, "damaged": {0},
}

// saidFields are the fields that a user reads as they are.
var saidFields = []string{"Message", "Reason", "Note", "Fix", "Doubt"}

// notSaying are calls whose texts are for the log, for the operator or for those who build the studio.
var notSaying = []string{
	"Debug", "DebugContext", "Info", "InfoContext", "Warn", "WarnContext", "Error", "ErrorContext", "New", "Errorf", "Fprintf", "panic", "MustCompile",
}

// noServerWords are texts that read like sentences and are none, with the reason.
var noServerWords = map[string]string{
	"Public domain":           "the licence of a colour profile, within the profile",
	"Layer %d":                "what a layer is called in a file that has no name; all of ours have one",
	"GET ":                    "a method and the space before an address",
	"upload ":                 "how upstream names its calls for the log",
	"Raw profile type ":       "a kind of text, as PNG files name it",
	"No space left on device": "what a program says when it fails", "File too large": "the same", "Cannot allocate memory": "the same",
	"Invalid data found": "the same", "Decoder not found": "the same",
}

// saysASentence matches a text that begins like a sentence of several words, or ends like one.
var saysASentence = regexp.MustCompile(`^(\p{Lu}\p{Ll}+|A|I)[,:]? .*\p{Ll}|\p{Ll}[.!?]$|\pL{2}[.!?] \p{Lu}`)

// fragment matches a piece of a sentence that something is put before or behind.
var fragment = regexp.MustCompile(`^[,:]? \pL|\pL[,.:]? $`)

// wholeSentence matches a text that is one sentence or more.
var wholeSentence = regexp.MustCompile(`^\p{Lu}.* .*[.!?]$`)

// Every sentence that the server says to a user stands in bff/words or in the file words.go of its package, so that a translation changes
// those alone. What this test sees: any text with a letter in it where a user reads it (saying, saidFields, through + and Sprintf), and
// elsewhere what begins or ends like a sentence, within bff/ also what is a piece of one. What it does not see: words that begin small, have no full stop and come to a user by way
// of a variable.
func TestWordsOfTheServerStandInOnePlace(t *testing.T) {
	used := map[string]bool{}
	for file, f := range serverFiles(t) {
		if isWords(file) || agentsData.MatchString(file) {
			continue
		}
		finder := saidFinder{passed: map[*ast.BasicLit]bool{}, used: used, fragments: strings.HasPrefix(file, "bff/")}
		ast.Inspect(f.syntax, finder.look)
		for _, lit := range finder.found {
			t.Errorf("%s: %s reads like words for a user: it belongs into bff/words or the words.go of its package (or, if it is none, into noServerWords with the reason)",
				f.set.Position(lit.Pos()), lit.Value)
		}
	}
	for text := range noServerWords {
		if !used[text] {
			t.Errorf("%q is in noServerWords and nowhere in the code", text)
		}
	}
}

// A sentence that stands twice would be translated twice, and may then say two things.
func TestNoSentenceOfTheServerStandsTwice(t *testing.T) {
	seen := map[string]token.Position{}
	for file, f := range serverFiles(t) {
		if !isWords(file) {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING || !wholeSentence.MatchString(plain(lit)) {
				return true
			}
			at := f.set.Position(lit.Pos())
			if other, twice := seen[plain(lit)]; twice {
				t.Errorf("%s: %s stands at %s too", at, lit.Value, other)
			}
			seen[plain(lit)] = at
			return true
		})
	}
	if len(seen) < 200 {
		t.Errorf("only %d sentences found", len(seen))
	}
}

// serverFiles parses what a user may hear of the server's, without tests.
func serverFiles(t *testing.T) map[string]sourceFile {
	t.Helper()
	files := map[string]sourceFile{}
	for _, folder := range serverFolders {
		for file, f := range filesBelow(t, folder) {
			if !slices.ContainsFunc(notSaid, func(p string) bool { return strings.HasPrefix(file, p) }) {
				files[file] = f
			}
		}
	}
	return files
}

func isWords(file string) bool {
	return path.Base(file) == "words.go" || path.Base(path.Dir(file)) == "words"
}

// saidFinder looks for texts that a user would read.
type saidFinder struct {
	passed    map[*ast.BasicLit]bool // looked at already, or for nobody
	used      map[string]bool        // of noServerWords
	fragments bool                   // pieces of sentences are looked for too; other packages put together SQL
	found     []*ast.BasicLit
}

func (f *saidFinder) look(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Tag != nil {
			f.passed[n.Tag] = true
		}
	case *ast.CallExpr:
		f.call(n)
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(saidFields, key.Name) {
			f.refuse(n.Value)
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if sel, ok := to.(*ast.SelectorExpr); ok && slices.Contains(saidFields, sel.Sel.Name) && len(n.Rhs) == len(n.Lhs) {
				f.refuse(n.Rhs[i])
			}
		}
	case *ast.BasicLit:
		if n.Kind == token.STRING && !f.passed[n] && (saysASentence.MatchString(plain(n)) || f.fragments && fragment.MatchString(plain(n))) {
			f.find(n)
		}
	}
	return true
}

func (f *saidFinder) call(c *ast.CallExpr) {
	name := calledName(c)
	if slices.Contains(notSaying, name) {
		for _, arg := range c.Args {
			for _, lit := range texts(arg) {
				f.passed[lit] = true
			}
		}
	}
	for _, i := range saying[name] {
		if i < len(c.Args) {
			f.refuse(c.Args[i])
		}
	}
}

// refuse finds every text with a letter in it: where it stands a user reads it.
func (f *saidFinder) refuse(e ast.Expr) {
	if c, ok := e.(*ast.CallExpr); ok && calledName(c) == "Sprintf" {
		for _, arg := range c.Args {
			f.refuse(arg)
		}
	}
	for _, lit := range texts(e) {
		if !f.passed[lit] && letter.MatchString(plain(lit)) {
			f.find(lit)
		}
	}
}

func (f *saidFinder) find(lit *ast.BasicLit) {
	f.passed[lit] = true
	if _, known := noServerWords[plain(lit)]; known {
		f.used[plain(lit)] = true
		return
	}
	f.found = append(f.found, lit)
}

// calledName is the last name of what is called, "" where it has none.
func calledName(c *ast.CallExpr) string {
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}
