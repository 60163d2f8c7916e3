package db_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"atelier/db/dbtest"
)

var (
	named     = regexp.MustCompile(`(?m)^-- name: (\w+) :\w+\n`)
	arguments = regexp.MustCompile(`sqlc\.arg\((\w+)\)`)
	hardly    = regexp.MustCompile(`^SEARCH (?:runs|results)(?: USING (?:COVERING )?INDEX (\w+))? .*\((?:user_id=\?|id<\?)\)$`) // everything of one user, or from a place on
	wholeLong = regexp.MustCompile(`^SCAN (runs|results|answers|assets|inbox|board_results|uploads)\b(?: USING (?:COVERING )?INDEX (\w+))?`)
)

// A history of years is no reason for any work to take longer: no query goes through all rows of a table that grows with it.
func TestNoQueryGoesThroughAWholeHistory(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	files, err := filepath.Glob("query/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	partial, err := d.Names(t.Context(), `SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'`)
	if err != nil {
		t.Fatal(err)
	}
	queries := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		at := named.FindAllSubmatchIndex(text, -1)
		for i, m := range at {
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			queries++
			name, statement := string(text[m[2]:m[3]]), string(text[m[1]:end])
			var names []string
			statement = arguments.ReplaceAllStringFunc(statement, func(name string) string {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
				return "$" + strconv.Itoa(slices.Index(names, name)+1)
			})
			n := 0
			for strings.Contains(statement, "$"+strconv.Itoa(n+1)) {
				n++
			}
			plan, err := d.Plan(t.Context(), statement, slices.Repeat([]any{"1"}, n)...)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, step := range plan {
				// An index with a condition of its own holds the few rows that meet it.
				if m := hardly.FindStringSubmatch(step); m != nil && !slices.Contains(partial, m[1]) {
					t.Errorf("%s: %q", name, plan)
				}
				if m := wholeLong.FindStringSubmatch(step); m != nil && !slices.Contains(partial, m[2]) {
					t.Errorf("%s: %q", name, plan)
				}
			}
		}
	}
	if queries < 80 {
		t.Errorf("%d queries were found", queries)
	}
}
