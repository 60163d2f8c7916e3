package words

import "strings"

// Fields of the form.
const (
	FieldNeeded          = "required"
	FieldClear           = "Clear"
	FieldChoose          = "Choose…"
	FieldLeftToAgent     = "Agent decides"
	FieldLeftToAgentHelp = "The agent decides."
	FieldSeconds         = "seconds"
	FieldOn              = "On"
	FieldOff             = "Off"
	FieldNoColour        = "No colour"
	FieldColourPattern   = "#RRGGBB"
	FieldFewer           = "Fewer"
	FieldMore            = "More"
	FieldUsualCounts     = "Usual counts"
	FormMore             = "More"
)

// Presets in a field.
const (
	PresetsNone       = "The service offers none yet."
	PresetsNoTags     = "The service offers no tags."
	PresetsNoneChosen = "None chosen"
	PresetsOne        = "Choose one. Use + to add more: each gets its own run."
)

// Kinds of files in their places.
const (
	SlotVideo   = "Video"
	SlotSound   = "Sound"
	SlotPicture = "Picture"
)

// FormEmbedded says what the embedded service does in place of an agent's model, all that the agent promises or something near it.
func FormEmbedded(exact bool, does string) string { return "Embedded service: " + Does(exact, does) }

// Does is FormEmbedded where it is clear who does it.
func Does(exact bool, does string) string {
	if exact {
		return "Exact. " + does
	}
	return "Approximate. " + does
}

// FieldClearOf names the button that empties a field.
func FieldClearOf(field string) string { return FieldClear + " " + field }

// FieldInSeconds names the slider of a duration.
func FieldInSeconds(field string) string { return field + ", in seconds" }

// FieldLength is a number of seconds to choose from.
func FieldLength(seconds string) string { return seconds + " s" }

// FieldRange says which numbers may be given, such as "1 to 4096 px".
func FieldRange(numbers string) string { return "Range: " + numbers + "." }

// FieldLengthOf says how many characters may be written, such as "at most 300".
func FieldLengthOf(numbers string) string { return "Length: " + numbers + " characters." }

// FieldPicker names the well of a colour.
func FieldPicker(field string) string { return field + ", picker" }

// FieldOnlyWith says that a field depends on another: that it has one of these choices or, without choices, that it is given.
func FieldOnlyWith(field string, choices []string) string {
	if len(choices) == 0 {
		return "Only with: " + field + "."
	}
	return "Only with " + field + ": " + strings.Join(choices, " or ") + "."
}

// FieldCount says how many there are of how many there may be.
func FieldCount(n, most int) string { return number(n) + " / " + number(most) }

// PresetsAll leads to all presets.
func PresetsAll(n int) string { return "All " + plural(n, "preset", "presets") }

// PresetsMoreTags leads to the tags of presets that are not read yet.
func PresetsMoreTags(n int) string { return "Tags of all " + plural(n, "preset", "presets") }

// SlotPlace names a place for a kind of file, the first is 1.
func SlotPlace(kind string, n int) string { return kind + " " + number(n) }

// SlotFree names a place for a file that is still free.
func SlotFree(role string) string { return "Add: " + role }

// SlotTaken names a file in its place.
func SlotTaken(role, file string) string { return role + ": " + file }

// SlotTakenAt names a file in its place among others, the first is 1.
func SlotTakenAt(role, file string, n, of int) string {
	return SlotTaken(role, file) + ". Place " + CountOf(n, of) + ". Arrow keys move it, Delete removes it"
}

// SlotForward and the two below it name what can be done with a file in its place.
func SlotForward(file string) string { return "Move " + file + " forward" }
func SlotBack(file string) string    { return "Move " + file + " back" }
func SlotRemove(file string) string  { return "Remove " + file }

// PresetsAnd follows the name of the chosen preset with how many more are chosen.
func PresetsAnd(more int) string { return " and " + number(more) + " more" }

// PresetAlso takes a preset beside the chosen one, or out again.
func PresetAlso(name string) string { return "Also with " + name }

// PresetsSeveral reports how many presets are chosen; each gets its own run.
func PresetsSeveral(n int) string {
	if n == 1 {
		return "1 chosen. Use + to add more: each gets its own run."
	}
	return number(n) + " runs, one for each."
}
