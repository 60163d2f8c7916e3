package e2e

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// docs/accessibility.md names every criterion of WCAG 2.2, levels A and AA, and nothing that examines one is named that is not there.
func TestEveryCriterionNamesItsTest(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/accessibility.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*)\|`).FindAllSubmatch(page, -1) {
		for _, number := range regexp.MustCompile(`\d\.\d\.\d+`).FindAllString(string(row[1]), -1) {
			rows[number]++
		}
	}
	// Those of the recommendation of 12 December 2024, without the ones of level AAA and 4.1.1, which it took away.
	for _, number := range strings.Fields(`1.1.1 1.2.1 1.2.5 1.3.1 1.3.2 1.3.3 1.3.4 1.3.5 1.4.1 1.4.2 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13
		2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4 2.4.5 2.4.6 2.4.7 2.4.11 2.5.1 2.5.2 2.5.3 2.5.4 2.5.7 2.5.8
		3.1.1 3.1.2 3.2.1 3.2.2 3.2.3 3.2.4 3.2.6 3.3.1 3.3.2 3.3.3 3.3.4 3.3.7 3.3.8 4.1.2 4.1.3`) {
		if rows[number] != 1 {
			t.Errorf("%s stands in %d rows", number, rows[number])
		}
	}
	var sources strings.Builder
	for _, folder := range []string{".", "../web", "../app/pages"} {
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f.Name(), "_test.go") {
				continue
			}
			data, err := os.ReadFile(folder + "/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(data)
		}
	}
	for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(string(page[strings.Index(string(page), "\n|"):]), -1) {
		if !regexp.MustCompile(`(?m)^func (\(b \*tab\) )?` + name[1] + `\(`).MatchString(sources.String()) {
			t.Errorf("%s is nowhere", name[1])
		}
	}
}
