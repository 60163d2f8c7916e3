package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// assumption is the mark of a choice that the API documents leave open, with the first words of its line.
var assumption = regexp.MustCompile(`ASSUMED\b(?: \[([^\n\]]+)\])?`)

// Every choice that a comment marks stands in docs/spec-gaps.md: `// ASSUMED [first words of the line]: …`.
func TestEveryAssumptionHasItsLine(t *testing.T) {
	root := filepath.Join("..", "..")
	lines := gaps(t, filepath.Join(root, "docs", "spec-gaps.md"))
	marked := 0
	for _, s := range sources(t) {
		if s.dir == "internal/archtest" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range assumption.FindAllStringSubmatch(string(text), -1) {
			marked++
			if named := lineOf(lines, match[1]); len(named) != 1 {
				t.Errorf("%s: %q names %d lines of docs/spec-gaps.md, want one: say which, as in ASSUMED [first words of the line]: …", s.file, match[0], len(named))
			}
		}
	}
	if marked < 50 {
		t.Errorf("only %d assumptions found", marked)
	}
	for _, words := range []string{"", "No such line", "batchCount"} { // none, none, several
		if n := len(lineOf(lines, words)); n == 1 {
			t.Errorf("%q passes for the beginning of one line", words)
		}
	}
}

// gaps are the questions of the page, one for each line of its tables, without code marks.
func gaps(t *testing.T, file string) []string {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var questions []string
	for line := range strings.Lines(string(page)) {
		question, rest, isRow := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if isRow && strings.HasPrefix(line, "| ") && strings.TrimSpace(rest) != "" {
			questions = append(questions, strings.ReplaceAll(question, "`", ""))
		}
	}
	return questions
}

// lineOf gives the lines that begin with the words, or the one that is them.
func lineOf(lines []string, words string) []string {
	if words == "" {
		return nil
	}
	if slices.Contains(lines, words) {
		return []string{words}
	}
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !strings.HasPrefix(line, words) })
}
