package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// forUsers are the arguments, by the function's name, that a user reads or hears.
var forUsers = map[string][]int{
	"Text": {2}, "Button": {1}, "IconButton": {1}, "Segmented": {0}, "Search": {1}, "Dialog": {1}, "Slider": {1, 2}, "Toggle": {1},
	"toast": {1}, "offer": {0, 1}, "offerFor": {0, 1}, "say": {0}, "fail": {0}, "refuse": {1}, "titled": {0}, "group": {0},
}

// notForUsers are the arguments that name something for the browser or for those who build the studio, -1 for all of them.
var notForUsers = map[string][]int{
	"Box": {0}, "Class": {0}, "Text": {0, 1}, "Button": {0, 2}, "Dialog": {0, 2}, "Poster": {2}, "poster": {2},
	"Get": {0}, "Set": {0}, "Call": {0}, "HasPrefix": {1}, "CutPrefix": {1}, "New": {-1}, "Errorf": {-1}, "Format": {0},
	"Style": {-1}, "SetStyle": {-1}, "MoveFocus": {0},
}

// readOut are the attributes whose value a user reads or hears.
var readOut = []string{"aria-label", "title", "placeholder", "alt", "aria-description", "aria-valuetext", "aria-roledescription"}

// readFields are the fields of structs whose value a user reads or hears.
var readFields = []string{"Title", "Help", "Hint", "Label", "Caption", "Message", "Note", "Placeholder"}

// noWords are the texts that look like words and are none, with the reason.
var noWords = map[string]string{
	"Shift": "a key, as the browser names it", "Control": "a key", "Alt": "a key", "Meta": "a key", "AltGraph": "a key", "CapsLock": "a key", "Dead": "a key",
	"Backspace": "a key", "Delete": "a key", "Space": "a key", "Plus": "a key",
	"Shift ": "how shortcuts are kept; Keymap.Tip writes them for people", "Mod": "the same", "Mod ": "the same", "Shift [": "a shortcut as it is kept", "Shift ]": "a shortcut as it is kept",
	"Shift r": "a shortcut as it is kept", "Mod Enter": "the same", "Mod k": "the same", "Mod z": "the same", "Mod Shift z": "the same", "Mod y": "the same", "Mod \\": "the same", "Mod a": "the same",
	"JPEG": "the name of a format", "PNG": "the name of a format", "WebP": "the name of a format",
	"px) scale(": "CSS",
	"Files":      "a kind of data that is dragged",
	"Yours":      "how the image service marks a preset",
	"atelier: ":  "for the console of the browser",
}

var (
	sentence   = regexp.MustCompile(`\pL[,.:;)”]* [(“]?\pL|…|“|^ \pL|\pL[,.:]? $`)
	capital    = regexp.MustCompile(`^\p{Lu}\p{Ll}`)
	letter     = regexp.MustCompile(`\pL`)
	classNames = regexp.MustCompile(`^ ?([a-z][a-z0-9]*([-_]+[a-z0-9]*)* ?)+$`)
)

// All words of the interface stand in app/words, so that a translator changes one package and nothing else.
func TestWordsForUsersStandInOnePlace(t *testing.T) {
	used := map[string]bool{}
	for path, file := range filesBelow(t, "app/") {
		if strings.HasPrefix(path, "app/words/") || strings.HasPrefix(path, "app/gallery/") || strings.HasPrefix(path, "app/model/modeltest/") {
			continue // the gallery of components is for those who build the studio, and so are tests
		}
		finder := wordFinder{fine: map[ast.Expr]bool{}, used: used}
		ast.Inspect(file.syntax, finder.look)
		for _, lit := range finder.found {
			t.Errorf("%s: %s reads like words for a user: it belongs into app/words (or, if it is none, into noWords with the reason)", file.set.Position(lit.Pos()), lit.Value)
		}
	}
	for text := range noWords {
		if !used[text] {
			t.Errorf("%q is in noWords and nowhere in the code", text)
		}
	}
}

// A word that nothing says any more would be translated for nobody.
func TestEveryWordIsSaid(t *testing.T) {
	for folder, least := range map[string]int{"app/": 500, "bff/": 200} {
		everyWordIsSaid(t, folder, least)
	}
}

// everyWordIsSaid looks through a folder and the words in it, of which there are at least so many.
func everyWordIsSaid(t *testing.T, folder string, least int) {
	t.Helper()
	declared, said := map[string]token.Position{}, map[string]bool{}
	for path, file := range filesBelow(t, folder) {
		inWords := strings.HasPrefix(path, folder+"words/")
		if inWords {
			for name, object := range exported(file.syntax) {
				declared[name] = file.set.Position(object.Pos())
			}
		}
		ast.Inspect(file.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "words" {
					said[n.Sel.Name] = true
				}
			case *ast.Ident:
				if inWords && declared[n.Name] != file.set.Position(n.Pos()) {
					said[n.Name] = true
				}
			}
			return true
		})
	}
	if len(declared) < least {
		t.Fatalf("only %d words found in %swords", len(declared), folder)
	}
	for name, at := range declared {
		if !said[name] {
			t.Errorf("%s: nothing says words.%s", at, name)
		}
	}
}

