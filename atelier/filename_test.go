package atelier_test

import (
	"strings"
	"testing"
	"time"

	"atelier/atelier"
)

func TestFileNamesAreSafeEverywhere(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Red dress 1":            "Red dress 1",
		"../../etc/passwd":       "_-..-etc-passwd",
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
		"ze\u200bro\ufeff\u2028": "zero",
		"\u200b":                 "picture",
		"👨\u200d👩":               "👨\u200d👩",
		"=1+1; =2":               "_=1+1, =2",
		" +x":                    "_+x",
		"＠x":                     "_＠x",
		"\xff\xfeodd":            "odd",
		strings.Repeat("x", 150): strings.Repeat("x", 150),
		strings.Repeat("x", 151): strings.Repeat("x", 150),
	} {
		if got := atelier.FileName(given); got != want {
			t.Errorf("FileName(%q) = %q, want %q", given, got, want)
		}
	}
	long := atelier.FileName(strings.Repeat("衣", 140) + " 07")
	if len(long) > atelier.MaxNameBytes || len(long) < atelier.MaxNameBytes-3 || !strings.HasSuffix(long, "衣 07") || strings.ContainsRune(long, '\ufffd') {
		t.Errorf("a long name becomes %d bytes: %q", len(long), long)
	}
}

func TestNamesAreMadeOfATemplate(t *testing.T) {
	t.Parallel()
	evening := time.Date(2026, 3, 1, 23, 30, 0, 0, time.FixedZone("", -3600))
	for _, tt := range []struct {
		template atelier.NameTemplate
		n, all   int
		want     string
	}{
		{"{title} {number}", 1, 1, "Red {agent} 01"}, // what is put in is not a template itself
		{" ", 1, 1, "Red {agent} 01"},
		{"a/{number}.", 7, 99, "a-07"},
		{"{number}", 7, 100, "007"},
		{"{number}", 1000, 1000, "1000"},
		{"{date}_{agent}", 1, 1, "2026-03-02_aimodel"},
	} {
		if got := tt.template.Fill("Red {agent}", "aimodel", evening, tt.n, tt.all); got != tt.want {
			t.Errorf("%s, %d of %d: %q, want %q", tt.template, tt.n, tt.all, got, tt.want)
		}
	}
	// A run without a title of its own is called by its file, whose ending has no place in the middle of a name.
	for title, want := range map[string]string{"Look 4.JPG": "Look 4 01", "v1.2": "v1.2 01", ".png": "png 01"} {
		if got := atelier.DefaultNames.Fill(title, "aimodel", evening, 1, 1); got != want {
			t.Errorf("a run called %q gives %q, want %q", title, got, want)
		}
	}
}
