package words

// The dialog about a run nobody knows the fate of.
const (
	UnconfirmedIDHelp        = "The studio asks the image service and takes the run over when the id is right."
	UnconfirmedAgain         = "Run again"
	UnconfirmedAgainHelp     = "Starts a new run. If the first one was made too, both are paid."
	UnconfirmedDismissHelp   = "Counts it as failed. Should it have been made after all, it comes back by itself."
	UnconfirmedDismissed     = "The run counts as failed."
	UnconfirmedID            = "I have the id"
	UnconfirmedIDPlaceholder = "Execution id"
	UnconfirmedTakeOver      = "Take over"
)

// UnconfirmedText says what is known of the run.
func UnconfirmedText(title string) string {
	return "“" + title + "” was sent, and no answer came back. It cannot be found at the image service, so it may have been accepted and billed, or not. The studio never sends it again by itself."
}