// glue is what may stand between words and others: whole sentences and facts in a row.
var glue = []string{" ", " · "}

// A sentence that is put together where it is said has the order of words of one language. Numbers for the machinery of the page are none.
func TestNoSentenceIsPutTogetherOutsideTheWords(t *testing.T) {
	looked := 0
	for _, folder := range []string{"app/", "bff/"} {
		for path, file := range filesBelow(t, folder) {
			if isWords(path) {
				continue
			}
			ast.Inspect(file.syntax, func(n ast.Node) bool {
				var parts []ast.Expr
				switch n := n.(type) {
				case *ast.BinaryExpr:
					if n.Op != token.ADD {
						return true
					}
					parts = summands(n)
				case *ast.AssignStmt:
					if n.Tok != token.ADD_ASSIGN {
						return true
					}
					parts = append([]ast.Expr{n.Lhs[0]}, summands(n.Rhs[0])...)
				default:
					return true
				}
				for i, part := range parts {
					if !isWord(part) {
						continue
					}
					looked++
					if i > 0 && !slices.Contains(glue, plain(parts[i-1])) || i+1 < len(parts) && !slices.Contains(glue, plain(parts[i+1])) {
						t.Errorf("%s: words are put together here: make them a function of the words", file.set.Position(part.Pos()))
					}
				}
				return true
			})
		}
	}
	if looked == 0 {
		t.Error("no words were looked at")
	}
}

// summands are the parts of a + b + c.
func summands(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return summands(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return append(summands(e.X), summands(e.Y)...)
		}
	}
	return []ast.Expr{e}
}

// isWord says whether an expression is of the words: words.Saved, words.SavedAt(t). Number and Decimal are for styles and addresses.
func isWord(e ast.Expr) bool {
	if c, ok := e.(*ast.CallExpr); ok {
		e = c.Fun
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name == "Number" || sel.Sel.Name == "Decimal" {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == "words"
}

type sourceFile struct {
	set    *token.FileSet
	syntax *ast.File
}

// filesBelow parses the files below a folder ("app/"), without tests, whatever they are built for.
func filesBelow(t *testing.T, folder string) map[string]sourceFile {
	t.Helper()
	files := map[string]sourceFile{}
	for _, s := range sources(t) {
		if s.test || !strings.HasPrefix(s.file, folder) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(s.file)))
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		syntax, err := parser.ParseFile(set, s.file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[s.file] = sourceFile{set, syntax}
	}
	return files
}

// exported gives the names a file declares for others, methods left out.
func exported(file *ast.File) map[string]*ast.Ident {
	names := map[string]*ast.Ident{}
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				names[id.Name] = id
			}
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					add(s.Names...)
				case *ast.TypeSpec:
					add(s.Name)
				}
			}
		}
	}
	return names
}

// wordFinder looks for texts that read like words for a user.
type wordFinder struct {
	fine  map[ast.Expr]bool // looked at already, or no words where they stand
	used  map[string]bool   // of noWords
	found []*ast.BasicLit
}

func (f *wordFinder) look(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Tag != nil {
			f.fine[n.Tag] = true
		}
	case *ast.CaseClause:
		f.pass(n.List...)
	case *ast.IndexExpr:
		f.pass(n.Index)
	case *ast.BinaryExpr:
		if n.Op != token.ADD {
			f.pass(n.X, n.Y)
		}
	case *ast.CallExpr:
		f.call(n)
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				f.pass(pair.Key)
				if key, ok := pair.Key.(*ast.Ident); ok && slices.Contains(readFields, key.Name) {
					f.refuse(pair.Value)
				}
			}
		}
	case *ast.BasicLit:
		if n.Kind == token.STRING && !f.fine[n] {
			f.judge(n)
		}
	}
	return true
}

// call sorts the arguments of a call into those a user reads and those that are none of theirs.
func (f *wordFinder) call(c *ast.CallExpr) {
	name := ""
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
		if name == "Text" && len(c.Args) == 1 {
			f.refuse(c.Args[0]) // of an element
			return
		}
	}
	for _, i := range notForUsers[name] {
		switch {
		case i < 0:
			f.pass(c.Args...)
		case i < len(c.Args):
			f.pass(c.Args[i])
		}
	}
	for _, i := range forUsers[name] {
		if i < len(c.Args) {
			f.refuse(c.Args[i])
		}
	}
	if name != "El" && name != "Void" && name != "Attr" {
		return
	}
	first := 1
	if name == "Attr" {
		first = 0
	}
	for i := first; i+1 < len(c.Args); i += 2 {
		attribute := plain(c.Args[i])
		f.pass(c.Args[i])
		switch {
		case slices.Contains(readOut, attribute):
			f.refuse(c.Args[i+1])
		case !strings.HasPrefix(attribute, "aria-"):
			f.pass(c.Args[i+1])
		}
	}
}

