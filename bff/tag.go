package bff

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strings"
)

// A run goes out under a name of its own by which it is found again: a label for people, 35 random bits, and 15 that only this studio
// can have made for them, 20 characters together (Task API, "Limits": task name). Other studios may use the same account. The key of
// that proof is the database's: what a restored one has lost is known again, whether callback.key was kept or not.
const (
	tagLabel  = 9
	tagRandom = 7
	tagProof  = 3
	crockford = "0123456789abcdefghjkmnpqrstvwxyz"
)

// named says whether a name was made by this studio.
func (s *Server) named(tag string) bool {
	i := strings.LastIndexByte(tag, '~')
	end := len(tag) - tagProof
	return i >= 1 && i <= tagLabel && end == i+1+tagRandom && hmac.Equal([]byte(tag[end:]), []byte(s.proveTag(tag[:end])))
}

func (s *Server) proveTag(begun string) string {
	mac := hmac.New(sha256.New, s.namesKey)
	mac.Write([]byte("tag1|" + begun))
	proof := mac.Sum(nil)[:tagProof]
	for i, b := range proof {
		proof[i] = crockford[b&31]
	}
	return string(proof)
}

// newTag makes the name of a run with that title. It may be taken already, which the database says.
func (s *Server) newTag(title string) (string, error) {
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
	begun := label + "~" + string(random[:])
	return begun + s.proveTag(begun), nil
}
