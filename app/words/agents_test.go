package words

import (
	"testing"
	"unicode/utf8"

	"atelier/catalog"
)

func TestAgentCaveatsFitTheChooser(t *testing.T) {
	for _, a := range catalog.All() {
		shown := Does(a.Exact, a.Caveat())
		if n := utf8.RuneCountInString(shown); n > catalog.MaxCaveat {
			t.Errorf("%s: the chooser shows %d letters, want at most %d: %s", a.Name, n, catalog.MaxCaveat, shown)
		}
	}
}
