package password

import (
	"testing"
)

// F11: a sign-in takes as long for a name that nobody has as for one that exists. Compare the two lines.
func BenchmarkWrongPassword(b *testing.B) {
	h := NewHasher()
	hash, err := h.Hash(b.Context(), "wolken fahren rad")
	if err != nil {
		b.Fatal(err)
	}
	for name, stored := range map[string]string{"known": hash, "unknown": ""} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if ok, err := h.Matches(b.Context(), stored, "not the password"); err != nil || ok {
					b.Fatal(ok, err)
				}
			}
		})
	}
}
