package words

// The pages.
const (
	PageStudio  = "Studio"
	PageGallery = "Gallery"
	PageBoards  = "Boards"
	PageLibrary = "Library"
	PageTasks   = "Tasks"
)

// The rail at the side.
const (
	RailPages    = "Pages"
	RailKeys     = "Keys"
	RailSettings = "Settings"
)

// The thin bar over the page, and dialogs of no page.
const (
	NoticeReconnecting = "Reconnecting. Nothing is lost."
	NoticeNewVersion   = "A new version is ready."
	NoticeReload       = "Reload"
	UnconfirmedTitle   = "Was this run made?"
)

// What stands in place of the studio while its server does not answer.
const (
	TroubleTitle = "The studio is not ready yet"
	TroubleRetry = "Try again"
	TroubleHelp  = "Retrying every few seconds."
)

// TabTitle is what the tab of the browser is called: the page, and before it how many runs ended meanwhile.
func TabTitle(page string, ended int) string {
	title := page + " · " + ProductName
	if ended > 0 {
		title = "(" + number(ended) + ") " + title
	}
	return title
}

// What is said when something goes wrong without an explanation.
const (
	SomethingWrong = "Something went wrong in the studio. Reload the page."
	ProductName    = "Atelier"
)
