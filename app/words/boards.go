package words

// The page of the boards.
const (
	BoardsNew        = "New board"
	BoardsBroken     = "The boards could not be loaded"
	BoardsEmptyTitle = "No boards yet"
	BoardsEmpty      = "A board holds results that belong together: a campaign, a product, what you show a client. A result can be on several boards."
)

// The dialogs of a board.
const (
	BoardName         = "Name"
	BoardNotes        = "Notes"
	BoardDelete       = "Delete board"
	BoardTakeCoverOff = "Remove the cover"
	BoardMake         = "Create board"
	BoardNewName      = "Name of a new board"
	BoardEdit         = "Edit board"
)

// What is said about boards.
const (
	BoardCoverSet      = "This result is the cover of the board now."
	BoardCoverOff      = "The board has no cover any more."
	ChooseReadyResults = "Choose results that are ready."
)

// What is shown to the team.
const (
	BoardShow         = "Show to the team"
	BoardIsShown      = "Shown to the team"
	BoardShowHelp     = "Everybody who can sign in here sees this board: its name, notes and cover, the results on it, what they were made with, and their source pictures. They can download the results and change nothing. Nothing else of yours is shown."
	BoardsShown       = "Shown by others"
	ResultLink        = "Copy link"
	ResultLinkDone    = "The link is copied. It opens for you, and for others as long as the result is on a board that is shown."
	ResultLinkGone    = "This result is not here, or it is not shown any more."
	NothingShownTitle = "Nothing is shown here"
	NothingShown      = "What somebody shows is here for as long as they show it. Ask them, or choose another name above."
	ViewerEmptyTitle  = "What others show is here"
	ViewerEmpty       = "You are a viewer: you look at boards that designers show to the team, compare what is on them and download it. Nobody shows one yet. Ask a designer to open a board, choose “Edit board” and switch on “Show to the team”."
	ViewerChoose      = "You are a viewer: you look at boards that designers show to the team, compare what is on them and download it. Choose a name above, in the list that says “Mine”, or open the boards."
	ViewerOpenBoards  = "Open the boards"
)

// ShownBy says whose something is that is shown.
func ShownBy(name string) string { return "Shown by " + name }

// ShownByAll names the choice of all that somebody shows.
func ShownByAll(name string) string { return "Everything " + name + " shows" }

// BoardNowShown says that a board is shown from now on, or no longer.
func BoardNowShown(name string, shown bool, results int) string {
	if shown {
		return "“" + name + "” is shown to everybody in this studio, with " + ResultCount(results) + "."
	}
	return "“" + name + "” is yours alone again."
}

// BoardDeleted says that a board is gone.
func BoardDeleted(name string) string {
	return "The board “" + name + "” is deleted. Its results stay in the gallery."
}

// BoardHolds says how many results were put on a board.
func BoardHolds(results int, name string) string {
	return plural(results, "result is", "results are") + " on “" + name + "”."
}
