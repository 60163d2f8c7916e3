package model

import (
	"slices"
	"testing"
)

func TestOrderedGoesByRankAndKeepsWhatIsAlike(t *testing.T) {
	ranks := map[string]int{"a": 2, "b": -3, "c": 2, "d": 0, "e": -3, "f": 7}
	for _, tt := range []struct{ given, want []string }{
		{nil, []string{}},
		{[]string{"d"}, []string{"d"}},
		{[]string{"a", "b", "c", "d", "e", "f"}, []string{"b", "e", "d", "a", "c", "f"}},
		{[]string{"f", "e", "d", "c", "b", "a"}, []string{"e", "b", "d", "c", "a", "f"}},
	} {
		before := slices.Clone(tt.given)
		if got := Ordered(tt.given, func(s string) int { return ranks[s] }); !slices.Equal(got, tt.want) {
			t.Errorf("Ordered(%q) = %q, want %q", tt.given, got, tt.want)
		}
		if !slices.Equal(tt.given, before) {
			t.Errorf("%q became %q", before, tt.given)
		}
	}
}
