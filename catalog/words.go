package catalog

import "fmt"

// What is wrong with values and files, for people and for clients of the API alike: the first %s is a field's title for the ones and its
// name for the others. What agents and fields are called, and what a rule says, stands with them (family_a.go and so on). A translation
// may change the order of what is filled in by %[2]s.
const (
	saidNeeded        = "%s: this is needed."
	saidExactly       = "%s: exactly %d are needed, %d given."
	saidOne           = "%s: at least one is needed."
	saidAtLeast       = "%s: at least %d are needed, %d given."
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
	saidCharacters    = "%s: %s characters are allowed, %d are written."
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

// What a mask in base64 is not, after its name (saidMask).
const (
	maskPrefixed   = "must be sent without its data-URI prefix"
	maskNoPNG      = "must be a PNG in base64"
	maskCharacters = "must be a PNG in base64; this one has characters that are not"
	maskCut        = "must be a PNG in base64; this one is cut off"
)

// kindInWords is what a value must be, after saidMustBe.
func (p Param) kindInWords() string {
	switch p.Kind {
	case Int:
		return "a whole number"
	case Preset:
		return "the id of a preset, a whole number"
	case Bool:
		return "true or false"
	case Tags:
		return "a list of tag ids"
	case Strings:
		return "a list of texts"
	case Duration:
		return "a text of the form 5s"
	case Colour:
		return "a text of the form #RRGGBB"
	case MaskPNG:
		return "a text, a PNG in base64"
	case MaskURL:
		return "a text, an http or https address"
	}
	return "a text"
}

// inWords is "" for any number.
func (s span) inWords() string {
	unit := ""
	if s.unit != "" {
		unit = " " + s.unit
	}
	switch {
	case s.lowKnown && s.highKnown:
		return fmt.Sprintf("%.0f to %.0f%s", s.low, s.high, unit)
	case s.highKnown:
		return fmt.Sprintf("at most %.0f%s", s.high, unit)
	case s.lowKnown:
		return fmt.Sprintf("at least %.0f%s", s.low, unit)
	}
	return ""
}
