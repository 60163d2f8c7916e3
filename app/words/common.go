package words

// Words of buttons and marks that every page uses.
const (
	Undo    = "Undo"
	Dismiss = "Dismiss"
)
