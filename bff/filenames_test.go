package bff

import (
	"strings"
	"testing"
)

func TestFileNamesAreSafeEverywhere(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Red dress 1":            "Red dress 1",
		"../../etc/passwd":       "-..-etc-passwd",
		`a/b\c:d*e?f"g<h>i|j`:    "a-b-c-d-e-f-g-h-i-j",
		"  name. . ":             "name",
		"":                       "picture",
		"...":                    "picture",
		"con":                    "_con",
		"NUL.tar":                "_NUL.tar",
		"Lpt9 .x":                "_Lpt9 .x",
		"console":                "console",
		"a\u202egpj.exe":         "agpj.exe",
		"line\nbreak\x00":        "linebreak",
		"\xff\xfeodd":            "odd",
		strings.Repeat("x", 150): strings.Repeat("x", 150),
		strings.Repeat("x", 151): strings.Repeat("x", 150),
	} {
		if got := fileName(given); got != want {
			t.Errorf("fileName(%q) = %q, want %q", given, got, want)
		}
	}
	long := fileName(strings.Repeat("衣", 140) + " 07")
	if len(long) > maxNameBytes || len(long) < maxNameBytes-3 || !strings.HasSuffix(long, "衣 07") || strings.ContainsRune(long, '\ufffd') {
		t.Errorf("a long name becomes %d bytes: %q", len(long), long)
	}
}

func TestNamesInOneArchiveDiffer(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	for _, want := range []string{"Dress.png", "dress (2).png", "DRESS (3).png"} {
		name, _, _ := strings.Cut(want, " (")
		name = strings.TrimSuffix(name, ".png")
		if got := uniqueName(taken, name, ".png"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNamesAreMadeOfATemplate(t *testing.T) {
	t.Parallel()
	rec := zipRecord{Title: "Red {agent}", Agent: "aimodel"}
	for _, tt := range []struct {
		template string
		n, all   int
		want     string
	}{
		{"{title} {number}", 1, 1, "Red {agent} 01"}, // what is put in is not a template itself
		{"{number}", 7, 99, "07"},
		{"{number}", 7, 100, "007"},
		{"{number}", 1000, 1000, "1000"},
		{"{date}_{agent}", 1, 1, "0001-01-01_aimodel"},
	} {
		if got := fillTemplate(tt.template, rec, tt.n, tt.all); got != tt.want {
			t.Errorf("%s, %d of %d: %q, want %q", tt.template, tt.n, tt.all, got, tt.want)
		}
	}
}

func TestACellOfATableIsNoFormula(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", "\tx": "'\tx", "": "", "x=1": "x=1", "é": "é",
		" =1": "' =1", "\n=1": "'\n=1", "a;=1": "a;'=1", "a; @x;b": "a;' @x;b", "a\t-1": "a\t'-1", "＝1": "'＝1", `{"p":"x;+1"}`: `{"p":"x;'+1"}`, "a; b-c": "a; b-c",
	} {
		if got := noFormula(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}
