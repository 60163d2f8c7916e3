package overlay

import (
	"slices"
	"strings"
	"unicode"
)

// Agents that undress people or sexualise them are not offered, whatever an account has. These words give them away.
var (
	// deniedWithin are parts of words that mean nothing else.
	deniedWithin = []string{"nudif", "deepnude", "nsfw", "porn", "striptease", "hentai"}
	// deniedStarts are what words begin with; "sundress" is none of them.
	deniedStarts = []string{"undress", "unclothe", "nude", "nudity", "naked", "erotic", "sexy", "sexual", "topless", "bottomless", "xxx"}
	// removing and worn are denied side by side: "clothes remover" is, "clothes wrinkle remover" is not.
	removing = []string{"remov", "eras", "delet", "without"}
	worn     = []string{"cloth", "dress", "outfit", "garment", "underwear", "bikini", "shirt", "skirt"}
	// removingWhole and wornWhole count as whole words only: striped shirts are no harm.
	removingWhole = []string{"strip", "off"}
	wornWhole     = []string{"bra", "pants", "panties"}
)

// denied gives the part of a name or title that says the agent undresses or sexualises people, "" when nothing does.
func denied(text string) string {
	words := wordsOf(text)
	removes := func(w string) bool { return begins(w, removing) || slices.Contains(removingWhole, w) }
	isWorn := func(w string) bool { return begins(w, worn) || slices.Contains(wornWhole, w) }
	for i, w := range words {
		if begins(w, deniedStarts) || begins(strings.TrimPrefix(w, "ai"), deniedStarts) ||
			slices.ContainsFunc(deniedWithin, func(part string) bool { return strings.Contains(w, part) }) {
			return w
		}
		if i+1 < len(words) && (removes(w) && isWorn(words[i+1]) || isWorn(w) && removes(words[i+1])) {
			return w + " " + words[i+1]
		}
	}
	return ""
}

func begins(word string, stems []string) bool {
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.HasPrefix(word, stem) })
}

// wordsOf splits a text at everything that is no letter and where small letters turn into capitals.
func wordsOf(text string) []string {
	var b strings.Builder
	small := false
	for _, c := range text {
		switch {
		case !unicode.IsLetter(c):
			b.WriteByte(' ')
			small = false
			continue
		case small && unicode.IsUpper(c):
			b.WriteByte(' ')
		}
		small = unicode.IsLower(c)
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.Fields(b.String())
}
