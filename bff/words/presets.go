package words

// Presets, and those marked as favourites.
const (
	PresetNotOffered    = "The studio does not offer this preset. Choose another one."
	PresetDimensionMark = "A dimension is marked by its name only."
	PresetMark          = "A preset is marked by its id only."
	PresetNotAnswered   = "The image service did not answer. If it created this, it appears here within a few minutes."
)

// PresetManyMarked refuses more favourites than a user can have.
func PresetManyMarked(most int) string {
	return "You can have at most " + number(most) + " favourites."
}

// PresetSaid is what is said of one kind of presets that users make.
type PresetSaid struct {
	Name string                // a name that is missing or too long
	Gone string                // one that is not there
	Take func(most int) string // pictures that are too few or too many
	Full func(has int) string  // as many as there may be
	File func(file string) string
}

// PresetModels is what is said of fashion models, PresetLocations of locations.
var (
	PresetModels = PresetSaid{
		Name: "A fashion model needs a name of at most 100 characters.",
		Gone: "This fashion model no longer exists.",
		Take: func(most int) string { return "A fashion model takes 1 to " + number(most) + " pictures." },
		Full: func(has int) string {
			return "There are " + number(has) + " fashion models already, the most an account can have. Delete one first."
		},
		File: func(file string) string { return "A fashion model needs pictures; " + file + " is not one." },
	}
	PresetLocations = PresetSaid{
		Name: "A location needs a name of at most 100 characters.",
		Gone: "This location no longer exists.",
		Take: func(most int) string { return "A location takes " + plural(most, "picture", "pictures") + "." },
		Full: func(has int) string {
			return "There are " + number(has) + " locations already, the most an account can have. Delete one first."
		},
		File: func(file string) string { return "A location needs a picture; " + file + " is not one." },
	}
)

// PresetFile is what is wrong with one of the pictures a preset is to be made of.
func PresetFile(file, wrong string) string { return file + ": " + wrong }

// PresetLate is a preset that was never ready.
func PresetLate(name string) string {
	return "\"" + name + "\" was not ready within a day. Delete it and create it again."
}

// PresetUnmade is a preset that was never made.
func PresetUnmade(name string) string {
	return "\"" + name + "\" was not created: the image service refused it. Create it again."
}
