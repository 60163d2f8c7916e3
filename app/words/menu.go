package words

// The menu of results, runs and photos.
const (
	MenuTitle     = "Menu"
	MenuOpen      = "Open"
	MenuOpenPhoto = "Work on this photo"
	MenuUnstar    = "Remove from favourites"
	MenuPick      = "Pick"
	MenuReject    = "Reject"
	MenuNoVerdict = "Remove the verdict"
)

// MenuSeveral is the menu of several things that are chosen.
func MenuSeveral(n int) string { return number(n) + " chosen" }
