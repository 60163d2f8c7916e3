package bff

import (
	"strings"
	"testing"
)

func TestNamesInOneArchiveDiffer(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	for _, want := range []string{"Dress.png", "dress (2).png", "DRESS (3).png", "\u00c9t\u00e9.png", "E\u0301te\u0301 (2).png"} {
		name, _, _ := strings.Cut(want, " (")
		name = strings.TrimSuffix(name, ".png")
		if got := uniqueName(taken, name, ".png"); got != want {
			t.Errorf("%q, want %q", got, want)
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
