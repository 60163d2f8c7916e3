package words

// The page of the boards.
const (
	BoardsNew        = "New board"
	BoardsBroken     = "The boards could not be loaded"
	BoardsEmptyTitle = "No boards yet"
	BoardsEmpty      = "A board holds results that belong together: a campaign, a product, what you show a client. A result can be on many."
)

// The dialogs of a board.
const (
	BoardName         = "Name"
	BoardNotes        = "Notes"
	BoardDelete       = "Delete board"
	BoardTakeCoverOff = "Take the cover off"
	BoardMake         = "Make board"
	BoardNewName      = "Name of a new board"
	BoardEdit         = "Edit board"
)

// What is said about boards.
const (
	BoardCoverSet      = "This result stands for the board now."
	ChooseReadyResults = "Choose results that are ready."
)

// BoardDeleted says that a board is gone.
func BoardDeleted(name string) string {
	return "The board “" + name + "” is deleted. Its results stay in the gallery."
}

// BoardHolds says how many results were put on a board.
func BoardHolds(results int, name string) string {
	return plural(results, "result is", "results are") + " on “" + name + "”."
}
