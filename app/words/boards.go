package words

// The page of the boards.
const (
	BoardsNew        = "New board"
	BoardsBroken     = "The boards could not be loaded"
	BoardsEmptyTitle = "No boards yet"
	BoardsEmpty      = "A board groups results: a campaign, a product, a client selection. A result can be on several boards."
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

// Notices about boards.
const (
	BoardCoverSet      = "Board cover set."
	BoardCoverOff      = "Board cover removed."
	ChooseReadyResults = "Select finished results."
)

// Boards shared with the team.
const (
	BoardShow         = "Share with the team"
	BoardIsShown      = "Shared with the team"
	BoardShowHelp     = "Everyone who can sign in sees this board: its name, notes and cover, and its results with their settings and source pictures. They can download results but not change anything. The rest of your work stays private."
	BoardsShown       = "Shared by others"
	ResultLink        = "Copy link"
	ResultLinkDone    = "Link copied. It opens for you, and for others while the result is on a shared board."
	ResultLinkGone    = "This result does not exist or is no longer shared."
	NothingShownTitle = "Nothing is shared here"
	NothingShown      = "Boards appear here while their owner shares them. Ask the owner, or choose another name above."
	ViewerEmptyTitle  = "Shared boards appear here"
	ViewerEmpty       = "You are a viewer: you can look at boards that designers share, compare their results and download them. No board is shared yet. Ask a designer to open a board, choose “Edit board” and switch on “Share with the team”."
	ViewerChoose      = "You are a viewer: you can look at boards that designers share, compare their results and download them. Choose a name in the list “Mine” above, or open the boards."
	ViewerOpenBoards  = "Open the boards"
)

// ShownBy names the owner of a shared board.
func ShownBy(name string) string { return "Shared by " + name }

// ShownByAll names the choice of everything a member shares.
func ShownByAll(name string) string { return "Everything " + name + " shares" }

// BoardNowShown says that a board is shown from now on, or no longer.
func BoardNowShown(name string, shown bool, results int) string {
	if shown {
		return "“" + name + "” is shared with the team, with " + ResultCount(results) + "."
	}
	return "“" + name + "” is private again."
}

// BoardDeleted says that a board is gone.
func BoardDeleted(name string) string {
	return "The board “" + name + "” is deleted. Its results stay in the gallery."
}

// BoardHolds says how many results were put on a board.
func BoardHolds(results int, name string) string {
	return plural(results, "result", "results") + " added to “" + name + "”."
}
