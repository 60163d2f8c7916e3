package bff

import (
	"crypto/rand"
	"fmt"
	"strings"
)

// A run goes out under a name of its own by which it is found again: a label for people and 50 random bits, 20 characters
// together (Task API, "Limits": task name).
const (
	tagLabel  = 9
	tagRandom = 10
	crockford = "0123456789abcdefghjkmnpqrstvwxyz"
)

// newTag makes the name of a run with that title.
func newTag(title string) (string, error) {
	label := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '-', r == '_':
			return r
		case r == ' ':
			return '-'
		}
		return -1
	}, title)
	if label = strings.Trim(label, "-_"); label == "" {
		label = "atelier"
	}
	label = strings.TrimRight(label[:min(len(label), tagLabel)], "-_")
	var random [tagRandom]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fmt.Errorf("make a tag: %w", err)
	}
	for i, b := range random {
		random[i] = crockford[b&31]
	}
	return label + "~" + string(random[:]), nil
}
