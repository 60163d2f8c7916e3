package db

import (
	"math"
	"testing"

	"atelier/atelier"
)

// FuzzACursorIsOursOrRefused: what is read as a cursor is one the lists could have given, and leads to the same place again.
func FuzzACursorIsOursOrRefused(f *testing.F) {
	for _, cursor := range []string{"", "0190a0b0-0000-7000-8000-000000000000.3", "4_0190a0b0-0000-7000-8000-000000000000.0", "NaN_0190a0b0-0000-7000-8000-000000000000.0", "' OR 1=1 --", "_.", "1e999_x.1"} {
		for _, sort := range []string{"newest", "oldest", "rating", "fidelity"} {
			f.Add(cursor, sort)
		}
	}
	f.Fuzz(func(t *testing.T, cursor, sort string) {
		filter := atelier.RunFilter{Cursor: cursor, Sort: atelier.Sort(sort)}
		p, err := parsePlace(filter)
		if err != nil {
			if atelier.CodeOf(err) != atelier.Invalid {
				t.Errorf("%q: %v", cursor, err)
			}
			return
		}
		if p == nil {
			return
		}
		if p.index < 0 || p.valued && (math.IsNaN(p.value) || math.IsInf(p.value, 0)) {
			t.Errorf("%q is read as %+v", cursor, *p)
		}
		filter.Cursor = p.String()
		if again, err := parsePlace(filter); err != nil || *again != *p {
			t.Errorf("%q is read as %+v, and its own cursor as %+v, %v", cursor, *p, again, err)
		}
	})
}
