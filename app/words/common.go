package words

// Words of buttons and marks that every page uses.
const (
	Undo    = "Undo"
	Dismiss = "Dismiss"
)

// Words of buttons and marks that every page uses.
const (
	Cancel    = "Cancel"
	Copy      = "Copy"
	Done      = "Done"
	Loading   = "Loading…"
	TryAgain  = "Try again"
	LoadAgain = "Load the list again"
	Delete    = "Delete"
	KeepIt    = "Keep it"
	Save      = "Save"
	Retry     = "Retry"
	Close     = "Close"
	From      = "From"
	To        = "To"
	Tags      = "Tags"
)

// Words of the way past the names of the pages, for those who go by the Tab key.
const (
	SkipToForm = "To the form"
	SkipToPage = "To the page"
)

// ResultCount is a number of results.
func ResultCount(n int) string { return plural(n, "result", "results") }

// CountOf is how many there are of how many there may be.
func CountOf(n, most int) string { return number(n) + " of " + number(most) }
