package bff

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plainText gives a text that users see as it reads: in composed letters (Unicode Standard Annex 15, NFC), without control characters, which
// databases and file systems refuse, and without bidirectional controls, which let it read as another. Line breaks and tabs stay.
func plainText(text string) string {
	return strings.TrimSpace(norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, text)))
}

// plainLine is plainText for what stands on one line: titles and names.
func plainLine(text string) string { return strings.Join(strings.Fields(plainText(text)), " ") }
