package db

import (
	"strings"
	"unicode/utf8"
)

// sign is a set of the beginnings of a run's words, with a place for each that others may share: a run whose sign lacks one of a
// search's is not found by it. Only words of ASCII letters and digits have signs; where there are other letters all is possible, for
// which letters count as one is FTS5's to say.
type sign [4]uint64

var anySign = sign{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// has says whether all of what is asked for may be there.
func (s *sign) has(want *sign) bool {
	return s[0]&want[0] == want[0] && s[1]&want[1] == want[1] && s[2]&want[2] == want[2] && s[3]&want[3] == want[3]
}

// add adds the beginnings of a word that are long enough to tell something: its first three letters and its first five.
func (s *sign) add(word string) {
	for _, n := range [...]int{3, 5} {
		if len(word) >= n {
			h := uint32(2166136261) // FNV-1a
			for i := range n {
				h = (h ^ uint32(word[i])) * 16777619
			}
			h ^= h >> 15
			s[h>>6&3] |= 1 << (h & 63)
		}
	}
}

// signOf is the sign of a text that runs are found by.
func signOf(text string) (s sign) {
	if !plain(text) {
		return anySign
	}
	for word := range tokens(text) {
		s.add(word)
	}
	return s
}

// plain says whether a text is ASCII.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// tokens are the words of a plain text as FTS5's unicode61 has them: letters and digits, in lower case.
func tokens(text string) func(yield func(string) bool) {
	return strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// phrases are the words of a search that are plain, each as the tokens that must stand together, the last of which may go on.
// whole is false when there are others.
func phrases(words []string) (of [][]string, whole bool) {
	whole = true
	for _, word := range words {
		if !plain(word) {
			whole = false
			continue
		}
		var phrase []string
		for t := range tokens(word) {
			phrase = append(phrase, t)
		}
		of = append(of, phrase)
	}
	return of, whole
}

// signOfPhrases is what the sign of a run must have for a search to find it.
func signOfPhrases(of [][]string) (s sign) {
	for _, phrase := range of {
		for _, t := range phrase {
			s.add(t)
		}
	}
	return s
}

// says says whether a plain text has all the phrases.
func says(text string, all [][]string) bool {
	var words []string
	for t := range tokens(text) {
		words = append(words, t)
	}
	for _, phrase := range all {
		if !hasPhrase(words, phrase) {
			return false
		}
	}
	return true
}

func hasPhrase(words, phrase []string) bool {
	last := len(phrase) - 1
next:
	for from := 0; from+last < len(words); from++ {
		if !strings.HasPrefix(words[from+last], phrase[last]) {
			continue
		}
		for i, t := range phrase[:last] {
			if words[from+i] != t {
				continue next
			}
		}
		return true
	}
	return false
}