// texts gives the texts that an expression is put together from: through +, parentheses and Pick.
func texts(e ast.Expr) []*ast.BasicLit {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return []*ast.BasicLit{e}
		}
	case *ast.ParenExpr:
		return texts(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return append(texts(e.X), texts(e.Y)...)
		}
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		if sel, isSel := e.Fun.(*ast.SelectorExpr); isSel {
			name, ok = sel.Sel, true
		}
		if ok && name.Name == "Pick" && len(e.Args) == 3 {
			return append(texts(e.Args[1]), texts(e.Args[2])...)
		}
	}
	return nil
}

// pass says that texts are no words for a user.
func (f *wordFinder) pass(list ...ast.Expr) {
	for _, e := range list {
		for _, lit := range texts(e) {
			f.fine[lit] = true
		}
	}
}

// refuse finds every text with a letter in it: where it stands a user reads it.
func (f *wordFinder) refuse(e ast.Expr) {
	for _, lit := range texts(e) {
		if f.fine[lit] {
			continue
		}
		f.fine[lit] = true
		if text := plain(lit); letter.MatchString(text) && !f.known(text) {
			f.found = append(f.found, lit)
		}
	}
}

// judge finds a text by what it looks like.
func (f *wordFinder) judge(lit *ast.BasicLit) {
	text := plain(lit)
	classes := classNames.MatchString(text) && (strings.Contains(text, "--") || strings.Contains(text, "__"))
	if (sentence.MatchString(text) || capital.MatchString(text)) && !classes && !f.known(text) {
		f.found = append(f.found, lit)
	}
}

func (f *wordFinder) known(text string) bool {
	_, ok := noWords[text]
	f.used[text] = f.used[text] || ok
	return ok
}

// plain is the value of a text, "" for anything else.
func plain(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}

// pageFiles are the pages and scripts that the browser has beside the client.
var pageFiles = []string{"web/static/*.html", "web/static/*.js", "web/*.js", "bff/*.html"}

// noPageWords are the texts of scripts that look like words and are none, with the reason.
var noPageWords = map[string]string{
	"use strict": "for the browser", "default-src 'none'; style-src 'unsafe-inline'": "a policy for the browser", "text/html; charset=utf-8": "a kind of file",
	"Content-Type": "a header", "Cache-Control": "a header", "Content-Security-Policy": "a header",
	"(prefers-reduced-motion: reduce)": "CSS", "input, textarea, video": "the same",
	"…":            "no language writes it otherwise",
	"no program: ": "for who builds the studio",
}

var (
	scriptComment = regexp.MustCompile(`(?m)(^|\s)//.*$`)
	scriptText    = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`")
	filledIn      = regexp.MustCompile(`(?s)\{\{.*?\}\}|\[\[.*?\]\]|\$\{.*?\}`)
	unread        = regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>|<!--.*?-->`)
	readAttribute = regexp.MustCompile(`(?:(?:` + strings.Join(readOut, "|") + `)="([^"]*)")|name="description" content="([^"]*)"|<html lang="([^"]*)"`)
	tag           = regexp.MustCompile(`(?s)<[^>]*>`)
)

// What the pages and scripts beside the client say stands in web/words.go and bff/words/review.go, as the client's words stand in app/words.
func TestWordsOfThePagesStandInOnePlace(t *testing.T) {
	used := map[string]bool{}
	looked := 0
	for _, pattern := range pageFiles {
		names, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			looked++
			found := wordsOfPage(string(text))
			if filepath.Ext(name) == ".js" {
				found = wordsOfScript(string(text), used)
			}
			for _, said := range found {
				t.Errorf("%s: %q reads like words for a user: it belongs into web/words.go or bff/words/review.go", filepath.ToSlash(name[len("../../"):]), said)
			}
		}
	}
	if looked < 6 {
		t.Errorf("only %d files were looked at", looked)
	}
	for text := range noPageWords {
		if !used[text] {
			t.Errorf("%q is in noPageWords and in no script", text)
		}
	}
}

// wordsOfPage gives what a page says beside what is filled in.
func wordsOfPage(text string) (found []string) {
	text = filledIn.ReplaceAllString(text, "")
	for _, is := range readAttribute.FindAllStringSubmatch(text, -1) {
		if value := is[1] + is[2] + is[3]; letter.MatchString(value) {
			found = append(found, value)
		}
	}
	for _, between := range tag.Split(unread.ReplaceAllString(text, ""), -1) {
		if letter.MatchString(between) {
			found = append(found, strings.TrimSpace(between))
		}
	}
	return found
}

// wordsOfScript gives what a script says: texts that read like words, and those of the pages among them.
func wordsOfScript(text string, used map[string]bool) (found []string) {
	for _, quoted := range scriptText.FindAllString(scriptComment.ReplaceAllString(text, ""), -1) {
		is := quoted[1 : len(quoted)-1]
		if noPageWords[is] != "" {
			used[is] = true
			continue
		}
		if strings.HasPrefix(is, "<") {
			found = append(found, wordsOfPage(is)...)
			continue
		}
		if is = filledIn.ReplaceAllString(is, ""); (sentence.MatchString(is) || capital.MatchString(is)) && !classNames.MatchString(is) {
			found = append(found, is)
		}
	}
	return found
}
