package words

// OwnPreset is how one kind of preset that designers make of their own photos is called, whole sentences throughout: the
// kinds differ in gender in many languages.
type OwnPreset struct {
	Title   string // of the list
	New     string // the button and the dialog that make one
	Delete  string // the title of the dialog that asks
	Make    string // the button at the end
	Example string // a name such a preset may have
	Teach   string // what it is for
	TooMany func(most int) string
	Failed  string   // what to do when one could not be made
	Advice  []string // what the photos must be and should be
}

// OwnFashionModel is a fashion model of the designer's own.
var OwnFashionModel = OwnPreset{
	Title: "Fashion models", New: "New fashion model", Delete: "Delete this fashion model?", Make: "Create the fashion model", Example: "Jo, short hair",
	Teach:   "Create a fashion model from one to four photos of a face, then dress it in your clothes in every picture.",
	TooMany: func(most int) string { return "A fashion model takes at most " + plural(most, "photo", "photos") + "." },
	Failed:  "Failed. Try a photo that shows the whole face from the front.",
	Advice:  []string{"PNG, JPEG or WebP, each at most 5 MB", "Each side over 512 pixels, less than twice as long as wide", "The face is uncovered and seen from the front", "Little or no make-up; more than one photo gives a better likeness"},
}

// OwnLocation is a location of the designer's own.
var OwnLocation = OwnPreset{
	Title: "Locations", New: "New location", Delete: "Delete this location?", Make: "Create the location", Example: "Atelier, north window",
	Teach:   "Create a location from a photo of a place with a person in it, then set your pictures there.",
	TooMany: func(most int) string { return "A location takes at most " + plural(most, "photo", "photos") + "." },
	Failed:  "Failed. Try another photo.",
	Advice:  []string{"PNG, JPEG or WebP, at most 5 MB", "Each side over 512 pixels, less than twice as long as wide", "It shows a place with a person in it"},
}

// How a preset of the designer's own is doing.
const (
	OwnReady     = "Ready"
	OwnBeingMade = "In progress"
)

// The page of the library.
const (
	LibraryYours       = "Yours"
	LibrarySearch      = "Search yours by name"
	LibraryUse         = "Use"
	LibraryOffered     = "From the image service"
	LibraryBackdrops   = "Backdrops"
	LibrarySizes       = "Sizes"
	LibraryDeleteStays = "Results made with it and its photos in your uploads stay. Runs that used it cannot be repeated."
)

// Presets to choose from.
const (
	PresetsSearch       = "Search by name, tag or style"
	PresetsFavourites   = "Favourites"
	PresetsNothing      = "No match. Try a shorter word or another tag."
	PresetsPreviousPage = "Previous page"
	PresetsNextPage     = "Next page"
)

// LibraryCount says how many presets the whole account has of how many it takes, and how many of them are one's own where others have
// some too.
func LibraryCount(own, account, most int) string {
	if own == account {
		return CountOf(account, most)
	}
	return CountOf(account, most) + " in the account, " + number(own) + " of them yours"
}

// LibraryFull says so when the account takes no more.
func LibraryFull(own, account, most int) string {
	if own == 0 {
		return LibraryCount(own, account, most) + ". The account is full; another member must delete one first."
	}
	return LibraryCount(own, account, most) + ". The account is full; delete one first."
}

// LibraryFound says how many of one's own a search finds.
func LibraryFound(n int) string {
	if n == 0 {
		return "None found. Try a shorter word."
	}
	return Count(n) + " found"
}

// LibraryUseOf names the button that takes a preset into the form.
func LibraryUseOf(name string) string { return LibraryUse + " " + name }

// LibraryDelete names the button that deletes a preset.
func LibraryDelete(name string) string { return "Delete " + name }

// LibraryDeleteGoes says what deleting a preset does.
func LibraryDeleteGoes(name string) string {
	return "This deletes " + name + " from the image service. You can undo it for a moment, then it is final."
}

// LibraryChosen and the two below it say what became of a preset.
func LibraryChosen(name string) string    { return name + " selected" }
func LibraryDeleted(name string) string   { return name + " is deleted." }
func LibraryBeingMade(name string) string { return "Creating " + name }

// Favourite names the star of something.
func Favourite(name string) string { return "Favourite: " + name }

// PageOf says which of how many pages is shown.
func PageOf(n, of int) string { return number(n) + " / " + number(of) }

// PresetIs is the tip of a preset that cannot be used: its name and how it is doing.
func PresetIs(name, state string) string { return name + ": " + state }

// PresetsFound says how many presets a search finds.
func PresetsFound(n int) string { return plural(n, "preset", "presets") }

// PresetsLoading says how many presets are here of how many there are.
func PresetsLoading(n, of int) string { return "Loading, " + CountOf(n, of) }
