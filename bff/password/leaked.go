package password

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"sync"
	"unicode"
)

// fingerprints are the first eight bytes, in hex, of the SHA-256 of each password of at least twelve characters, in small letters, that is
// among the 100,000 most frequent of ten million that were found in leaks (published in 2015), or among the 10,000 of other collections,
// and that the rules here do not see. Shorter ones are refused for their length.
//
//go:embed leaked.txt
var fingerprints string

var leaked = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(fingerprints) {
		set[strings.TrimSpace(line)] = true
	}
	return set
})

// used says whether many people have a password already, also when figures and signs stand before or behind it.
func used(plain string) bool {
	small := strings.ToLower(plain)
	word := strings.TrimFunc(small, func(r rune) bool { return !unicode.IsLetter(r) })
	return leaked()[fingerprint(small)] || leaked()[fingerprint(word)]
}

func fingerprint(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
