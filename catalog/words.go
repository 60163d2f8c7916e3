package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What is wrong with values and files, for people and for clients of the API alike: the first %s is a field's title for the ones and its
// name for the others. What agents and fields are called, and what a rule says, stands with them (family_a.go and so on). A translation
// may change the order of what is filled in by %[2]s.
const (
	saidRequired      = "%s is required." // to clients of the API; askFor says it to people
	saidExactly       = "%s: exactly %d required, %d given."
	saidOne           = "%s: at least one is required."
	saidAtLeast       = "%s: at least %d required, %d given."
	saidAtMost        = "%s: at most %d allowed, %d given."
	saidNoAddress     = "%s: %s is not an http or https address."
	saidReplaced      = "%s must be %s; %v is used instead."
	saidMustBeOneOf   = "%s must be one of %s."
	saidMustBe        = "%s must be %s."
	saidMustBeFloat   = "%s must be %s; it is %.0f."
	saidMustBeBecause = "%s must be %s; it is %.0f. %s"
	saidMustBeWhole   = "%s must be %s; it is %d."
	saidNoOption      = "%s: %s is not one of %s."
	saidNoColour      = "%s: %s is not of the form #RRGGBB."
	saidMask          = "%s %s."
	saidNoDuration    = "%s: %s is not of the form 5s."
	saidCharacters    = "%s: %s characters allowed, %d written."
	saidEntries       = "%s must have %s entries; it has %d."
	saidNoID          = "%s: %.0f is not an id; ids count from 1."
	saidNameLong      = "%s has %d characters; at most %d are allowed."
	saidNoText        = "%s is a text."
	saidNoAddresses   = "%s is an address or a list of addresses."
	saidUnknown       = "%s is not known to %s and is ignored."
	saidUnknownHere   = "%s is not known on the %s surface and is ignored there."
	saidUnavailable   = "%s is not available on the %s surface."
	calledName        = "The name" // of a task
)

// askFor is the sentence that asks for a missing value or file: "Enter a width.", "Describe what happens.", "Add a photo."
func askFor(kind Kind, title string) string {
	verb := "Enter"
	switch kind {
	case "":
		verb = "Add"
	case Text:
		verb = "Describe"
	case Enum, Preset, Tags, Strings, Colour, Bool:
		verb = "Choose"
	case MaskPNG:
		verb = "Paint"
	}
	first, size := utf8.DecodeRuneInString(title)
	object := string(unicode.ToLower(first)) + title[size:]
	switch {
	case strings.HasPrefix(object, "what "):
	case strings.ContainsRune("aeiou", unicode.ToLower(first)):
		object = "an " + object
	default:
		object = "a " + object
	}
	return verb + " " + object + "."
}

// What a mask in base64 is not, after its name (saidMask).
const (
	maskPrefixed   = "must be sent without its data-URI prefix"
	maskNoPNG      = "must be a PNG in base64"
	maskCharacters = "must be a PNG in base64; this one has characters that are not"
	maskCut        = "must be a PNG in base64; this one is cut off"
)

// What a value must be, after its name (saidMustBe).
const (
	kindWhole    = "a whole number"
	kindPreset   = "the id of a preset, a whole number"
	kindBool     = "true or false"
	kindTags     = "a list of tag ids"
	kindTexts    = "a list of texts"
	kindDuration = "a text of the form 5s"
	kindColour   = "a text of the form #RRGGBB"
	kindMask     = "a text, a PNG in base64"
	kindAddress  = "a text, an http or https address"
	kindText     = "a text"
)

// Ranges of numbers; the last %s is their unit and the space before it, where they have one.
const (
	spanBoth  = "%.0f to %.0f%s"
	spanMost  = "at most %.0f%s"
	spanLeast = "at least %.0f%s"
)
